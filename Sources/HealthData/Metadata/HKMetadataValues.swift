/// The algorithm that classified an electrocardiogram. The value of `HKMetadataKeyAppleECGAlgorithmVersion`.
public enum HKAppleECGAlgorithmVersion: Int, Sendable {
    /// The first algorithm.
    case version1 = 1
    /// The second algorithm.
    case version2 = 2
}

/// Whether blood glucose was measured before or after a meal. The value of `HKMetadataKeyBloodGlucoseMealTime`.
public enum HKBloodGlucoseMealTime: Int, Sendable {
    /// Before a meal.
    case preprandial = 1
    /// After a meal.
    case postprandial = 2
}

/// The place of a thermometer on the body. The value of `HKMetadataKeyBodyTemperatureSensorLocation`.
public enum HKBodyTemperatureSensorLocation: Int, Sendable {
    /// Somewhere else.
    case other = 0
    /// Under the arm.
    case armpit = 1
    /// Anywhere on the body.
    case body = 2
    /// In the ear.
    case ear = 3
    /// On a finger.
    case finger = 4
    /// In the stomach or the bowels, such as a capsule that was swallowed.
    case gastroIntestinal = 5
    /// In the mouth.
    case mouth = 6
    /// In the rectum.
    case rectum = 7
    /// On a toe.
    case toe = 8
    /// At the eardrum, by infrared.
    case earDrum = 9
    /// Over the artery of the temple.
    case temporalArtery = 10
    /// On the forehead.
    case forehead = 11
}

/// The method that determined a functional threshold power. The value of
/// `HKMetadataKeyCyclingFunctionalThresholdPowerTestType`.
public enum HKCyclingFunctionalThresholdPowerTestType: Int, Sendable {
    /// The mean power of an hour at the limit.
    case maxExercise60Minute = 1
    /// Derived from twenty minutes at the limit.
    case maxExercise20Minute = 2
    /// Derived from a test whose power rises step by step.
    case rampTest = 3
    /// Predicted from rides, without a test.
    case predictionExercise = 4
}

/// The side of the body on which a device was worn. The value of `HKMetadataKeyDevicePlacementSide`.
public enum HKDevicePlacementSide: Int, Sendable {
    /// Unknown.
    case unknown = 0
    /// On the left side of the body.
    case left = 1
    /// On the right side of the body.
    case right = 2
    /// In the middle, such as on the chest.
    case central = 3
}

/// How much the user moved during a heart-rate measurement. The value of `HKMetadataKeyHeartRateMotionContext`.
public enum HKHeartRateMotionContext: Int, Sendable {
    /// The device did not report it.
    case notSet = 0
    /// At rest: sitting or lying.
    case sedentary = 1
    /// Moving, so this is not a resting heart rate.
    case active = 2
}

/// The method that measured a heart-rate recovery. The value of `HKMetadataKeyHeartRateRecoveryTestType`.
public enum HKHeartRateRecoveryTestType: Int, Sendable {
    /// After exercise up to the maximum.
    case maxExercise = 1
    /// Predicted from exercise below the maximum.
    case predictionSubMaxExercise = 2
    /// Predicted without exercise.
    case predictionNonExercise = 3
}

/// The place of a heart-rate sensor on the body. The value of `HKMetadataKeyHeartRateSensorLocation`.
public enum HKHeartRateSensorLocation: Int, Sendable {
    /// Somewhere else.
    case other = 0
    /// A strap around the chest.
    case chest = 1
    /// A watch or a wristband.
    case wrist = 2
    /// A clip on a finger.
    case finger = 3
    /// On the hand.
    case hand = 4
    /// A clip on an ear lobe.
    case earLobe = 5
    /// On the foot.
    case foot = 6
}

/// The purpose of a dose of insulin. The value of `HKMetadataKeyInsulinDeliveryReason`.
public enum HKInsulinDeliveryReason: Int, Sendable {
    /// The steady supply between meals.
    case basal = 1
    /// For a meal, or to lower a high blood glucose.
    case bolus = 2
}

