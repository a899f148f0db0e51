import Dispatch
import Engine
import SessionLog
import Synchronization

/// The lifetime of an environment that begins and ends within a process: the world of a test.
///
/// Apps keep stores in globals and use them from their own queues. So in a process with such environments, a store looks up its
/// environment at each use (``owner(home:caller:isShared:maker:)``). In any other process it keeps the environment in which it was created.
package final class EnvironmentLifetime: Sendable {
    /// The name of the test, for messages.
    package let name: String
    /// The world that a companion belongs to.
    private let parent: EnvironmentLifetime?
    /// The environment. Nil once it has ended.
    private let held: Mutex<HealthEnvironment?>

    private static let hasBegun = Atomic(false)
    private static let roots = Mutex<[EnvironmentLifetime]>([])
    private static let reported = Mutex<Set<String>>([])
    private static let runningTest = LockedFunction<(@Sendable () -> String?)?>(nil)

    /// Whether this process ever had such an environment.
    static var isInUse: Bool { hasBegun.load(ordering: .relaxed) }

    /// - Parameter parent: The world that a companion belongs to.
    package init(_ name: String, of parent: EnvironmentLifetime? = nil, _ environment: HealthEnvironment) {
        self.name = name
        self.parent = parent
        held = Mutex(nil)
        var environment = environment
        environment.lifetime = self
        held.withLock { $0 = environment }
        if parent == nil { Self.roots.withLock { $0.append(self) } }
        Self.hasBegun.store(true, ordering: .relaxed)
    }

    /// Sets a function that returns the name of the current task's test, or nil.
    package static func findRunningTest(_ name: @escaping @Sendable () -> String?) {
        runningTest.function = name
    }

    /// The test of the current task. Nil if there is none, or it is unknown.
    static var currentTest: String? { runningTest.function?() }

    /// The current environment. Nil once it has ended.
    package var environment: HealthEnvironment? { held.withLock { $0 } }

    private var root: EnvironmentLifetime { parent ?? self }

    /// Changes the environment, also for existing stores.
    package func change(_ body: (inout HealthEnvironment) -> Void) {
        held.withLock { environment in
            guard var changed = environment else { return }
            body(&changed)
            environment = changed
        }
    }

    package func end() {
        let ended = held.withLock { $0.take() }
        Self.roots.withLock { $0.removeAll { $0 === self } }
        _ = ended
    }

    // MARK: Finding the environment of a call

    enum Owner {
        case alive(HealthEnvironment)
        case ended(EnvironmentLifetime)
        case several([String])
        /// No environment. `test` is the test without one, if known.
        case nobody(test: String?)
    }

    /// The environment of a call that uses a store.
    ///
    /// - Parameters:
    ///   - home: The lifetime in which the store was created.
    ///   - caller: The lifetime of the current task. Nil on the app's own queues and threads, which have no task-local
    ///     values.
    ///   - isShared: Whether tasks of other lifetimes have used the store too: a singleton.
    ///   - maker: The test without a world that created the store.
    static func owner(
        home: EnvironmentLifetime?, caller: EnvironmentLifetime?, isShared: Bool, maker: String? = nil
    ) -> Owner {
        let own = home?.environment
        if let caller {
            if let own, home?.root === caller.root { return .alive(own) }
            return caller.environment.map(Owner.alive) ?? .ended(caller)
        }
        if let home, !isShared { return own.map(Owner.alive) ?? .ended(home) }
        // The task of a test without a world must not use another test's world.
        if let test = isShared ? currentTest : maker ?? currentTest { return .nobody(test: test) }
        let living = roots.withLock { $0 }
        guard living.count < 2 else { return .several(living.map(\.name)) }
        return living.first?.environment.map(Owner.alive) ?? .nobody(test: nil)
    }

    static func isRelated(_ one: EnvironmentLifetime?, _ other: EnvironmentLifetime) -> Bool {
        one?.root === other.root
    }

    /// Prints a message once, for calls that can't fail.
    fileprivate static func notify(_ sentence: String) {
        if reported.withLock({ $0.insert(sentence).inserted }) { StandardError.notify(sentence) }
    }
}

extension EnvironmentLifetime.Owner {
    /// Returns the environment. If there is none, returns one in which every call fails with the reason.
    /// - Parameter fallback: The environment if no lifetime is running: that of the process's variables.
    func environment(else fallback: HealthEnvironment?) -> HealthEnvironment {
        let sentence: String
        switch self {
        case .alive(let environment): return environment
        case .ended(let life):
            sentence =
                "HealthKit was called for the world of \(life.name), which has ended. Have the test wait for what the app does, or, "
                + "where the store is kept for all tests (a singleton), use it from the test's own task first."
        case .several(let names):
            sentence =
                "HealthKit was called outside every test's task, and \(names.count) worlds are alive: "
                + "\(names.prefix(4).joined(separator: ", "))\(names.count > 4 ? " …" : ""). Make the HKHealthStore within the test, "
                + "or run these tests one after the other (.serialized)."
        case .nobody(let test):
            if let fallback { return fallback }
            sentence =
                (test.map { "\($0) called HealthKit and has no world" }
                    ?? "HealthKit was called while no test's world was alive")
                + ": give the test .healthKit(), or make a HealthKitWorld and call the app within run(_:). If HEALTHKIT_STORE "
                + "is set, it applies outside worlds."
        }
        EnvironmentLifetime.notify(sentence)
        return .unusable(HKError.make(.errorInvalidArgument, sentence))
    }
}

