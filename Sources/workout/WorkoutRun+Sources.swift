import Foundation
import HealthKit
import Recordings
import SessionLog

extension WorkoutRun {
    /// Runs a recording.
    /// - Parameters:
    ///   - wearer: In place of the one whom the recording is of.
    ///   - id: Of the workout that becomes of it.
    ///   - saves: Whether the workout goes into the environment's database; otherwise nothing is kept.
    ///   - outlives: Whether a crash leaves what there is by then to `workout recover`. What is imported is whole or not
    ///     there: the file has all of it.
    convenience init(
        replaying recording: Recording, speed: Double, keepsDates: Bool, wearer: WearerProfile? = nil,
        id: UUID = UUID(), saves: Bool = false, outlives: Bool = true, environment: HealthEnvironment = .current
    ) throws {
        let options = ReplayOptions(speed: speed, keepsDates: keepsDates, wearer: wearer)
        let activity = recording.activity
        try self.init(
            id: id,
            sensor: ReplaySensor(recording, options, now: environment.time.now()),
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
            id: id, sensor: ReplaySensor(workout, options, now: environment.time.now()),
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
            : try environment.journalFolder.map { try SessionJournal(withoutNameIn: $0) }
        let recorder = WorkoutRecorder(
            id: id, configuration: activity, sensors: [sensor], wearer: environment.wearer(of: [sensor]),
            journal: journal, time: time)
        self.init(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: plannedSeconds,
            replayTime: time)
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

extension ActivityDescription {
    /// What apps look for in a swim's metadata, as they write it themselves.
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
    /// What was done, as the header says it.
    var activity: ActivityDescription {
        for entry in entries { if case .header(let header) = entry.content { return header.activity } }
        return ActivityDescription()
    }
}
