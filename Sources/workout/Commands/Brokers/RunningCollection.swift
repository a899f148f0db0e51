import Brokers
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts

/// Stores the samples of sessions that run, every few seconds. When a session has ended, they become samples of its workout.
///
/// Several collectors may run at once: stored sessions are skipped.
struct RunningCollection: Sendable {
    let address: NATSAddress
    /// Nil for everybody.
    let person: String?
    let environment: @Sendable (_ person: String) -> HealthEnvironment
    let report: @Sendable (String) -> Void

    private static let interval = Duration.seconds(5)

    private struct Session {
        var person: String
        /// The samples that are not stored yet.
        var waiting: [HKSample] = []
        var lines = SessionLogLines()
        var samples: LoggedSamples

        init(_ subjects: SessionSubjects) {
            person = subjects.person
            samples = LoggedSamples(of: subjects.session)
        }

        mutating func take(_ bytes: [UInt8]) {
            for entry in lines.entries(in: bytes) {
                if let sample = samples.sample(of: entry) { waiting.append(sample) }
            }
        }
    }

    /// Runs until the task is cancelled.
    func run() async {
        let reader = StreamReader(address)
        while !Task.isCancelled {
            do {
                let stream = try await reader.connect()
                let (feed, isOne) = try await reader.ask {
                    try stream.runningAndLater(person: person, within: StreamReader.longestSilence)
                }
                return await read(feed, isOne, reader)
            } catch {
                // The collector of finished sessions reports that.
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func read(_ feed: SessionFeed, _ isOne: (SessionFeed.Arrival) -> Bool, _ reader: StreamReader) async {
        var sessions: [UUID: Session] = [:]
        var lastFailure: String?
        var stored = ContinuousClock.now
        await reader.run(feed, report: { _ in }) { arrivals in
            for arrival in arrivals {
                let id = arrival.subjects.session
                guard case .lines(let bytes, _) = arrival.content else {
                    sessions[id] = nil
                    continue
                }
                guard isOne(arrival) else { continue }
                sessions[id, default: Session(arrival.subjects)].take(bytes)
            }
            guard .now - stored > Self.interval else { return true }
            stored = .now
            do {
                for id in sessions.keys { try store(id, &sessions[id]) }
                lastFailure = nil
            } catch {
                // They are tried again, and the workout brings them, too.
                let sentence = "samples of running sessions are not stored: \(CommandFailure.describe(error))"
                if sentence != lastFailure { report(sentence) }
                lastFailure = sentence
            }
            return true
        }
    }

    private func store(_ id: UUID, _ known: inout Session?) throws {
        guard var session = known else { return }
        let samples = session.waiting
        var changes = session.samples.takeIdentified().map { StoreChange.setDevice($0.device, of: $0.samples) }
        if !samples.isEmpty { changes.append(.collect(samples, of: id, isDurable: false)) }
        guard !changes.isEmpty else { return }
        let database = environment(session.person).database
        // A collector may have stored the workout, and what it left out is not added.
        if try !database.knowsWorkout(id) { try database.apply(changes, from: .current, once: nil) }
        session.waiting = []
        known = session
    }
}
