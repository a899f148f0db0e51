package import Analytics

/// The user's own zones, valid from a day on.
///
/// Zones change over time, and an earlier workout keeps those of its day.
package struct DatedZones: Sendable, Equatable, Codable {
    /// The first day. Nil for zones without a first day.
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
    /// Returns the zones of a day: the latest by then.
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

    /// Returns the list with new zones from a day on, which replace those of the same day; in order.
    package func adding(_ new: DatedZones) -> [DatedZones] {
        (filter { $0.from != new.from } + [new]).sorted { a, b in
            guard let from = b.from else { return false }
            return a.from.map { $0 < from } ?? true
        }
    }
}
