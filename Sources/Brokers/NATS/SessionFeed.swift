package import Foundation

/// The sessions of a stream, for readers.
///
/// All calls block, so call them on a thread that may wait.
package struct SessionStream: Sendable {
    /// A session with an unfinished log.
    package struct Running: Sendable {
        package var subjects: SessionSubjects
        /// The stream sequence of its first message.
        package var first: UInt64
        /// The date of its last message, to the second.
        package var latest: Date
    }

    private let stream: JetStream
    private let name: String
    private let prefix: String

    /// - Throws: ``NATSFault``, with ``NATSFault/Kind/nobody`` if there is no stream; ``BrokerError``.
    package init(_ address: NATSAddress) throws {
        stream = JetStream(try NATSConnection(address, name: "workout"))
        prefix = address.prefix
        guard let name = try stream.stream(of: SessionSubjects.all(prefix: prefix)) else {
            throw NATSFault(.nobody, "has no stream")
        }
        self.name = name
    }

    /// Returns the unfinished sessions in order of their starts.
    /// - Parameter age: The longest silence. A publisher that was never recovered leaves its session unfinished.
    package func running(person: String? = nil, session: UUID? = nil, within age: Duration) throws -> [Running] {
        try open(person, session) { Date().timeIntervalSince($0) < age / .seconds(1) }
    }

    /// Ends the logs of sessions that were silent for this long, because their publishers died and were not recovered.
    /// - Returns: The sessions.
    package func endAbandoned(person: String?, after age: Duration) throws -> [SessionSubjects] {
        try open(person, nil) { Date().timeIntervalSince($0) >= age / .seconds(1) }.compactMap { session in
            guard let last = try stream.last(session.subjects.log, in: name), let lines = last.nextLine else {
                return nil
            }
            // Another machine may have done so at the same time.
            switch try stream.publishEnd(of: session.subjects, lines: lines, isDiscarded: false, in: name) {
            case .stored: return session.subjects
            case .overtaken: return nil
            }
        }
    }

    /// Returns the unfinished sessions with a matching date of the last message.
    private func open(_ person: String?, _ session: UUID?, where isMeant: (Date) -> Bool) throws -> [Running] {
        let filter = SessionSubjects.sessions(prefix: prefix, person: person, session: session)
        let all = try stream.subjects(filter, in: name)
        let ended = Set(all.filter { $0.hasSuffix(".end") }.compactMap { SessionSubjects($0, prefix: prefix)?.session })
        var running: [Running] = []
        for subject in all where subject.hasSuffix(".log") {
            guard let subjects = SessionSubjects(subject, prefix: prefix), !ended.contains(subjects.session),
                let last = try stream.last(subject, in: name),
                isMeant(last.date),
                let first = try stream.next(subject, from: 1, in: name)
            else { continue }
            running.append(Running(subjects: subjects, first: first.sequence, latest: last.date))
        }
        return running.sorted { $0.first < $1.first }
    }

    /// Returns the person of a session. Nil if the stream has none with this ID.
    package func subjects(of session: UUID) throws -> SessionSubjects? {
        let filter = SessionSubjects.sessions(prefix: prefix, person: nil, session: session)
        return try stream.subjects(filter, in: name).first.flatMap { SessionSubjects($0, prefix: prefix) }
    }

    /// The stream sequence of the last message.
    package func end() throws -> UInt64 { try stream.info(name)?.state.last ?? 0 }

    /// Returns the messages of running sessions from their start, and those of later ones.
    ///
    /// - Parameter age: As in ``running(person:session:within:)``.
    /// - Returns: `isOne`: whether a message belongs to one of them, because the feed also contains old sessions.
    package func runningAndLater(
        person: String? = nil, within age: Duration
    ) throws -> (feed: SessionFeed, isOne: @Sendable (SessionFeed.Arrival) -> Bool) {
        // In this order, so that sessions that begin meanwhile count as later.
        let end = try end()
        let running = try running(person: person, within: age)
        let known = Set(running.map(\.subjects.session))
        return (
            feed(person: person, from: min(running.first?.first ?? .max, end + 1)),
            { $0.place > end || known.contains($0.subjects.session) }
        )
    }

    /// Returns the feed of some sessions.
    /// - Parameter sequence: The stream sequence to start from.
    package func feed(person: String? = nil, session: UUID? = nil, from sequence: UInt64) -> SessionFeed {
        SessionFeed(
            stream, name, prefix, SessionSubjects.sessions(prefix: prefix, person: person, session: session),
            from: sequence)
    }
}

