package import Analytics

/// The user's own zones of power or pace in a sport, valid from a day on.
package struct DatedMotionZones: Sendable, Equatable, Codable {
    /// The first day. Nil for zones without a first day.
    package var from: CivilDay?
    /// A case name of `HKWorkoutActivityType`. Nil for all sports without zones of their own.
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

    /// The order: zones for all sports first, then by name, each by day.
    fileprivate static func stands(_ a: Self, before b: Self) -> Bool {
        if a.activity != b.activity { return (a.activity ?? "") < (b.activity ?? "") }
        guard let day = b.from else { return false }
        return a.from.map { $0 < day } ?? true
    }
}

extension [DatedMotionZones] {
    /// Returns the zones of a sport on a day: the sport's own or else those of all sports, and of these the latest by then.
    package func zones(on day: CivilDay, for activity: String?) -> MotionZoneDefinition? {
        let held = filter { $0.from.map { $0 <= day } ?? true }.sorted(by: DatedMotionZones.stands)
        let own = held.last { $0.activity != nil && $0.activity == activity }
        return (own ?? held.last { $0.activity == nil })?.zones
    }

    /// Returns the list with new zones from a day on, which replace those of the same day and sport; in order.
    package func adding(_ new: DatedMotionZones) -> [DatedMotionZones] {
        (filter { $0.from != new.from || $0.activity != new.activity } + [new]).sorted(by: DatedMotionZones.stands)
    }
}
