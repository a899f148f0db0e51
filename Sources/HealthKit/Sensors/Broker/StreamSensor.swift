import Brokers
package import Engine
package import SessionLog

/// The sensors of another machine's session, whose log is published to NATS.
///
/// This session also runs without the servers and the other session, and receives the readings of the first running
/// session.
package struct StreamSensor: Sensor {
    package let pace = SessionTimeline.Pace.wall
    package let fixedStart: Date? = nil

    private static let pause = Duration.seconds(1)

    private let address: NATSAddress
    private let warn: @Sendable (String) -> Void

    init(_ address: NATSAddress, warn: @escaping @Sendable (String) -> Void) {
        self.address = address
        self.warn = warn
    }

    package func batches(from start: Date, time: any TimeSource) -> LiveBatches {
        LiveBatches { take in await run(from: start, time: time, take) }
    }

    private func run(
        from start: Date, time: any TimeSource, _ take: @escaping @Sendable ([SessionEntry]) -> Void
    ) async {
        let reader = StreamReader(address)
        var lastFailure: String?
        while !Task.isCancelled {
            do {
                let stream = try await reader.connect()
                lastFailure = nil
                if let session = try await find(stream, reader) {
                    await follow(session, stream, reader, from: start, time: time, take)
                    return
                }
            } catch {
                let sentence = "\(error)"
                if sentence != lastFailure { warn(sentence) }
                lastFailure = sentence
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func find(_ stream: SessionStream, _ reader: StreamReader) async throws -> UUID? {
        if let session = address.session { return session }
        let person = address.person
        return try await reader.ask { try stream.running(person: person, within: StreamReader.longestSilence) }
            .last?.subjects.session
    }

    private func follow(
        _ session: UUID, _ stream: SessionStream, _ reader: StreamReader, from start: Date, time: any TimeSource,
        _ take: @escaping @Sendable ([SessionEntry]) -> Void
    ) async {
        var entries = StreamEntries(from: start)
        var lines = SessionLogLines()
        await reader.run(
            stream.feed(session: session, from: 1),
            report: { if case .failed(let sentence) = $0 { warn(sentence) } }
        ) { arrivals in
            let now = time.now()
            var batch: [SessionEntry] = []
            for arrival in arrivals {
                guard case .lines(let bytes, _) = arrival.content else {
                    batch += entries.end(at: now)
                    continue
                }
                for line in bytes.split(separator: 0x0A) {
                    switch lines.read(Array(line) + [0x0A]) {
                    case .entry(let entry): batch += entries.receive(entry, stored: arrival.stored, at: now)
                    case .blank, .unknown: break
                    case .unreadable(let reason):
                        warn("An entry of the session's log cannot be read: \(reason).")
                        take(batch + entries.end(at: now))
                        return false
                    }
                }
            }
            if arrivals.isEmpty { batch += entries.becameSilent(at: now) }
            if !batch.isEmpty { take(batch) }
            if case .end? = arrivals.last?.content { return false }
            return true
        }
    }
}

/// Converts entries of another session's log to readings of this one. Pure.
///
/// Readings are dated at their arrival, because the two machines' clocks may differ. Readings from before the start
/// only identify the sensors. Each session computes its own energy and decides its own pauses and laps.
package struct StreamEntries: Sendable {
    private static let computed: Set<String> = ["activeEnergyBurned", "basalEnergyBurned"]

    private let start: Date
    private var sensors = LatestSensors()
    private var last: Date
    private var lastReading: Date?
    private var hasBegun = false

    package init(from start: Date) {
        self.start = start
        last = start
    }

    /// - Parameter stored: The date at which the servers stored the entry.
    package mutating func receive(_ entry: SessionEntry, stored: Date, at now: Date) -> [SessionEntry] {
        if case .sensor(let status) = entry.content { sensors.note(status) }
        guard stored >= start else { return [] }
        last = max(last, now)
        let begin = hasBegun ? [] : sensors.all.map { SessionEntry(last, .sensor($0)) }
        hasBegun = true
        var entry = entry.shifted(by: last.timeIntervalSince(entry.date))
        switch entry.content {
        case .quantity(var reading):
            guard !Self.computed.contains(reading.type) else { return begin }
            // It becomes another sample here.
            reading.origin = nil
            entry.content = .quantity(reading)
            lastReading = last
        case .beats, .position: lastReading = last
        case .sensor: if !begin.isEmpty { return begin }
        default: return begin
        }
        return begin + [entry]
    }

    /// Notes silence. After 5 s the sensors count as away.
    package mutating func becameSilent(at now: Date) -> [SessionEntry] {
        guard let lastReading, now.timeIntervalSince(lastReading) >= ReadingPriority.staleInSeconds else { return [] }
        return end(at: now)
    }

    /// Notes that no more readings will come.
    package mutating func end(at now: Date) -> [SessionEntry] {
        guard hasBegun else { return [] }
        last = max(last, now)
        lastReading = nil
        // Their descriptions apply again when they come back.
        hasBegun = false
        return sensors.all.filter { $0.presence == .present }.map { status in
            var status = status
            status.presence = .away
            return SessionEntry(last, .sensor(status))
        }
    }
}

extension HealthEnvironment {
    /// - Throws: `HKError` for an unusable address or password.
    func makeStreamSensor(_ text: String, warn: (@Sendable (String) -> Void)?) throws -> any Sensor {
        let address = try publishing.get().servers(text, namesSession: true)
        return StreamSensor(address) { [notices] sentence in
            if let warn { return warn(sentence) }
            notices.notify(.sensorsFailed, "The session gets no readings. \(sentence)")
        }
    }
}
