// App code: reads and writes the metadata of samples.

import HealthKit

enum MetadataReport {
    static let keys: [String] = [
        HKMetadataKeyElevationAscended,
        HKMetadataKeyWasUserEntered,
        HKMetadataKeyInsulinDeliveryReason,
        HKMetadataKeyMenstrualCycleStart,
        HKMetadataKeyExternalUUID,
        HKMetadataKeyElevationDescended,
        HKMetadataKeyWeatherTemperature,
        HKMetadataKeyWeatherHumidity,
        HKMetadataKeyTimeZone,
        HKMetadataKeySyncIdentifier,
        HKMetadataKeySyncVersion,
        HKMetadataKeySexualActivityProtectionUsed,
        HKMetadataKeyFoodType,
        HKMetadataKeySwimmingStrokeStyle,
        HKMetadataKeyAppleECGAlgorithmVersion,
        HKMetadataKeyLapLength,
        HKMetadataKeyAverageSpeed,
        HKMetadataKeyMaximumSpeed,
        HKMetadataKeyAverageMETs,
        HKMetadataKeySwimmingLocationType,
        HKMetadataKeyIndoorWorkout,
        HKMetadataKeyHeartRateEventThreshold,
        HKMetadataKeyLowCardioFitnessEventThreshold,
        HKMetadataKeyVO2MaxValue,
        HKMetadataKeySessionEstimate,
        HKMetadataKeyHeartRateRecoveryActivityDuration,
        HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate,
        HKMetadataKeyAlpineSlopeGrade,
        HKMetadataKeyFitnessMachineDuration,
        HKMetadataKeyIndoorBikeDistance,
        HKMetadataKeyCrossTrainerDistance,
        HKMetadataKeyAudioExposureLevel,
        HKMetadataKeyAudioExposureDuration,
        HKMetadataKeyBarometricPressure,
        HKMetadataKeyHeadphoneGain,
        HKMetadataKeyMaximumLightIntensity,
        HKMetadataKeyBloodGlucoseMealTime,
        HKMetadataKeyBodyTemperatureSensorLocation,
        HKMetadataKeyCyclingFunctionalThresholdPowerTestType,
        HKMetadataKeyDevicePlacementSide,
        HKMetadataKeyHeartRateMotionContext,
        HKMetadataKeyHeartRateRecoveryTestType,
        HKMetadataKeyHeartRateSensorLocation,
        HKMetadataKeyPhysicalEffortEstimationType,
        HKMetadataKeyUserMotionContext,
        HKMetadataKeyVO2MaxTestType,
        HKMetadataKeyWaterSalinity,
        HKMetadataKeyDeviceName,
        HKMetadataKeyWeatherCondition,
        HKMetadataKeyActivityType,
        HKMetadataKeyAppleFitnessPlusSession,
        HKMetadataKeyGlassesPrescriptionDescription,
        HKMetadataKeyHeartRateRecoveryActivityType,
        HKMetadataKeyQuantityClampedToLowerBound,
        HKMetadataKeyQuantityClampedToUpperBound,
        HKMetadataKeySWOLFScore,
        HKMetadataKeyAlgorithmVersion,
        HKMetadataKeyAppleDeviceCalibrated,
        HKMetadataKeyCoachedWorkout,
        HKMetadataKeyDateOfEarliestDataUsedForEstimate,
        HKMetadataKeyDeviceManufacturerName,
        HKMetadataKeyDeviceSerialNumber,
        HKMetadataKeyDigitalSignature,
        HKMetadataKeyGroupFitness,
        HKMetadataKeyReferenceRangeLowerLimit,
        HKMetadataKeyReferenceRangeUpperLimit,
        HKMetadataKeyUDIDeviceIdentifier,
        HKMetadataKeyUDIProductionIdentifier,
        HKMetadataKeyWasTakenInLab,
        HKMetadataKeyWorkoutBrandName,
    ]

    static func text(_ metadata: [String: Any]?) -> [String: String] {
        guard let metadata else { return [:] }
        return metadata.mapValues { value in
            switch value {
            case let string as String: string
            case let quantity as HKQuantity: quantity.description
            case let date as Date: ISO8601DateFormatter().string(from: date)
            case let number as NSNumber: number.stringValue
            default: "\(value)"
            }
        }
    }

