import Synchronization

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
