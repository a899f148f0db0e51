import Brokers
package import Engine
import SessionLog
import Synchronization

/// The sensors of other machines, which publish their sessions to NATS. One reader serves all people.
package final class HeardSensors: Sendable {
    private let address: NATSAddress
    private let people = Mutex<[String: Listener]>([:])

    private struct Listener {
        var readings: HeardReadings
        var take: @Sendable ([SessionEntry]) -> Void
        var now: @Sendable () -> Date
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an unusable address.
    package init(_ text: String, _ environment: HealthEnvironment) throws {
        try PublishSettings.refusePassword(in: text)
        address = try environment.publishing.get().servers(text)
    }

    /// The sensors of one person, for one session.
    package func sensor(of person: String) -> any Sensor {
        HeardSensor(hub: self, person: SessionSubjects.token(person))
    }

    fileprivate func listen(
        to person: String, from start: Date, now: @escaping @Sendable () -> Date,
        _ take: @escaping @Sendable ([SessionEntry]) -> Void
    ) {
        people.withLock { $0[person] = Listener(readings: HeardReadings(from: start), take: take, now: now) }
    }

    fileprivate func stopListening(to person: String) { people.withLock { $0[person] = nil } }

    /// Reads the stream until the task is cancelled.
    /// - Parameter report: Called with a sentence if the servers are away, and when they are back.
    package func run(_ report: @escaping @Sendable (String) -> Void) async {
        let reader = StreamReader(address)
        var lastFailure: String?
        while !Task.isCancelled {
            do {
                let stream = try await reader.connect()
                // The stored part of a running session names its sensors.
                let feed = try await reader.ask {
                    try stream.runningAndLater(within: StreamReader.longestSilence).feed
                }
                if lastFailure != nil { report("The servers of \(address) are back.") }
                await read(feed, reader, report)
                return
            } catch {
                let sentence = "\(error)"
                if sentence != lastFailure { report(sentence) }
                lastFailure = sentence
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func read(_ feed: SessionFeed, _ reader: StreamReader, _ report: @escaping @Sendable (String) -> Void) async
    {
        var logs: [UUID: SessionLogLines] = [:]
        await reader.run(
            feed,
            report: { event in
                switch event {
                case .connected: report("The servers of \(address) are back.")
                case .failed(let sentence): report(sentence)
                }
            }
        ) { arrivals in
            for arrival in arrivals {
                let (id, person) = (arrival.subjects.session, arrival.subjects.person)
                switch arrival.content {
                case .end:
                    logs[id] = nil
                    change(person) { $0.end(id, at: $1) }
                case .lines(let bytes, _):
                    var lines = logs[id] ?? SessionLogLines()
                    for entry in lines.entries(in: bytes) {
                        change(person) { $0.receive(entry, from: id, stored: arrival.stored, at: $1) }
                    }
                    logs[id] = lines
                }
            }
            for person in people.withLock({ Array($0.keys) }) { change(person) { $0.pass(at: $1) } }
            return true
        }
    }

    private func change(_ person: String, _ body: (inout HeardReadings, Date) -> [SessionEntry]) {
        people.withLock { people in
            guard let now = people[person]?.now() else { return }
            guard
                let entries = people[person].map({ listener in
                    var listener = listener
                    let entries = body(&listener.readings, now)
                    people[person] = listener
                    return entries
                }), !entries.isEmpty
            else { return }
            people[person]?.take(entries)
        }
    }
}

private struct HeardSensor: Sensor {
    let pace = SessionTimeline.Pace.wall
    let fixedStart: Date? = nil
    let hub: HeardSensors
    let person: String

    func batches(from start: Date, time: any TimeSource) -> LiveBatches {
        LiveBatches { take in
            hub.listen(to: person, from: start, now: { time.now() }, take)
            // Until the session is over.
            while (try? await Task.sleep(for: .seconds(3600))) != nil {}
            hub.stopListening(to: person)
        }
    }
}
