import ArgumentParser
import Brokers
import Engine
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts
import Synchronization

/// `workout follow`: shows a session that another machine publishes to a stream.
struct Follow: AsyncParsableCommand, UnitConfigurable {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Show a session that another machine publishes to a stream of NATS.",
        discussion: """
            Shows the session whose ID ends the address, or else the one that is running; of several, the one that began last. \
            If none is running, waits for the next. However late you come, you see the session from its start. Ends with the \
            session; q or Ctrl-C leaves it earlier, and never ends it.

            With --json, prints the session's log, line by line: the same lines as in the journal of the machine that records.

            Examples:
              workout follow nats://nats1,nats2,nats3
              workout follow 'nats://nats1/gym?person=anna'
              workout follow nats://nats1/workouts/0E32F04E-EED9-8629-A090-635856BCFA2A --json > session.jsonl
            """)

    @Argument(help: "Servers: nats[s]://[USER@]HOST[:PORT][,HOST[:PORT]][/PREFIX][/SESSION][?person=PERSON].")
    var servers: String

    @Flag(help: "Print the session's log.")
    var json = false

    @OptionGroup var distances: UnitOptions

    func run() async throws {
        let environment = HealthEnvironment.current
        let address: NATSAddress
        do {
            try PublishSettings.refusePassword(in: servers)
            address = try environment.publishing.get().servers(servers, namesSession: true)
        } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        }
        let reader = StreamReader(address)
        let followed = FollowedStream(reader, HKHealthStore(environment: environment), printsLog: json)
        do {
            let stream = try await reader.connect()
            try await show(followed) { try await followed.run(stream) }
        } catch let failure as StreamFailure {
            throw CommandFailure(exitCode: .serviceMissing, message: failure.description)
        }
        if let fault = followed.session?.fault { throw CommandFailure(exitCode: .badInput, message: fault) }
        if !json, let sentence = followed.sentence { print(sentence) }
    }

    private func show(_ followed: FollowedStream, _ work: @escaping @Sendable () async throws -> Void) async throws {
        if !json, let terminal = Terminal.standard() {
            let end = try await LiveScreen(terminal: terminal).run(
                snapshot: { followed.snapshot }, keys: { followed.press($0) }, until: work)
            if end != .finished, followed.session == nil { throw ExitCode.interrupted }
            return
        }
        let task = Task {
            if json { return try await work() }
            try await PlainLiveLine().run(
                snapshot: { followed.snapshot }, write: { CommandOutput.standard.print($0) }, until: work)
        }
        let interrupted = try await Interruption.calling(endsWithOutput: true, { task.cancel() }) {
            do { try await task.value } catch is CancellationError {}
        }
        CommandOutput.standard.flush()
        if interrupted { throw ExitCode.interrupted }
    }
}

/// The session that `workout follow` shows, and the way to it.
private final class FollowedStream: Sendable {
    /// How often the servers are asked for a session while none is running.
    private static let pause = Duration.seconds(1)

    private let reader: StreamReader
    private let store: HKHealthStore
    private let printsLog: Bool
    private let course = LiveTimeline()
    private let shown = Mutex(Shown())

    private struct Shown {
        var session: StreamedSession?
        var span = LiveSnapshot.CurveSpan.whole
        var messages: [String] = []
        var isLost = false
    }

    init(_ reader: StreamReader, _ store: HKHealthStore, printsLog: Bool) {
        self.reader = reader
        self.store = store
        self.printsLog = printsLog
    }

    var session: StreamedSession? { shown.withLock { $0.session } }

    /// Finds a session and follows it to its end.
    func run(_ stream: SessionStream) async throws {
        let subjects = try await find(stream)
        await reader.run(stream.feed(session: subjects.session, from: 1), report: { report($0) }) { arrivals in
            for arrival in arrivals { await take(arrival) }
            return session?.isOver != true
        }
    }

    private func find(_ stream: SessionStream) async throws -> SessionSubjects {
        let address = reader.address
        if let session = address.session {
            let subjects = try await reader.ask { try stream.subjects(of: session) }
            guard let subjects else {
                throw StreamFailure(
                    description:
                        "\(address) has no session \(session.uuidString). To see what runs: workout follow \(address)")
            }
            return subjects
        }
        var hasSaid = false
        while true {
            let running = try await reader.ask {
                try stream.running(person: address.person, within: StreamReader.longestSilence)
            }
            if let latest = running.last {
                let others = running.count - 1
                if others > 0 {
                    note("other sessions that are running: \(others); this one began last")
                }
                return latest.subjects
            }
            if !hasSaid, printsLog { CommandOutput.error.print(waiting[0]) }
            hasSaid = true
            try await Task.sleep(for: Self.pause)
        }
    }

    private func take(_ arrival: SessionFeed.Arrival) async {
        if printsLog, case .lines(let bytes, _) = arrival.content {
            CommandOutput.standard.write(bytes)
            CommandOutput.standard.flush()
        }
        if let session { return session.take(arrival) }
        guard let session = StreamedSession(arrival, store) else { return }
        await session.recorder.attach(course)
        shown.withLock { $0.session = session }
    }

    private func report(_ event: BrokerEvent) {
        switch event {
        case .connected:
            shown.withLock { $0.isLost = false }
            note("the servers are back")
        case .failed(let sentence):
            shown.withLock { $0.isLost = true }
            note(sentence)
        }
    }

    private func note(_ line: String) {
        if printsLog { return CommandFailure(exitCode: .success, message: line).report() }
        shown.withLock { shown in
            if shown.messages.last != line { shown.messages.append(line) }
            if shown.messages.count > 20 { shown.messages.removeFirst() }
        }
    }

    func press(_ key: Key) {
        guard case .character("t") = key else { return }
        shown.withLock { $0.span = $0.span.other }
    }

    private var waiting: [String] {
        let whose = reader.address.person.map { " of \($0)" } ?? ""
        return ["Waiting for a session\(whose).", "On the other machine: workout record --publish \(reader.address)"]
    }

    var snapshot: LiveSnapshot {
        let shown = shown.withLock { $0 }
        guard let session = shown.session else {
            var snapshot = LiveSnapshot()
            snapshot.isMirrored = true
            snapshot.isReadOnly = true
            snapshot.waiting = waiting
            snapshot.messages = shown.messages
            return snapshot
        }
        var snapshot = LiveSnapshot(streamed: session, course)
        snapshot.curveSpan = shown.span
        snapshot.messages = shown.messages
        snapshot.isOutOfReach = shown.isLost && !session.isOver
        return snapshot
    }

    /// The closing line.
    var sentence: String? {
        guard session != nil else { return nil }
        let snapshot = snapshot
        var parts = [snapshot.activity, MetricFormat.time(snapshot.durationInSeconds)]
        if let distance = snapshot.distanceInMeters { parts.append(MetricFormat.distance(distance)) }
        return DisplayWidth.printable(parts.joined(separator: "  "))
    }
}

extension LiveSnapshot {
    /// Creates the snapshot of a session of a stream.
    init(streamed session: StreamedSession, _ course: LiveTimeline, namesPerson: Bool = true) {
        self.init(mirrored: session.session, course)
        isReadOnly = true
        if namesPerson { activity = localized("%1 of %2", activity, session.subjects.person) }
    }
}
