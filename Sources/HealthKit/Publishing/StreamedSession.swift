package import Brokers
package import Engine
package import SessionLog
import Synchronization

/// A session that another machine publishes to NATS, from its first entry on. It is read-only.
package final class StreamedSession: Sendable {
    package let subjects: SessionSubjects
    package let session: HKWorkoutSession
    private let reading: Mutex<Reading>

    fileprivate struct Reading {
        var lines = SessionLogLines()
        var isOver = false
        var fault: String?
    }

    package var recorder: WorkoutRecorder { session.recorder }
    /// Whether its stream has ended, or contains data that this version cannot read.
    package var isOver: Bool { reading.withLock { $0.isOver } }
    /// Why following it ended. Nil if its stream has ended.
    package var fault: String? { reading.withLock { $0.fault } }

    /// - Parameter first: The first message of the session. Nil if it does not begin with the header of a log.
    package init?(_ first: SessionFeed.Arrival, _ store: HKHealthStore) {
        guard case .lines(let bytes, let speed) = first.content else { return nil }
        var lines = SessionLogLines()
        guard case .entry(let entry) = lines.read(Self.lines(bytes).first ?? []),
            case .header(let header) = entry.content
        else { return nil }
        subjects = first.subjects
        let pace: SessionTimeline.Pace =
            switch speed {
            case nil: .wall
            case .some(.infinity): .jumping
            case .some(let speed): .times(speed)
            }
        // The servers stored it right after it was written, so this is the difference of the two clocks.
        let recorder = WorkoutRecorder(
            following: header, clock: FollowedClock(pace: pace, date: entry.date, wall: first.stored),
            logFolder: store.environment.journalFolder, time: store.environment.time,
            context: EnvironmentPropagation.context)
        session = HKWorkoutSession(healthStore: store, recorder: recorder)
        reading = Mutex(Reading())
        take(first)
    }

    /// Adds the next message of the session.
    package func take(_ arrival: SessionFeed.Arrival) {
        guard !isOver else { return }
        switch arrival.content {
        case .end: reading.withLock { $0.isOver = true }
        case .lines(let bytes, _):
            let entries = reading.withLock { $0.read(Self.lines(bytes)) }
            recorder.enqueue { $0.follow(entries) }
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: true).map { Array($0) + [0x0A] }
    }
}

extension StreamedSession.Reading {
    fileprivate mutating func read(_ new: [[UInt8]]) -> [SessionEntry] {
        var entries: [SessionEntry] = []
        for line in new {
            switch lines.read(line) {
            case .entry(let entry): entries.append(entry)
            case .blank, .unknown: break
            case .unreadable(let reason):
                fault = "An entry of its log cannot be read: \(reason). Install the same version on both machines."
                isOver = true
                return entries
            }
        }
        return entries
    }
}

extension SessionLogLines {
    /// Returns the entries of whole lines. Unreadable lines are ignored.
    package mutating func entries(in bytes: [UInt8]) -> [SessionEntry] {
        bytes.split(separator: 0x0A).compactMap { line in
            if case .entry(let entry) = read(Array(line) + [0x0A]) { entry } else { nil }
        }
    }
}

/// Why a stream cannot be read, and what to do about it.
package struct StreamFailure: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
}

/// Reads sessions of a stream until the reader ends, also across lost connections.
package struct StreamReader: Sendable {
    /// How long a session without an end may be silent before it counts as abandoned.
    package static let longestSilence = Duration.seconds(12 * 3600)
    private static let pause = Duration.seconds(1)

    package let address: NATSAddress
    private let waiting = WaitingCalls()

    package init(_ address: NATSAddress) { self.address = address }

    /// Runs a request to the servers on a thread that may wait.
    /// - Throws: ``StreamFailure``.
    package func ask<Result: Sendable>(_ question: @escaping @Sendable () throws -> Result) async throws -> Result {
        do {
            return try await waiting(question)
        } catch {
            throw StreamFailure(description: sentence(error))
        }
    }

    package func connect() async throws -> SessionStream {
        let address = address
        return try await ask { try SessionStream(address) }
    }

    /// Calls `body` with the messages of a feed, until it returns false or the task is cancelled.
    /// - Parameter report: Called when the servers are away, and when they are back.
    package func run(
        _ feed: SessionFeed, report: (BrokerEvent) -> Void, _ body: ([SessionFeed.Arrival]) async -> Bool
    ) async {
        var feed = feed
        var delays = BackoffDelays()
        var lastFailure: String?
        while !Task.isCancelled {
            do {
                let present = feed
                let (arrivals, next) = try await waiting {
                    var feed = present
                    return (try feed.batch(within: Self.pause), feed)
                }
                feed = next
                delays.connected()
                if lastFailure != nil { report(.connected) }
                lastFailure = nil
                guard await body(arrivals) else { return }
            } catch {
                let sentence = sentence(error)
                if sentence != lastFailure { report(.failed(sentence)) }
                lastFailure = sentence
                try? await Task.sleep(for: delays.next())
            }
        }
    }

    private func sentence(_ error: any Error) -> String {
        switch error {
        case let fault as NATSFault where fault.kind == .nobody:
            "\(address) has no stream for \(address.prefix). Create one: workout broker check \(address) --create"
        case is NATSFault: "\(address) \(error)."
        default: "\(error)"
        }
    }
}
