import ArgumentParser
import HealthKit
import SessionLog

/// The activity of a session that begins here.
struct ActivityOptions: ParsableArguments {
    @Option(
        help: "Activity type: running, cycling, rowing … Default: other.",
        completion: ActivityArgument.completion,
        transform: ActivityArgument.parse)
    var activity = HKWorkoutActivityType.other

    @Flag(help: "Mark as indoor.")
    var indoor = false

    @Flag(help: "Mark as outdoor.")
    var outdoor = false

    func validate() throws {
        if indoor, outdoor { throw ValidationError("--indoor and --outdoor exclude each other") }
    }

    var description: ActivityDescription {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = indoor ? .indoor : outdoor ? .outdoor : .unknown
        return configuration.activityDescription
    }
}