/// The messages of some sessions of a stream, in order and complete.
package struct SessionFeed: Sendable {
    /// A message of a session.
    package struct Arrival: Sendable {
        package enum Content: Sendable {
            /// Whole lines of its log. `speed` is the speed of a replay: nil for a live session, infinity for the
            /// highest.
            case lines([UInt8], speed: Double?)
            case end(isDiscarded: Bool)
        }

        package var subjects: SessionSubjects
        package var content: Content
        /// Its stream sequence.
        package var place: UInt64
        /// When the servers stored it.
        package var stored: Date
        /// Whether it was the last message in the stream.
        package var isLatest: Bool
    }

    /// The interval of the servers' signs of life.
    private static let signs = Duration.seconds(3)
    /// The number of signs that may be missing.
    private static let patience = 3
    private static let mostAtOnce = 256
    private static let shortest = Duration.milliseconds(2)

    private let stream: JetStream
    private let name: String
    private let prefix: String
    private let filter: String
    /// The stream sequence of the next message.
    private var place: UInt64
    private var answers: NATSSubscription?
    /// The number of messages from the present consumer.
    private var sent: UInt64 = 0
    private var lastSign = ContinuousClock.now

    fileprivate init(_ stream: JetStream, _ name: String, _ prefix: String, _ filter: String, from place: UInt64) {
        (self.stream, self.name, self.prefix, self.filter, self.place) = (stream, name, prefix, filter, place)
    }

    /// Waits for a message. Nil if none comes in time. After an error, the next call continues where this one stopped.
    package mutating func next(within timeout: Duration) throws -> Arrival? {
        let end = ContinuousClock.now + timeout
        do {
            while true {
                let answers = try self.answers ?? begin()
                let left = end - .now
                guard left > .zero else { return nil }
                guard let message = try answers.next(within: min(left, Self.signs)) else {
                    if .now - lastSign > Self.signs * Self.patience { self.answers = nil }
                    continue
                }
                lastSign = .now
                if let status = message.headers["Status"] {
                    try take(status, message)
                } else if let arrival = take(message) {
                    return arrival
                }
            }
        } catch {
            answers = nil
            throw error
        }
    }

    /// Waits for messages. Returns up to some hundred that are available.
    package mutating func batch(within timeout: Duration) throws -> [Arrival] {
        var arrivals: [Arrival] = []
        while arrivals.count < Self.mostAtOnce, arrivals.last?.isLatest != true,
            let arrival = try next(within: arrivals.isEmpty ? timeout : Self.shortest)
        {
            arrivals.append(arrival)
        }
        return arrivals
    }

    private mutating func begin() throws -> NATSSubscription {
        let inbox = try stream.connection.makeInbox()
        let answers = try stream.connection.subscribe(inbox)
        try stream.send(filter, from: place, of: name, to: inbox, signs: Self.signs)
        self.answers = answers
        sent = 0
        lastSign = .now
        return answers
    }

    /// A sign of life, or a question whether to send more.
    private mutating func take(_ status: String, _ message: NATSMessage) throws {
        guard status == "100" else {
            answers = nil
            return
        }
        if let reply = message.reply { try stream.connection.publish(reply) }
        if let last = message.headers[JetStream.Header.lastOfConsumer].flatMap({ UInt64($0) }), last != sent {
            answers = nil
        }
    }

    /// Nil for a message out of order, after which all are sent again from the last one on. Also nil for other messages
    /// than a session's.
    private mutating func take(_ message: NATSMessage) -> Arrival? {
        guard let delivery = Delivery(message.reply), delivery.number == sent + 1 else {
            answers = nil
            return nil
        }
        sent = delivery.number
        place = delivery.place + 1
        guard let subjects = SessionSubjects(message.subject, prefix: prefix) else { return nil }
        let content: Arrival.Content
        if message.subject == subjects.end {
            struct End: Decodable { var discarded: Bool? }
            let end = try? JSONDecoder().decode(End.self, from: Data(message.bytes))
            content = .end(isDiscarded: end?.discarded == true)
        } else {
            let pace = message.headers[JetStream.Header.pace]
            content = .lines(message.bytes, speed: pace == "max" ? .infinity : pace.flatMap { Double($0) })
        }
        return Arrival(
            subjects: subjects, content: content, place: delivery.place, stored: delivery.stored,
            isLatest: delivery.pending == 0)
    }

    /// The description of a message in the subject for its acknowledgement (NATS, ADR-15):
    /// `$JS.ACK.STREAM.CONSUMER.DELIVERIES.PLACE.NUMBER.TIME.PENDING`, with the domain and the account after `ACK` on
    /// newer servers.
    struct Delivery: Equatable {
        var place: UInt64
        var number: UInt64
        var stored: Date
        var pending: UInt64

        init?(_ reply: String?) {
            guard let reply, reply.hasPrefix("$JS.ACK.") else { return nil }
            let tokens = reply.split(separator: ".", omittingEmptySubsequences: false)
            let first = tokens.count >= 11 ? 7 : 5
            guard tokens.count >= first + 4, let place = UInt64(tokens[first]), let number = UInt64(tokens[first + 1]),
                let nanoseconds = UInt64(tokens[first + 2]), let pending = UInt64(tokens[first + 3])
            else { return nil }
            (self.place, self.number, self.pending) = (place, number, pending)
            stored = Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
        }
    }
}
