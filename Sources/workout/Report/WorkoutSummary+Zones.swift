import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

extension WorkoutSummary {
    /// Creates the summary of a finished run. Throws if its log cannot be read back.
    init(_ run: WorkoutRun.Finished) throws {
        try self.init(id: run.id, state: run.state, log: run.log)
    }

    /// Creates the summary with the profile's zones of power and pace for the workout's day and sport, as in `workout
    /// show`.
    /// - Parameter environment: Nil if the recording's wearer counts, who has no such zones.
    init(_ run: WorkoutRun.Finished, withZonesOf environment: HealthEnvironment?) throws {
        try self.init(run)
        guard let environment else { return }
        try setMotionZones(of: environment.athlete(at: start, doing: run.state.header?.activity.activity)) { athlete in
            var analysis = WorkoutAnalysis(athlete)
            try run.log.forEach { entry in
                // Heart rates do not matter here, and most entries are heart rates.
                if case .quantity(let reading) = entry.content, reading.isHeartRate { return }
                analysis.take(entry)
            }
            return analysis
        }
    }

    /// Creates the summary of a stored workout with the same zones.
    init(_ workout: HKWorkout, withZonesOf environment: HealthEnvironment) throws {
        let athlete = try environment.athlete(at: workout.startDate, doing: workout.workoutActivityType.caseName)
        try self.init(workout, in: environment.database, wearer: athlete.wearer)
        try setMotionZones(of: athlete) { try WorkoutAnalysis(motionOf: workout, in: environment.database, $0) }
    }

    /// Sets the zones. Skips the analysis if the athlete has none.
    private mutating func setMotionZones(
        of athlete: WorkoutAnalysis.Athlete, _ analysis: (WorkoutAnalysis.Athlete) throws -> WorkoutAnalysis
    ) rethrows {
        guard athlete.powerZones != nil || athlete.speedZones != nil else { return }
        setMotionZones(try analysis(athlete))
    }
}
