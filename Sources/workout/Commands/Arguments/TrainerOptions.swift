import ArgumentParser
import Foundation
import HealthKit
import Recordings
import StoredWorkouts

/// What a trainer is to hold.
struct TrainerOptions: ParsableArguments {
    @Option(
        name: [.customLong("erg"), .customLong("target-power")], help: "Have the trainer hold this power, in watts.")
    var watts: Int?

    @Option(help: "Have the trainer simulate a road of this gradient, in percent: 5 climbs, -2 descends.")
    var grade: Double?

    @Option(
        help: """
            Ride the plan in FILE: .zwo, .erg, .mrc, a FIT workout, or steps as text. 'workout plan FILE' shows it.
            """, completion: .file())
    var plan: String?

    @Option(help: "The threshold power for a plan in percent, in watts. Default: that of 'workout profile'.")
    var ftp: Double?

    func validate() throws {
        guard [watts != nil, grade != nil, plan != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Choose one of --erg, --grade and --plan.")
        }
        if let watts, !(0...4000).contains(watts) { throw ValidationError("--erg is from 0 to 4000 watts.") }
        if let grade, !(grade.magnitude <= 40) { throw ValidationError("--grade is from -40 to 40 percent.") }
        try Self.validate(ftp: ftp)
        if ftp != nil, plan == nil { throw ValidationError("--ftp needs --plan.") }
    }

    /// The plan in watts. Nil if nothing is asked for.
    /// - Throws: ``CommandFailure`` for a plan that cannot be read or followed.
    func plan(_ environment: HealthEnvironment, for activity: String) throws -> WorkoutPlan? {
        if let watts { return WorkoutPlan(steps: [.init(nil, .power(from: Double(watts), to: Double(watts)))]) }
        if let grade { return WorkoutPlan(steps: [.init(nil, .grade(grade))]) }
        return try plan.map { path in
            let plan = try Self.read(path)
            guard plan.needsThresholdPower else { return plan }
            guard let threshold = try ftp ?? environment.athlete(at: Date(), doing: activity).thresholdPowerInWatts
            else {
                throw CommandFailure(
                    exitCode: .wrongUsage,
                    message:
                        "the plan is in percent of your threshold power, which is unknown: add --ftp WATTS, or set it "
                        + "with 'workout profile --threshold-power WATTS'")
            }
            return plan.inWatts(thresholdPowerInWatts: threshold)
        }
    }

    static func validate(ftp: Double?) throws {
        if let ftp, !(50...1000).contains(ftp) { throw ValidationError("--ftp is from 50 to 1000 watts.") }
    }

    static func read(_ path: String) throws -> WorkoutPlan {
        try CommandFailure.badInput { try WorkoutPlan(RecordingSource(URL(fileURLWithPath: path))) }
    }
}
