package import Foundation

/// The finished sessions of a stream, shared by several collectors. Each session goes to one collector, and to another
/// if it is not acknowledged in time.
///
/// All calls block, so call them on a thread that may wait.
package final class SessionSource: Sendable {
    /// A session with a complete log.
    package struct Finished: Sendable {
        package var subjects: SessionSubjects
        /// The number of lines of its log.
        package var lines: Int
        /// Whether its workout was discarded.
        package var isDiscarded: Bool
        fileprivate var message: NATSMessage
    }

    private let stream: JetStream
    private let name: String
    private let consumer: String
    private let prefix: String
    private let inbox: String
    private let answers: NATSSubscription

    /// - Parameters:
    ///   - person: The person of the sessions. Nil for everybody.
    ///   - patience: The time limit for storing a session.
    /// - Throws: ``NATSFault``, with ``NATSFault/Kind/nobody`` if there is no stream; ``BrokerError``.
    package init(_ address: NATSAddress, person: String?, patience: Duration) throws {
        let connection = try NATSConnection(address, name: "workout collect")
        stream = JetStream(connection)
        prefix = address.prefix
        guard let name = try stream.stream(of: SessionSubjects.all(prefix: prefix)) else {
            throw NATSFault(.nobody, "has no stream")
        }
        self.name = name
        consumer = (["collect", prefix] + (person.map { [$0] } ?? [])).map(SessionSubjects.token).joined(separator: "-")
        try stream.makeConsumer(
            consumer, of: SessionSubjects.ends(prefix: prefix, person: person), in: name, patience: patience)
        inbox = try connection.makeInbox()
        answers = try connection.subscribe(inbox)
    }

    /// Waits for a session. Nil if none comes in time.
    package func next(within timeout: Duration) throws -> Finished? {
        guard let message = try stream.take(from: consumer, of: name, inbox, answers, within: timeout) else {
            return nil
        }
        struct End: Decodable {
            var lines: Int
            var discarded: Bool?
        }
        guard let subjects = SessionSubjects(message.subject, prefix: prefix),
            let end = try? JSONDecoder().decode(End.self, from: Data(message.bytes))
        else {
            // Not a session. No other reader waits for it.
            try stream.acknowledge(message)
            return nil
        }
        return Finished(subjects: subjects, lines: end.lines, isDiscarded: end.discarded == true, message: message)
    }

    /// Writes the log of a session to a file. Returns whether it is complete.
    package func write(_ session: Finished, to file: URL) throws -> Bool {
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw CocoaError(.fileWriteUnknown)
        }
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        var extended = ContinuousClock.now
        var sequence: UInt64 = 1
        var line = 0
        while line < session.lines, let part = try stream.next(session.subjects.log, from: sequence, in: name) {
            try output.write(contentsOf: Data(part.bytes))
            line = part.nextLine ?? line
            sequence = part.sequence + 1
            if ContinuousClock.now - extended > .seconds(30) {
                try stream.extend(session.message)
                extended = .now
            }
        }
        return line == session.lines
    }

    package func acknowledge(_ session: Finished) throws { try stream.acknowledge(session.message) }
}
