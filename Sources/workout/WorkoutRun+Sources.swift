import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog

extension WorkoutRun {
    /// Runs a recording.
    /// - Parameters:
    ///   - wearer: A wearer instead of the recording's own.
    ///   - id: The ID of the resulting workout.
    ///   - saves: Whether the workout is saved to the environment's database. Otherwise nothing is kept.
    ///   - outlives: Whether `workout recover` finds the data after a crash. An import is stored whole or not at all,
    ///     since the file still has the data.
    convenience init(
        replaying recording: Recording, speed: Double, keepsDates: Bool, wearer: WearerProfile? = nil,
        id: UUID = UUID(), saves: Bool = false, outlives: Bool = true, environment: HealthEnvironment = .current
    ) throws {
        let options = ReplayOptions(speed: speed, keepsDates: keepsDates, wearer: wearer)
        let activity = recording.activity
        try self.init(
            id: id,
            sensor: ReplaySensor(recording.replayed, options, now: environment.time.now()),
            activity: activity,
            environment: saves ? environment : environment.keepingNothing, plannedSeconds: recording.facts.seconds,
            outlives: outlives)
    }

    /// Runs the simulator.
    convenience init(
        simulating workout: SimulatedWorkout, speed: Double, keepsDates: Bool, wearer: WearerProfile? = nil,
        id: UUID = UUID(), saves: Bool = false, environment: HealthEnvironment = .current
    ) throws {
        let options = ReplayOptions(speed: speed, keepsDates: keepsDates, wearer: wearer)
        try self.init(
            id: id, sensor: ReplaySensor(workout.replayed, options, now: environment.time.now()),
            activity: workout.profile.activity,
            environment: saves ? environment : environment.keepingNothing,
            plannedSeconds: workout.seconds.map(Double.init))
    }

    private convenience init(
        id: UUID, sensor: ReplaySensor, activity: ActivityDescription, environment: HealthEnvironment,
        plannedSeconds: Double?, outlives: Bool = true
    ) throws {
        var environment = environment
        environment.sensors = .success([])
        let time = HaltableTime(environment.time)
        environment.time = time
        let journal =
            outlives
            ? try environment.makeJournal(for: id)
            : try environment.journalFolder.map { folder in
                try HKError.translating { try SessionJournal(withoutNameIn: folder) }
            }
        let recorder = WorkoutRecorder(
            id: id, configuration: activity, sensors: [sensor], wearer: environment.wearer(of: [sensor]),
            journal: journal, time: time)
        self.init(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: plannedSeconds,
            replayTime: time)
    }
}

extension HealthEnvironment {
    /// The same environment, except that saved data disappears with the process.
    var keepingNothing: HealthEnvironment {
        var copy = self
        copy.database = SQLiteHealthDatabase(.memory)
        copy.journalFolder = nil
        copy.keepsWorkouts = false
        return copy
    }
}

extension ActivityDescription {
    /// The metadata of a swim that apps look for, since they write it themselves.
    var swimMetadata: [String: MetadataValue] {
        guard activity == "swimming" else { return [:] }
        var metadata: [String: MetadataValue] = [:]
        if let lapLengthInMeters { metadata[HKMetadataKeyLapLength] = .quantity(lapLengthInMeters, unit: "m") }
        switch swimmingLocation {
        case .unknown: break
        case .pool: metadata[HKMetadataKeySwimmingLocationType] = .number(1)
        case .openWater: metadata[HKMetadataKeySwimmingLocationType] = .number(2)
        }
        return metadata
    }
}

extension Recording {
    /// The activity in the header.
    var activity: ActivityDescription {
        for entry in entries { if case .header(let header) = entry.content { return header.activity } }
        return ActivityDescription()
    }
}
