import ArgumentParser

@main
struct Workout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workout", abstract: "Records, replays and simulates workouts.")
}
