package import Brokers
package import Engine
package import SessionLog

/// Appends the lines of a session's log to a stream of NATS. It reads the log from the place where the stream stops, so
/// the log is the buffer while the servers are away, and a recovered session continues in its stream.
///
/// Each message contains the lines since the previous one. The stream accepts it only directly after that one, so lines
/// that are repeated after a lost answer are not stored twice, and two processes cannot mix their lines.
package final class StreamPublisher: SessionPublishing {
    private let changes: AsyncStream<Void>.Continuation
    private let work: Task<Bool, Never>
    private let recorder: @Sendable () -> WorkoutRecorder?
    private let address: NATSAddress
    private let person: String

    /// - Parameters:
    ///   - person: The person of the session, if the address names none.
    ///   - report: Called when the servers cannot be reached and when they can again. A lasting failure is reported
    ///     once.
    package init(
        _ recorder: WorkoutRecorder, to address: NATSAddress, person: String,
        report: @escaping @Sendable (BrokerEvent) -> Void
    ) {
        let subjects = SessionSubjects(
            prefix: address.prefix, person: SessionSubjects.token(address.person ?? person), session: recorder.id)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        changes = continuation
        self.address = address
        self.person = subjects.person
        let present: @Sendable () -> WorkoutRecorder? = { [weak recorder] in recorder }
        self.recorder = present
        let pace = recorder.pace
        work = Task {
            var publication = StreamPublication(address, subjects, pace, changes: stream, report: report)
            return await publication.run(present)
        }
        continuation.yield()
    }

    deinit {
        changes.finish()
        work.cancel()
    }

    package func append(_ entry: SessionEntry) { changes.yield() }
    package func beginAnew() { changes.yield() }

    package func finish(within limit: Duration) async -> Bool {
        let work = work
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { await work.value }
            group.addTask {
                try? await Task.sleep(for: limit)
                if !Task.isCancelled { work.cancel() }
                return false
            }
            let isDelivered = await group.next() ?? false
            group.cancelAll()
            return isDelivered
        }
    }

    package func keep(in logs: UnpublishedLogs) async throws -> Bool {
        guard let recorder = recorder() else { return false }
        let log = await recorder.log
        try logs.keep(
            log, of: recorder.id, for: address, person: person,
            isDiscarded: recorder.read { $0.collection } == .discarded)
        return true
    }
}

/// The publication of one session, from the first connection to its end.
private struct StreamPublication {
    /// Lines within this time share a message.
    private static let shortestInterval = Duration.milliseconds(100)
    /// How long an ended session waits for additions by its builder.
    private static let longestAfterword = Duration.seconds(2)

    private let address: NATSAddress
    private let subjects: SessionSubjects
    private let pace: SessionTimeline.Pace
    private let changes: AsyncStream<Void>
    private let report: @Sendable (BrokerEvent) -> Void
    private let waiting = WaitingCalls()
    private var lastFailure: String?

    init(
        _ address: NATSAddress, _ subjects: SessionSubjects, _ pace: SessionTimeline.Pace, changes: AsyncStream<Void>,
        report: @escaping @Sendable (BrokerEvent) -> Void
    ) {
        self.address = address
        self.subjects = subjects
        self.pace = pace
        self.changes = changes
        self.report = report
    }

    /// Returns whether the stream has the complete log.
    mutating func run(_ recorder: @Sendable () -> WorkoutRecorder?) async -> Bool {
        var delays = BackoffDelays()
        while !Task.isCancelled {
            do {
                let link = try await connect()
                delays.connected()
                lastFailure = nil
                report(.connected)
                return try await publish(on: link, recorder)
            } catch is CancellationError {
                return false
            } catch {
                fail(error)
                if error is BrokerError { return false }
            }
            try? await Task.sleep(for: delays.next())
        }
        return false
    }

