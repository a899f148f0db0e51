import Foundation
import HealthKit
import Recordings

extension WorkoutRun {
    /// Runs a recording.
    convenience init(replaying recording: Recording, speed: Double, keepsDates: Bool) throws {
        let sensor = try ReplaySensor(recording, speed: speed, keepsDates: keepsDates)
        let stopped = recording.entries.last { $0.content == .state(.stopped) || $0.content == .state(.ended) }
        let start = recording.entries.start
        try self.init(
            sensor: sensor, activity: recording.activity,
            plannedSeconds: start.flatMap { start in stopped.map { $0.date.timeIntervalSince(start) } })
    }

    /// Runs the simulator.
    convenience init(simulating workout: SimulatedWorkout, activity: ActivityDescription, speed: Double) throws {
        let sensor = ReplaySensor(workout, recordedStart: workout.start, speed: speed)
        try self.init(sensor: sensor, activity: activity, plannedSeconds: nil)
    }

    private convenience init(sensor: ReplaySensor, activity: ActivityDescription, plannedSeconds: Double?) throws {
        var environment = HealthEnvironment.process
        environment.sensors = .success([])
        let recorder = WorkoutRecorder(
            configuration: activity, sensors: [sensor], wearer: environment.wearer, time: environment.time)
        self.init(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: plannedSeconds)
    }
}

extension Recording {
    /// What was done, as the header says it.
    var activity: ActivityDescription {
        for entry in entries { if case .header(let header) = entry.content { return header.activity } }
        return ActivityDescription()
    }
}
