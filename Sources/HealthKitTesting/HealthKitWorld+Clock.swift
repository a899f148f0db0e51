import Engine
public import Foundation
public import HealthKit
import Synchronization

extension HealthKitWorld {
    /// The clock of a world. `Date()` in app code is always the machine's. Dates that the app passes to a session are converted to
    /// the world's time.
    public enum Clock: Sendable, Equatable {
        /// The machine's clock.
        case real
        /// Faster than the machine's clock by a factor above 0, starting with the world.
        case speed(Double)
        /// The clock is stopped until the test calls ``HealthKitWorld/advance(by:)``. It starts at `date`. Nil for now.
        ///
        /// If it starts now, a workout begins at exactly the date that the app passes: the clock advances to it if necessary. So no
        /// sample is before the workout, and predicates with `.strictStartDate` find all samples. If it starts at another date, a
        /// workout begins at the world's date, because the app's `Date()` is unrelated to it.
        case byHand(from: Date? = nil)

        /// The clock is stopped, starting now.
        public static var byHand: Clock { .byHand() }

        func makeTime() -> any TimeSource {
            switch self {
            case .real: SystemTime()
            case .speed(let factor): FastTime(max(factor, 0.001))
            case .byHand(let start): ScriptedTime(from: start)
            }
        }
    }

    /// The current date of the world's clock.
    public var now: Date { lifetime.environment?.time.now() ?? Date() }

    /// Advances a stopped clock. Everything that waits for a moment in between is woken at that moment, in order, and
    /// finishes before the clock advances further. Returns when the sessions have processed the results.
    ///
    /// - Throws: ``WorldError`` for any other clock.
    public func advance(by duration: Duration) async throws {
        guard let hands else {
            throw WorldError("The clock of \(name) runs by itself: give the world clock: .byHand to advance it.")
        }
        let end = hands.now() + duration / .seconds(1)
        await waitForReadings(hands)
        while let sleepers = hands.wakeNext(until: end) {
            await waitForReadings(hands)
            await settle()
            await hands.waitForSleepers(sleepers)
        }
        hands.set(to: end)
        await settle()
    }

    /// Returns when each recording and each simulation has delivered its due entries and waits for the next one, or has
    /// ended. However busy the machine is, none is overtaken by the clock.
    private func waitForReadings(_ hands: ScriptedTime) async {
        func areDue() -> Bool {
            workouts.all.map { $0.pacedReadings.load(ordering: .relaxed) }.reduce(0, +) > hands.sleepingReadings
        }
        let start = ContinuousClock.now
        while areDue(), start.duration(to: .now) < .seconds(10) { await Task.yield() }
    }

    /// Returns when HealthKit has nothing more to do: sessions have processed their sensors' readings, queries know all changes,
    /// saves and queries are done, and their delegates and handlers have returned, with the work that they put onto the main queue,
    /// and everything that this started in HealthKit.
    ///
    /// It does not wait for the app's own tasks and queues; use ``until(within:isolation:_:)`` for these. It waits two seconds at
    /// most for a handler that does not return.
    public func settle() async {
        // An app whose every answer asks the next question never comes to rest.
        for _ in 0..<50 {
            let before = background.beginnings
            await settleOnce()
            if background.beginnings == before { return }
        }
    }

    private func settleOnce() async {
        await strap.listener.current?.taken.all()
        await watch.listener.current?.taken.all()
        for recorder in workouts.all { await recorder.turnOnce() }
        // A save notifies the queries when it is done, so it is waited for before them.
        await background.finishWork()
        if let database = try? database {
            await withCheckedContinuation { done in database.whenObserved { done.resume() } }
        }
        await background.finishQueries()
        for _ in 0..<2 {
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        }
    }
}

extension WorkoutRecorder {
    /// Returns when all earlier requests are done.
    func turnOnce() async {
        await withCheckedContinuation { done in enqueue { _ in done.resume() } }
    }
}

/// A clock that runs faster or slower than the machine's.
struct FastTime: TimeSource {
    private let speed: Double
    private let start = Date()
    private let machine = SystemTime()
    private let uptimeAtStart: Double

    init(_ speed: Double) {
        self.speed = speed
        uptimeAtStart = machine.uptimeInSeconds
    }

    private var elapsed: Double { (machine.uptimeInSeconds - uptimeAtStart) * speed }

    func now() -> Date { start + elapsed }

    var isApart: Bool { true }

    /// A date before the world began, or in the machine's future, does not come from its clock.
    func date(atWall wall: Date) -> Date {
        guard wall >= start, wall <= Date() else { return wall }
        return start + min(wall.timeIntervalSince(start) * speed, elapsed)
    }

    func sleep(until date: Date) async throws {
        let seconds = date.timeIntervalSince(now()) / speed
        guard seconds > 0 else { return try Task.checkCancellation() }
        try await Task.sleep(for: .seconds(seconds))
    }
}

extension HealthKitWorld {
    /// Whether the disk is full. Then saving fails with `HKError.Code.errorDatabaseInaccessible`.
    public var storeIsFull: Bool {
        get { faults.isFull.load(ordering: .relaxed) }
        set { faults.isFull.store(newValue, ordering: .relaxed) }
    }

    /// Makes the next `count` saves fail: of objects, of a finished workout, of a route.
    public func failSaves(_ count: Int = 1, with code: HKError.Code = .errorDatabaseInaccessible) {
        faults.saves.withLock { $0 = Array(repeating: code, count: max(count, 0)) }
    }

    /// Makes the next `count` queries fail. Each time that a query reads the store counts.
    public func failQueries(_ count: Int = 1, with code: HKError.Code = .errorDatabaseInaccessible) {
        faults.queries.withLock { $0 = Array(repeating: code, count: max(count, 0)) }
    }
}
