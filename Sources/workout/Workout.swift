import ArgumentParser
import Foundation

@main
struct Workout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workout",
        abstract: "Records, replays and simulates workouts.",
        discussion: """
            Exits 0 on success, 64 on wrong usage, 65 on bad input data, 69 when a service is missing, 70 on a fault of \
            its own and 130 on Ctrl-C.
            """,
        version: "0.1.0",
        subcommands: [Replay.self, Simulate.self, Import.self, Profile.self, Permissions.self]
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            failure.report()
            Foundation.exit(failure.exitCode.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}
