/// The facts about one quantity type.
struct QuantityTypeRow: Sendable {
    let identifier: String
    let swiftName: String
    /// The unit in which Apple states the type, as in `HKUnit.unitString`.
    let canonicalUnit: String
    let aggregationStyle: HKQuantityAggregationStyle
    /// Whether apps may not write samples of the type.
    let readOnly: Bool

    /// The canonical unit, except that rates are per minute, as nobody counts heartbeats per second.
    var recordingUnit: String { canonicalUnit == "count/s" ? "count/min" : canonicalUnit }

    private init(
        _ identifier: HKQuantityTypeIdentifier, _ canonicalUnit: String, _ aggregationStyle: HKQuantityAggregationStyle,
        readOnly: Bool = false
    ) {
        self.identifier = identifier.rawValue
        swiftName = TypeCatalogue.swiftName(ofIdentifier: identifier.rawValue, after: "HKQuantityTypeIdentifier")
        self.canonicalUnit = canonicalUnit
        self.aggregationStyle = aggregationStyle
        self.readOnly = readOnly
    }

    /// Sources: units and groups from Apple's documentation, aggregation styles as the framework of macOS 26 reports
    /// them at run time (they differ from the documentation for cadence, power, speed and resting heart rate),
    /// read-only types from the documentation and from public bug reports. `readOnly` without such a source:
    /// appleStandTime and appleSleepingBreathingDisturbances, which only Apple's system measures.
    static let all: [QuantityTypeRow] =
        bodyMeasurements + fitness + hearingHealth + heart + mobility + nutrition + other + reproductiveHealth
        + respiratory + vitalSigns

    private static let bodyMeasurements: [QuantityTypeRow] = [
        QuantityTypeRow(.appleSleepingWristTemperature, "degC", .discreteArithmetic, readOnly: true),
        QuantityTypeRow(.bodyFatPercentage, "%", .discreteArithmetic),
        QuantityTypeRow(.bodyMass, "kg", .discreteArithmetic),
        QuantityTypeRow(.bodyMassIndex, "count", .discreteArithmetic),
        QuantityTypeRow(.electrodermalActivity, "S", .discreteArithmetic),
        QuantityTypeRow(.height, "m", .discreteArithmetic),
        QuantityTypeRow(.leanBodyMass, "kg", .discreteArithmetic),
        QuantityTypeRow(.waistCircumference, "m", .discreteArithmetic),
    ]

    private static let fitness: [QuantityTypeRow] = [
        QuantityTypeRow(.activeEnergyBurned, "kcal", .cumulative),
        QuantityTypeRow(.appleExerciseTime, "min", .cumulative, readOnly: true),
        QuantityTypeRow(.appleMoveTime, "min", .cumulative, readOnly: true),
        QuantityTypeRow(.appleStandTime, "min", .cumulative, readOnly: true),
        QuantityTypeRow(.basalEnergyBurned, "kcal", .cumulative),
        QuantityTypeRow(.crossCountrySkiingSpeed, "m/s", .discreteArithmetic),
        QuantityTypeRow(.cyclingCadence, "count/min", .discreteTemporallyWeighted),
        QuantityTypeRow(.cyclingFunctionalThresholdPower, "W", .discreteArithmetic),
        QuantityTypeRow(.cyclingPower, "W", .discreteTemporallyWeighted),
        QuantityTypeRow(.cyclingSpeed, "m/s", .discreteTemporallyWeighted),
        QuantityTypeRow(.distanceCrossCountrySkiing, "m", .cumulative),
        QuantityTypeRow(.distanceCycling, "m", .cumulative),
        QuantityTypeRow(.distanceDownhillSnowSports, "m", .cumulative),
        QuantityTypeRow(.distancePaddleSports, "m", .cumulative),
        QuantityTypeRow(.distanceRowing, "m", .cumulative),
        QuantityTypeRow(.distanceSkatingSports, "m", .cumulative),
        QuantityTypeRow(.distanceSwimming, "m", .cumulative),
        QuantityTypeRow(.distanceWalkingRunning, "m", .cumulative),
        QuantityTypeRow(.distanceWheelchair, "m", .cumulative),
        QuantityTypeRow(.estimatedWorkoutEffortScore, "appleEffortScore", .discreteArithmetic),
        QuantityTypeRow(.flightsClimbed, "count", .cumulative),
        QuantityTypeRow(.nikeFuel, "count", .cumulative, readOnly: true),
        QuantityTypeRow(.paddleSportsSpeed, "m/s", .discreteArithmetic),
        QuantityTypeRow(.physicalEffort, "kcal/(kg*hr)", .discreteArithmetic),
        QuantityTypeRow(.pushCount, "count", .cumulative),
        QuantityTypeRow(.rowingSpeed, "m/s", .discreteArithmetic),
        QuantityTypeRow(.runningPower, "W", .discreteArithmetic),
        QuantityTypeRow(.runningSpeed, "m/s", .discreteArithmetic),
        QuantityTypeRow(.stepCount, "count", .cumulative),
        QuantityTypeRow(.swimmingStrokeCount, "count", .cumulative),
        QuantityTypeRow(.underwaterDepth, "m", .discreteArithmetic),
        QuantityTypeRow(.workoutEffortScore, "appleEffortScore", .discreteArithmetic),
    ]

