import Testing

@testable import workout

@Suite struct QuantityLabelTests {
    @Test(arguments: [
        ("HKQuantityTypeIdentifierActiveEnergyBurned", "Active energy"),
        ("HKQuantityTypeIdentifierDistanceWalkingRunning", "Distance"),
        ("heartRateVariabilitySDNN", "Heart-rate variability (SDNN)"), ("flightsClimbed", "Flights climbed"),
        ("HKWorkoutRouteTypeIdentifier", "Workout route"), ("HKDataTypeIdentifierHeartbeatSeries", "Heartbeat series"),
        ("HKWorkoutTypeIdentifier", "Workout"), ("", "Workout"),
    ])
    func `a type has its common name`(identifier: String, label: String) {
        #expect(QuantityLabel.of(identifier) == label)
    }

    @Test func `types that share a name get their longer names beside each other`() {
        let all = ["distanceCycling", "HKQuantityTypeIdentifierDistanceWalkingRunning", "heartRate"]
        #expect(
            all.map { QuantityLabel.of($0, among: all) } == [
                "Distance cycling", "Distance walking running", "Heart rate",
            ])
    }

    @Test(arguments: [
        (60.0, "count/min", "HKQuantityTypeIdentifierHeartRate", "60 bpm"),
        (159.97, "count/min", "restingHeartRate", "160 bpm"),
        (88, "count/min", "cyclingCadence", "88 /min"), (4_686.31, "m", "distanceWalkingRunning", "4.69 km"),
        (1.1, "m", "runningStrideLength", "1.1 m"), (379.2, "kcal", "activeEnergyBurned", "379 kcal"),
    ])
    func `a value has its common unit`(value: Double, unit: String, identifier: String, text: String) {
        #expect(QuantityLabel.value(value, unit: unit, of: identifier) == text)
    }
}