/// The method that estimated a physical effort. The value of `HKMetadataKeyPhysicalEffortEstimationType`.
public enum HKPhysicalEffortEstimationType: Int, Sendable {
    /// Taken from a table for the kind of activity.
    case activityLookup = 1
    /// From movements that a device measured.
    case deviceSensed = 2
}

/// The stroke style of a lap. The value of `HKMetadataKeySwimmingStrokeStyle`.
public enum HKSwimmingStrokeStyle: Int, Sendable {
    /// The device could not detect it.
    case unknown = 0
    /// Several styles in one lap.
    case mixed = 1
    /// Crawl.
    case freestyle = 2
    /// On the back.
    case backstroke = 3
    /// Frog kicks on the front.
    case breaststroke = 4
    /// Both arms at once, over the water.
    case butterfly = 5
    /// Legs only, the arms on a board.
    case kickboard = 6
}

/// How much the user moved during a measurement. The value of `HKMetadataKeyUserMotionContext`.
public enum HKUserMotionContext: Int, Sendable {
    /// The device did not report it.
    case notSet = 0
    /// The user stood still, sat or lay.
    case stationary = 1
    /// The user moved.
    case active = 2
}

/// The method that determined a maximal oxygen uptake. The value of `HKMetadataKeyVO2MaxTestType`.
public enum HKVO2MaxTestType: Int, Sendable {
    /// Measured, in exercise up to the maximum.
    case maxExercise = 1
    /// Predicted from exercise below the maximum.
    case predictionSubMaxExercise = 2
    /// Predicted without exercise, from age, weight and the like.
    case predictionNonExercise = 3
    /// Predicted from a step test.
    case predictionStepTest = 4
}

/// The kind of water of a swim or dive. The value of `HKMetadataKeyWaterSalinity`.
public enum HKWaterSalinity: Int, Sendable {
    /// A lake, a river, a pool. Depths are computed for this density of water.
    case freshWater = 1
    /// The sea.
    case saltWater = 2
}

/// The weather during a workout. The value of `HKMetadataKeyWeatherCondition`.
public enum HKWeatherCondition: Int, Sendable {
    /// Unknown.
    case none = 0
    /// Raw value 1.
    case clear = 1
    /// Raw value 2: almost no clouds.
    case fair = 2
    /// Raw value 3: more sun than clouds.
    case partlyCloudy = 3
    /// Raw value 4: more clouds than sun.
    case mostlyCloudy = 4
    /// Raw value 5: no sun.
    case cloudy = 5
    /// Raw value 6: drops of water in the air.
    case foggy = 6
    /// Raw value 7: fine dust or smoke in the air.
    case haze = 7
    /// Raw value 8: a steady wind.
    case windy = 8
    /// Raw value 9: gusts.
    case blustery = 9
    /// Raw value 10: smoke in the air.
    case smoky = 10
    /// Raw value 11: dust or sand in the air.
    case dust = 11
    /// Raw value 12.
    case snow = 12
    /// Raw value 13: lumps of ice.
    case hail = 13
    /// Raw value 14: frozen or half-frozen drops.
    case sleet = 14
    /// Raw value 15: drizzle that freezes on the ground.
    case freezingDrizzle = 15
    /// Raw value 16: rain that freezes on the ground.
    case freezingRain = 16
    /// Raw value 17.
    case mixedRainAndHail = 17
    /// Raw value 18.
    case mixedRainAndSnow = 18
    /// Raw value 19.
    case mixedRainAndSleet = 19
    /// Raw value 20.
    case mixedSnowAndSleet = 20
    /// Raw value 21: fine drops.
    case drizzle = 21
    /// Raw value 22: short rain in some places.
    case scatteredShowers = 22
    /// Raw value 23: short rain.
    case showers = 23
    /// Raw value 24.
    case thunderstorms = 24
    /// Raw value 25: a tropical storm, weaker than a hurricane.
    case tropicalStorm = 25
    /// Raw value 26.
    case hurricane = 26
    /// Raw value 27.
    case tornado = 27
}
