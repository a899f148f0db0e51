import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Reports
import SessionLog
import StoredWorkouts
import Synchronization

/// `workout class`: records several people at once.
struct ClassCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "class",
        abstract: "Record a class: several people, each with a strap and a workout of their own.",
        discussion: """
            FILE is a roster, a table that a spreadsheet or an editor opens. Its first line names the columns: name, sensors (as \
            in HEALTHKIT_SENSORS), and any option of 'workout profile', such as date-of-birth.

            Examples:
              workout class tuesday.csv --serve --activity cycling
              workout class add "Anna" --file tuesday.csv
            """,
        subcommands: [Run.self, Add.self], defaultSubcommand: Run.self)

    /// The roster if none is named.
    static let usualFile = "class.csv"
}

extension ClassCommand {
    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Record everybody in the roster, with a grid of all heart rates.",
            discussion: """
                Keys: s starts everybody who has a heart rate; latecomers start with their first one. p pauses, r resumes, l adds \
                a lap, and q, then y, ends the class. The arrow keys choose one person, and keys then concern that person only; \
                Esc chooses all again. If output is piped, with --start, or if all sensors are simulated or \
                replayed, the class starts at once.

                In a store on PostgreSQL each workout is saved for its person (the column 'person', or the name). Otherwise each \
                session's log is written to a folder, from which 'workout import' reads it.

                Example:
                  workout class tuesday.csv --serve --duration 45m
                """)

        @Argument(help: "The roster. Default: \(ClassCommand.usualFile).", completion: .file())
        var file = ClassCommand.usualFile

        @OptionGroup var what: ActivityOptions

        @Flag(help: "Start at once. Everybody's clock starts with their first heart rate.")
        var start = false

        @Option(help: "Start a new lap at this interval, excluding pauses: seconds, or with units: 90s, 5m, 1h30m.")
        var lapEvery: DurationArgument?

        @Option(
            help:
                "End the class this long after its start: seconds, or with units: 90s, 5m, 1h30m. Default: until q or Ctrl-C."
        )
        var duration: DurationArgument?

        @Option(
            help: ArgumentHelp(
                "Also use straps that other machines hear and publish to NATS.",
                valueName: "nats[s]://[USER@]HOST[/PREFIX]"))
        var from: String?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Write the log of each session to FOLDER. Default without a store on PostgreSQL: a folder beside FILE, with its name.",
                valueName: "folder"),
            completion: .directory)
        var output: String?

        @Flag(help: "Print one JSON object with all summaries at the end.")
        var json = false

        @OptionGroup var bluetooth: BluetoothOptions
        @OptionGroup var publish: PublishOptions
        @OptionGroup var serve: ServeOptions

        func validate() throws {
            if let from, publish.addresses.contains(from) {
                throw ValidationError(
                    "--from and --publish name the same stream: the class would hear itself. Give one of them a prefix."
                )
            }
            if let lapEvery, lapEvery.seconds < 1 { throw ValidationError("--lap-every must be 1 s or more.") }
        }

        func run() async throws {
            let roster = try ClassCommand.naming(file) { try ClassRoster(ClassCommand.text(file)) }
            let description = what.description
            for column in roster.unusedColumns {
                CommandOutput.error.print("note: \(file): the column '\(column)' is not used")
            }
            var environment = try bluetooth.environment
            environment.pairedSensors = try environment.readPairedSensors()
            let addresses = roster.athletes.flatMap(\.sensors).compactMap(\.deviceAddress)
            if !addresses.isEmpty {
                environment.central = await environment.central.spread()
                try await environment.requireRadio(of: addresses)
            }
            let heard = try from.map { try HeardSensors($0, environment) }
            let folder = try folder(environment)
            let pages = try await serve.open(environment)
            let members = try await members(roster, description, environment, folder, heard)
            let terminal = json ? nil : Terminal.standard()
            let run = ClassRun(
                members, title: ActivityTitle.of(description.activity, location: description.location),
                startsAtOnce: start || terminal?.input == nil, durationInSeconds: duration?.seconds)
            for member in members {
                await pages?.show(member.run, athlete: member.name, speed: nil, target: nil)
            }
            let chores = members.map { SessionAutomation($0.run, lapEvery: lapEvery?.seconds, duration: nil) }
            let interrupted = try await ClassOutput(terminal: terminal, isSilent: json).follow(run, heard)
            for chore in chores { chore.cancel() }
            await pages?.close()
            await environment.central.close()
            try report(members, folder)
            if interrupted { throw ExitCode.interrupted }
        }

        /// The folder for logs, which exists then. Nil for none.
        private func folder(_ environment: HealthEnvironment) throws -> String? {
            let path: String
            if let output {
                path = output
            } else if environment.person != nil {
                return nil
            } else {
                let url = URL(fileURLWithPath: file)
                path = url.pathExtension.isEmpty ? file + "-sessions" : (file as NSString).deletingPathExtension
            }
            do {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            } catch {
                throw CommandFailure(
                    exitCode: .badInput,
                    message:
                        "cannot write to the folder \(path): \(CommandFailure.describe(error)) Choose another with --output."
                )
            }
            return path
        }

        private func members(
            _ roster: ClassRoster, _ activity: ActivityDescription, _ environment: HealthEnvironment, _ folder: String?,
            _ heard: HeardSensors?
        ) async throws -> [ClassMember] {
            if environment.person != nil { try requirePeople(roster, environment) }
            let settings = try CommandFailure.badInput { try environment.publishing.get() }
            var members: [ClassMember] = []
            var isComplete = false
            // Nothing ran yet.
            defer { if !isComplete { for member in members { member.removeLog() } } }
            for athlete in roster.athletes {
                var own =
                    environment.person == nil
                    ? environment.beside.keepingNothing
                    : try CommandFailure.storeFault { try environment.beside(person: athlete.person) }
                own.configuredProfile = athlete.profile
                // Also for a simulation, which has a wearer of its own.
                if athlete.profile != StoredProfile() { own.wearer = try? own.profile().wearer(at: Date()) }
                own.publishing = .success(settings.of(athlete: athlete.name, person: athlete.person))
                let sensors: [any Sensor] = heard.map { [$0.sensor(of: athlete.person)] } ?? []
                guard !athlete.sensors.isEmpty || !sensors.isEmpty else {
                    throw CommandFailure(
                        exitCode: .badInput,
                        message:
                            "\(file): \(athlete.name) has no sensor; pair one: workout class add \"\(athlete.name)\" --file \(file)"
                    )
                }
                members.append(
                    try ClassMember(
                        athlete, activity, own, sensors: sensors,
                        logPath: folder.map { Self.logPath(athlete.name, in: $0) }, publish: publish))
            }
            isComplete = true
            return members
        }

        /// A name that no file has yet.
        private static func logPath(_ name: String, in folder: String) -> String {
            let safe = String(name.map { $0.isLetter || $0.isNumber || " -_.".contains($0) ? $0 : "_" }.prefix(60))
            let now = Calendar.gregorian(.autoupdatingCurrent).dateComponents(
                [.year, .month, .day, .hour, .minute], from: Date())
            let date = String(
                format: "%04d-%02d-%02d %02d%02d", now.year ?? 0, now.month ?? 0, now.day ?? 0, now.hour ?? 0,
                now.minute ?? 0)
            let start = "\(folder)/\(date) \(safe)"
            let paths = sequence(first: 1) { $0 + 1 }.lazy.map { start + ($0 == 1 ? "" : " (\($0))") + ".jsonl" }
            return paths.first { !FileManager.default.fileExists(atPath: $0) } ?? start
        }

        private func requirePeople(_ roster: ClassRoster, _ environment: HealthEnvironment) throws {
            let known = try CommandFailure.storeFault { Set(try environment.people().map(\.name)) }
            let missing = roster.athletes.map(\.person).filter { !known.contains($0) }
            guard !missing.isEmpty else { return }
            let first = missing.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
            throw CommandFailure(
                exitCode: .badInput,
                message:
                    "the store does not know \(first)\(missing.count > 5 ? " and \(missing.count - 5) more" : ""); add each of "
                    + "them: workout person add NAME")
        }

        // MARK: The end

        private func report(_ members: [ClassMember], _ folder: String?) throws {
            let failed = members.compactMap { member in
                if case .failed(let reason) = member.outcome { "\(member.name): \(reason)" } else { nil }
            }
            if json {
                CommandOutput.standard.print(
                    JSONText.object([
                        ("class", .string(file)), ("folder", .orNull(folder)),
                        ("athletes", .array(try members.map { try $0.json })),
                    ]).text)
            } else {
                CommandOutput.standard.print(styled: ClassReport.table(members).lines(.standard(columnsInPipe: 80)))
                if let folder {
                    CommandOutput.standard.print(
                        Language.current.message(
                            "The logs of the sessions are in \(folder). To import one: workout import FILE"))
                }
            }
            CommandOutput.standard.flush()
            guard failed.isEmpty else {
                throw CommandFailure(exitCode: .serviceMissing, message: failed.joined(separator: "; "))
            }
        }
    }

    /// Runs `body`, and names the file with what is wrong in it.
    fileprivate static func naming<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as ClassRoster.Fault {
            throw CommandFailure(exitCode: .badInput, message: "\(file), \(fault)")
        }
    }

    private static let mostBytes = 1 << 20

    fileprivate static func text(_ file: String) throws -> String {
        guard FileManager.default.fileExists(atPath: file) else {
            throw CommandFailure(
                exitCode: .badInput,
                message:
                    "\(file) does not exist; to create it with its first person: workout class add NAME --file \(file)")
        }
        let data = try CommandFailure.badInput { try Data(contentsOf: URL(fileURLWithPath: file)) }
        guard data.count <= mostBytes, let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure(
                exitCode: .badInput, message: "\(file) is not a roster; write a table in UTF-8 of at most 1 MB")
        }
        return text
    }
}

