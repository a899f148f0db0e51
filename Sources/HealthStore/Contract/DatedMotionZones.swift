package import Analytics

/// Zones of power or pace that somebody defined, from which day on they hold, and in which sport.
package struct DatedMotionZones: Sendable, Equatable, Codable {
    /// Nil for the ones that hold from the beginning.
    package var from: CivilDay?
    /// A case name of `HKWorkoutActivityType`; nil for all sports that have no zones of their own.
    package var activity: String?
    package var zones: MotionZoneDefinition

    package init(from: CivilDay? = nil, activity: String? = nil, _ zones: MotionZoneDefinition) {
        self.from = from
        self.activity = activity
        self.zones = zones
    }

    private enum CodingKeys: String, CodingKey { case from, activity, zones }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let text = try values.decode(String.self, forKey: .zones)
        guard let zones = MotionZoneDefinition(text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .zones, in: values, debugDescription: "\"\(text)\" defines no zones.")
        }
        self.zones = zones
        activity = try values.decodeIfPresent(String.self, forKey: .activity)
        from = try values.decodeIfPresent(String.self, forKey: .from).map { text in
            guard let day = CivilDay(stated: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .from, in: values, debugDescription: "\"\(text)\" is not a day.")
            }
            return day
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(zones.description, forKey: .zones)
        try values.encodeIfPresent(activity, forKey: .activity)
        try values.encodeIfPresent(from?.description, forKey: .from)
    }

    /// In which order they stand: all sports first, then by name, each by day.
    fileprivate static func stands(_ a: Self, before b: Self) -> Bool {
        if a.activity != b.activity { return (a.activity ?? "") < (b.activity ?? "") }
        guard let day = b.from else { return false }
        return a.from.map { $0 < day } ?? true
    }
}

extension [DatedMotionZones] {
    /// Those that hold on a day in a sport: its own, else those of all sports, and of these the latest that began by then.
    package func zones(on day: CivilDay, for activity: String?) -> MotionZoneDefinition? {
        let held = filter { $0.from.map { $0 <= day } ?? true }.sorted(by: DatedMotionZones.stands)
        let own = held.last { $0.activity != nil && $0.activity == activity }
        return (own ?? held.last { $0.activity == nil })?.zones
    }

    /// The same with new ones from a day on, in place of others of that day and sport; in order.
    package func adding(_ new: DatedMotionZones) -> [DatedMotionZones] {
        (filter { $0.from != new.from || $0.activity != new.activity } + [new]).sorted(by: DatedMotionZones.stands)
    }
}
