import ArgumentParser
import Brokers
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// `workout broker`: the servers that sessions are published to.
struct BrokerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "Check the servers that sessions are published to.",
        discussion: """
            Example:
              workout broker check nats://nats1,nats2,nats3
            """,
        subcommands: [Check.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Show the stream that keeps sessions, and what is wrong with it.",
            discussion: """
                Exits with 65 if something is wrong. With --create, makes a stream that keeps all sessions in files, without limits, \
                and on three servers of a cluster.

                Examples:
                  workout broker check nats://nats1,nats2,nats3
                  workout broker check nats://nats1/gym --create
                """)

        @Argument(help: "Servers: nats[s]://[USER@]HOST[:PORT][,HOST[:PORT]][/PREFIX].")
        var servers: String

        @Flag(help: "Create a stream if none keeps sessions.")
        var create = false

        @Option(help: "With --create: on how many servers the stream is kept, 1 to 5. Default: 3 in a cluster, else 1.")
        var replicas: Int?

        @Flag(help: "Print one JSON object.")
        var json = false

        func validate() throws {
            if let replicas, !(1...5).contains(replicas) {
                throw ValidationError("--replicas must be 1 to 5, not \(replicas).")
            }
        }

        func run() async throws {
            let address: NATSAddress
            do {
                try PublishSettings.refusePassword(in: servers)
                address = try HealthEnvironment.current.publishing.get().servers(servers)
            } catch {
                throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
            }
            let found: (info: JetStream.Info, isNew: Bool)
            do {
                let (create, replicas) = (create, replicas)
                found = try await WaitingCalls()({ try Self.stream(address, create: create, replicas: replicas) })
            } catch let fault as NATSFault {
                let reason =
                    fault.kind == .nobody
                    ? "has no JetStream. Start its servers with it: nats-server --jetstream" : "\(fault)."
                throw CommandFailure(exitCode: .serviceMissing, message: "\(address) \(reason)")
            } catch let error as BrokerError {
                throw CommandFailure(exitCode: .serviceMissing, message: error.description)
            }
            let flaws = StreamFlaws(found.info, prefix: address.prefix).sentences
            print(found.info, isNew: found.isNew, flaws)
            if !flaws.isEmpty { throw ExitCode.badInput }
        }

        private static func stream(
            _ address: NATSAddress, create: Bool, replicas: Int?
        ) throws -> (info: JetStream.Info, isNew: Bool) {
            let stream = JetStream(try NATSConnection(address, name: "workout broker check"))
            let subjects = SessionSubjects.all(prefix: address.prefix)
            if let name = try stream.stream(of: subjects), let info = try stream.info(name) { return (info, false) }
            guard create else {
                throw CommandFailure(
                    exitCode: .serviceMissing,
                    message: "\(address) has no stream for \(address.prefix). Create one: add --create")
            }
            let name = SessionSubjects.token(address.prefix).uppercased()
            var config = JetStream.Info.Config(name: name, subjects: [subjects], replicas: replicas ?? 3)
            do {
                try stream.create(config)
            } catch {
                // JSStreamReplicasNotSupportedErr: one server alone.
                guard replicas == nil, error.code == 10_074 else { throw error }
                config.replicas = 1
                try stream.create(config)
            }
            guard let info = try stream.info(name) else { throw NATSFault(.refused, "refuses") }
            return (info, true)
        }

        private func print(_ info: JetStream.Info, isNew: Bool, _ flaws: [String]) {
            let config = info.config
            guard !json else {
                return CommandOutput.standard.print(
                    JSONText.object([
                        ("stream", .string(config.name)), ("created", .boolean(isNew)),
                        ("subjects", .array((config.subjects ?? []).map { .string($0) })),
                        ("replicas", .integer(config.replicas ?? 1)), ("storage", .string(config.storage ?? "file")),
                        ("messages", .integer(Int(info.state.messages))), ("bytes", .integer(Int(info.state.bytes))),
                        ("flaws", .array(flaws.map { .string($0) })),
                    ]).text)
            }
            let age = config.ageInNanoseconds.flatMap { $0 > 0 ? MetricFormat.time(Double($0) / 1e9) : nil }
            let subjects = (config.subjects ?? []).joined(separator: ", ")
            let cluster = info.cluster?.name.map { "  (\($0))" } ?? ""
            let rows: [(String, String)] = [
                (localized("Stream"), isNew ? "\(config.name)  \(localized("created"))" : config.name),
                (localized("Subjects"), subjects),
                (localized("Replicas"), "\(config.replicas ?? 1)\(cluster)"),
                (localized("Storage"), config.storage ?? "file"),
                (localized("Kept for"), age ?? localized("without limit")),
                (localized("Messages"), Language.current.number("\(info.state.messages)")),
                (localized("Size"), ByteCount.text(Int(clamping: info.state.bytes))),
            ]
            let width = rows.map(\.0.count).max() ?? 0
            for (name, value) in rows {
                CommandOutput.standard.print(name + String(repeating: " ", count: width - name.count + 2) + value)
            }
            for flaw in flaws { CommandFailure(exitCode: .success, message: localized(flaw)).report() }
        }
    }
}

/// What is wrong with a stream that is to keep sessions.
struct StreamFlaws {
    /// A workout may last this long.
    private static let longestWorkoutInNanoseconds: Int64 = 24 * 3600 * 1_000_000_000

    private(set) var sentences: [String] = []

    init(_ info: JetStream.Info, prefix: String) {
        let config = info.config
        let subjects = config.subjects ?? []
        if !subjects.contains(SessionSubjects.all(prefix: prefix)), !subjects.contains(">") {
            sentences.append("The stream takes only a part of the subjects of sessions. Have it take PREFIX.>.")
        }
        if config.storage == "memory" {
            sentences.append(
                "The stream is kept in memory: a restart of its servers loses all sessions. Keep it in files.")
        }
        if let retention = config.retention, retention != "limits" {
            sentences.append("The stream forgets what was read once. Set its retention to 'limits'.")
        }
        if let age = config.ageInNanoseconds, age > 0, age < Self.longestWorkoutInNanoseconds {
            sentences.append(
                "The stream forgets after less than a day, which a long workout outlasts. Set a longer age.")
        }
        if config.discard == "old", [config.mostBytes, config.mostMessages].contains(where: { $0 ?? -1 > 0 }) {
            sentences.append(
                "A full stream forgets its oldest sessions. Set its discard policy to 'new', so that it refuses new ones instead."
            )
        }
        if let most = config.mostMessagesOfSubject, most > 0 {
            sentences.append("The stream keeps only some messages of a session. Set no limit of messages per subject.")
        }
        let peers = (info.cluster?.replicas ?? [])
        if info.cluster?.name != nil, config.replicas ?? 1 == 1 {
            sentences.append(
                "One server of a cluster keeps the stream: if it is lost, so are the sessions. Set three replicas.")
        }
        if peers.contains(where: { $0.offline == true || $0.current == false }) {
            sentences.append("A replica of the stream is missing or behind. Check the cluster.")
        }
    }
}
