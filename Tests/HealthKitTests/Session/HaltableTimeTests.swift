import Engine
import Foundation
import HealthKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct HaltableTimeTests {
    private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    @Test func `halted time stands still and skips what passed meanwhile`() async throws {
        let base = ManualTime(start)
        let time = HaltableTime(base)
        try await base.sleep(until: start + 10)
        time.halt()
        time.halt()
        let halted = time.reading()
        try await base.sleep(until: start + 110)
        #expect(time.isHalted && time.reading() == halted)
        time.goOn()
        time.goOn()
        #expect(!time.isHalted && abs(time.now().timeIntervalSince(halted.wall)) < 0.001)
        try await base.sleep(until: start + 115)
        #expect(abs(time.now().timeIntervalSince(start) - 15) < 0.001)
        #expect(time.wall() == base.now())
    }

    @Test func `a sleeper wakes later by the halted time`() async throws {
        let base = ManualTime(start)
        let time = HaltableTime(base)
        time.halt()
        let sleeper = Task { try await time.sleep(until: start + 10) }
        try await base.sleep(until: start + 1_000)
        time.goOn()
        try await sleeper.value
        #expect(time.now() >= start + 10 && base.now() >= start + 1_010)
    }

    @Test func `a sleeper can be cancelled while time is halted`() async throws {
        let time = HaltableTime(ManualTime(start))
        time.halt()
        let sleeper = Task { try await time.sleep(until: start + 10) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
