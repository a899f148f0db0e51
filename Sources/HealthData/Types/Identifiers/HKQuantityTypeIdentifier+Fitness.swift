extension HKQuantityTypeIdentifier {
    // MARK: Fitness

    /// `kcal`, cumulative. iOS 8.0, watchOS 2.0.
    public static let activeEnergyBurned = Self(rawValue: "HKQuantityTypeIdentifierActiveEnergyBurned")

    /// `min`, cumulative. iOS 9.3, watchOS 2.2.
    public static let appleExerciseTime = Self(rawValue: "HKQuantityTypeIdentifierAppleExerciseTime")

    /// `min`, cumulative. iOS 14.5, watchOS 7.4.
    public static let appleMoveTime = Self(rawValue: "HKQuantityTypeIdentifierAppleMoveTime")

    /// `min`, cumulative. iOS 13.0, watchOS 6.0.
    public static let appleStandTime = Self(rawValue: "HKQuantityTypeIdentifierAppleStandTime")

    /// `kcal`, cumulative. iOS 8.0, watchOS 2.0.
    public static let basalEnergyBurned = Self(rawValue: "HKQuantityTypeIdentifierBasalEnergyBurned")

    /// `m/s`, arithmetic mean. iOS 18.0, watchOS 11.0.
    public static let crossCountrySkiingSpeed = Self(rawValue: "HKQuantityTypeIdentifierCrossCountrySkiingSpeed")

    /// `count/min`, time-weighted mean. iOS 17.0, watchOS 10.0.
    public static let cyclingCadence = Self(rawValue: "HKQuantityTypeIdentifierCyclingCadence")

    /// `W`, arithmetic mean. iOS 17.0, watchOS 10.0.
    public static let cyclingFunctionalThresholdPower = Self(
        rawValue: "HKQuantityTypeIdentifierCyclingFunctionalThresholdPower")

    /// `W`, time-weighted mean. iOS 17.0, watchOS 10.0.
    public static let cyclingPower = Self(rawValue: "HKQuantityTypeIdentifierCyclingPower")

    /// `m/s`, time-weighted mean. iOS 17.0, watchOS 10.0.
    public static let cyclingSpeed = Self(rawValue: "HKQuantityTypeIdentifierCyclingSpeed")

    /// `m`, cumulative. iOS 18.0, watchOS 11.0.
    public static let distanceCrossCountrySkiing = Self(rawValue: "HKQuantityTypeIdentifierDistanceCrossCountrySkiing")

    /// `m`, cumulative. iOS 8.0, watchOS 2.0.
    public static let distanceCycling = Self(rawValue: "HKQuantityTypeIdentifierDistanceCycling")

    /// `m`, cumulative. iOS 11.2, watchOS 4.2.
    public static let distanceDownhillSnowSports = Self(rawValue: "HKQuantityTypeIdentifierDistanceDownhillSnowSports")

    /// `m`, cumulative. iOS 18.0, watchOS 11.0.
    public static let distancePaddleSports = Self(rawValue: "HKQuantityTypeIdentifierDistancePaddleSports")

    /// `m`, cumulative. iOS 18.0, watchOS 11.0.
    public static let distanceRowing = Self(rawValue: "HKQuantityTypeIdentifierDistanceRowing")

    /// `m`, cumulative. iOS 18.0, watchOS 11.0.
    public static let distanceSkatingSports = Self(rawValue: "HKQuantityTypeIdentifierDistanceSkatingSports")

    /// `m`, cumulative. iOS 10.0, watchOS 3.0.
    public static let distanceSwimming = Self(rawValue: "HKQuantityTypeIdentifierDistanceSwimming")

    /// `m`, cumulative. iOS 8.0, watchOS 2.0.
    public static let distanceWalkingRunning = Self(rawValue: "HKQuantityTypeIdentifierDistanceWalkingRunning")

    /// `m`, cumulative. iOS 10.0, watchOS 3.0.
    public static let distanceWheelchair = Self(rawValue: "HKQuantityTypeIdentifierDistanceWheelchair")

    /// `appleEffortScore`, arithmetic mean. iOS 18.0, watchOS 11.0.
    public static let estimatedWorkoutEffortScore = Self(
        rawValue: "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore")

    /// `count`, cumulative. iOS 8.0, watchOS 2.0.
    public static let flightsClimbed = Self(rawValue: "HKQuantityTypeIdentifierFlightsClimbed")

    /// `count`, cumulative. iOS 8.0, watchOS 2.0.
    public static let nikeFuel = Self(rawValue: "HKQuantityTypeIdentifierNikeFuel")

    /// `m/s`, arithmetic mean. iOS 18.0, watchOS 11.0.
    public static let paddleSportsSpeed = Self(rawValue: "HKQuantityTypeIdentifierPaddleSportsSpeed")

    /// `kcal/(kg*hr)`, arithmetic mean. iOS 17.0, watchOS 10.0.
    public static let physicalEffort = Self(rawValue: "HKQuantityTypeIdentifierPhysicalEffort")

    /// `count`, cumulative. iOS 10.0, watchOS 3.0.
    public static let pushCount = Self(rawValue: "HKQuantityTypeIdentifierPushCount")

    /// `m/s`, arithmetic mean. iOS 18.0, watchOS 11.0.
    public static let rowingSpeed = Self(rawValue: "HKQuantityTypeIdentifierRowingSpeed")

    /// `W`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let runningPower = Self(rawValue: "HKQuantityTypeIdentifierRunningPower")

    /// `m/s`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let runningSpeed = Self(rawValue: "HKQuantityTypeIdentifierRunningSpeed")

    /// `count`, cumulative. iOS 8.0, watchOS 2.0.
    public static let stepCount = Self(rawValue: "HKQuantityTypeIdentifierStepCount")

    /// `count`, cumulative. iOS 10.0, watchOS 3.0.
    public static let swimmingStrokeCount = Self(rawValue: "HKQuantityTypeIdentifierSwimmingStrokeCount")

    /// `m`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let underwaterDepth = Self(rawValue: "HKQuantityTypeIdentifierUnderwaterDepth")

    /// `appleEffortScore`, arithmetic mean. iOS 18.0, watchOS 11.0.
    public static let workoutEffortScore = Self(rawValue: "HKQuantityTypeIdentifierWorkoutEffortScore")
}

