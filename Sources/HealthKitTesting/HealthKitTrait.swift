#if canImport(Testing)
import HealthKit
public import Testing

/// Gives each test, and each argument of a test, a ``HealthKitWorld`` of its own: `.healthKit(sensors: .script)`.
public struct HealthKitTrait: TestTrait, SuiteTrait, TestScoping {
    /// What the worlds are like at their beginning.
    public var settings: HealthKitWorld.Settings

    /// Worlds of these settings.
    public init(_ settings: HealthKitWorld.Settings) {
        self.settings = settings
    }

    /// For each test of a suite, and of those in it.
    public var isRecursive: Bool { true }

    /// Runs one test, with one argument of it, in its world.
    /// - Throws: Where the world cannot be made: a recording or a store that is not there.
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
    /// A ``HealthKitWorld`` for each test and each argument, which is there as long as the test runs. Of a test's own trait and its
    /// suite's the test's counts.
    ///
    /// - Parameters:
    ///   - sensors: Where readings come from. A recording is found beside the test's file, or in a folder above it, up to the
    ///     package's.
    ///   - authorization: What the person answers when the app asks.
    ///   - store: Where samples and workouts are kept.
    ///   - clock: How time goes.
    ///   - device: What the device is.
    ///   - profile: What is known of the wearer.
    ///   - app: Where the app is: in the background it hears of changes when the test says so.
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
