import Engine
package import SessionLog

/// Merges the readings of one person's sensors from several machines, each of which publishes the log of a session.
/// Pure.
///
/// A reading received by two machines counts once, and the first one is used. Two readings are the same if they have
/// one sensor and one type and were received within half a second. Their dates are compared on the clock of the
/// servers: shifted by the shortest time between the date of an entry and its storage, which contains the difference of
/// the clocks and the shortest delay. So neither different clocks nor a slow network turn one reading into two.
package struct HeardReadings: Sendable {
    /// Sensors usually send once a second.
    static let windowInSeconds = 0.5
    /// A reading with this much more delay than its machine's quickest one is out of date.
    static let longestDelayInSeconds = 3.0
    /// The number of remembered readings of one sensor and type.
    private static let remembered = 8
    private static let computed: Set<String> = ["activeEnergyBurned", "basalEnergyBurned"]

    private struct Machine {
        /// The shortest time from an entry's date to its storage by the servers.
        var offsetInSeconds = Double.infinity
        var lastReading: Date?
        var sensors = LatestSensors()
    }

    private struct Key: Hashable {
        var sensor: String
        var type: String
    }

    private let start: Date
    private var machines: [UUID: Machine] = [:]
    private var heard: [Key: [(machine: UUID, date: Date)]] = [:]
    /// The last statuses passed on.
    private var shown: [String: SensorStatus.Presence] = [:]
    private var last: Date

    package init(from start: Date) {
        self.start = start
        last = start
    }

    /// - Parameters:
    ///   - machine: The machine's session.
    ///   - stored: The date at which the servers stored the entry.
    package mutating func receive(
        _ entry: SessionEntry, from machine: UUID, stored: Date, at now: Date
    ) -> [SessionEntry] {
        let delay = stored.timeIntervalSince(entry.date)
        let offset = min(machines[machine, default: Machine()].offsetInSeconds, delay)
        machines[machine, default: Machine()].offsetInSeconds = offset
        if case .sensor(let status) = entry.content {
            machines[machine]?.sensors.note(status)
            return stored >= start ? changes(at: now) : []
        }
        guard stored >= start, delay - offset <= Self.longestDelayInSeconds, let key = Self.key(entry) else {
            return []
        }
        let date = entry.date.addingTimeInterval(offset)
        machines[machine]?.lastReading = now
        let statuses = changes(at: now)
        let known = heard[key, default: []]
        let isKnown = known.contains {
            $0.machine != machine && abs($0.date.timeIntervalSince(date)) < Self.windowInSeconds
        }
        guard !isKnown else { return statuses }
        heard[key] = (known + [(machine, date)]).suffix(Self.remembered)
        last = max(last, now)
        var entry = entry.shifted(by: last.timeIntervalSince(entry.date))
        if case .quantity(var reading) = entry.content {
            // It becomes another sample here.
            reading.origin = nil
            entry.content = .quantity(reading)
        }
        return statuses + [entry]
    }

    /// Notes that a machine's session has ended.
    package mutating func end(_ machine: UUID, at now: Date) -> [SessionEntry] {
        machines[machine] = nil
        return changes(at: now)
    }

    /// Notes the time. Sensors of machines that are silent for 5 s count as away.
    package mutating func pass(at now: Date) -> [SessionEntry] { changes(at: now) }

    private static func key(_ entry: SessionEntry) -> Key? {
        switch entry.content {
        case .quantity(let reading):
            computed.contains(reading.type) ? nil : Key(sensor: reading.sensor ?? "", type: reading.type)
        case .beats(let beats): Key(sensor: beats.sensor ?? "", type: "beats")
        case .position: Key(sensor: "", type: "position")
        default: nil
        }
    }

    /// Returns the sensors that came or went since the last call.
    private mutating func changes(at now: Date) -> [SessionEntry] {
        var present: [String: SensorStatus] = [:]
        for (_, machine) in machines.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
            let isSilent =
                machine.lastReading.map { now.timeIntervalSince($0) >= ReadingPriority.staleInSeconds } ?? true
            for status in machine.sensors.all {
                var status = status
                if isSilent || status.presence != .present { status.presence = .away }
                if present[status.id]?.presence != .present { present[status.id] = status }
            }
        }
        for id in shown.keys where present[id] == nil {
            present[id] = SensorStatus(id: id, kind: .bluetooth, presence: .away)
        }
        var entries: [SessionEntry] = []
        for (id, status) in present.sorted(by: { $0.key < $1.key }) where shown[id] != status.presence {
            // A sensor that was never present is not reported.
            if shown[id] == nil, status.presence != .present { continue }
            shown[id] = status.presence
            last = max(last, now)
            entries.append(SessionEntry(last, .sensor(status)))
        }
        return entries
    }
}