extension HealthEnvironment {
    /// Returns an empty environment in which calls fail with `error`.
    static func unusable(_ error: HKError) -> HealthEnvironment {
        var environment = HealthEnvironment(sensors: [])
        environment.sensors = .failure(error)
        environment.conditions = .failure(error)
        environment.permissions = Permissions(answer: .failure(error), app: .default())
        return environment
    }

    /// The environment of a call without a store: that of a new `HKHealthStore()`.
    static var inEffect: HealthEnvironment {
        guard EnvironmentLifetime.isInUse, current.lifetime != nil || current.isOfProcess else { return current }
        return EnvironmentLifetime.owner(home: nil, caller: current.lifetime, isShared: false).environment(else: chosen)
    }

    /// The process's environment, if `HEALTHKIT_STORE` is set. Otherwise a test without a world would use its user's own store.
    static let chosen: HealthEnvironment? = {
        ProcessInfo.processInfo.environment["HEALTHKIT_STORE"].map { _ in .process }
    }()

    /// Runs `work` with this environment as the current one, if it has a lifetime.
    package func asCurrent<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard lifetime != nil else { return try work() }
        return try Self.$current.withValue(self, operation: work)
    }
}

/// The environment of one store: the one in which it was created, or in a process of tests that of the current call.
final class StoreEnvironment: Sendable {
    /// The environment in which the store was created.
    private let home: HealthEnvironment
    /// Whether the environment comes from code, and is the same for every call.
    private let isFixed: Bool
    /// Settings from code, applied for every call. Nil for none.
    private let change: (@Sendable (inout HealthEnvironment) -> Void)?
    /// The test without a world that created the store.
    private let maker: String?
    /// Whether tasks of several worlds use the store.
    private let isShared = Atomic(false)

    init(fixed environment: HealthEnvironment) {
        home = environment
        isFixed = true
        change = nil
        maker = nil
    }

    /// Creates the environment of the current task.
    init(changing change: (@Sendable (inout HealthEnvironment) -> Void)? = nil) {
        var environment = HealthEnvironment.current
        change?(&environment)
        home = environment
        isFixed = false
        self.change = change
        maker = environment.isOfProcess ? EnvironmentLifetime.currentTest : nil
    }

    var now: HealthEnvironment {
        guard !isFixed, EnvironmentLifetime.isInUse, home.lifetime != nil || home.isOfProcess else { return home }
        let caller = HealthEnvironment.current.lifetime
        if let caller, !EnvironmentLifetime.isRelated(home.lifetime, caller) {
            isShared.store(true, ordering: .relaxed)
        }
        let owner = EnvironmentLifetime.owner(
            home: home.lifetime, caller: caller, isShared: isShared.load(ordering: .relaxed), maker: maker)
        var environment = owner.environment(else: home.isOfProcess ? HealthEnvironment.chosen : nil)
        change?(&environment)
        return environment
    }
}

/// Carries the environment of a test's task onto a queue, which has no task-local values. So an app's handlers run in the test's
/// world. Outside of tests it does nothing.
struct EnvironmentPropagation: Sendable {
    private let environment: HealthEnvironment?

    /// Captures the environment of the current task.
    init() {
        let current = EnvironmentLifetime.isInUse ? HealthEnvironment.current : nil
        environment = current?.lifetime == nil ? nil : current
    }

    /// Runs work in the environment of the current task. Nil outside of tests.
    static var context: TaskContext? {
        let propagation = EnvironmentPropagation()
        guard let environment = propagation.environment else { return nil }
        return { work in environment.asCurrent(work) }
    }

    func callAsFunction<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard let environment else { return try work() }
        return try environment.asCurrent(work)
    }

    /// Reports to the test that work begins. Returns nil without a test. Call the result when the work is done.
    func working() -> (@Sendable () -> Void)? { environment?.changeGate?.working() }
}

extension DispatchQueue {
    /// Runs `work` like `async`, in the environment of the current task.
    func asyncInEnvironment(_ work: @escaping @Sendable () -> Void) {
        let passage = EnvironmentPropagation()
        let done = passage.working()
        async {
            passage(work)
            done?()
        }
    }
}