    private static let hearingHealth: [QuantityTypeRow] = [
        QuantityTypeRow(.environmentalAudioExposure, "dBASPL", .discreteEquivalentContinuousLevel),
        QuantityTypeRow(.environmentalSoundReduction, "dBASPL", .discreteEquivalentContinuousLevel),
        QuantityTypeRow(.headphoneAudioExposure, "dBASPL", .discreteEquivalentContinuousLevel),
    ]

    private static let heart: [QuantityTypeRow] = [
        QuantityTypeRow(.atrialFibrillationBurden, "%", .discreteTemporallyWeighted, readOnly: true),
        QuantityTypeRow(.heartRate, "count/s", .discreteTemporallyWeighted),
        QuantityTypeRow(.heartRateRecoveryOneMinute, "count/min", .discreteArithmetic),
        QuantityTypeRow(.heartRateVariabilityRMSSD, "ms", .discreteArithmetic),
        QuantityTypeRow(.heartRateVariabilitySDNN, "ms", .discreteArithmetic),
        QuantityTypeRow(.peripheralPerfusionIndex, "%", .discreteArithmetic),
        QuantityTypeRow(.restingHeartRate, "count/min", .discreteTemporallyWeighted),
        QuantityTypeRow(.vo2Max, "ml/(kg*min)", .discreteArithmetic),
        QuantityTypeRow(.walkingHeartRateAverage, "count/min", .discreteTemporallyWeighted, readOnly: true),
    ]

    private static let mobility: [QuantityTypeRow] = [
        QuantityTypeRow(.appleWalkingSteadiness, "%", .discreteArithmetic, readOnly: true),
        QuantityTypeRow(.runningGroundContactTime, "ms", .discreteArithmetic),
        QuantityTypeRow(.runningStrideLength, "m", .discreteArithmetic),
        QuantityTypeRow(.runningVerticalOscillation, "cm", .discreteArithmetic),
        QuantityTypeRow(.sixMinuteWalkTestDistance, "m", .discreteArithmetic),
        QuantityTypeRow(.stairAscentSpeed, "m/s", .discreteArithmetic),
        QuantityTypeRow(.stairDescentSpeed, "m/s", .discreteArithmetic),
        QuantityTypeRow(.walkingAsymmetryPercentage, "%", .discreteArithmetic),
        QuantityTypeRow(.walkingDoubleSupportPercentage, "%", .discreteArithmetic),
        QuantityTypeRow(.walkingSpeed, "m/s", .discreteArithmetic),
        QuantityTypeRow(.walkingStepLength, "m", .discreteArithmetic),
    ]

