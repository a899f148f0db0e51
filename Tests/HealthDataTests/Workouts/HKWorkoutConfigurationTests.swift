import Archiving
import Foundation
import HealthData
import SessionLog
import Testing

struct HKWorkoutConfigurationTests {
    private func poolSwim() -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .swimming
        configuration.locationType = .indoor
        configuration.swimmingLocationType = .pool
        configuration.lapLength = HKQuantity(unit: .yard(), doubleValue: 25)
        return configuration
    }

    @Test func `a new configuration has another activity and an unknown location`() {
        let configuration = HKWorkoutConfiguration()
        #expect(configuration.activityType == .other)
        #expect(configuration.locationType == .unknown)
        #expect(configuration.swimmingLocationType == .unknown)
        #expect(configuration.lapLength == nil)
        #expect(configuration.activityDescription == ActivityDescription())
    }

    @Test func `a copy is equal and independent`() throws {
        let configuration = poolSwim()
        let copy = try #require(configuration.copy() as? HKWorkoutConfiguration)
        #expect(copy == configuration)
        #expect(copy.hash == configuration.hash)
        copy.locationType = .outdoor
        #expect(configuration.locationType == .indoor)
        #expect(copy != configuration)
    }

    @Test func `a configuration survives archiving, including the unit of the lap length`() throws {
        let read = try #require(try archivedAndRead(poolSwim()))
        #expect(read == poolSwim())
        #expect(read.lapLength?.doubleValue(for: .yard()) == 25)
    }

    @Test func `a configuration survives a log`() throws {
        let description = poolSwim().activityDescription
        #expect(description.activity == "swimming")
        #expect(description.location == .indoor)
        #expect(description.swimmingLocation == .pool)
        #expect(description.lapLengthInMeters == 22.86)
        #expect(try HKWorkoutConfiguration(description).activityDescription == description)
    }

    @Test func `every activity survives a log`() throws {
        for activity in HKWorkoutActivityType.allActivityTypes {
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = activity
            #expect(try HKWorkoutConfiguration(configuration.activityDescription).activityType == activity)
        }
    }

    @Test func `an activity that does not exist is an error, not a trap`() {
        #expect(throws: SampleError.unknownActivity(name: "quidditch")) {
            try HKWorkoutConfiguration(ActivityDescription(activity: "quidditch"))
        }
    }

    @Test func `an invalid lap length traps`() async {
        await #expect(processExitsWith: .failure) {
            HKWorkoutConfiguration().lapLength = HKQuantity(unit: .second(), doubleValue: 25)
        }
    }
}
