import Engine
import Foundation
import Testing

@Suite struct SessionTimelineTests {
    private let wall = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func running(_ pace: SessionTimeline.Pace, fixedStart: Date? = nil) -> SessionTimeline {
        var timeline = SessionTimeline(pace: pace, fixedStart: fixedStart)
        timeline.sessionStarted(at: fixedStart ?? wall)
        timeline.clockStarted(wall: wall.addingTimeInterval(0.5))
        return timeline
    }

    @Test func `with live sensors session time is wall time`() {
        let timeline = running(.wall)
        #expect(timeline.now(wall: wall + 10) == wall + 10)
        #expect(timeline.sessionDate(for: wall + 3, wall: wall + 10) { _ in false } == wall + 3)
    }

    @Test func `a replay's clock stands still until collection begins`() {
        var timeline = SessionTimeline(pace: .times(60))
        timeline.sessionStarted(at: wall)
        #expect(timeline.now(wall: wall + 5) == wall)
        timeline.clockStarted(wall: wall + 5)
        #expect(timeline.now(wall: wall + 6) == wall + 60)
    }

    @Test func `a date that the app read from the wall clock is mapped by the replay's speed`() {
        let timeline = running(.times(60))
        #expect(timeline.sessionDate(for: wall + 1.5, wall: wall + 2) { _ in false } == wall + 60)
    }

    @Test func `a date that the session returned stays unchanged`() {
        let timeline = running(.times(60))
        #expect(timeline.sessionDate(for: wall + 1.5, wall: wall + 2) { _ in true } == wall + 1.5)
    }

    @Test func `a future date is session time`() {
        let timeline = running(.times(60))
        #expect(timeline.sessionDate(for: wall + 100, wall: wall + 2) { _ in false } == wall + 100)
    }

    @Test func `a jumping clock remembers which time it had reached when`() {
        var timeline = running(.jumping)
        timeline.advance(to: wall + 100, wall: wall + 0.6)
        timeline.advance(to: wall + 200, wall: wall + 0.7)
        #expect(timeline.sessionDate(for: wall + 0.65, wall: wall + 0.8) { _ in false } == wall + 100)
        #expect(timeline.now(wall: wall + 0.8) == wall + 200)
    }

    @Test(arguments: [SessionTimeline.Pace.times(60), .jumping])
    func `the clock stops when the activity is over`(pace: SessionTimeline.Pace) {
        var timeline = running(pace)
        timeline.advance(to: wall + 100, wall: wall + 0.6)
        timeline.sessionStopped(at: wall + 100)
        #expect(timeline.now(wall: wall + 50) == wall + 100)
        #expect(timeline.sessionDate(for: wall + 50, wall: wall + 50) { _ in false } == wall + 100)
    }

    @Test func `a replay that keeps its dates starts in the past and leaves its own dates unchanged`() {
        let recorded = Date(timeIntervalSinceReferenceDate: 400_000_000)
        let timeline = running(.times(1), fixedStart: recorded)
        #expect(timeline.now(wall: wall + 10.5) == recorded + 10)
        #expect(timeline.sessionDate(for: wall + 10.5, wall: wall + 11) { _ in false } == recorded + 10)
        #expect(timeline.sessionDate(for: recorded + 5, wall: wall + 11) { _ in false } == recorded + 5)
    }
}
