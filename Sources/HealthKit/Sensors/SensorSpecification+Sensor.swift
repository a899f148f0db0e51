package import Recordings

extension SensorSpecification {
    /// The sensor itself, for a session of this activity.
    /// - Throws: `HKError` when it is not to be had: a file that cannot be read, a profile that does not exist.
    package func makeSensor(
        for activity: ActivityDescription, in environment: HealthEnvironment
    ) throws -> any Sensor {
        func options(_ speed: Double, keepsDates: Bool = false, _ wearer: Wearer) -> ReplayOptions {
            ReplayOptions(
                speed: speed, keepsDates: keepsDates, wearer: wearer == .profile ? environment.wearer : nil)
        }
        let now = environment.time.now()
        switch self {
        case .replay(let url, let speed, let keepsDates, let wearer):
            return try ReplaySensor(
                try HKError.translating { try RecordingFile.read(url) },
                options(speed, keepsDates: keepsDates, wearer), now: now)
        case .simulate(let name, let seed, let speed, let duration, let wearer):
            let profile = try HKError.translating { try WorkoutProfile(named: name ?? "easyRun") }
            return ReplaySensor(
                SimulatedWorkout(profile: profile, seed: seed, start: now, duration: duration),
                options(speed, wearer), now: now)
        case .bluetooth(let address):
            return environment.makeSensor([try environment.pairedSensor(address)], for: activity)
        }
    }
}
