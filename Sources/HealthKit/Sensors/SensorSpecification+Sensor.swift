package import Recordings

extension SensorSpecification {
    /// The sensor itself, for a session of this activity.
    /// - Throws: `HKError` when it is not to be had: a file that cannot be read, a profile that does not exist.
    package func makeSensor(for activity: ActivityDescription, time: any TimeSource) throws -> any Sensor {
        switch self {
        case .replay(let url, let speed, let keepsDates):
            return try ReplaySensor(
                try HKError.translating { try RecordingFile.read(url) }, speed: speed, keepsDates: keepsDates)
        case .simulate(let name, let seed, let speed, let duration):
            let profile = try HKError.translating { try WorkoutProfile(named: name ?? "easyRun") }
            let start = time.now()
            return ReplaySensor(
                SimulatedWorkout(profile: profile, seed: seed, start: start, duration: duration), recordedStart: start,
                speed: speed)
        case .bluetooth(let address):
            let environment = HealthEnvironment.current
            return environment.makeSensor([try environment.pairedSensor(address)], for: activity)
        }
    }
}

extension ReplaySensor {
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a recording without a workout in it.
    package init(_ recording: Recording, speed: Double, keepsDates: Bool) throws {
        guard let start = recording.entries.start else {
            throw HKError.make(.errorInvalidArgument, "The recording cannot be replayed: it holds no workout.")
        }
        self.init(recording.entries.withReadingsOfPackets, recordedStart: start, speed: speed, keepsDates: keepsDates)
    }
}

extension [SessionEntry] {
    /// When the recorded session began to run.
    package var start: Date? {
        first { if case .state(.running) = $0.content { true } else { false } }?.date
    }
}