extension ClassCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Pair a strap and add its owner to the roster.",
            discussion: """
                Without a sensor, the only one nearby that is not in the roster is used; if there are several, you choose. Put it on \
                first. The strap is not paired for your own workouts.

                Examples:
                  workout class add Anna
                  workout class add "Ben B." A0:9E:1A:00:00:01 --file tuesday.csv
                """)

        @Argument(help: "The athlete's name.")
        var name: String

        @Argument(help: "The address or the name of a sensor nearby, or simulate, mqtt://… as in HEALTHKIT_SENSORS.")
        var sensor: String?

        @Option(
            help: ArgumentHelp("The roster. It is created if it does not exist.", valueName: "file"),
            completion: .file())
        var file = ClassCommand.usualFile

        @Option(
            help:
                "How long to search, and to wait for the first reading: seconds, or with units: 90s, 5m (0.1 s to 366 days)."
        )
        var timeout = DurationArgument(seconds: 60)

        @OptionGroup var bluetooth: BluetoothOptions

        func run() async throws {
            let exists = FileManager.default.fileExists(atPath: file)
            let text = exists ? try ClassCommand.text(file) : ""
            // Before somebody waits for a strap.
            _ = try adding("none", to: text)
            let specification: String
            if let sensor, sensor.contains("simulate") || sensor.contains("://") || sensor.hasPrefix("replay:") {
                specification = sensor
                CommandOutput.error.print("note: no strap was paired, since the sensor is \(sensor)")
            } else {
                let taken = Set(
                    ((try? ClassRoster(text))?.athletes ?? []).flatMap(\.sensors).compactMap(\.deviceAddress))
                let pair = PairingSearch(sensor: sensor, timeout: timeout, isQuiet: false, ignoring: taken)
                let result = try await pair.pair(try bluetooth.environment)
                for line in result.lines { print(line) }
                specification = result.sensor.address.description
            }
            let added = try adding(specification, to: text)
            do {
                try Data(added.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
            } catch {
                throw CommandFailure(
                    exitCode: .badInput, message: "cannot write \(file): \(CommandFailure.describe(error))")
            }
            print("Added \(name) to \(file).")
        }

        /// The text of the roster with the new line, if that is a roster.
        private func adding(_ sensor: String, to text: String) throws -> String {
            try ClassCommand.naming(file) {
                let added = try ClassRoster.adding(name, sensor: sensor, to: text)
                _ = try ClassRoster(added)
                return added
            }
        }
    }
}

extension SensorSpecification {
    /// Of a live sensor, of Bluetooth or ANT+.
    var deviceAddress: DeviceAddress? { deviceAddressText.flatMap { DeviceAddress($0) } }
}
