import Engine
import HealthKit
import Synchronization

/// The HealthKit of one test: a store, sensors, a clock, a user who allows or denies, a device.
///
/// Each test has its own world, so tests run in parallel. App code needs no change: it uses the test's world in the test's task, in
/// tasks that begin there, in HealthKit's handlers and delegates, and with stores that were created there. <doc:Testing> lists all cases.
///
///     @Test(.healthKit(sensors: .replay("intervals.jsonl"), authorization: .allow))
///     func showsTheAverage() async throws {
///         let manager = WorkoutManager()
///         manager.start(.running)
///         try await HealthKitWorld.current.finished()
///         #expect(manager.averageHeartRate == 142)
///     }
///
/// Without Swift Testing: ``run(_:name:_:)``.
public final class HealthKitWorld: Sendable {
    /// The name of the test, for messages.
    public let name: String
    /// The settings at the start.
    public let settings: Settings
    let lifetime: EnvironmentLifetime
    /// The initial state, with ``lifetime``, which has the present one.
    private let environment: HealthEnvironment
    let person: Person
    let hands: ScriptedTime?
    let faults: Faults
    let workouts = StartedWorkouts()
    let notices: Notices
    /// The strap of ``Sensors/script``. Unused with other sensors.
    public let strap: ScriptedStrap
    /// The device's own sensors in a world with ``Sensors/script``. Unused with other sensors.
    public let watch: ScriptedWatch
    let companions = CompanionWorlds()
    let background: BackgroundApp
    let delegateCalls = DelegateCalls()
    /// The contents of the store before, up to this sequence number.
    let firstChange: Int64
    /// Why it differs from its settings. Nil if it does not.
    public let fault: (any Error)?
    private let folder: URL?

    private let isCompanion: Bool
    private static let living = Mutex<[HealthKitWorld]>([])

    /// Begins a world, until ``end()``. Calls within ``run(_:)`` use it, as do calls outside all tests' tasks while it
    /// is the only world.
    public convenience init(_ settings: Settings = Settings(), name: String = #function) {
        self.init(settings, name: name, of: nil)
    }

    init(_ settings: Settings, name: String, of whole: HealthKitWorld?) {
        self.name = name
        self.settings = settings
        person = Person(settings.authorization)
        faults = Faults()
        notices = Notices()
        let time = settings.clock.makeTime()
        hands = time as? ScriptedTime
        strap = ScriptedStrap()
        watch = ScriptedWatch()
        background = BackgroundApp(isAsleep: settings.app == .background)
        var made = Made(settings)
        folder = made.folder
        var environment = HealthEnvironment(sensors: [], time: time)
        made.place(in: &environment)
        let database = environment.database
        firstChange =
            made.attempt { settings.store.isEmpty ? 0 : try database.changes([], after: 0, limit: nil).anchor } ?? 0
        environment.sensors =
            made.attempt { try settings.sensors.specifications(beside: settings.file) }
            .map(Result.success) ?? .failure(HKError.wrapping(made.fault ?? CancellationError()))
        environment.database = FaultyDatabase(database, faults)
        environment.permissions = person.permissions
        environment.conditions = .success(Set(settings.device.compactMap { DeviceCondition(rawValue: $0.rawValue) }))
        environment.configuredProfile = settings.profile?.stored
        environment.notices = AppNotices { [notices] in notices.add($0) }
        if case .script = settings.sensors {
            environment.givenSensors = { [strap, watch] in [strap.sensor(of: $0), watch.sensor(of: $0)] }
        }
        environment.sessionNotified = { [delegateCalls] in delegateCalls.add(DelegateCall($0)) }
        environment.builderNotified = { [delegateCalls] in delegateCalls.add(DelegateCall($0)) }
        environment.changeGate = background
        environment.workoutMade = { [workouts] in workouts.add($0) }
        lifetime = EnvironmentLifetime(name, of: whole?.lifetime, environment)
        environment.lifetime = lifetime
        self.environment = environment
        fault = made.fault
        isCompanion = whole != nil
        Self.living.withLock { $0.append(self) }
    }

    /// The world of this test, also in HealthKit's handlers and delegates.
    ///
    /// - Throws: ``WorldError`` if the world has ended, or if this is not the task of a test with a world, unless exactly
    ///   one world is alive.
    public static var current: HealthKitWorld {
        get throws {
            let all = living.withLock { $0 }
            if let lifetime = HealthEnvironment.current.lifetime {
                if let own = all.first(where: { $0.lifetime === lifetime }) { return own }
                throw WorldError("The world of \(lifetime.name) has ended.")
            }
            let living = all.filter { !$0.isCompanion }
            if living.count == 1 { return living[0] }
            throw WorldError(
                living.isEmpty
                    ? "There is no world here: give the test .healthKit(), or call HealthKitWorld.run { }."
                    : "There are \(living.count) worlds, and this is no task of a test that has one: keep HealthKitWorld.current in "
                        + "a constant in the test's own task.")
        }
    }

    /// Runs `body` in this world. Can be called any number of times.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try environment.asCurrent(body)
    }

    /// Runs `body` in this world, including tasks that begin there. Can be called any number of times.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await HealthEnvironment.$current.withValue(environment) { try await body() }
    }

    /// Ends the world. Later calls of the app in it fail with a message. A copy of a store is deleted. Ending it twice does nothing.
    public func end() {
        companions.end()
        lifetime.end()
        strap.listener.end()
        watch.listener.end()
        hands?.end()
        workouts.end()
        Self.living.withLock { $0.removeAll { $0 === self } }
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    /// Notices for the app's user, such as why a session gets no readings. Outside of tests they are printed on standard error.
    public var told: [String] { notices.all }
}

extension HealthKitWorld {
    /// Runs `body` in a new world. For XCTest, in `invokeTest()` of a test case.
    ///
    ///     override func invokeTest() {
    ///         HealthKitWorld.run(.init(sensors: .replay("intervals.jsonl"))) { super.invokeTest() }
    ///     }
    public static func run<Result>(
        _ settings: Settings = Settings(), name: String = #function, _ body: () throws -> Result
    ) rethrows -> Result {
        let world = HealthKitWorld(settings, name: name)
        defer { world.end() }
        return try world.run(body)
    }

    /// Runs `body` in a new world.
    public static func run<Result>(
        _ settings: Settings = Settings(), name: String = #function, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let world = HealthKitWorld(settings, name: name)
        defer { world.end() }
        return try await world.run(body)
    }
}

/// A message of HealthKit to an app's user.
final class Notices: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// The objects of a world's settings, and the first error in creating them.
private struct Made {
    let folder: URL?
    private let location: StoreLocation
    private(set) var fault: (any Error)?

    init(_ settings: HealthKitWorld.Settings) {
        switch settings.store {
        case .memory:
            folder = nil
            location = .memory
        case .file, .copy:
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "healthkit-world-\(UUID().uuidString)")
            self.folder = folder
            location = .file(folder.appendingPathComponent("health.sqlite").path)
            attempt {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try settings.store.copy(into: folder, beside: settings.file)
            }
        }
    }

    func place(in environment: inout HealthEnvironment) { environment.keepData(at: location) }

    @discardableResult
    mutating func attempt<Result>(_ body: () throws -> Result) -> Result? {
        do { return try body() } catch {
            fault = fault ?? error
            return nil
        }
    }
}