    static func strokeStyle(_ event: HKWorkoutEvent) -> String? {
        guard let value = event.metadata?[HKMetadataKeySwimmingStrokeStyle] as? NSNumber,
            let style = HKSwimmingStrokeStyle(rawValue: value.intValue)
        else { return nil }
        switch style {
        case .unknown: return "unknown"
        case .mixed: return "mixed"
        case .freestyle: return "freestyle"
        case .backstroke: return "backstroke"
        case .breaststroke: return "breaststroke"
        case .butterfly: return "butterfly"
        case .kickboard: return "kickboard"
        @unknown default: return nil
        }
    }

    static func motion(_ sample: HKQuantitySample) -> HKHeartRateMotionContext {
        guard let value = sample.metadata?[HKMetadataKeyHeartRateMotionContext] as? Int else { return .notSet }
        return HKHeartRateMotionContext(rawValue: value) ?? .notSet
    }

    static func weather(_ workout: HKWorkout) -> (temperature: Double?, humidity: Double?, climb: Double?) {
        let temperature = workout.metadata?[HKMetadataKeyWeatherTemperature] as? HKQuantity
        let humidity = workout.metadata?[HKMetadataKeyWeatherHumidity] as? HKQuantity
        let climb = workout.metadata?[HKMetadataKeyElevationAscended] as? HKQuantity
        return (
            temperature?.doubleValue(for: .degreeCelsius()), humidity?.doubleValue(for: .percent()),
            climb?.doubleValue(for: .meter())
        )
    }

    static func everyKindOfValue(at date: Date) -> [String: Any] {
        [
            HKMetadataKeyBloodGlucoseMealTime: HKBloodGlucoseMealTime.preprandial.rawValue,
            HKMetadataKeyBodyTemperatureSensorLocation: HKBodyTemperatureSensorLocation.armpit.rawValue as NSNumber,
            HKMetadataKeyCyclingFunctionalThresholdPowerTestType: NSNumber(
                value: HKCyclingFunctionalThresholdPowerTestType.maxExercise60Minute.rawValue),
            HKMetadataKeyDevicePlacementSide: HKDevicePlacementSide.central.rawValue,
            HKMetadataKeyHeartRateRecoveryTestType: HKHeartRateRecoveryTestType.maxExercise.rawValue,
            HKMetadataKeyHeartRateSensorLocation: HKHeartRateSensorLocation.chest.rawValue,
            HKMetadataKeyPhysicalEffortEstimationType: HKPhysicalEffortEstimationType.activityLookup.rawValue,
            HKMetadataKeyUserMotionContext: HKUserMotionContext.active.rawValue,
            HKMetadataKeyVO2MaxTestType: HKVO2MaxTestType.maxExercise.rawValue,
            HKMetadataKeyWaterSalinity: HKWaterSalinity.saltWater.rawValue,
            HKMetadataKeyWeatherCondition: HKWeatherCondition.snow.rawValue,
            HKMetadataKeyInsulinDeliveryReason: HKInsulinDeliveryReason.bolus.rawValue,
            HKMetadataKeyAppleECGAlgorithmVersion: HKAppleECGAlgorithmVersion.version2.rawValue,
            HKMetadataKeyHeartRateMotionContext: HKHeartRateMotionContext.sedentary.rawValue,
            HKMetadataKeyWasUserEntered: NSNumber(value: true),
            HKMetadataKeyDateOfEarliestDataUsedForEstimate: date,
            HKMetadataKeyLapLength: HKQuantity(unit: .meter(), doubleValue: 25),
            HKMetadataKeyWorkoutBrandName: "Morning",
        ]
    }

    /// The values as apps spell them when they show a sample.
    static let sensorLocations: [HKBodyTemperatureSensorLocation] = [
        .other, .armpit, .body, .ear, .finger, .gastroIntestinal, .mouth, .rectum, .toe, .earDrum, .temporalArtery,
        .forehead,
    ]
    static let tests: [HKVO2MaxTestType] = [.maxExercise, .predictionSubMaxExercise, .predictionNonExercise]
    static let powerTests: [HKCyclingFunctionalThresholdPowerTestType] = [
        .maxExercise60Minute, .maxExercise20Minute, .rampTest, .predictionExercise,
    ]
    static let meals: [HKBloodGlucoseMealTime] = [.preprandial, .postprandial]
    static let efforts: [HKPhysicalEffortEstimationType] = [.activityLookup, .deviceSensed]
    static let waters: [HKWaterSalinity] = [.freshWater, .saltWater]
}
