import Analytics
import Brokers
import Foundation
import HealthKit
import SessionLog
import Testing

@Suite struct SessionFiguresTests {
    private let start = Date(timeIntervalSinceReferenceDate: 0)
    private let id = UUID()

    private func state(_ entries: [(Double, SessionEntry.Content)]) -> SessionState {
        var state = SessionState()
        for (seconds, content) in entries { state.apply(SessionEntry(start + seconds, content)) }
        return state
    }

    private func reading(_ type: String, _ value: Double, _ unit: String, at seconds: Double) -> SessionEntry.Content {
        .quantity(QuantityReading(type, value, unit: unit, start: start + seconds, end: start + seconds, sensor: "s"))
    }

    private var running: [(Double, SessionEntry.Content)] {
        [
            (0, .header(SessionHeader(id: id, activity: ActivityDescription(activity: "running")))),
            (0, .state(.running)), (0, .collection(.began(events: true))),
            (0, .sensor(SensorStatus(id: "s", kind: .bluetooth, presence: .present, batteryPercent: 70))),
            (10, reading("heartRate", 140, "count/min", at: 10)), (10, reading("runningSpeed", 2.5, "m/s", at: 10)),
        ]
    }

    @Test func `the figures are those of the log`() {
        let figures = state(running).figures(id, at: start + 12, pulse: nil)
        #expect(figures.activity == "running" && figures.phase == .running && figures.id == id)
        #expect(figures.heartRateInBeatsPerMinute == 140 && figures.heartRateSensor == "s")
        #expect(figures.paceInSecondsPerKilometer == 400 && figures.speedInMetersPerSecond == 2.5)
        #expect(figures.batteryPercent == 70)
        #expect(figures.elapsedInSeconds == 12 && figures.durationInSeconds == 12)
        #expect(figures.zone == nil && figures.powerInWatts == nil)
    }

    @Test func `a value that is old, or whose sensor is away, is not current`() {
        let old = state(running).figures(id, at: start + 41, pulse: nil)
        #expect(old.heartRateInBeatsPerMinute == nil && old.paceInSecondsPerKilometer == nil)
        let away = state(running + [(12, .sensor(SensorStatus(id: "s", kind: .bluetooth, presence: .away)))])
        #expect(away.figures(id, at: start + 13, pulse: nil).heartRateInBeatsPerMinute == nil)
    }

    @Test func `during a pause the strap's heart rate is shown, and the elapsed time continues`() {
        let paused = state(running + [(20, .state(.paused))])
        let pulse = QuantityReading(
            "heartRate", 99, unit: "count/min", start: start + 25, end: start + 25, sensor: "s")
        let figures = paused.figures(id, at: start + 26, pulse: pulse)
        #expect(figures.heartRateInBeatsPerMinute == 99)
        #expect(figures.elapsedInSeconds == 26 && figures.durationInSeconds == 20)
        let before = QuantityReading("heartRate", 50, unit: "count/min", start: start + 5, end: start + 5, sensor: "s")
        #expect(paused.figures(id, at: start + 26, pulse: before).heartRateInBeatsPerMinute == 140)
    }
}
