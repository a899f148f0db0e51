import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct SpeedFormTests {
    @Test func `a bicycle has kilometres an hour, a run a pace, and the water one per hundred metres`() {
        #expect(SpeedForm("cycling").text(10) == "36.0 km/h")
        #expect(SpeedForm("running").text(4) == "4:10 /km")
        #expect(SpeedForm("swimming").text(1) == "1:40 /100 m")
        #expect(SpeedForm("running").text(0) == "-- /km" && SpeedForm("swimming").text(0) == "-- /100 m")
        DistanceUnits.$ofTask.withValue(.imperial) {
            #expect(SpeedForm("cycling").text(10) == "22.4 mph")
            #expect(SpeedForm("walking").text(1.609344) == "16:40 /mi")
            #expect(SpeedForm("swimming").text(1) == "1:31 /100 yd")
        }
    }

    private func lines(_ identifier: HKQuantityTypeIdentifier, _ activity: String) -> [String] {
        var workout = WorkoutSummary.run
        workout.activity = activity
        workout.statistics = [
            .init(
                identifier: identifier.rawValue, unit: "m/s", count: 600, minimum: 0, average: 4, maximum: 5,
                mostRecent: 4)
        ]
        return SummaryTable(columns: 100, timeZone: .gmt).lines(workout: workout)
    }

    @Test func `the mean speed is the distance over the duration, whatever the readings`() {
        var workout = WorkoutSummary.run
        workout.durationInSeconds = 1_000
        workout.statistics = [
            .init(identifier: HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue, unit: "m", sum: 2_500),
            .init(
                identifier: HKQuantityTypeIdentifier.runningSpeed.rawValue, unit: "m/s", count: 9, minimum: 0,
                average: 4, maximum: 5),
        ]
        func lines() -> [String] { SummaryTable(columns: 100, timeZone: .gmt).lines(workout: workout) }
        #expect(lines().contains { $0.contains("slowest --  avg 6:40  fastest 3:20 /km") })
        // A workout without movement has no pace.
        workout.statistics = [
            .init(
                identifier: HKQuantityTypeIdentifier.runningSpeed.rawValue, unit: "m/s", count: 1, minimum: 0,
                average: 0, maximum: 0)
        ]
        #expect(!lines().contains { $0.contains("fastest") })
        workout.statistics = [
            .init(identifier: HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue, unit: "m", sum: 2_500),
            .init(
                identifier: HKQuantityTypeIdentifier.runningSpeed.rawValue, unit: "m/s", count: 9, minimum: 0,
                average: 4, maximum: 5),
        ]
        // Of a leg, over its own duration.
        workout.activity = "swimBikeRun"
        workout.activities = [
            .init(activity: "cycling", start: workout.start, end: workout.start, durationInSeconds: 500),
            .init(activity: "running", start: workout.start, end: workout.start, durationInSeconds: 500),
        ]
        #expect(lines().contains { $0.contains("avg 3:20") })
        // Nobody knows how much of the distance was walked.
        workout.activities[0].activity = "walking"
        #expect(lines().contains { $0.contains("avg 4:10") })
    }

    @Test func `speeds in the statistics follow their sport, and JSON keeps metres a second`() {
        #expect(
            lines(.cyclingSpeed, "cycling").contains { $0.contains("min 0.0  avg 14.4  max 18.0 km/h") })
        #expect(
            lines(.runningSpeed, "running").contains {
                $0.contains("slowest --  avg 4:10  fastest 3:20 /km")
            })
        // Each with its own type, in a workout of several sports.
        #expect(lines(.cyclingSpeed, "swimBikeRun").contains { $0.contains("18.0 km/h") })
        #expect(lines(.runningSpeed, "swimming").contains { $0.contains("fastest 0:20 /100 m") })
        #expect(lines(.stairAscentSpeed, "running").contains { $0.contains("max 5 m/s") })
        var workout = WorkoutSummary.run
        workout.statistics = [
            .init(identifier: HKQuantityTypeIdentifier.runningSpeed.rawValue, unit: "m/s", count: 1, maximum: 5)
        ]
        #expect(SummaryJSON.line(workout: workout).contains(#""unit":"m/s","count":1,"maximum":5"#))
    }

    /// In the water first, then on a bicycle.
    private func snapshot(after entries: Int) throws -> LiveSnapshot {
        let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
        func entry(_ second: Double, _ content: SessionEntry.Content) -> SessionEntry {
            SessionEntry(start + second, content)
        }
        func part(_ name: String) -> SessionEntry.Content {
            .activityBegan(ActivityRecord(id: UUID(), activity: ActivityDescription(activity: name)))
        }
        func reading(_ type: String, _ value: Double, _ unit: String, _ from: Double, _ to: Double) -> SessionEntry {
            entry(to, .quantity(QuantityReading(type, value, unit: unit, start: start + from, end: start + to)))
        }
        let log = [
            entry(0, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "swimBikeRun")))),
            entry(0, .state(.running)), entry(0, .collection(.began(events: true))), entry(0, part("swimming")),
            reading("distanceSwimming", 50, "m", 0, 60), entry(60, .activityEnded), entry(60, part("cycling")),
            reading("cyclingSpeed", 8, "m/s", 70, 70), entry(80, .activityEnded), entry(80, part("running")),
        ]
        var state = SessionState()
        for entry in log.prefix(entries) { state.apply(entry) }
        return LiveSnapshot(state, at: log[entries - 1].date)
    }

    @Test func `the live view has the unit of the current activity`() throws {
        let swim = try snapshot(after: 5)
        #expect(swim.swimPaceInSecondsPerMeter == 1.2 && swim.speedInMetersPerSecond == nil)
        #expect(PlainLiveLine.text(swim).contains("2:00 /100 m"))
        let ride = try snapshot(after: 8)
        #expect(ride.speedInMetersPerSecond == 8 && ride.swimPaceInSecondsPerMeter == nil)
        let run = try snapshot(after: 10)
        #expect(run.speedInMetersPerSecond == nil && run.paceInSecondsPerKilometer == nil)
    }
}
