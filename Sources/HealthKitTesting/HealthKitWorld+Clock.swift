public import Foundation
public import HealthKit
import Synchronization

extension HealthKitWorld {
    /// How a world's time goes. `Date()` in app code is the machine's, whatever the world's clock: what the app hands to a session
    /// is placed where that moment was in the world.
    public enum Clock: Sendable, Equatable {
        /// The machine's.
        case real
        /// So many times faster than the machine's, from the beginning of the world on; above 0.
        case speed(Double)
        /// It stands still, and goes on when the test says so: ``HealthKitWorld/advance(by:)``. From `date` on; nil: from now.
        ///
        /// From now, a workout begins at the very date that the app passes: the hands go on to it if they are behind. So the samples of
        /// a workout are never before its start, and predicates with `.strictStartDate` find them all. From another date, a workout
        /// begins at the world's date instead, since the app's `Date()` is none of this world.
        case byHand(from: Date? = nil)

        /// It stands still, from now.
        public static var byHand: Clock { .byHand() }

        func makeTime() -> any TimeSource {
            switch self {
            case .real: SystemTime()
            case .speed(let factor): FastTime(max(factor, 0.001))
            case .byHand(let start): ScriptedTime(from: start)
            }
        }
    }

    /// What the world's clock reads.
    public var now: Date { lifetime.environment?.time.now() ?? Date() }

    /// Turns the hands of a clock that is turned by hand. Whoever waits for a moment on the way is woken at that moment, in order, and
    /// does its part before the hands go on. Returns when the sessions have taken in what came of it.
    ///
    /// - Throws: ``WorldError`` for a clock that goes by itself.
    public func advance(by duration: Duration) async throws {
        guard let hands else {
            throw WorldError("The clock of \(name) goes by itself: give the world clock: .byHand to advance it.")
        }
        let end = hands.now() + duration / .seconds(1)
        while let sleepers = hands.wakeNext(until: end) {
            await settle()
            await hands.waitForSleepers(sleepers)
        }
        hands.set(to: end)
        await settle()
    }

    /// Returns when HealthKit has nothing more to do: sessions have taken in what sensors sent, queries have heard of what has
    /// changed, saves and queries that were begun are done, and the delegates and handlers that hear of it have returned. What those
    /// have put onto the main queue is done as well, and so is what all that has begun in HealthKit.
    ///
    /// It does not wait for what an app does in tasks and on queues of its own: ``until(within:isolation:_:)`` does. A handler that
    /// does not return is waited for for two seconds.
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
        if let database = try? database {
            await withCheckedContinuation { done in database.whenObserved { done.resume() } }
        }
        await background.rest()
        for _ in 0..<2 {
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        }
    }
}

extension WorkoutRecorder {
    /// Returns when what was asked for before is done.
    func turnOnce() async {
        await withCheckedContinuation { done in enqueue { _ in done.resume() } }
    }
}

/// A clock that goes by itself, faster or slower than the machine's.
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

    /// A date before the world began, or still to come for the machine, is no reading of its clock.
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
    /// Whether the disk is full: everything that is saved fails with `HKError.Code.errorDatabaseInaccessible`, until it is not.
    public var storeIsFull: Bool {
        get { faults.isFull.load(ordering: .relaxed) }
        set { faults.isFull.store(newValue, ordering: .relaxed) }
    }

    /// Has the next save fail, or so many: of objects, of a finished workout, of a route.
    public func failSaves(_ count: Int = 1, with code: HKError.Code = .errorDatabaseInaccessible) {
        faults.saves.withLock { $0 = Array(repeating: code, count: max(count, 0)) }
    }

    /// Has the next query fail, or so many: each look of a query into the store counts.
    public func failQueries(_ count: Int = 1, with code: HKError.Code = .errorDatabaseInaccessible) {
        faults.queries.withLock { $0 = Array(repeating: code, count: max(count, 0)) }
    }
}
