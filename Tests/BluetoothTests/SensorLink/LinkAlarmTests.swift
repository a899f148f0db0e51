import DBus
import Testing

@testable import Bluetooth

/// Alarms on the machine's clock, for which the bus's thread waits, and on another clock, for which a task sleeps.
@BusActor
@Suite(.timeLimit(.minutes(10))) struct LinkAlarmTests {
    nonisolated static let clocks: [any Clock<Duration>] = [ContinuousClock(), SuspendingClock()]

    @BusActor
    private final class Rings {
        let changed = BusWaiters()
        var count = 0

        func wait() async throws { _ = try await changed.wait(atMost: .seconds(1800)) { self.count > 0 ? true : nil } }
    }

    private func alarm(_ clock: LinkClock, _ rings: Rings) -> LinkAlarm {
        LinkAlarm(clock) {
            rings.count += 1
            rings.changed.recheck()
        }
    }

    @Test(arguments: clocks)
    func `an alarm fires once, at the time it was last set to`(clock: any Clock<Duration>) async throws {
        let (clock, rings) = (LinkClock(clock), Rings())
        let alarm = alarm(clock, rings)
        for hours in 1...100 { alarm.set(clock.now() + .seconds(3600 * hours)) }
        alarm.set(clock.now())
        try await rings.wait()
        #expect(rings.count == 1)
        alarm.cancel()
    }

    @Test(arguments: clocks)
    func `a postponed alarm does not fire at its former time`(clock: any Clock<Duration>) async throws {
        let (clock, early, late) = (LinkClock(clock), Rings(), Rings())
        let moved = alarm(clock, early)
        moved.set(clock.now() + .milliseconds(1))
        moved.set(clock.now() + .seconds(3600))
        let other = alarm(clock, late)
        other.set(clock.now() + .milliseconds(2))
        try await late.wait()
        #expect(early.count == 0)
        moved.cancel()
        withExtendedLifetime(other) {}
    }

    @Test(arguments: clocks)
    func `a cancelled alarm does not fire`(clock: any Clock<Duration>) async throws {
        let (clock, rings, others) = (LinkClock(clock), Rings(), Rings())
        let alarm = alarm(clock, rings)
        alarm.set(clock.now())
        alarm.cancel()
        let other = self.alarm(clock, others)
        other.set(clock.now())
        try await others.wait()
        #expect(rings.count == 0)
        withExtendedLifetime(other) {}
    }
}
