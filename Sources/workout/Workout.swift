import ArgumentParser

@main
struct Workout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workout",
        abstract: "Records, replays and simulates workouts.",
        discussion: """
            Every subcommand exits 0 on success, 64 on wrong usage, 65 on bad input data, 69 when a service is missing, \
            70 on a fault of its own and 130 on Ctrl-C.
            """,
        version: "0.1.0",
        subcommands: [Replay.self, Simulate.self]
    )
}
