import Engine
import Synchronization

/// Starts apps that are not running if samples of their registered types change, as the system does on a phone.
///
/// A store has one runner: ``init(_:launcher:)`` takes the lock. Each start is recorded in the store before it is made,
/// so that a runner that dies does not start counting again.
package final class DeliveryRunner: Sendable {
    private let environment: HealthEnvironment
    private let launcher: AppLauncher
    private let presence: AppPresence
    private let lock: RunnerLock
    /// The interval between two checks of the registrations if the store does not change: an app may have ended, or
    /// registered.
    package static let pollIntervalInSeconds = 5.0

    package struct Start: Sendable {
        package var date: Date
        package var app: DeliveryApp
        package var types: [HKSampleType]
        package var outcome: Result<AppLauncher.Method, any Error>
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a store in memory, ``DeliveryError/anotherRunner``.
    package init(_ environment: HealthEnvironment, launcher: AppLauncher) throws {
        guard let path = environment.location.localPath else {
            throw HKError.make(
                .errorInvalidArgument,
                "A store in memory is visible only to its own process: set HEALTHKIT_STORE to a file or to postgresql://…."
            )
        }
        presence = AppPresence(besideStore: path)
        guard let lock = try presence.lockRunner() else { throw DeliveryError.anotherRunner(store: path) }
        self.lock = lock
        self.environment = environment
        self.launcher = launcher
    }

    /// Starts the apps that are due.
    package func pass(now: Date) throws -> [Start] {
        try environment.requireAvailable()
        // Nothing is delivered while the device is locked.
        if try environment.conditions.get().contains(.locked) { return [] }
        try environment.mergeLockedWrites()
        let database = environment.database
        let apps = try database.deliveries(to: nil)
        let refusals = try apps.reduce(into: [String: Authorization]()) { result, one in
            result[one.app.bundleIdentifier] = try database.permissions(of: one.app.bundleIdentifier)?.authorization
        }
        let plan = DeliveryPlan(apps, now: now) { [presence, launcher] app in
            presence.isRunning(app) || launcher.isRunning(app)
        } mayRead: { app, type in
            Authorization.deciding(on: type).contains { refusals[app]?.mayRead($0) != false }
        }
        return try plan.starts.map { start in
            let id = start.app.bundleIdentifier
            try database.updateDeliveries(of: Set(start.types), to: id) { _, state in state.started(at: now) }
            let outcome = Result { try launcher.start(start.app) }
            return Start(date: now, app: start.app, types: start.types, outcome: outcome)
        }
    }

    /// Starts apps as they become due, until the task is cancelled.
    package func run(_ report: ([Start]) throws -> Void) async throws {
        let (notices, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observation = environment.database.observe(askingSessions: false) { _ in continuation.yield() }
        defer { observation.cancel() }
        let ticks = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(Self.pollIntervalInSeconds))
                continuation.yield()
            }
        }
        defer { ticks.cancel() }
        continuation.yield()
        for await _ in notices {
            let starts = try pass(now: environment.time.now())
            if !starts.isEmpty { try report(starts) }
        }
    }
}

/// The apps to start now. Pure.
package struct DeliveryPlan: Sendable, Equatable {
    package struct Start: Sendable, Equatable {
        package var app: DeliveryApp
        /// The types that changed.
        package var types: [HKSampleType]
    }

    package private(set) var starts: [Start] = []

    /// Creates the plan. A running app notices changes itself. An app is not started for types that it may not read.
    package init(
        _ apps: [AppDeliveries], now: Date, isRunning: (_ bundleIdentifier: String) -> Bool,
        mayRead: (_ bundleIdentifier: String, HKSampleType) -> Bool
    ) {
        for one in apps {
            let id = one.app.bundleIdentifier
            let due = one.deliveries.filter { $0.next(now: now) == .start && mayRead(id, $0.type) }
            guard !due.isEmpty, !isRunning(id) else { continue }
            starts.append(Start(app: one.app, types: due.map(\.type)))
        }
    }
}
