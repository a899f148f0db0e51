import HealthKit

extension HealthKitWorld {
    /// The settings of a world.
    public struct Settings: Sendable {
        /// The source of a session's readings.
        public var sensors: Sensors
        /// The user's answers to permission requests.
        public var authorization: Authorization
        /// The store for samples and workouts.
        public var store: Store
        /// The world's clock.
        public var clock: Clock
        /// The states of the device. Empty by default.
        public var device: Set<DeviceState>
        /// The wearer's profile. Nil for the store's.
        public var profile: Profile?
        /// Whether the app is in the foreground. In the background it is only notified of changes by ``HealthKitWorld/deliver(_:within:)``.
        public var app: AppState
        /// The test's file. Paths are searched in its folder and those above, up to the package's.
        public var file: String

        /// By default: an app in the foreground that is allowed everything, an empty store and no sensors.
        public init(
            sensors: Sensors = .none, authorization: Authorization = .allow, store: Store = .memory,
            clock: Clock = .real,
            device: Set<DeviceState> = [], profile: Profile? = nil, app: AppState = .foreground,
            file: String = #filePath
        ) {
            self.sensors = sensors
            self.authorization = authorization
            self.store = store
            self.clock = clock
            self.device = device
            self.profile = profile
            self.app = app
            self.file = file
        }
    }

    /// The source of a session's readings.
    public enum Sensors: Sendable {
        /// No sensor. A session only collects samples that the app adds.
        case none
        /// A recording in any supported format. `speed` is the speed factor. Infinity for the highest. With
        /// `keepsDates` the workout has the recording's dates.
        case replay(_ path: String, speed: Double = .infinity, keepsDates: Bool = false)
        /// The simulator, with a built-in profile (by default `easyRun`) or a JSON file. The same seed always gives the same workout.
        case simulate(
            _ profile: String? = nil, seed: UInt64 = 1, durationInSeconds: Double? = nil, speed: Double = .infinity)
        /// ``HealthKitWorld/strap`` and ``HealthKitWorld/watch``, which the test controls.
        case script
    }

    /// The store for samples and workouts.
    public enum Store: Sendable {
        /// An empty store in memory.
        case memory
        /// An empty file, deleted with the world. Unlike memory, it has journals of sessions, and keeps data that is
        /// saved while the device is locked.
        case file
        /// A copy of a store's file, deleted with the world.
        case copy(of: String)
    }

    /// A state of the device that keeps an app from its data.
    public enum DeviceState: String, Sendable, CaseIterable {
        /// Nothing can be read (`HKError.Code.errorDatabaseInaccessible`); writes are kept.
        case locked
        /// A guest uses it: nothing can be written (`HKError.Code.errorNotPermissibleForGuestUserMode`).
        case guest
        /// There is no health data (`HKError.Code.errorHealthDataUnavailable`).
        case unavailable
        /// An administrator restricts it (`HKError.Code.errorHealthDataRestricted`).
        case restricted
    }

    /// The states of the device, which can change during a test. A change applies to the app's next call.
    public var device: Set<DeviceState> {
        get {
            let conditions = (try? lifetime.environment?.conditions.get()) ?? []
            return Set(conditions.compactMap { DeviceState(rawValue: $0.rawValue) })
        }
        set {
            lifetime.change { environment in
                environment.conditions = .success(Set(newValue.compactMap { DeviceCondition(rawValue: $0.rawValue) }))
            }
        }
    }
}

extension HealthKitWorld.Sensors {
    /// - Throws: If the recording is missing.
    func specifications(beside file: String) throws -> [SensorSpecification] {
        switch self {
        case .none, .script: return []
        case .replay(let path, let speed, let keepsDates):
            return [.replay(try TestFile.find(path, beside: file), speed: speed, keepsDates: keepsDates)]
        case .simulate(let profile, let seed, let duration, let speed):
            return [.simulate(profile: profile, seed: seed, speed: speed, durationInSeconds: duration)]
        }
    }
}

extension HealthKitWorld.Store {
    var isEmpty: Bool { if case .copy = self { false } else { true } }

    /// Including unwritten data.
    func copy(into folder: URL, beside test: String) throws {
        guard case .copy(let path) = self else { return }
        let file = try TestFile.find(path, beside: test)
        let copy = folder.appendingPathComponent("health.sqlite")
        try FileManager.default.copyItem(at: file, to: copy)
        let log = file.path + "-wal"
        if FileManager.default.fileExists(atPath: log) {
            try FileManager.default.copyItem(atPath: log, toPath: copy.path + "-wal")
        }
    }
}
