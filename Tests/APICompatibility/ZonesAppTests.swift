import Foundation
import HealthKit
import Testing

@Suite struct ZonesAppTests {
    @MainActor @Test func `an app with zones of its own shows the time in each`() async throws {
        let environment = HealthEnvironment(variables: [
            "HEALTHKIT_SENSORS": "simulate:easyRun?seed=3&speed=max&duration=600", "HEALTHKIT_STORE": "memory",
            "HEALTHKIT_AUTHORIZATION": "allow",
        ])
        let coach = HealthEnvironment.$current.withValue(environment) { ZoneCoach() }
        try await coach.healthStore.requestAuthorization(toShare: [.workoutType()], read: [])
        let workout = try #require(try await coach.run(boundaries: [90, 110, 130]))
        let seconds = ZoneCoach.secondsInZones(of: workout)
        #expect(seconds.count == 4)
        #expect(seconds.reduce(0, +) > 590 && seconds.reduce(0, +) <= workout.duration)
        #expect(coach.visitedZones.first == 0)
        #expect(coach.visitedZones.contains(1) && coach.visitedZones.contains(2))
        #expect(coach.currentZone == coach.visitedZones.last)
        #expect(coach.rows.map(\.label) == ["<90", "90-109", "110-129", "130+"])
        #expect(coach.lastUpdate.map { $0 <= workout.endDate } == true)
        let source = workout.zoneGroup(for: HKQuantityType(.heartRate))?.configuration.source
        #expect(source.map(ZoneCoach.describe) == "This app's")
    }
}
