import Archiving
import Foundation
import HealthData
import Testing

struct HKCorrelationTests {
    private func pressure(_ identifier: HKQuantityTypeIdentifier, _ value: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(identifier), quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
            start: time(0), end: time(0))
    }

    @Test func `a blood pressure returns its two values by type, also from an archive`() throws {
        let systolic = pressure(.bloodPressureSystolic, 120)
        let diastolic = pressure(.bloodPressureDiastolic, 80)
        let correlation = HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: time(0), end: time(0), objects: [systolic, diastolic])
        for correlation in [correlation, try #require(try archivedAndRead(correlation))] {
            #expect(correlation.correlationType == HKCorrelationType(.bloodPressure))
            #expect(correlation.objects == [systolic, diastolic])
            #expect(correlation.objects(for: HKQuantityType(.bloodPressureSystolic)) == [systolic])
            #expect(correlation.objects(for: HKQuantityType(.heartRate)).isEmpty)
        }
    }

    @Test func `correlations and workouts cannot be part of a correlation`() {
        let workout = HKWorkout(activityType: .running, start: time(0), end: time(1))
        #expect(
            throws: SampleError.contained(type: HKWorkoutTypeIdentifier, inside: HKCorrelationType(.food).identifier)
        ) {
            try HKCorrelation.validated(
                ObjectIdentity(), type: HKCorrelationType(.food), start: time(0), end: time(1), objects: [workout])
        }
    }
}
