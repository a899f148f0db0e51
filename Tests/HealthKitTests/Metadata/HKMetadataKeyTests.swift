import Foundation
import HealthKit
import Testing

struct HKMetadataKeyTests {
    @Test(arguments: [
        // The older keys: HK and the part after HKMetadataKey.
        (HKMetadataKeyWasUserEntered, "HKWasUserEntered"), (HKMetadataKeyIndoorWorkout, "HKIndoorWorkout"),
        (HKMetadataKeyLapLength, "HKLapLength"), (HKMetadataKeyAverageMETs, "HKAverageMETs"),
        (HKMetadataKeyExternalUUID, "HKExternalUUID"), (HKMetadataKeySWOLFScore, "HKSWOLFScore"),
        (HKMetadataKeyHeartRateSensorLocation, "HKHeartRateSensorLocation"),
        (HKMetadataKeyHeartRateEventThreshold, "HKHeartRateEventThreshold"),
        (HKMetadataKeyElevationAscended, "HKElevationAscended"), (HKMetadataKeyTimeZone, "HKTimeZone"),
        // The newer ones: the whole name.
        (HKMetadataKeySyncIdentifier, "HKMetadataKeySyncIdentifier"),
        (HKMetadataKeySyncVersion, "HKMetadataKeySyncVersion"),
        (HKMetadataKeyHeartRateMotionContext, "HKMetadataKeyHeartRateMotionContext"),
        (HKMetadataKeyHeartRateRecoveryActivityType, "HKMetadataKeyHeartRateRecoveryActivityType"),
        (HKMetadataKeyMaximumLightIntensity, "HKMetadataKeyMaximumLightIntensity"),
        (HKMetadataKeyQuantityClampedToLowerBound, "HKMetadataKeyQuantityClampedToLowerBound"),
        // The exception.
        (HKMetadataKeyCyclingFunctionalThresholdPowerTestType, "HKCyclingCyclingFunctionalThresholdPowerTestType"),
    ])
    func `a key has the string that stored objects contain`(key: String, string: String) {
        #expect(key == string)
    }

    @Test func `keys have distinct strings`() throws {
        let file = ReferenceTable.repository.appending(path: "Sources/HealthData/Metadata/HKMetadataKey.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        let strings = text.matches(of: /public let HKMetadataKey\w+ =\s+"(\w+)"/).map { String($0.1) }
        #expect(strings.count == 71)
        #expect(Set(strings).count == strings.count)
    }

    @Test func `metadata values have Apple's numbers`() {
        #expect(HKHeartRateSensorLocation.foot.rawValue == 6 && HKHeartRateSensorLocation.chest.rawValue == 1)
        #expect(HKBodyTemperatureSensorLocation.forehead.rawValue == 11)
        #expect(HKWeatherCondition.tornado.rawValue == 27 && HKWeatherCondition.snow.rawValue == 12)
        #expect(HKSwimmingStrokeStyle.kickboard.rawValue == 6 && HKSwimmingStrokeStyle.freestyle.rawValue == 2)
        #expect(HKVO2MaxTestType.predictionStepTest.rawValue == 4)
        #expect(HKHeartRateRecoveryTestType.maxExercise.rawValue == 1)
        #expect(HKHeartRateMotionContext.active.rawValue == 2 && HKUserMotionContext.stationary.rawValue == 1)
        #expect(HKInsulinDeliveryReason.basal.rawValue == 1 && HKBloodGlucoseMealTime.postprandial.rawValue == 2)
        #expect(HKDevicePlacementSide.central.rawValue == 3 && HKWaterSalinity.saltWater.rawValue == 2)
        #expect(HKPhysicalEffortEstimationType.deviceSensed.rawValue == 2)
        #expect(HKCyclingFunctionalThresholdPowerTestType.predictionExercise.rawValue == 4)
        #expect(HKAppleECGAlgorithmVersion.version2.rawValue == 2)
    }
}
