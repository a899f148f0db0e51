import Foundation
import SessionLog
import Testing

@testable import workout

@Suite struct LiveKeysTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `q asks before it ends a running workout, and y ends it`() {
        for phase in [SessionPhase.running, .paused] {
            var keys = LiveKeys(asksBeforeEnd: true)
            #expect(keys.press(.character("q"), in: phase, at: now) == nil)
            var snapshot = LiveSnapshot()
            keys.show(on: &snapshot, at: now)
            #expect(snapshot.question?.contains("y: yes") == true)
            #expect(keys.press(.character("y"), in: phase, at: now + 1) == .end)
        }
    }

    @Test func `any other key continues, and so does waiting`() {
        var keys = LiveKeys(asksBeforeEnd: true)
        _ = keys.press(.character("q"), in: .running, at: now)
        #expect(keys.press(.character("l"), in: .running, at: now) == .lap)
        #expect(keys.press(.character("y"), in: .running, at: now) == nil)
        _ = keys.press(.character("q"), in: .running, at: now)
        #expect(keys.press(.character("y"), in: .running, at: now + LiveKeys.questionLimitInSeconds) == nil)
    }

    @Test func `Ctrl-C ends at once, and q does if nothing would be lost`() {
        var live = LiveKeys(asksBeforeEnd: true)
        #expect(live.press(.control("c"), in: .running, at: now) == .end)
        #expect(live.press(.character("q"), in: .stopped, at: now) == .end)
        var replay = LiveKeys(asksBeforeEnd: false)
        #expect(replay.press(.character("Q"), in: .running, at: now) == .end)
    }

    @Test func `t shows the last minutes, and the whole session again`() {
        var keys = LiveKeys(asksBeforeEnd: true)
        _ = keys.press(.character("t"), in: .running, at: now)
        #expect(keys.span == .lastMinutes)
        _ = keys.press(.character("t"), in: .running, at: now)
        #expect(keys.span == .whole)
    }
}
