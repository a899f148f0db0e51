import Dispatch

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
