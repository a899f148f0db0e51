import Analytics
import Foundation
import HealthKit
import Recordings
import Reports
import Testing

@testable import workout

@Suite struct ReportSizeTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private static let seconds = 86_400

    /// A day at 1 Hz: all that a bike computer with a strap writes.
    private static func course() -> WorkoutCourse {
        var course = WorkoutCourse()
        var generator = SeededGenerator(seed: 24)
        course.take(SessionEntry(start, .state(.running)))
        for second in 0..<seconds {
            let date = start + Double(second)
            func take(_ type: String, _ value: Double, _ unit: String, from: Date) {
                course.take(
                    SessionEntry(date, .quantity(QuantityReading(type, value, unit: unit, start: from, end: date))))
            }
            take("heartRate", .random(in: 90...180, using: &generator), "count/min", from: date)
            take("cyclingPower", .random(in: 0...400, using: &generator), "W", from: date)
            take("cyclingCadence", .random(in: 60...110, using: &generator), "count/min", from: date)
            take("distanceCycling", .random(in: 5...12, using: &generator), "m", from: date - 1)
            let turn = Double(second) / 500
            let place = PositionReading(
                latitudeInDegrees: 47 + 0.2 * sin(turn), longitudeInDegrees: 8 + 0.2 * cos(turn * 1.1),
                altitudeInMeters: 500 + .random(in: -50...50, using: &generator))
            course.take(SessionEntry(date, .position(place)))
            // An hour of beats is enough of them: each five minutes are cleaned.
            guard second < 3600 else { continue }
            let beat = BeatReading(intervalsInMilliseconds: [.random(in: 900...1100, using: &generator)])
            course.take(SessionEntry(date, .beats(beat)))
        }
        course.take(SessionEntry(start + Double(seconds), .state(.stopped)))
        return course
    }

    @Test func `a day at 1 Hz is a page of less than 2 MB`() throws {
        let end = Self.start + Double(Self.seconds)
        let laps = (0..<96).map { index in
            let lap = Self.start + Double(index) * 900
            return WorkoutSummary.Lap(
                start: lap, end: lap + 900, durationInSeconds: 900, distanceInMeters: 7000, averageHeartRate: 140,
                maximumHeartRate: 170)
        }
        let summary = WorkoutSummary(
            id: UUID(), activity: "cycling", start: Self.start, end: end, elapsedInSeconds: 86_400,
            durationInSeconds: 86_400, laps: laps)
        let report = AnalysisReport(summary: summary, analysis: WorkoutAnalysis(.init()))
        let course = Self.course()
        let page = WorkoutPage(report: report, course: course, page: StoredRuns.utc)
        let bytes = page.document.bytes
        #expect(bytes.count < 2_000_000 && bytes.count > 200_000, "\(bytes.count) bytes")
        let text = String(decoding: bytes, as: UTF8.self)
        for style in ["line heart", "line power", "line cadence", "line speed", "line height", "line beats"] {
            #expect(text.contains("<path class=\"\(style)\" d=\"M"), "\(style)")
        }
    }
}
