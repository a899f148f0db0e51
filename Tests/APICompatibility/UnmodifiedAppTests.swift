import Foundation
import HealthKit
import SessionLog
import Testing

/// The unchanged apps of this folder, with sensors from `HEALTHKIT_SENSORS`. Only this file knows about Linux: it sets
/// up the environment that the apps start in.
@Suite struct UnmodifiedAppTests {
    private static let recordings = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Recordings")

    private func environment(_ sensors: String) -> HealthEnvironment {
        HealthEnvironment(variables: [
            "HEALTHKIT_SENSORS": sensors, "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": "allow",
        ])
    }

    private func run(_ sensors: String) async throws -> (RunTracker, HKWorkout) {
        let tracker = HealthEnvironment.$current.withValue(environment(sensors)) { RunTracker() }
        let isAllowed = await withCheckedContinuation { answered in
            tracker.requestAuthorization { answered.resume(returning: $0) }
        }
        #expect(isAllowed)
        await withCheckedContinuation { finished in
            tracker.whenFinished = { finished.resume() }
            tracker.startWorkout(workoutType: .running)
        }
        if let failure = tracker.failure { throw failure }
        return (tracker, try #require(tracker.workout))
    }

    private func figures(_ workout: HKWorkout) -> [String] {
        let statistics = workout.allStatistics.values.map { figures in
            "\(figures.quantityType.identifier) \(figures.total.count) \(figures.total.sum) \(figures.total.maximum)"
                + " \(figures.total.average.map { ($0 * 1e6).rounded() / 1e6 } ?? 0)"
        }
        let events = (workout.workoutEvents ?? []).map { event in
            let start = event.dateInterval.start.timeIntervalSince(workout.startDate)
            return "\(event.type.rawValue) \((start * 1e3).rounded()) \((event.dateInterval.duration * 1e3).rounded())"
        }
        let elapsed = workout.endDate.timeIntervalSince(workout.startDate)
        return ["\((elapsed * 1e3).rounded())", "\((workout.duration * 1e3).rounded())"] + statistics.sorted() + events
    }

    @Test func `an app with completion handlers records a replayed run`() async throws {
        let file = Self.recordings.appendingPathComponent("intervals.jsonl").path
        let (tracker, workout) = try await run("replay:\(file)?speed=max")
        #expect(workout.workoutActivityType == .running)
        #expect(workout.endDate.timeIntervalSince(workout.startDate) == 1260)
        #expect(workout.duration == 1140)
        #expect(tracker.eventCount == 18)
        #expect(tracker.averageHeartRate > 130)
        #expect(tracker.heartRate > 70)
        #expect(abs(tracker.distance - (workout.totalDistance?.doubleValue(for: .meter()) ?? 0)) < 0.001)
        #expect(tracker.distance > 3000)
    }

    @Test func `an async app on the main actor records a replayed ride`() async throws {
        let file = Self.recordings.appendingPathComponent("ride-dropouts.jsonl").path
        let environment = environment("replay:\(file)?speed=max")
        let (workout, recorder) = try await Self.ride(in: environment)
        #expect(workout.workoutActivityType == .cycling)
        #expect(workout.duration == 780)
        #expect(workout.metadata?["Bike"] as? String == "steel")
        #expect(workout.statistics(for: HKQuantityType(.cyclingPower))?.averageQuantity() != nil)
        #expect(await recorder.failure == nil)
    }

    @MainActor private static func ride(in environment: HealthEnvironment) async throws -> (HKWorkout, RideRecorder) {
        let recorder = HealthEnvironment.$current.withValue(environment) { RideRecorder() }
        try await recorder.healthStore.requestAuthorization(toShare: [.workoutType()], read: [])
        return (try #require(try await recorder.ride()), recorder)
    }

    @Test func `the workout is the same in real time, at 60 times the speed and at full speed`() async throws {
        let recording = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: recording) }
        let whole = try String(
            contentsOf: Self.recordings.appendingPathComponent("intervals.jsonl"), encoding: .utf8)
        // Three seconds in real time are enough.
        let lines = whole.split(separator: "\n").filter { line in
            ["08:00:00", "08:00:01", "08:00:02", "08:00:03"].contains { line.contains("{\"at\":\"2026-01-01T\($0)") }
        }
        let stop = #"{"at":"2026-01-01T08:00:03.000Z","state":"stopped"}"#
        try (lines.joined(separator: "\n") + "\n" + stop + "\n").write(to: recording, atomically: true, encoding: .utf8)
        let once = try await run("replay:\(recording.path)?speed=max").1
        #expect(once.duration == 3)
        for speed in ["1", "60"] {
            #expect(figures(try await run("replay:\(recording.path)?speed=\(speed)").1) == figures(once))
        }
        let file = Self.recordings.appendingPathComponent("easy-run.jsonl").path
        let fast = try await run("replay:\(file)?speed=600").1
        #expect(figures(fast) == figures(try await run("replay:\(file)?speed=max").1))
    }

    @Test func `a simulated workout needs no file`() async throws {
        let (_, workout) = try await run("simulate:easyRun?seed=3&speed=max&duration=120")
        #expect(workout.duration == 120)
        #expect(workout.statistics(for: HKQuantityType(.heartRate)) != nil)
    }

    @Test(arguments: ["replay:/nowhere/run.fit", "simulate:nosuchprofile", "strap"])
    func `missing sensors are reported when the session is created`(sensors: String) async throws {
        let error = await #expect(throws: HKError.self) { try await run(sensors) }
        #expect(error?.code == .errorInvalidArgument)
    }
}