    private mutating func fail(_ error: any Error) {
        let sentence: String
        switch error {
        case let fault as NATSFault where fault.kind == .nobody:
            sentence =
                "\(address) has no stream for \(subjects.prefix). Create one: workout broker check \(address) --create"
        case is NATSFault: sentence = "\(address) \(error). Trying again."
        default: sentence = "\(error)"
        }
        guard sentence != lastFailure else { return }
        lastFailure = sentence
        report(.failed(sentence))
    }

    private func connect() async throws -> StreamLink {
        let (address, subjects, pace) = (address, subjects, pace)
        return try await waiting { try StreamLink(address, subjects, pace) }
    }

    private func publish(on link: StreamLink, _ recorder: @Sendable () -> WorkoutRecorder?) async throws -> Bool {
        var link = link
        var changes = changes.makeAsyncIterator()
        // Entries from the time without servers are published before the next change.
        repeat {
            try Task.checkCancellation()
            guard let present = recorder() else { return false }
            // This is read before the log, because later lines may contain the end.
            let (phase, collection) = present.read { ($0.phase, $0.collection) }
            let log = await present.log
            link = try await self.link(link, after: log)
            if phase == .ended {
                if case .collecting = collection {
                    // An app may end the collection after the session.
                    try await Task.sleep(for: Self.longestAfterword)
                    link = try await self.link(link, after: log)
                }
                let (whole, isDiscarded) = (link, present.read { $0.collection } == .discarded)
                try await waiting { try whole.publishEnd(isDiscarded: isDiscarded) }
                return true
            }
            try await Task.sleep(for: Self.shortestInterval)
        } while await changes.next() != nil
        return false
    }

    /// Publishes the present log. Returns the new end of the stream.
    private func link(_ link: StreamLink, after log: LiveSessionLog) async throws -> StreamLink {
        try await waiting {
            var link = link
            while try link.publish(log.lines) {}
            return link
        }
    }
}

/// The end of a session's stream, and a connection to append to it. All calls block.
struct StreamLink: Sendable {
    /// The size of messages while the stream catches up.
    private static let messageBytes = 1 << 16

    private let stream: JetStream
    private let name: String
    private let subjects: SessionSubjects
    private let pace: String?
    private var sequence: UInt64
    private var place: Int

    /// - Throws: ``NATSFault``, with ``NATSFault/Kind/nobody`` if no stream keeps sessions; ``BrokerError``.
    init(_ address: NATSAddress, _ subjects: SessionSubjects, _ pace: SessionTimeline.Pace = .wall) throws {
        self.pace =
            switch pace {
            case .wall: nil
            case .times(let speed): "\(speed)"
            case .jumping: "max"
            }
        stream = JetStream(try NATSConnection.shared(address))
        guard let name = try stream.stream(of: subjects.log) else { throw NATSFault(.nobody, "has no stream") }
        self.name = name
        self.subjects = subjects
        let last = try stream.last(subjects.log, in: name)
        sequence = last?.sequence ?? 0
        place = last?.nextLine ?? 0
    }

    /// Publishes the next lines, and returns whether there may be more.
    /// - Parameter lines: Returns lines from an index on, of about this many bytes. Nil for an entry that a log cannot
    ///   represent.
    mutating func publish(_ lines: (_ place: Int, _ bytes: Int) throws -> [[UInt8]?]) throws -> Bool {
        let lines = try lines(place, min(Self.messageBytes, stream.connection.longestMessage / 2))
        guard !lines.isEmpty else { return false }
        let next = place + lines.count
        switch try stream.publish(
            lines.reduce(into: []) { $0 += $1 ?? [] }, to: subjects.log, nextLine: next, pace: pace, after: sequence,
            in: name)
        {
        case .stored(let stored): (sequence, place) = (stored, next)
        case .overtaken:
            let last = try stream.last(subjects.log, in: name)
            (sequence, place) = (last?.sequence ?? 0, last?.nextLine ?? 0)
        }
        return true
    }

    /// Marks the log as complete.
    func publishEnd(isDiscarded: Bool) throws {
        _ = try stream.publishEnd(of: subjects, lines: place, isDiscarded: isDiscarded, in: name)
    }
}
