import ArgumentParser
import Foundation
import HealthKit

@main
struct Workout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workout",
        abstract: "Records, replays and simulates workouts, and shows what is stored.",
        discussion: """
            Exits 0 on success, 64 on wrong usage, 65 on bad input data, 69 when a service is missing, 70 on a fault of \
            its own and 130 on Ctrl-C.
            """,
        version: "0.1.0",
        subcommands: [
            Scan.self, Pair.self, Sensors.self, Forget.self, Monitor.self, Doctor.self, Record.self, Replay.self,
            Simulate.self, Recover.self, List.self, Show.self, Delete.self, Samples.self, Stats.self,
            Watch.self, Import.self, Profile.self, Permissions.self, Mirror.self, Delivery.self,
        ]
    )

    static func main() async {
        do {
            // The command is the owner's: it sees and changes all data without asking anybody.
            try await HealthEnvironment.$current.withValue(HealthEnvironment.process.ofOwner) {
                try await parseAndRun()
            }
        } catch let failure as CommandFailure {
            failure.report()
            Foundation.exit(failure.exitCode.rawValue)
        } catch {
            exit(withError: error)
        }
    }

    private static func parseAndRun() async throws {
        var command = try parseAsRoot()
        do {
            _ = try HealthEnvironment.current.conditions.get()
        } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        }
        // Else it would be as if the file said nothing.
        if let fault = HealthEnvironment.current.configurationFault {
            throw CommandFailure(exitCode: .badInput, message: CommandFailure.describe(fault))
        }
        // What apps saved while the device was locked is taken in first.
        try CommandFailure.storeFault { try HealthEnvironment.current.mergeLockedWrites() }
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }
}
