import ArgumentParser
import Testing

@testable import workout

@Suite struct CommandNameTests {
    private static func all(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.flatMap { [$0] + all(below: $0) }
    }

    /// For a command without a name, ArgumentParser derives one from its type at every start: the runtime then
    /// searches all conformances of the program for each of them, which took a quarter of the time of `workout
    /// --help`.
    @Test func `each command has its name`() {
        let commands = Self.all(below: Workout.self)
        #expect(commands.count > 30)
        for command in commands { #expect(command.configuration.commandName != nil, "\(command)") }
    }

    @Test func `each help begins with a verb, has an example and shows readable defaults`() {
        for command in [Workout.self] + Self.all(below: Workout.self) {
            let help = Workout.helpMessage(for: command, columns: 100)
            let verb = command.configuration.abstract.prefix { $0 != " " && $0 != "," }
            #expect(verb.first?.isUppercase == true && !verb.hasSuffix("s"), "\(command)")
            #expect(command == Workout.self || help.contains("\n  workout "), "\(command)")
            #expect(!help.contains("Argument("), "\(command)")
        }
    }

    @Test(arguments: [(10.0, "10s"), (60, "1m"), (90, "1m30s"), (5_400, "1h30m"), (0.5, "0.5s")])
    func `a default duration can be typed`(seconds: Double, text: String) {
        #expect(DurationArgument(seconds: seconds).defaultValueDescription == text)
        #expect(DurationArgument(argument: text)?.seconds == seconds)
    }

    @Test func `all commands are in a group`() {
        #expect(Workout.configuration.ungroupedSubcommands.isEmpty)
        #expect(Workout.helpMessage(columns: 80).contains("SENSORS SUBCOMMANDS:\n  scan"))
    }
}
