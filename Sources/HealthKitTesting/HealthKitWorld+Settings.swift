import HealthKit

extension HealthKitWorld {
    /// What a world is like at its beginning.
    public struct Settings: Sendable {
        /// Where a session's readings come from.
        public var sensors: Sensors
        /// What the person answers when the app asks.
        public var authorization: Authorization
        /// Where samples and workouts are kept.
        public var store: Store
        /// How time goes.
        public var clock: Clock
        /// What the device is; nothing of it as a rule.
        public var device: Set<DeviceState>
        /// What is known of the wearer; nil: what the store says.
        public var profile: Profile?
        /// Where the app is; in the background it hears of changes when the test says so: ``HealthKitWorld/deliver(_:within:)``.
        public var app: AppState
        /// The test's file: paths are relative to its folder, or to one above, up to the package's.
        public var file: String

        /// Of an app in the foreground that is allowed everything, with an empty store and no sensors, where nothing else is said.
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

    /// Where a session's readings come from.
    public enum Sensors: Sendable {
        /// No sensor: a session collects what the app adds itself.
        case none
        /// A recording of any readable format. `speed` is how many times faster than it happened; infinity for as fast as it goes.
        /// With `keepsDates` the workout has the recording's dates.
        case replay(_ path: String, speed: Double = .infinity, keepsDates: Bool = false)
        /// The simulator: a built-in profile (`easyRun` if none is named) or a JSON file. A seed gives the same workout each time.
        case simulate(
            _ profile: String? = nil, seed: UInt64 = 1, durationInSeconds: Double? = nil, speed: Double = .infinity)
        /// ``HealthKitWorld/strap`` and ``HealthKitWorld/watch``, which do what the test says.
        case script
    }

    /// Where samples and workouts are kept.
    public enum Store: Sendable {
        /// An empty store, which nothing outlives.
        case memory
        /// An empty file, which goes with the world. Unlike memory, it keeps the journals of sessions, and what is saved while the
        /// device is locked.
        case file
        /// A copy of a store's file, which goes with the world.
        case copy(of: String)
    }

    /// What a phone can be that keeps an app from its data.
    public enum DeviceState: String, Sendable, CaseIterable {
        /// Nothing can be read; what is written is kept: `HKError.Code.errorDatabaseInaccessible`.
        case locked
        /// Somebody else uses it: nothing can be written, `HKError.Code.errorNotPermissibleForGuestUserMode`.
        case guest
        /// There is no health data: `HKError.Code.errorHealthDataUnavailable`.
        case unavailable
        /// An administrator forbids it: `HKError.Code.errorHealthDataRestricted`.
        case restricted
    }

    /// What the device is, which may change in the middle of a test: counts from the app's next call on.
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
    /// - Throws: For a recording that is not there.
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

    /// With what was written and is not in the file yet.
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
