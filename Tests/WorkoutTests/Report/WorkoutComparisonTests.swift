import Analytics
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct WorkoutComparisonTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    /// A run at a steady speed and heart rate, with a pause of a minute after 100 s.
    private static func report(metersPerSecond speed: Double, seconds: Int, bpm: Double) throws -> AnalysisReport {
        var distance = DistanceAnalysis()
        func take(_ content: SessionEntry.Content, _ date: Date) { distance.take(SessionEntry(date, content)) }
        take(.header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))), start)
        take(.state(.running), start)
        var date = start
        for second in 1...seconds {
            let before = date
            date += 1
            take(.quantity(QuantityReading("distanceWalkingRunning", speed, unit: "m", start: before, end: date)), date)
            take(.quantity(QuantityReading("heartRate", bpm, unit: "count/min", start: date, end: date)), date)
            if second == 100 {
                take(.state(.paused), date)
                date += 60
                take(.state(.running), date)
            }
        }
        take(.state(.stopped), date)
        let summary = WorkoutSummary(
            id: UUID(), activity: "running", start: start, end: date,
            elapsedInSeconds: date.timeIntervalSince(start), durationInSeconds: Double(seconds))
        return AnalysisReport(
            summary: summary, analysis: WorkoutAnalysis(.init()), distance: DistanceReport(analysis: distance))
    }

    private func comparison(_ axis: WorkoutComparison.Axis) throws -> WorkoutComparison {
        WorkoutComparison(
            first: try Self.report(metersPerSecond: 4, seconds: 750, bpm: 150),
            second: try Self.report(metersPerSecond: 3.2, seconds: 1000, bpm: 140), axis: axis)
    }

    @Test func `a comparison by distance is each kilometre's time without pauses, and the sum`() throws {
        let comparison = try comparison(.distance)
        let rows = comparison.rows
        #expect(rows.map(\.end) == [1000, 2000, 3000])
        for row in rows {
            #expect(abs(row.first - 250) < 1e-6 && abs(row.second - 312.5) < 1e-6, "\(row)")
            #expect(row.heartRates.first == 150 && row.heartRates.second == 140)
        }
        #expect(abs((rows.last?.total ?? 0) - 187.5) < 1e-6)
        let text = DistanceUnits.$ofTask.withValue(.metric) { comparison.lines(StoredRuns.utc) }
            .joined(separator: "\n")
        for words in ["+1:02", "+3:08", "-10", "3.00 km", "● first", "○ second", "Pace", "Heart rate", "4:10 /km"] {
            #expect(text.contains(words), "\(words) is not in\n\(text)")
        }
        #expect(comparison.json.text.hasPrefix(#"{"by":"distance","rows":[{"toMeters":1000,"firstInSeconds":250,"#))
    }

    @Test func `a comparison by time is each minute's distance, without pauses`() throws {
        let rows = try comparison(.time).rows
        #expect(rows.map(\.end) == [60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660, 720, 750])
        for row in rows.dropLast() {
            #expect(abs(row.first - 240) < 1e-6 && abs(row.second - 192) < 1e-6, "\(row)")
        }
        #expect(abs((rows.last?.total ?? 0) + 600) < 1e-6)
    }

    @Test func `workouts without a distance cannot be compared by distance, with a reason`() throws {
        var comparison = try comparison(.distance)
        comparison.second.distance = DistanceReport(analysis: DistanceAnalysis())
        #expect(comparison.rows.isEmpty && comparison.lines(StoredRuns.utc)[0].contains("--by time"))
    }

    @Test func `only differences have signs`() {
        let texts = [0.4, -0.4, 61, -61].map { WorkoutComparison.signed($0, MetricFormat.shortTime) }
        #expect(texts == ["0:00", "0:00", "+1:01", "-1:01"])
    }

    @Test func `two curves share one picture`() {
        let curves = OverlaidCurves(
            first: [1, 2, 3, nil], second: [3, 2, 1, 1], text: { MetricFormat.fixed($0, 0) }, capability: .plain)
        #expect(curves.lines(rows: 3).map { $0.text(.none) } == ["○ ●  3", " ◉", "● ○○ 1"])
        #expect(OverlaidCurves(first: [nil], second: [], text: { _ in "" }, capability: .plain).lines(rows: 3).isEmpty)
    }
}
