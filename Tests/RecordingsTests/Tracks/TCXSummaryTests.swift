import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Laps that state what their points don't, and laps with a wrong clock.
struct TCXSummaryTests {
    private typealias Text = TrackText

    private func one(_ laps: String, sport: String = "Running") throws -> Recording {
        try #require(Text.read(Text.tcx(Text.activity(sport, laps))).first)
    }

    @Test func `laps without points have their stated distances`() throws {
        let swim = try one(
            Text.lap(0, seconds: 60, meters: 100, "") + Text.lap(60, seconds: 30, meters: 0, "")
                + Text.lap(90, seconds: 60, meters: 75, ""), sport: "Swimming")
        #expect(swim.readings("distanceSwimming").map(\.value) == [100, 75])
        #expect(swim.readings("distanceSwimming").map { $0.end.timeIntervalSince(Text.start) } == [60, 150])
    }

    @Test func `laps whose points have no distance have their stated distances`() throws {
        let run = try one(
            Text.lap(0, seconds: 60, meters: 200, Text.track(0...60) { _ in Text.heartRate(140) })
                + Text.lap(60, seconds: 60, meters: 180, Text.track(61...120) { _ in Text.heartRate(150) }))
        #expect(run.readings("distanceWalkingRunning").map(\.value) == [200, 180])
    }

    @Test func `a count that includes a lap without points is not increased`() throws {
        let run = try one(
            Text.lap(0, seconds: 60, meters: 200, "")
                + Text.lap(
                    60, seconds: 60, meters: 180, Text.track(60...120) { Text.distance(200 + 3 * Double($0 - 60)) }))
        #expect(run.metersCovered.rounded() == 380)
    }

    @Test func `a lap that starts years before its points starts with them`() throws {
        let track = Text.track(0...600) { _ in Text.heartRate(140) }
        let run = try one(
            "<Lap StartTime=\"2015-01-01T00:00:00Z\"><TotalTimeSeconds>600</TotalTimeSeconds>\(track)</Lap>")
        #expect(run.start == Text.start)
        #expect(run.end == Text.start + 600)
        #expect(run.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [600])
        #expect(run.file.warnings.count == 1)
    }

    @Test func `a lap that starts six hours before its points, but lasted only as long as they, starts with them`()
        throws
    {
        let track = Text.track(21_600...22_200) { _ in Text.heartRate(140) }
        let run = try one(Text.lap(0, seconds: 600, track))
        #expect(run.start == Text.start + 21_600)
        #expect(run.pausedInSeconds == 0)
        #expect(run.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [600])
        // The lap's duration includes the way to the first fix.
        let late = try one(Text.lap(0, seconds: 600, Text.track(300...600) { _ in Text.heartRate(140) }))
        #expect(late.start == Text.start)
    }

    /// Four laps of 300 s, each with one point this many seconds after its start.
    @Test(arguments: [(0, [0.0, 1000, 2010, 3000]), (150, [500, 1500, 2500, 3500]), (299, [1000, 2010, 3000, 4005])])
    func `laps with one point have their stated durations`(second: Int, counts: [Double]) throws {
        let meters: [Double] = [1000, 1010, 990, 1005]
        let laps = (0..<4).map { lap in
            Text.lap(
                300 * lap, seconds: 300, meters: meters[lap],
                Text.track([300 * lap + second]) { _ in Text.distance(counts[lap]) + Text.heartRate(140) })
        }
        let run = try one(laps.joined())
        #expect(run.readings("distanceWalkingRunning").map(\.value) == meters)
        #expect(run.readings("distanceWalkingRunning").map(\.end) == run.events(.lap).map(\.end))
    }

    @Test func `a last lap with one point covers the rest of the stated time`() throws {
        let first = Text.track(0...300) { Text.distance(3 * Double($0)) }
        let last = Text.track([301]) { _ in Text.distance(903) }
        let run = try one(
            Text.lap(0, seconds: 300, meters: 900, first) + Text.lap(300, seconds: 300, meters: 1005, last))
        #expect(run.metersCovered == 1905)
        #expect(run.readings("distanceWalkingRunning").last?.value == 1002)
        // The distance beyond what it states was not covered.
        let less = try one(
            Text.lap(0, seconds: 300, meters: 1800, first) + Text.lap(300, seconds: 300, meters: 3, last))
        #expect(less.metersCovered == 903)
    }
}
