import Archiving
import Foundation
import HealthData
import Testing

struct HKWorkoutActivityTests {
    private func running() -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        return configuration
    }

    @Test func `later changes to a configuration do not affect its activity`() {
        let configuration = running()
        let activity = HKWorkoutActivity(workoutConfiguration: configuration, start: time(0), end: nil, metadata: nil)
        configuration.activityType = .cycling
        activity.workoutConfiguration.activityType = .rowing
        #expect(activity.workoutConfiguration.activityType == .running)
        #expect(activity.endDate == nil)
    }

    @Test func `an activity in progress has its builder's duration`() throws {
        let activity = try HKWorkoutActivity(configuration: running(), start: time(0), end: nil, duration: 12)
        #expect(activity.duration == 12)
    }

    @Test func `a separate activity counts its pauses and keeps overlapping events`() throws {
        func event(_ type: HKWorkoutEventType, _ seconds: TimeInterval) -> HKWorkoutEvent {
            HKWorkoutEvent(type: type, dateInterval: DateInterval(start: time(seconds), duration: 0), metadata: nil)
        }
        let activity = try HKWorkoutActivity(
            configuration: running(), start: time(0), end: time(60),
            events: [event(.resume, 20), event(.pause, 10), event(.marker, 70)])
        #expect(abs(activity.duration - 50) < 1e-6)
        #expect(activity.workoutEvents.map(\.type) == [.pause, .resume])
    }

    @Test func `an activity survives archiving, with and without an end`() throws {
        for end in [time(60), nil] {
            let activity = HKWorkoutActivity(
                workoutConfiguration: running(), start: time(0), end: end, metadata: ["a": "b"])
            let read = try #require(try archivedAndRead(activity))
            #expect(read == activity)
            #expect(read.endDate == end)
            #expect(read.workoutConfiguration == activity.workoutConfiguration)
            #expect(read.metadata?["a"] as? String == "b")
        }
    }

    @Test func `an activity that ends before it starts is an error in data and a trap in code`() async {
        #expect(throws: SampleError.activityOutside(start: time(1), end: time(0))) {
            try HKWorkoutActivity(configuration: running(), start: time(1), end: time(0))
        }
        await #expect(processExitsWith: .failure) {
            _ = HKWorkoutActivity(
                workoutConfiguration: HKWorkoutConfiguration(), start: Date(timeIntervalSince1970: 1),
                end: Date(timeIntervalSince1970: 0), metadata: nil)
        }
    }
}
