import Foundation
import HealthKit
import Recordings
import SessionLog

extension WorkoutSummary {
    /// What a finished run came to. Throws where its log cannot be read back.
    init(_ run: WorkoutRun.Finished) throws {
        try self.init(id: run.id, state: run.state, log: run.log)
    }

    /// With the profile's zones of power and pace, of the workout's day and sport, as `workout show` tells them of what is stored.
    /// - Parameter environment: Nil where the recording's wearer counts, of whom no such zones are known.
    init(_ run: WorkoutRun.Finished, withZonesOf environment: HealthEnvironment?) throws {
        try self.init(run)
        guard let environment else { return }
        try setMotionZones(of: environment.athlete(at: start, doing: run.state.header?.activity.activity)) { athlete in
            var analysis = WorkoutAnalysis(athlete)
            try run.log.forEach { entry in
                // Of no account here, and most of them.
                if case .quantity(let reading) = entry.content, reading.isHeartRate { return }
                analysis.take(entry)
            }
            return analysis
        }
    }

    /// Of a stored one, with the same zones.
    init(_ workout: HKWorkout, withZonesOf environment: HealthEnvironment) throws {
        let athlete = try environment.athlete(at: workout.startDate, doing: workout.workoutActivityType.caseName)
        try self.init(workout, in: environment.database, wearer: athlete.wearer)
        try setMotionZones(of: athlete) { try WorkoutAnalysis(motionOf: workout, in: environment.database, $0) }
    }

    /// An athlete without such zones costs no analysis.
    private mutating func setMotionZones(
        of athlete: WorkoutAnalysis.Athlete, _ analysis: (WorkoutAnalysis.Athlete) throws -> WorkoutAnalysis
    ) rethrows {
        guard athlete.powerZones != nil || athlete.speedZones != nil else { return }
        setMotionZones(try analysis(athlete))
    }
}
