import Foundation
import HealthKit
import Recordings

extension WorkoutRun {
    /// Runs a recording.
    /// - Parameters:
    ///   - wearer: In place of the one whom the recording is of.
    ///   - id: Of the workout that becomes of it.
    ///   - saves: Whether the workout goes into the environment's database; otherwise nothing is kept.
    convenience init(
        replaying recording: Recording, speed: Double, keepsDates: Bool, wearer: WearerProfile? = nil,
        id: UUID = UUID(), saves: Bool = false, environment: HealthEnvironment = .current
    ) throws {
        let options = ReplayOptions(speed: speed, keepsDates: keepsDates, wearer: wearer)
        try self.init(
            id: id, sensor: ReplaySensor(recording, options, now: environment.time.now()), activity: recording.activity,
            environment: saves ? environment : environment.keepingNothing, plannedSeconds: recording.facts.seconds)
    }

    /// Runs the simulator.
    convenience init(
        simulating workout: SimulatedWorkout, speed: Double, keepsDates: Bool, wearer: WearerProfile? = nil,
        id: UUID = UUID(), saves: Bool = false, environment: HealthEnvironment = .current
    ) throws {
        let options = ReplayOptions(speed: speed, keepsDates: keepsDates, wearer: wearer)
        try self.init(
            id: id, sensor: ReplaySensor(workout, options, now: environment.time.now()),
            activity: workout.profile.activity,
            environment: saves ? environment : environment.keepingNothing,
            plannedSeconds: workout.seconds.map(Double.init))
    }

    private convenience init(
        id: UUID, sensor: ReplaySensor, activity: ActivityDescription, environment: HealthEnvironment,
        plannedSeconds: Double?
    ) throws {
        var environment = environment
        environment.sensors = .success([])
        let recorder = WorkoutRecorder(
            id: id, configuration: activity, sensors: [sensor], wearer: environment.wearer(of: [sensor]),
            journal: try environment.makeJournal(for: id), time: environment.time)
        self.init(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: plannedSeconds)
    }
}

extension HealthEnvironment {
    /// The same, but what is saved is gone with the process.
    fileprivate var keepingNothing: HealthEnvironment {
        var copy = self
        copy.database = SQLiteHealthDatabase(.memory)
        copy.journalFolder = nil
        copy.keepsWorkouts = false
        return copy
    }
}

extension Recording {
    /// What was done, as the header says it.
    var activity: ActivityDescription {
        for entry in entries { if case .header(let header) = entry.content { return header.activity } }
        return ActivityDescription()
    }
}