    private static let nutrition: [QuantityTypeRow] = [
        QuantityTypeRow(.dietaryBiotin, "g", .cumulative),
        QuantityTypeRow(.dietaryCaffeine, "g", .cumulative),
        QuantityTypeRow(.dietaryCalcium, "g", .cumulative),
        QuantityTypeRow(.dietaryCarbohydrates, "g", .cumulative),
        QuantityTypeRow(.dietaryChloride, "g", .cumulative),
        QuantityTypeRow(.dietaryCholesterol, "g", .cumulative),
        QuantityTypeRow(.dietaryChromium, "g", .cumulative),
        QuantityTypeRow(.dietaryCopper, "g", .cumulative),
        QuantityTypeRow(.dietaryEnergyConsumed, "kcal", .cumulative),
        QuantityTypeRow(.dietaryFatMonounsaturated, "g", .cumulative),
        QuantityTypeRow(.dietaryFatPolyunsaturated, "g", .cumulative),
        QuantityTypeRow(.dietaryFatSaturated, "g", .cumulative),
        QuantityTypeRow(.dietaryFatTotal, "g", .cumulative),
        QuantityTypeRow(.dietaryFiber, "g", .cumulative),
        QuantityTypeRow(.dietaryFolate, "g", .cumulative),
        QuantityTypeRow(.dietaryIodine, "g", .cumulative),
        QuantityTypeRow(.dietaryIron, "g", .cumulative),
        QuantityTypeRow(.dietaryMagnesium, "g", .cumulative),
        QuantityTypeRow(.dietaryManganese, "g", .cumulative),
        QuantityTypeRow(.dietaryMolybdenum, "g", .cumulative),
        QuantityTypeRow(.dietaryNiacin, "g", .cumulative),
        QuantityTypeRow(.dietaryPantothenicAcid, "g", .cumulative),
        QuantityTypeRow(.dietaryPhosphorus, "g", .cumulative),
        QuantityTypeRow(.dietaryPotassium, "g", .cumulative),
        QuantityTypeRow(.dietaryProtein, "g", .cumulative),
        QuantityTypeRow(.dietaryRiboflavin, "g", .cumulative),
        QuantityTypeRow(.dietarySelenium, "g", .cumulative),
        QuantityTypeRow(.dietarySodium, "g", .cumulative),
        QuantityTypeRow(.dietarySugar, "g", .cumulative),
        QuantityTypeRow(.dietaryThiamin, "g", .cumulative),
        QuantityTypeRow(.dietaryVitaminA, "g", .cumulative),
        QuantityTypeRow(.dietaryVitaminB12, "g", .cumulative),
        QuantityTypeRow(.dietaryVitaminB6, "g", .cumulative),
        QuantityTypeRow(.dietaryVitaminC, "g", .cumulative),
        QuantityTypeRow(.dietaryVitaminD, "g", .cumulative),
        QuantityTypeRow(.dietaryVitaminE, "g", .cumulative),
        QuantityTypeRow(.dietaryVitaminK, "g", .cumulative),
        QuantityTypeRow(.dietaryWater, "mL", .cumulative),
        QuantityTypeRow(.dietaryZinc, "g", .cumulative),
    ]

    private static let other: [QuantityTypeRow] = [
        QuantityTypeRow(.bloodAlcoholContent, "%", .discreteArithmetic),
        QuantityTypeRow(.bloodPressureDiastolic, "mmHg", .discreteArithmetic),
        QuantityTypeRow(.bloodPressureSystolic, "mmHg", .discreteArithmetic),
        QuantityTypeRow(.insulinDelivery, "IU", .cumulative),
        QuantityTypeRow(.numberOfAlcoholicBeverages, "count", .cumulative),
        QuantityTypeRow(.numberOfTimesFallen, "count", .cumulative),
        QuantityTypeRow(.timeInDaylight, "min", .cumulative),
        QuantityTypeRow(.uvExposure, "count", .discreteArithmetic),
        QuantityTypeRow(.waterTemperature, "degC", .discreteArithmetic),
    ]

    private static let reproductiveHealth: [QuantityTypeRow] = [
        QuantityTypeRow(.basalBodyTemperature, "degC", .discreteArithmetic)
    ]

    private static let respiratory: [QuantityTypeRow] = [
        QuantityTypeRow(.appleSleepingBreathingDisturbances, "count", .discreteArithmetic, readOnly: true),
        QuantityTypeRow(.forcedExpiratoryVolume1, "L", .discreteArithmetic),
        QuantityTypeRow(.forcedVitalCapacity, "L", .discreteArithmetic),
        QuantityTypeRow(.inhalerUsage, "count", .cumulative),
        QuantityTypeRow(.oxygenSaturation, "%", .discreteArithmetic),
        QuantityTypeRow(.peakExpiratoryFlowRate, "L/min", .discreteArithmetic),
        QuantityTypeRow(.respiratoryRate, "count/s", .discreteArithmetic),
    ]

    private static let vitalSigns: [QuantityTypeRow] = [
        QuantityTypeRow(.bloodGlucose, "mg/dL", .discreteArithmetic),
        QuantityTypeRow(.bodyTemperature, "degC", .discreteArithmetic),
    ]
}
