import Dispatch
import Synchronization

/// An environment that begins and ends while its process goes on: the world of a test of an app.
///
/// App code keeps stores in globals and uses them from queues of its own, so a store finds its environment anew at each use
/// (``owner(home:caller:isShared:)``) in a process in which there was ever such a life; in every other one it stays with the one it
/// was made in.
package final class EnvironmentLifetime: Sendable {
    /// For people: the test.
    package let name: String
    /// A companion lives and is found together with whom it belongs to.
    private let parent: EnvironmentLifetime?
    /// Nil when it is over.
    private let held: Mutex<HealthEnvironment?>

    private static let hasBegun = Atomic(false)
    private static let roots = Mutex<[EnvironmentLifetime]>([])
    private static let reported = Mutex<Set<String>>([])
    private static let runningTest = Mutex<(@Sendable () -> String?)?>(nil)

    /// Whether this process ever had a life.
    static var isInUse: Bool { hasBegun.load(ordering: .relaxed) }

    /// - Parameter parent: Whom a companion belongs to.
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

    /// Tells how the name of the test is known in whose task it is asked for: nil in no test's.
    package static func findRunningTest(_ name: @escaping @Sendable () -> String?) {
        runningTest.withLock { $0 = name }
    }

    /// The test in whose task this is asked; nil where that is none, or not known.
    static var currentTest: String? { runningTest.withLock { $0 }?() }

    /// As it is now; nil when it is over.
    package var environment: HealthEnvironment? { held.withLock { $0 } }

    private var root: EnvironmentLifetime { parent ?? self }

    /// Changes what is found from now on, by stores that are there already too.
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

    // MARK: Who is meant

    enum Owner {
        case alive(HealthEnvironment)
        case ended(EnvironmentLifetime)
        case several([String])
        /// Of the test that has none, where it is known.
        case nobody(test: String?)
    }

    /// Whose a use of a store is.
    ///
    /// - Parameters:
    ///   - home: Where the store was made.
    ///   - caller: Whose task uses it; nil on queues and threads of the app's own, which know no task-local values.
    ///   - isShared: Whether tasks of others have used it too: a singleton.
    ///   - maker: The test without a world that made it.
    static func owner(
        home: EnvironmentLifetime?, caller: EnvironmentLifetime?, isShared: Bool, maker: String? = nil
    ) -> Owner {
        let own = home?.environment
        if let caller {
            if let own, home?.root === caller.root { return .alive(own) }
            return caller.environment.map(Owner.alive) ?? .ended(caller)
        }
        if let home, !isShared { return own.map(Owner.alive) ?? .ended(home) }
        // A test's task without a world of its own is not to get into another one's.
        if let test = isShared ? currentTest : maker ?? currentTest { return .nobody(test: test) }
        let living = roots.withLock { $0 }
        guard living.count < 2 else { return .several(living.map(\.name)) }
        return living.first?.environment.map(Owner.alive) ?? .nobody(test: nil)
    }

    static func isRelated(_ one: EnvironmentLifetime?, _ other: EnvironmentLifetime) -> Bool {
        one?.root === other.root
    }

    /// Says a sentence once, for calls that have no way to fail.
    fileprivate static func notify(_ sentence: String) {
        if reported.withLock({ $0.insert(sentence).inserted }) { StandardError.notify(sentence) }
    }
}

extension EnvironmentLifetime.Owner {
    /// Every call of it that can fail fails, and says why, where there is none.
    /// - Parameter fallback: What stands where nobody is alive: what the variables of the process say.
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
                "HealthKit was called from outside of every test's task, and \(names.count) worlds are alive: "
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
    /// Has nothing, and says why.
    static func unusable(_ error: HKError) -> HealthEnvironment {
        var environment = HealthEnvironment(sensors: [])
        environment.sensors = .failure(error)
        environment.conditions = .failure(error)
        environment.permissions = Permissions(answer: .failure(error), app: .default())
        return environment
    }

    /// What a call finds that has no store: as `HKHealthStore()` would at this moment.
    static var inEffect: HealthEnvironment {
        guard EnvironmentLifetime.isInUse, current.lifetime != nil || current.isOfProcess else { return current }
        return EnvironmentLifetime.owner(home: nil, caller: current.lifetime, isShared: false).environment(else: chosen)
    }

    /// The process's, where somebody said where its data is: else a test without a world would use its user's own.
    static let chosen: HealthEnvironment? = {
        ProcessInfo.processInfo.environment["HEALTHKIT_STORE"].map { _ in .process }
    }()

    /// Does `work` so that all that it makes and calls finds this environment, where that is one that ends.
    package func asCurrent<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard lifetime != nil else { return try work() }
        return try Self.$current.withValue(self, operation: work)
    }
}

/// The environment of one store: the one in which it was made, or, in a process of tests, the one whose use it is.
final class StoreEnvironment: Sendable {
    /// Where it was made.
    private let home: HealthEnvironment
    /// Named in code, wherever it is used.
    private let isFixed: Bool
    /// What code says of a part of it, wherever it is used; nil for nothing.
    private let change: (@Sendable (inout HealthEnvironment) -> Void)?
    /// The test without a world in which it was made.
    private let maker: String?
    /// Tasks of several worlds use the store.
    private let isShared = Atomic(false)

    init(fixed environment: HealthEnvironment) {
        home = environment
        isFixed = true
        change = nil
        maker = nil
    }

    /// Of here.
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

/// Takes the environment of a test's task onto a queue, which knows no task-local values: what an app does in its handlers is its
/// test's too. Elsewhere it takes nothing.
struct EnvironmentPropagation: Sendable {
    private let environment: HealthEnvironment?

    /// From here.
    init() {
        let current = EnvironmentLifetime.isInUse ? HealthEnvironment.current : nil
        environment = current?.lifetime == nil ? nil : current
    }

    func callAsFunction<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard let environment else { return try work() }
        return try environment.asCurrent(work)
    }

    /// Tells the test that work begins; nil where there is none. The result is called when the work is done.
    func working() -> (@Sendable () -> Void)? { environment?.changeGate?.working() }
}

extension DispatchQueue {
    /// As `async`, in the environment that is found here.
    func asyncInEnvironment(_ work: @escaping @Sendable () -> Void) {
        let passage = EnvironmentPropagation()
        let done = passage.working()
        async {
            passage(work)
            done?()
        }
    }
}
