#if canImport(Testing)
import HealthKit
public import Testing

/// Gives each test, and each argument of a test, a ``HealthKitWorld`` of its own: `.healthKit(sensors: .script)`.
public struct HealthKitTrait: TestTrait, SuiteTrait, TestScoping {
    /// The settings of the worlds.
    public var settings: HealthKitWorld.Settings

    /// Worlds of these settings.
    public init(_ settings: HealthKitWorld.Settings) {
        self.settings = settings
    }

    /// True: the trait of a suite applies to each test in it.
    public var isRecursive: Bool { true }

    /// Runs one test with one argument in its world.
    /// - Throws: If the world can't be created, for example because a recording or a store is missing.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        EnvironmentLifetime.findRunningTest { Test.current?.name }
        let world = HealthKitWorld(settings, name: test.name)
        defer { world.end() }
        if let fault = world.fault { throw fault }
        try await world.run { try await function() }
    }
}

extension Trait where Self == HealthKitTrait {
    /// Creates a ``HealthKitWorld`` for each test and each argument, for the duration of the test. A test's own trait overrides its
    /// suite's.
    ///
    /// - Parameters:
    ///   - sensors: The source of readings. A recording is searched beside the test's file, then in the folders above it up to the
    ///     package's.
    ///   - authorization: The user's answers to permission requests.
    ///   - store: The store for samples and workouts.
    ///   - clock: The world's clock.
    ///   - device: The state of the device.
    ///   - profile: The wearer's profile.
    ///   - app: Whether the app is in the foreground. In the background it is only notified of changes by a delivery.
    public static func healthKit(
        sensors: HealthKitWorld.Sensors = .none, authorization: HealthKitWorld.Authorization = .allow,
        store: HealthKitWorld.Store = .memory, clock: HealthKitWorld.Clock = .real,
        device: Set<HealthKitWorld.DeviceState> = [], profile: HealthKitWorld.Profile? = nil,
        app: HealthKitWorld.AppState = .foreground, file: String = #filePath
    ) -> Self {
        HealthKitTrait(
            HealthKitWorld.Settings(
                sensors: sensors, authorization: authorization, store: store, clock: clock, device: device,
                profile: profile, app: app, file: file))
    }
}
#endif
