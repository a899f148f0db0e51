// The keys of metadata dictionaries. Values are strings, numbers, dates or quantities, as stated for each key.
//
// The strings are those of the framework of macOS 26: mostly `HK` and the part of the name after `HKMetadataKey`, but
// the whole name for newer keys. Stored objects contain these strings, so none may be made more regular.

// MARK: General

/// String. Prefer `HKDevice`.
public let HKMetadataKeyDeviceSerialNumber = "HKDeviceSerialNumber"

/// String. Prefer `HKDevice`.
public let HKMetadataKeyDeviceName = "HKDeviceName"

/// String. Prefer `HKDevice`.
public let HKMetadataKeyDeviceManufacturerName = "HKDeviceManufacturerName"

/// String. Prefer `HKDevice`.
public let HKMetadataKeyUDIDeviceIdentifier = "HKUDIDeviceIdentifier"

/// String. Avoid it: it identifies a user.
public let HKMetadataKeyUDIProductionIdentifier = "HKUDIProductionIdentifier"

/// String, base64.
public let HKMetadataKeyDigitalSignature = "HKDigitalSignature"

/// String: the identifier of the object elsewhere. Need not be unique.
public let HKMetadataKeyExternalUUID = "HKExternalUUID"

/// String: the same for all versions of one object. Goes with `HKMetadataKeySyncVersion`.
public let HKMetadataKeySyncIdentifier = "HKMetadataKeySyncIdentifier"

/// Number: saving a higher version replaces the lower one. Goes with `HKMetadataKeySyncIdentifier`.
public let HKMetadataKeySyncVersion = "HKMetadataKeySyncVersion"

/// String: the name of the time zone in which the object was created, such as `Europe/Berlin`.
public let HKMetadataKeyTimeZone = "HKTimeZone"

/// Bool.
public let HKMetadataKeyWasTakenInLab = "HKWasTakenInLab"

/// Bool: whether the user typed the value instead of measuring it.
public let HKMetadataKeyWasUserEntered = "HKWasUserEntered"

/// Number: the lower end of the normal range of the sample.
public let HKMetadataKeyReferenceRangeLowerLimit = "HKReferenceRangeLowerLimit"

/// Number: the upper end of the normal range of the sample.
public let HKMetadataKeyReferenceRangeUpperLimit = "HKReferenceRangeUpperLimit"

/// Date.
public let HKMetadataKeyDateOfEarliestDataUsedForEstimate = "HKDateOfEarliestDataUsedForEstimate"

/// Number.
public let HKMetadataKeyAlgorithmVersion = "HKAlgorithmVersion"

/// Bool. Read only for apps.
public let HKMetadataKeyAppleDeviceCalibrated = "HKMetadataKeyAppleDeviceCalibrated"

/// `HKDevicePlacementSide`.
public let HKMetadataKeyDevicePlacementSide = "HKMetadataKeyDevicePlacementSide"

/// Bool: the true value is this or lower.
public let HKMetadataKeyQuantityClampedToLowerBound = "HKMetadataKeyQuantityClampedToLowerBound"

/// Bool: the true value is this or higher.
public let HKMetadataKeyQuantityClampedToUpperBound = "HKMetadataKeyQuantityClampedToUpperBound"

// MARK: Workouts

/// `HKWorkoutActivityType`.
public let HKMetadataKeyActivityType = "HKActivityType"

/// String.
public let HKMetadataKeyWorkoutBrandName = "HKWorkoutBrandName"

/// Bool.
public let HKMetadataKeyGroupFitness = "HKGroupFitness"

/// Bool.
public let HKMetadataKeyIndoorWorkout = "HKIndoorWorkout"

/// Bool.
public let HKMetadataKeyCoachedWorkout = "HKCoachedWorkout"

/// Bool.
public let HKMetadataKeyAppleFitnessPlusSession = "HKMetadataKeyAppleFitnessPlusSession"

/// String.
public let HKMetadataKeyAppleFitnessPlusCatalogIdentifier = "HKMetadataKeyAppleFitnessPlusCatalogIdentifier"

/// `HKWeatherCondition`.
public let HKMetadataKeyWeatherCondition = "HKWeatherCondition"

/// Quantity: temperature.
public let HKMetadataKeyWeatherTemperature = "HKWeatherTemperature"

/// Quantity: percent.
public let HKMetadataKeyWeatherHumidity = "HKWeatherHumidity"

/// Quantity: pressure.
public let HKMetadataKeyBarometricPressure = "HKMetadataKeyBarometricPressure"

/// Quantity: speed.
public let HKMetadataKeyAverageSpeed = "HKAverageSpeed"

/// Quantity: speed.
public let HKMetadataKeyMaximumSpeed = "HKMaximumSpeed"

/// Quantity: `kcal/(kg*hr)`.
public let HKMetadataKeyAverageMETs = "HKAverageMETs"

/// Quantity: percent.
public let HKMetadataKeyAlpineSlopeGrade = "HKAlpineSlopeGrade"

/// Quantity: length.
public let HKMetadataKeyElevationAscended = "HKElevationAscended"

