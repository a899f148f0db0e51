package import Foundation

/// The streams of a NATS cluster, through JetStream's API in JSON (NATS documentation, "JetStream wire API Reference").
///
/// The client's own functions are not used, because their structures differ between versions.
package struct JetStream: Sendable {
    /// The headers for readers.
    static let headers = ["Status", Header.next, Header.pace, Header.lastOfConsumer]

    enum Header {
        /// The number of lines of the log after this message.
        static let next = "Workout-Next-Line"
        /// The speed of a replayed session: a factor, or `max`. Missing for a live one.
        static let pace = "Workout-Pace"
        /// In a sign of life, the number of the consumer's last message.
        static let lastOfConsumer = "Nats-Last-Consumer"
        static let expected = "Nats-Expected-Last-Subject-Sequence"
        static let stream = "Nats-Expected-Stream"
    }

    package let connection: NATSConnection

    package init(_ connection: NATSConnection) { self.connection = connection }

    /// The contents and limits of a stream.
    package struct Info: Decodable, Sendable, Equatable {
        package struct Config: Codable, Sendable, Equatable {
            package var name: String
            package var subjects: [String]? = []
            package var retention: String? = "limits"
            package var storage: String? = "file"
            package var replicas: Int? = 1
            package var discard: String? = "new"
            /// 0 for no limit, in ns.
            package var ageInNanoseconds: Int64? = 0
            package var mostBytes: Int64? = -1
            package var mostMessages: Int64? = -1
            package var mostMessagesOfSubject: Int64? = -1

            enum CodingKeys: String, CodingKey {
                case name, subjects, retention, storage, discard
                case replicas = "num_replicas"
                case ageInNanoseconds = "max_age"
                case mostBytes = "max_bytes"
                case mostMessages = "max_msgs"
                case mostMessagesOfSubject = "max_msgs_per_subject"
            }

            package init(name: String, subjects: [String], replicas: Int) {
                self.name = name
                self.subjects = subjects
                self.replicas = replicas
            }
        }

        package struct State: Decodable, Sendable, Equatable {
            package var messages: Int64
            package var bytes: Int64
            /// The stream sequence of the last message.
            package var last: UInt64?

            enum CodingKeys: String, CodingKey {
                case messages, bytes
                case last = "last_seq"
            }
        }

        package struct Cluster: Decodable, Sendable, Equatable {
            package struct Peer: Decodable, Sendable, Equatable {
                package var name: String
                package var current: Bool?
                package var offline: Bool?
            }

            package var name: String?
            package var leader: String?
            package var replicas: [Peer]?
        }

        package var config: Config
        package var state: State
        package var cluster: Cluster?

        /// Parses an answer of the servers.
        package init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }
    }

    /// A stored message of a stream.
    package struct Stored: Sendable, Equatable {
        package var subject: String
        package var sequence: UInt64
        /// The number of lines of the log after this message.
        package var nextLine: Int?
        package var bytes: [UInt8]
        /// When the stream stored it, to the second.
        package var date = Date.distantPast
    }

    package enum Publication: Sendable, Equatable {
        case stored(UInt64)
        /// Another message of the subject was stored first.
        case overtaken
    }

    // MARK: Streams

    /// Returns the name of the stream of a subject. Nil if none has it.
    package func stream(of subject: String) throws(NATSFault) -> String? {
        struct Names: Decodable { var streams: [String]? }
        return try call("STREAM.NAMES", ["subject": .text(subject)], Names.self)?.streams?.first
    }

    package func info(_ stream: String) throws(NATSFault) -> Info? { try call("STREAM.INFO.\(stream)", [:], Info.self) }

    /// Returns the subjects with messages in a stream.
    /// - Parameter filter: With wildcards.
    package func subjects(_ filter: String, in stream: String) throws(NATSFault) -> [String] {
        struct Page: Decodable {
            struct State: Decodable { var subjects: [String: Int]? }
            var state: State
            var total: Int?
        }
        var found: [String] = []
        while true {
            let asked: [String: Value] = ["subjects_filter": .text(filter), "offset": .number(Int64(found.count))]
            guard let page = try call("STREAM.INFO.\(stream)", asked, Page.self), let some = page.state.subjects,
                !some.isEmpty
            else { return found }
            found += some.keys
            if found.count >= page.total ?? 0 { return found }
        }
    }

    /// Makes a stream.
    package func create(_ config: Info.Config) throws(NATSFault) {
        let text = (try? JSONEncoder().encode(config)).map { Array($0) } ?? []
        _ = try decoded(
            connection.request("$JS.API.STREAM.CREATE.\(config.name)", text, timeout: .seconds(10)), Info.self)
    }

    // MARK: Messages

    /// Marks the log of a session as complete, unless it is.
    package func publishEnd(
        of subjects: SessionSubjects, lines: Int, isDiscarded: Bool, in stream: String
    ) throws(NATSFault) -> Publication {
        let end = #"{"lines":\#(lines),"discarded":\#(isDiscarded)}"#
        return try publish(Array(end.utf8), to: subjects.end, nextLine: lines, after: 0, in: stream)
    }

    /// Appends a message to a subject, but only directly after a given message.
    /// - Parameter sequence: The number of the subject's last message. 0 for the first one.
    package func publish(
        _ bytes: [UInt8], to subject: String, nextLine: Int, pace: String? = nil, after sequence: UInt64,
        in stream: String
    ) throws(NATSFault) -> Publication {
        struct Acknowledgement: Decodable { var seq: UInt64? }
        let answer = try connection.request(
            subject, bytes,
            headers: [
                (Header.next, "\(nextLine)"), (Header.expected, "\(sequence)"), (Header.stream, stream),
            ] + (pace.map { [(Header.pace, $0)] } ?? []))
        let stored: UInt64?
        do {
            stored = try decoded(answer, Acknowledgement.self)?.seq
        } catch {
            // JSStreamWrongLastSequenceErr.
            if error.code == 10_071 { return .overtaken }
            throw error
        }
        guard let stored else { throw NATSFault(.refused, "gave an answer that is not from JetStream") }
        return .stored(stored)
    }

    /// The last message of a subject.
    package func last(_ subject: String, in stream: String) throws(NATSFault) -> Stored? {
        try message(["last_by_subj": .text(subject)], in: stream)
    }

    /// The first message of a subject from a number on.
    package func next(_ subject: String, from sequence: UInt64, in stream: String) throws(NATSFault) -> Stored? {
        try message(["seq": .number(Int64(clamping: sequence)), "next_by_subj": .text(subject)], in: stream)
    }

    private func message(_ asked: [String: Value], in stream: String) throws(NATSFault) -> Stored? {
        struct Answer: Decodable {
            struct Message: Decodable {
                var subject: String
                var seq: UInt64
                var hdrs: Data?
                var data: Data?
                var time: String?
            }
            var message: Message
        }
        guard let message = try call("STREAM.MSG.GET.\(stream)", asked, Answer.self)?.message else { return nil }
        var next: Int?
        for line in String(decoding: message.hdrs ?? Data(), as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0] == Header.next { next = Int(parts[1].drop { $0 == " " }) }
        }
        let date = try? Date(String((message.time ?? "").prefix(19)) + "Z", strategy: .iso8601)
        return Stored(
            subject: message.subject, sequence: message.seq, nextLine: next, bytes: [UInt8](message.data ?? Data()),
            date: date ?? .distantPast)
    }

    // MARK: Consumers

    /// Creates a consumer that several readers share, unless it exists. A message that is not acknowledged in time is
    /// delivered again.
    package func makeConsumer(
        _ name: String, of subjects: String, in stream: String, patience: Duration
    ) throws(NATSFault) {
        struct Consumer: Encodable {
            struct Config: Encodable {
                var durable_name: String
                var ack_policy = "explicit"
                var deliver_policy = "all"
                var replay_policy = "instant"
                var filter_subject: String
                var ack_wait: Int64
                var max_ack_pending = 1000
            }
            var stream_name: String
            var config: Config
        }
        let consumer = Consumer(
            stream_name: stream,
            config: .init(
                durable_name: name, filter_subject: subjects, ack_wait: Int64(patience / .nanoseconds(1))))
        struct Made: Decodable { var name: String? }
        let text = (try? JSONEncoder().encode(consumer)).map { Array($0) } ?? []
        _ = try decoded(connection.request("$JS.API.CONSUMER.DURABLE.CREATE.\(stream).\(name)", text), Made.self)
    }

    /// Starts to send the messages of some subjects to an inbox, in order, from a number on. Without acknowledgements:
    /// a reader that misses one asks again from there.
    /// - Parameter signs: The interval of signs of life while there is nothing to send.
    package func send(
        _ subjects: String, from sequence: UInt64, of stream: String, to inbox: String, signs: Duration
    ) throws(NATSFault) {
        struct Consumer: Encodable {
            struct Config: Encodable {
                var deliver_subject: String
                var deliver_policy = "by_start_sequence"
                var opt_start_seq: UInt64
                var ack_policy = "none"
                var replay_policy = "instant"
                var filter_subject: String
                var flow_control = true
                var idle_heartbeat: Int64
                var num_replicas = 1
                var mem_storage = true
            }
            var stream_name: String
            var config: Config
        }
        struct Made: Decodable { var name: String? }
        let consumer = Consumer(
            stream_name: stream,
            config: .init(
                deliver_subject: inbox, opt_start_seq: max(1, sequence), filter_subject: subjects,
                idle_heartbeat: Int64(signs / .nanoseconds(1))))
        let text = (try? JSONEncoder().encode(consumer)).map { Array($0) } ?? []
        guard try decoded(connection.request("$JS.API.CONSUMER.CREATE.\(stream)", text), Made.self) != nil else {
            throw NATSFault(.nobody, "has no stream")
        }
    }

    /// Asks for one message and waits for it. Nil if none comes in time.
    package func take(
        from consumer: String, of stream: String, _ inbox: String, _ answers: NATSSubscription, within timeout: Duration
    ) throws(NATSFault) -> NATSMessage? {
        let asked = #"{"batch":1,"expires":\#(Int64(timeout / .nanoseconds(1)))}"#
        try connection.publish("$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)", Array(asked.utf8), reply: inbox)
        guard let message = try answers.next(within: timeout + .seconds(1)) else { return nil }
        return message.headers["Status"] == nil ? message : nil
    }

    package func acknowledge(_ message: NATSMessage) throws(NATSFault) {
        if let reply = message.reply { _ = try connection.request(reply, Array("+ACK".utf8)) }
    }

    /// Extends the time for an acknowledgement.
    package func extend(_ message: NATSMessage) throws(NATSFault) {
        if let reply = message.reply { try connection.publish(reply, Array("+WPI".utf8)) }
    }

    // MARK: JSON

    private enum Value: Encodable {
        case text(String), number(Int64)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    /// An error of the API, by its number.
    private struct APIError: Error, Decodable {
        var code: Int
        var err_code: Int?
        var description: String?
    }

    private struct Failure: Decodable { var error: APIError? }

    /// Returns nil if the servers answer "not found".
    private func call<Answer: Decodable>(
        _ function: String, _ asked: [String: Value], _ type: Answer.Type
    ) throws(NATSFault) -> Answer? {
        let text = (try? JSONEncoder().encode(asked)).map { Array($0) } ?? []
        return try decoded(connection.request("$JS.API.\(function)", asked.isEmpty ? [] : text), type)
    }

    private func decoded<Answer: Decodable>(
        _ answer: NATSMessage, _ type: Answer.Type
    ) throws(NATSFault) -> Answer? {
        let bytes = Data(answer.bytes)
        if let error = (try? JSONDecoder().decode(Failure.self, from: bytes))?.error {
            if error.code == 404 { return nil }
            throw NATSFault(
                .refused, "refuses (\(error.description ?? "error \(error.code)"))", code: error.err_code ?? error.code)
        }
        do {
            return try JSONDecoder().decode(type, from: bytes)
        } catch {
            throw NATSFault(.refused, "gave an answer that cannot be read")
        }
    }
}