extension HKQuantityTypeIdentifier {
    // MARK: Mobility

    /// `%`, arithmetic mean. iOS 15.0, watchOS 8.0.
    public static let appleWalkingSteadiness = Self(rawValue: "HKQuantityTypeIdentifierAppleWalkingSteadiness")

    /// `ms`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let runningGroundContactTime = Self(rawValue: "HKQuantityTypeIdentifierRunningGroundContactTime")

    /// `m`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let runningStrideLength = Self(rawValue: "HKQuantityTypeIdentifierRunningStrideLength")

    /// `cm`, arithmetic mean. iOS 16.0, watchOS 9.0.
    public static let runningVerticalOscillation = Self(rawValue: "HKQuantityTypeIdentifierRunningVerticalOscillation")

    /// `m`, arithmetic mean. iOS 14.0, watchOS 7.0.
    public static let sixMinuteWalkTestDistance = Self(rawValue: "HKQuantityTypeIdentifierSixMinuteWalkTestDistance")

    /// `m/s`, arithmetic mean. iOS 14.0, watchOS 7.0.
    public static let stairAscentSpeed = Self(rawValue: "HKQuantityTypeIdentifierStairAscentSpeed")

    /// `m/s`, arithmetic mean. iOS 14.0, watchOS 7.0.
    public static let stairDescentSpeed = Self(rawValue: "HKQuantityTypeIdentifierStairDescentSpeed")

    /// `%`, arithmetic mean. iOS 14.0, watchOS 7.0.
    public static let walkingAsymmetryPercentage = Self(rawValue: "HKQuantityTypeIdentifierWalkingAsymmetryPercentage")

    /// `%`, arithmetic mean. iOS 14.0, watchOS 7.0.
    public static let walkingDoubleSupportPercentage = Self(
        rawValue: "HKQuantityTypeIdentifierWalkingDoubleSupportPercentage")

    /// `m/s`, arithmetic mean. iOS 14.0, watchOS 7.0.
    public static let walkingSpeed = Self(rawValue: "HKQuantityTypeIdentifierWalkingSpeed")

    /// `m`, arithmetic mean. iOS 14.0, watchOS 7.0.
    public static let walkingStepLength = Self(rawValue: "HKQuantityTypeIdentifierWalkingStepLength")
}
