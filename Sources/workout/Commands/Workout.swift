import ArgumentParser
import Foundation
import HealthKit
import Reports

@main
struct Workout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workout",
        abstract: "Record, replay, simulate, import and analyse workouts.",
        discussion: """
            With a chest strap, start with:

              workout pair
              workout record --activity running

            Without one, replay a recording: workout replay FILE. 'workout' alone shows what you can do now.

            Exit status: 0 success, 64 wrong usage, 65 bad input data, 69 a service is missing, 70 internal error, 74 output \
            cannot be written, 130 interrupted by Ctrl-C.
            """,
        version: Version.line,
        groupedSubcommands: [
            CommandGroup(
                name: "Sensors",
                subcommands: [
                    Scan.self, Pair.self, Sensors.self, Forget.self, Monitor.self, MeasureCommand.self, Doctor.self,
                ]),
            CommandGroup(
                name: "Workouts",
                subcommands: [
                    Record.self, PlanCommand.self, ClassCommand.self, Replay.self, Simulate.self, Recover.self,
                ]),
            CommandGroup(
                name: "History",
                subcommands: [
                    List.self, Browse.self, Show.self, Analyze.self, Goal.self, Report.self, Diff.self, Samples.self,
                    Stats.self, Watch.self,
                ]),
            CommandGroup(
                name: "Corrections",
                subcommands: [Edit.self, Merge.self, SplitCommand.self, Delete.self, Undo.self]),
            CommandGroup(
                name: "Files", subcommands: [Import.self, Export.self, Convert.self, Backup.self, Restore.self]),
            CommandGroup(
                name: "Other machines",
                subcommands: [
                    Mirror.self, Serve.self, BroadcastCommand.self, Follow.self, Collect.self, BrokerCommand.self,
                ]),
            CommandGroup(
                name: "Settings",
                subcommands: [Profile.self, Person.self, Permissions.self, Delivery.self, Store.self]),
        ]
    )

    @Flag(help: "Print the licences of everything that is linked into this command.")
    var licenses = false

    /// Runs `workout` alone, or with its own option.
    func run() async throws {
        CommandOutput.standard.print(
            styled: try FirstSteps(HealthEnvironment.current).lines(.standard(columnsInPipe: 80)))
    }

    static func main() async {
        CommandOutput.prepare()
        let code = await exitCode()
        do {
            try CommandOutput.standard.finish()
            Foundation.exit(code.rawValue)
        } catch {
            error.report()
            Foundation.exit(code == .success ? error.exitCode.rawValue : code.rawValue)
        }
    }

    private static func exitCode() async -> ExitCode {
        do {
            // Parsing needs nothing from the machine, and neither does help.
            var command = try parseAsRoot()
            if isHelp(command) {
                try command.run()
                return .success
            }
            if let root = command as? Workout, root.licenses {
                try Licenses.print()
                return .success
            }
            // The command belongs to the owner: it sees and changes all data without asking.
            try await HealthEnvironment.$current.withValue(HealthEnvironment.process.ofOwner) {
                try await run(command)
            }
            return .success
        } catch let failure as CommandFailure {
            failure.report()
            return failure.exitCode
        } catch {
            let code = exitCode(for: error)
            if !code.isSuccess { Language.chooseForWrongUsage() }
            if code == .wrongUsage, let mistyped = MistypedSubcommand(CommandLine.arguments.dropFirst(), of: Self.self)
            {
                CommandFailure(exitCode: code, message: mistyped.sentence).report()
                return code
            }
            say(fullMessage(for: error), isHelp: code.isSuccess)
            return code
        }
    }

    /// Returns whether the command only prints help: a command with nothing but subcommands, or ArgumentParser's own
    /// help command, whose type is not public.
    private static func isHelp(_ command: any ParsableCommand) -> Bool {
        let configuration = type(of: command).configuration
        return !(command is Workout) && (!configuration.subcommands.isEmpty || configuration.commandName == "help")
    }

    /// Prints a message of ArgumentParser: several lines that quote what was typed.
    private static func say(_ message: String, isHelp: Bool) {
        guard !message.isEmpty else { return }
        if isHelp { return CommandOutput.standard.write((message + "\n").utf8) }
        // Quoted text must not start a line of its own.
        var message = message
        for argument in CommandLine.arguments.dropFirst() {
            for part in [argument, String(argument.drop { $0 != "=" }.dropFirst())] where !part.isEmpty {
                message = message.replacingOccurrences(of: part, with: PrintableText.of(part))
            }
        }
        // All errors of the command begin alike.
        if message.hasPrefix("Error: ") { message = "error: " + message.dropFirst("Error: ".count) }
        for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
            CommandOutput.error.print(String(line))
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        // Otherwise the file's settings would be ignored silently.
        if let fault = HealthEnvironment.current.configurationFault {
            throw CommandFailure(exitCode: .badInput, message: CommandFailure.describe(fault))
        }
        do {
            _ = try HealthEnvironment.current.conditions.get()
        } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        }
        // First adds what apps saved while the device was locked.
        try CommandFailure.storeFault { try HealthEnvironment.current.mergeLockedWrites() }
        DistanceUnits.choose(for: command)
        Language.choose(for: command)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            var command = command
            try command.run()
        }
    }
}

/// A subcommand that does not exist, and the similar ones.
struct MistypedSubcommand: Equatable {
    /// As it was typed.
    var name: String
    /// The command before it: `workout`, `workout mirror`.
    var parent: String
    var known: [String]

    /// Returns nil if the arguments begin with an existing subcommand or an option.
    init?(_ arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
        var command = root
        var parent = Self.name(of: root)
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !argument.hasPrefix("-"), !subcommands.isEmpty, command.configuration.defaultSubcommand == nil else {
                return nil
            }
            if let next = subcommands.first(where: { Self.name(of: $0) == argument }) {
                command = next
                parent += " " + argument
                continue
            }
            if argument == "help" { return nil }
            self.init(name: argument, parent: parent, known: subcommands.map(Self.name) + ["help"])
            return
        }
        return nil
    }

    private init(name: String, parent: String, known: [String]) {
        (self.name, self.parent, self.known) = (name, parent, known)
    }

    /// Returns the name, which all our commands declare.
    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    var sentence: String {
        "unknown command '\(DisplayWidth.printable(name))'."
            + NearNames.question(name, in: known) + " '\(parent) --help' lists all commands."
    }
}
