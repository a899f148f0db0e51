package import Analytics

/// Zones that somebody defined, and from which day on they hold.
///
/// Zones change as people do: a workout of before keeps those of its time.
package struct DatedZones: Sendable, Equatable, Codable {
    /// Nil for the ones that hold from the beginning.
    package var from: CivilDay?
    package var zones: HeartRateZoneDefinition

    package init(from: CivilDay? = nil, _ zones: HeartRateZoneDefinition) {
        self.from = from
        self.zones = zones
    }

    private enum CodingKeys: String, CodingKey { case from, zones }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value>(_ key: CodingKeys, _ text: String, _ make: (String) -> Value?) throws -> Value {
            guard let value = make(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values,
                    debugDescription: "\"\(text)\" defines no \(key == .from ? "day" : "zones").")
            }
            return value
        }
        zones = try read(.zones, values.decode(String.self, forKey: .zones)) { HeartRateZoneDefinition($0) }
        from = try values.decodeIfPresent(String.self, forKey: .from).map {
            try read(.from, $0) { CivilDay(stated: $0) }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(zones.description, forKey: .zones)
        try values.encodeIfPresent(from?.description, forKey: .from)
    }
}

extension [DatedZones] {
    /// Those that hold on a day: the latest that began by then.
    package func zones(on day: CivilDay) -> HeartRateZoneDefinition? {
        self.filter { $0.from.map { $0 <= day } ?? true }
            .max { a, b in
                switch (a.from, b.from) {
                case (nil, _?): true
                case (let a?, let b?): a < b
                case (_, nil): false
                }
            }?.zones
    }

    /// The same with new ones from a day on, in place of others of that day; in order.
    package func adding(_ new: DatedZones) -> [DatedZones] {
        (filter { $0.from != new.from } + [new]).sorted { a, b in
            guard let from = b.from else { return false }
            return a.from.map { $0 < from } ?? true
        }
    }
}