/// Quantity: length.
public let HKMetadataKeyElevationDescended = "HKElevationDescended"

/// Quantity: time.
public let HKMetadataKeyFitnessMachineDuration = "HKFitnessMachineDuration"

/// Quantity: length.
public let HKMetadataKeyIndoorBikeDistance = "HKIndoorBikeDistance"

/// Quantity: length.
public let HKMetadataKeyCrossTrainerDistance = "HKCrossTrainerDistance"

/// Quantity: length of the pool.
public let HKMetadataKeyLapLength = "HKLapLength"

/// `HKWorkoutSwimmingLocationType`.
public let HKMetadataKeySwimmingLocationType = "HKSwimmingLocationType"

/// `HKSwimmingStrokeStyle`, on lap events.
public let HKMetadataKeySwimmingStrokeStyle = "HKSwimmingStrokeStyle"

/// Number: the sum of the seconds and strokes of a lap. On workouts, lap and segment events.
public let HKMetadataKeySWOLFScore = "HKSWOLFScore"

/// `HKWaterSalinity`.
public let HKMetadataKeyWaterSalinity = "HKMetadataKeyWaterSalinity"

/// `HKPhysicalEffortEstimationType`.
public let HKMetadataKeyPhysicalEffortEstimationType = "HKPhysicalEffortEstimationType"

// MARK: Heart and fitness

/// `HKHeartRateSensorLocation`.
public let HKMetadataKeyHeartRateSensorLocation = "HKHeartRateSensorLocation"

/// `HKHeartRateMotionContext`.
public let HKMetadataKeyHeartRateMotionContext = "HKMetadataKeyHeartRateMotionContext"

/// `HKUserMotionContext`.
public let HKMetadataKeyUserMotionContext = "HKMetadataKeyUserMotionContext"

/// Quantity of the dimension of the sample.
public let HKMetadataKeySessionEstimate = "HKMetadataKeySessionEstimate"

/// Quantity: `count/min`. The threshold that a high or low heart rate crossed.
public let HKMetadataKeyHeartRateEventThreshold = "HKHeartRateEventThreshold"

/// `HKHeartRateRecoveryTestType`.
public let HKMetadataKeyHeartRateRecoveryTestType = "HKMetadataKeyHeartRateRecoveryTestType"

/// `HKWorkoutActivityType`.
public let HKMetadataKeyHeartRateRecoveryActivityType = "HKMetadataKeyHeartRateRecoveryActivityType"

/// Quantity: time.
public let HKMetadataKeyHeartRateRecoveryActivityDuration = "HKMetadataKeyHeartRateRecoveryActivityDuration"

/// Quantity: `count/min`.
public let HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate =
    "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate"

/// `HKAppleECGAlgorithmVersion`.
public let HKMetadataKeyAppleECGAlgorithmVersion = "HKMetadataKeyAppleECGAlgorithmVersion"

/// `HKVO2MaxTestType`.
public let HKMetadataKeyVO2MaxTestType = "HKVO2MaxTestType"

/// Quantity: `ml/(kg*min)`.
public let HKMetadataKeyVO2MaxValue = "HKVO2MaxValue"

/// Quantity: `ml/(kg*min)`.
public let HKMetadataKeyLowCardioFitnessEventThreshold = "HKLowCardioFitnessEventThreshold"

/// `HKCyclingFunctionalThresholdPowerTestType`. The string really contains `Cycling` twice.
public let HKMetadataKeyCyclingFunctionalThresholdPowerTestType = "HKCyclingCyclingFunctionalThresholdPowerTestType"

// MARK: Body, nutrition and environment

/// String.
public let HKMetadataKeyFoodType = "HKFoodType"

/// `HKBodyTemperatureSensorLocation`.
public let HKMetadataKeyBodyTemperatureSensorLocation = "HKBodyTemperatureSensorLocation"

/// Bool.
public let HKMetadataKeySexualActivityProtectionUsed = "HKSexualActivityProtectionUsed"

/// Bool. A menstrual flow cannot be saved without it.
public let HKMetadataKeyMenstrualCycleStart = "HKMenstrualCycleStart"

/// `HKInsulinDeliveryReason`. An insulin delivery cannot be saved without it.
public let HKMetadataKeyInsulinDeliveryReason = "HKInsulinDeliveryReason"

/// `HKBloodGlucoseMealTime`.
public let HKMetadataKeyBloodGlucoseMealTime = "HKBloodGlucoseMealTime"

/// Quantity: `dBASPL`.
public let HKMetadataKeyAudioExposureLevel = "HKMetadataKeyAudioExposureLevel"

/// Quantity: time.
public let HKMetadataKeyAudioExposureDuration = "HKMetadataKeyAudioExposureDuration"

/// Quantity: `dBASPL`.
public let HKMetadataKeyHeadphoneGain = "HKMetadataKeyHeadphoneGain"

/// String.
public let HKMetadataKeyGlassesPrescriptionDescription = "HKMetadataKeyGlassesPrescriptionDescription"

/// Quantity: lux.
public let HKMetadataKeyMaximumLightIntensity = "HKMetadataKeyMaximumLightIntensity"
