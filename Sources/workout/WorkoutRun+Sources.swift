import Foundation
import HealthKit
import Recordings

extension WorkoutRun {
    /// Runs a recording.
    convenience init(
        replaying recording: Recording, speed: Double, keepsDates: Bool, id: UUID = UUID(),
        environment: HealthEnvironment = .process
    ) throws {
        let sensor = try ReplaySensor(recording, speed: speed, keepsDates: keepsDates)
        let stopped = recording.entries.last { $0.content == .state(.stopped) || $0.content == .state(.ended) }
        let start = recording.entries.start
        try self.init(
            id: id, sensor: sensor, activity: recording.activity, wearer: recording.entries.wearer,
            environment: environment,
            plannedSeconds: start.flatMap { start in stopped.map { $0.date.timeIntervalSince(start) } })
    }

    /// Runs the simulator.
    convenience init(simulating workout: SimulatedWorkout, activity: ActivityDescription, speed: Double) throws {
        let sensor = ReplaySensor(workout, recordedStart: workout.start, speed: speed)
        try self.init(
            id: UUID(), sensor: sensor, activity: activity, wearer: workout.prefix(8).wearer, environment: .process,
            plannedSeconds: workout.seconds.map(Double.init))
    }

    /// - Parameter wearer: Whom the recording is of, for whom nothing else says who wears the sensors.
    private convenience init(
        id: UUID, sensor: ReplaySensor, activity: ActivityDescription, wearer: WearerProfile?,
        environment: HealthEnvironment, plannedSeconds: Double?
    ) throws {
        var environment = environment
        environment.sensors = .success([])
        let recorder = WorkoutRecorder(
            id: id, configuration: activity, sensors: [sensor], wearer: environment.wearer ?? wearer,
            time: environment.time)
        self.init(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: plannedSeconds)
    }
}

extension Sequence<SessionEntry> {
    /// Who wore the sensors, where that is said.
    fileprivate var wearer: WearerProfile? {
        for entry in self { if case .wearer(let profile) = entry.content { return profile } }
        return nil
    }
}

extension Recording {
    /// What was done, as the header says it.
    var activity: ActivityDescription {
        for entry in entries { if case .header(let header) = entry.content { return header.activity } }
        return ActivityDescription()
    }
}
