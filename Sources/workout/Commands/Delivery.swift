import ArgumentParser
import Engine
import Foundation
import HealthKit
import StoredWorkouts

/// `workout delivery`: starts apps that do not run when health data changes.
struct Delivery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery",
        abstract: "Wake HealthKit apps when new data arrives.",
        discussion: """
            An app registers with enableBackgroundDelivery(for:frequency:). 'run' watches the store and starts apps that are \
            due and not running; 'install' lets systemd do that for you. Without either, an app gets its new data when you \
            start it and it executes its observer queries.

            Example:
              workout delivery install
            """,
        subcommands: [List.self, Run.self, Install.self, Uninstall.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List registered apps and their status.",
            discussion: """
                Example:
                  workout delivery list --json
                """)

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let environment = HealthEnvironment.current
            try CommandFailure.storeFault {
                let listing = try DeliveryListing(
                    environment.database.deliveries(to: nil), environment, now: environment.time.now())
                for line in json ? [listing.json.text] : listing.lines { print(line) }
            }
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Watch the store and start apps that are due, until Ctrl-C.",
            discussion: """
                Only one runner works on a store at a time. It starts an app by D-Bus activation or by its systemd unit if \
                'install' wrote them and they work. Otherwise it starts the app directly (as a service, by systemd-run), in the \
                folder and with the arguments and the HEALTHKIT_, XDG_ and similar variables that it registered with.

                Example:
                  workout delivery run --once
                """)

        @Flag(help: "Start the apps that are due now, then exit.")
        var once = false
        @Flag(help: "Print one JSON object per start, one per line.")
        var json = false

        func run() async throws {
            let environment = HealthEnvironment.current
            let launcher = AppLauncher(DeliveryFolders(variables: ProcessInfo.processInfo.environment))
            let runner = try Self.runner(environment, launcher)
            if once {
                let starts = try await CommandFailure.ownFault { try runner.pass(now: environment.time.now()) }
                try Self.report(starts, json: json, saysNothing: true)
                if starts.contains(where: { if case .failure = $0.outcome { true } else { false } }) {
                    throw ExitCode.serviceMissing
                }
                return
            }
            if !json { CommandOutput.error.print("Watching for changes; Ctrl-C ends.") }
            let work = Task { [json] in
                try await runner.run { try Self.report($0, json: json, saysNothing: false) }
            }
            try await CommandFailure.ownFault {
                let interrupted = try await Interruption.calling({ work.cancel() }) { try await work.value }
                if interrupted { throw ExitCode.interrupted }
            }
        }

        private static func runner(_ environment: HealthEnvironment, _ launcher: AppLauncher) throws -> DeliveryRunner {
            do {
                return try DeliveryRunner(environment, launcher: launcher)
            } catch let error as HKError where error.code == .errorInvalidArgument {
                throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
            } catch {
                throw CommandFailure(exitCode: .serviceMissing, message: CommandFailure.describe(error))
            }
        }

        private static func report(_ starts: [DeliveryRunner.Start], json: Bool, saysNothing: Bool) throws {
            if starts.isEmpty, saysNothing, !json { print("No app is due.") }
            for start in starts { print(json ? start.json.text : start.line) }
            CommandOutput.standard.flush()
        }
    }
}

extension DeliveryRunner.Start {
    private var names: [String] { types.map(\.swiftName) }

    var line: String {
        switch outcome {
        case .success(let way):
            "started \(app.name) (\(app.bundleIdentifier)) through \(way.rawValue) for \(names.joined(separator: ", "))"
        case .failure(let error): "not started: \(CommandFailure.describe(error))"
        }
    }

    var json: JSONText {
        var members: [(String, JSONText?)] = [
            ("at", .date(date)), ("app", .string(app.bundleIdentifier)), ("types", .array(names.map { .string($0) })),
        ]
        switch outcome {
        case .success(let way): members.append(("by", .string(way.rawValue)))
        case .failure(let error): members.append(("error", .string(CommandFailure.describe(error))))
        }
        return .object(members)
    }
}

/// The output of `workout delivery list`.
struct DeliveryListing {
    private let apps: [AppDeliveries]
    private let running: Set<String>
    private let now: Date

    init(_ apps: [AppDeliveries], _ environment: HealthEnvironment, now: Date) {
        self.apps = apps
        let presence = environment.location.localPath.map(AppPresence.init)
        running = Set(apps.map(\.app.bundleIdentifier).filter { presence?.isRunning($0) ?? false })
        self.now = now
    }

    var lines: [String] {
        guard !apps.isEmpty else { return ["No app has registered for background delivery."] }
        var lines: [String] = []
        for one in apps {
            if !lines.isEmpty { lines.append("") }
            let isRunning = running.contains(one.app.bundleIdentifier)
            lines.append("\(one.app.name) (\(one.app.bundleIdentifier))\(isRunning ? ", running" : "")")
            lines.append("  \(([one.app.executable] + one.app.arguments).joined(separator: " "))")
            let width = (one.deliveries.map(\.type.swiftName.count).max() ?? 0) + 2
            for delivery in one.deliveries {
                let name = delivery.type.swiftName
                let frequency = delivery.state.frequency(for: delivery.type).name
                lines.append(
                    "  " + name + String(repeating: " ", count: width - name.count) + frequency
                        + String(repeating: " ", count: 11 - frequency.count) + words(delivery))
            }
        }
        return lines
    }

    private func words(_ delivery: AppDeliveries.Delivery) -> String {
        let tries = delivery.state.unanswered
        let without = tries == 0 ? "" : ", " + Page.counted(tries, "unanswered start")
        switch delivery.next(now: now) {
        case .nothing: return "nothing new"
        case .start: return "due" + without
        case .wait(let date):
            return "due " + Page().minute(date, showsZone: true) + without
        case .givenUp: return "given up after \(tries) unanswered starts; start the app by hand"
        }
    }

    var json: JSONText {
        .object([
            (
                "apps",
                .array(
                    apps.map { one in
                        .object([
                            ("bundleIdentifier", .string(one.app.bundleIdentifier)), ("name", .string(one.app.name)),
                            ("command", .array(([one.app.executable] + one.app.arguments).map { .string($0) })),
                            ("workingDirectory", .string(one.app.workingDirectory)),
                            ("busName", one.app.busName.map { .string($0) }),
                            ("running", .boolean(running.contains(one.app.bundleIdentifier))),
                            ("deliveries", .array(one.deliveries.map(json))),
                        ])
                    })
            )
        ])
    }

    private func json(_ delivery: AppDeliveries.Delivery) -> JSONText {
        let (word, next): (String, Date?) =
            switch delivery.next(now: now) {
            case .nothing: ("idle", nil)
            case .start: ("due", nil)
            case .wait(let date): ("waiting", date)
            case .givenUp: ("givenUp", nil)
            }
        return .object([
            ("type", .string(delivery.type.swiftName)), ("frequency", .string(delivery.state.frequency.name)),
            ("effectiveFrequency", .string(delivery.state.frequency(for: delivery.type).name)),
            ("state", .string(word)),
            ("next", next.flatMap(JSONText.date)), ("lastStart", delivery.state.lastStart.flatMap(JSONText.date)),
            ("unanswered", .integer(delivery.state.unanswered)),
        ])
    }
}
