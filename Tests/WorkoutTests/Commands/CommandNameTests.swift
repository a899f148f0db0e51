import ArgumentParser
import Testing

@testable import workout

@Suite struct CommandNameTests {
    private static func all(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.flatMap { [$0] + all(below: $0) }
    }

    /// ArgumentParser makes a name out of the type's for each command that has none, at every start: the runtime then looks
    /// through all conformances of the program for each of them, which was a quarter of what `workout --help` took.
    @Test func `each command says what it is called`() {
        let commands = Self.all(below: Workout.self)
        #expect(commands.count > 30)
        for command in commands { #expect(command.configuration.commandName != nil, "\(command)") }
    }
}
