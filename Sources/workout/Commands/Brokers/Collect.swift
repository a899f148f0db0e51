import ArgumentParser
import Brokers
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts
import Synchronization

/// `workout collect`: stores the sessions that other machines published to a stream.
struct Collect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collect",
        abstract: "Store the sessions that others publish to a stream of NATS.",
        discussion: """
            Stores the samples of sessions while they run, and each finished session once, however often the servers deliver it. \
            Then it waits for the next one, until Ctrl-C. A session counts as delivered when its workout is in the store. Several \
            machines that collect into one store share the work. If a machine is lost, and 'workout recover' never finishes its \
            session, the part that arrived is stored after --abandoned.

            A store on PostgreSQL gets the sessions of all people, each for their own person ('workout person add'). A store in \
            a file gets those of one: --person, HEALTHKIT_PERSON, or 'default'. --output takes those of everybody.

            Examples:
              workout collect nats://collect@nats1,nats2,nats3
              workout collect nats://nats1/gym --person anna --until-idle
              workout collect nats://nats1 --output logs/
            """)

    @Argument(help: "Servers: nats[s]://[USER@]HOST[:PORT][,HOST[:PORT]][/PREFIX]. See 'workout broker check'.")
    var servers: String

    @Option(help: "Collect the sessions of this person only.")
    var person: String?

    @Option(
        name: .shortAndLong, help: "Write the sessions' logs to this folder instead of the store.",
        completion: .directory)
    var output: String?

    @Option(
        help: """
            How long a session may be silent before what is there of it is stored: seconds, or with units: 90s, 5m, 12h (1m to \
            366 days).
            """)
    var abandoned = DurationArgument(seconds: 12 * 3600)

    @Flag(help: "End when no finished session is left.")
    var untilIdle = false

    @Flag(help: "Print one JSON object per session.")
    var json = false

    /// How long the servers wait for a session to be stored before another machine gets it.
    private static let patience = Duration.seconds(300)
    /// How long one request for a session lasts.
    private static let request = Duration.seconds(2)
    private static let lookingForAbandoned = Duration.seconds(60)

    func validate() throws {
        if abandoned.seconds < 60 {
            throw ValidationError("--abandoned must be 1m or more: a session may be silent for some seconds.")
        }
    }

    func run() async throws {
        let environment = HealthEnvironment.current
        let address: NATSAddress
        do {
            try PublishSettings.refusePassword(in: servers)
            address = try environment.publishing.get().servers(servers)
        } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        }
        if let person, SessionSubjects.token(person) != person {
            throw ValidationError("'\(person)' is not a person's name in a stream: it has letters, digits, - and _.")
        }
        let own = environment.person == nil && output == nil ? try settings(environment).person : nil
        let chosen = person ?? address.person ?? own
        if let output {
            do {
                try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
            } catch {
                throw CommandFailure(
                    exitCode: .outputFault, message: "\(output) cannot be written: \(CommandFailure.describe(error))")
            }
        }
        let isEnded = Atomic(false)
        // The present messages belong to sessions that have ended.
        let running = output == nil && !untilIdle ? runningCollection(address, chosen, environment) : nil
        let collecting = running.map { running in Task { await running.run() } }
        defer { collecting?.cancel() }
        let wasInterrupted = try await Interruption.calling({ isEnded.store(true, ordering: .relaxed) }) {
            try await collect(address, chosen, environment) { isEnded.load(ordering: .relaxed) }
        }
        if wasInterrupted, untilIdle { throw ExitCode.interrupted }
    }

    private func runningCollection(
        _ address: NATSAddress, _ person: String?, _ environment: HealthEnvironment
    ) -> RunningCollection {
        RunningCollection(
            address: address, person: person, environment: { self.environment(of: $0, environment) },
            report: { CommandFailure(exitCode: .success, message: $0).report() })
    }

    private func settings(_ environment: HealthEnvironment) throws -> PublishSettings {
        try CommandFailure.badInput { try environment.publishing.get() }
    }

    private func collect(
        _ address: NATSAddress, _ person: String?, _ environment: HealthEnvironment,
        isEnded: @escaping @Sendable () -> Bool
    ) async throws {
        let waiting = WaitingCalls()
        var delays = BackoffDelays()
        var lastFailure: String?
        while !isEnded() {
            do {
                let source = try await waiting { try SessionSource(address, person: person, patience: Self.patience) }
                delays.connected()
                lastFailure = nil
                var lookedForAbandoned: ContinuousClock.Instant?
                while !isEnded() {
                    if lookedForAbandoned.map({ .now - $0 > Self.lookingForAbandoned }) ?? true {
                        lookedForAbandoned = .now
                        try await endAbandoned(address, person, waiting)
                    }
                    guard let session = try await waiting({ try source.next(within: Self.request) }) else {
                        if untilIdle { return }
                        continue
                    }
                    try await take(session, from: source, waiting, environment)
                }
            } catch let fault as NATSFault where fault.kind != .nobody && !untilIdle {
                let sentence = "\(address) \(fault). Trying again; Ctrl-C ends."
                if sentence != lastFailure { CommandFailure(exitCode: .success, message: sentence).report() }
                lastFailure = sentence
                try? await Task.sleep(for: delays.next())
            } catch let fault as NATSFault where fault.kind == .nobody {
                throw CommandFailure(
                    exitCode: .serviceMissing,
                    message:
                        "\(address) has no stream for \(address.prefix). Create one: workout broker check \(address) --create"
                )
            } catch let fault as NATSFault {
                throw CommandFailure(exitCode: .serviceMissing, message: "\(address) \(fault).")
            } catch let error as BrokerError {
                throw CommandFailure(exitCode: .serviceMissing, message: error.description)
            }
        }
    }

    /// Ends sessions that nobody will finish. They are collected as the others are.
    private func endAbandoned(_ address: NATSAddress, _ person: String?, _ waiting: WaitingCalls) async throws {
        let age = Duration.seconds(abandoned.seconds)
        for session in try await waiting({ try SessionStream(address).endAbandoned(person: person, after: age) }) {
            CommandFailure(
                exitCode: .success,
                message:
                    "session \(session.session.uuidString) of \(session.person) was abandoned; storing what was received"
            ).report()
        }
    }

    /// Takes a session over, and acknowledges it only then.
    private func take(
        _ session: SessionSource.Finished, from source: SessionSource, _ waiting: WaitingCalls,
        _ environment: HealthEnvironment
    ) async throws {
        let id = session.subjects.session
        if let output {
            let log = URL(fileURLWithPath: output).appending(path: "\(id.uuidString).jsonl")
            let part = log.appendingPathExtension("\(getpid()).part")
            guard try await waiting({ try source.write(session, to: part) }) else {
                try FileManager.default.removeItem(at: part)
                return try await leave(session, at: source, waiting)
            }
            guard rename(part.path, log.path) == 0 else {
                throw CommandFailure(
                    exitCode: .outputFault,
                    message: "\(log.path) cannot be written: \(String(cString: strerror(errno)))")
            }
            try await waiting { try source.acknowledge(session) }
            return report(session, "written")
        }
        guard !session.isDiscarded else {
            let own = self.environment(of: session.subjects.person, environment)
            try CommandFailure.storeFault { _ = try own.database.remove(.collected(session: id), owner: nil) }
            try await waiting { try source.acknowledge(session) }
            return report(session, "discarded")
        }
        let own = self.environment(of: session.subjects.person, environment)
        if try CommandFailure.storeFault({ try own.database.knowsWorkout(id) }) {
            try await waiting { try source.acknowledge(session) }
            return report(session, "stored before")
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(id.uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let isWhole = try await waiting { try source.write(session, to: file) }
        guard isWhole else { return try await leave(session, at: source, waiting) }
        do {
            for recording in try RecordingFile.readAll(file) {
                guard recording.facts.start != nil else { continue }
                _ = try HKHealthStore(environment: own).save(recording.adding(recording.activity.swimMetadata), as: id)
            }
        } catch let error as HKError where error.isOfStore {
            throw CommandFailure(
                exitCode: .serviceMissing,
                message:
                    "session \(id.uuidString) is not stored: \(CommandFailure.describe(error)). It is delivered again")
        } catch {
            // Bad data stays bad, however often it is delivered.
            CommandFailure(
                exitCode: .success, message: "session \(id.uuidString) is not stored: \(CommandFailure.describe(error))"
            ).report()
            return try await waiting { try source.acknowledge(session) }
        }
        try await waiting { try source.acknowledge(session) }
        report(session, "stored")
    }

    /// A part that the stream forgot does not come back.
    private func leave(
        _ session: SessionSource.Finished, at source: SessionSource, _ waiting: WaitingCalls
    ) async throws {
        CommandFailure(
            exitCode: .success,
            message:
                "session \(session.subjects.session.uuidString) is not stored: its stream has lost a part. Check the "
                + "stream's limits: workout broker check"
        ).report()
        try await waiting { try source.acknowledge(session) }
    }

    private func report(_ session: SessionSource.Finished, _ outcome: String) {
        let subjects = session.subjects
        if json {
            CommandOutput.standard.print(
                JSONText.object([
                    ("session", .string(subjects.session.uuidString)), ("person", .string(subjects.person)),
                    ("outcome", .string(outcome)),
                ]).text)
        } else {
            CommandOutput.standard.print("\(subjects.person)  \(subjects.session.uuidString)  \(localized(outcome))")
        }
    }

    /// A store on a server keeps people apart; one in a file is one person's.
    private func environment(of person: String, _ environment: HealthEnvironment) -> HealthEnvironment {
        (try? environment.beside(person: person)) ?? environment
    }
}
