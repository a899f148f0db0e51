// App code: the lists of everything an app reads, as conformances that the app adds to identifiers.

import HealthKit

extension HKQuantityTypeIdentifier: @retroactive CaseIterable {
    public static let allCases: [HKQuantityTypeIdentifier] = [
        .heartRate, .activeEnergyBurned, .distanceWalkingRunning, .stepCount, .distanceCycling, .bodyMass,
        .basalEnergyBurned, .height, .bloodGlucose, .distanceSwimming, .flightsClimbed, .oxygenSaturation,
        .restingHeartRate, .walkingSpeed, .vo2Max, .respiratoryRate, .bodyMassIndex, .dietaryWater,
        .dietaryCarbohydrates, .heartRateVariabilitySDNN, .appleExerciseTime, .bloodPressureSystolic,
        .bloodPressureDiastolic, .swimmingStrokeCount, .leanBodyMass, .waistCircumference, .bodyFatPercentage,
        .dietaryFatTotal, .dietaryProtein, .appleStandTime, .bodyTemperature, .distanceDownhillSnowSports,
        .dietaryBiotin, .distanceWheelchair, .dietaryEnergyConsumed, .dietaryCaffeine, .dietaryFatMonounsaturated,
        .dietaryVitaminC, .runningPower, .dietaryFiber, .dietarySugar, .dietaryFatPolyunsaturated,
        .dietaryFatSaturated, .dietaryCholesterol, .dietaryVitaminA, .dietaryThiamin, .dietaryRiboflavin,
        .dietaryNiacin, .dietaryPantothenicAcid, .dietaryVitaminB6, .dietaryVitaminB12, .dietaryVitaminD,
        .dietaryVitaminE, .dietaryVitaminK, .dietaryFolate, .dietaryCalcium, .dietaryChloride, .dietaryIron,
        .dietaryMagnesium, .dietaryPhosphorus, .dietaryPotassium, .dietarySodium, .dietaryZinc, .dietaryChromium,
        .dietaryCopper, .dietaryIodine, .dietaryManganese, .dietaryMolybdenum, .dietarySelenium,
        .forcedExpiratoryVolume1, .uvExposure, .runningSpeed, .walkingStepLength, .runningStrideLength,
        .runningVerticalOscillation, .insulinDelivery, .cyclingPower, .walkingAsymmetryPercentage,
        .walkingHeartRateAverage, .basalBodyTemperature, .pushCount, .heartRateRecoveryOneMinute,
        .forcedVitalCapacity, .peakExpiratoryFlowRate, .inhalerUsage, .numberOfTimesFallen,
        .atrialFibrillationBurden, .runningGroundContactTime, .cyclingSpeed, .cyclingCadence,
        .walkingDoubleSupportPercentage, .appleWalkingSteadiness, .electrodermalActivity, .peripheralPerfusionIndex,
        .appleSleepingWristTemperature, .timeInDaylight, .sixMinuteWalkTestDistance, .underwaterDepth,
        .waterTemperature, .bloodAlcoholContent, .environmentalAudioExposure, .headphoneAudioExposure,
        .distanceRowing, .nikeFuel, .numberOfAlcoholicBeverages, .stairAscentSpeed, .stairDescentSpeed,
        .cyclingFunctionalThresholdPower, .physicalEffort, .distancePaddleSports, .distanceSkatingSports,
        .distanceCrossCountrySkiing, .appleSleepingBreathingDisturbances, .rowingSpeed, .environmentalSoundReduction,
        .crossCountrySkiingSpeed, .estimatedWorkoutEffortScore, .paddleSportsSpeed, .workoutEffortScore,
    ]
}

extension HKCategoryTypeIdentifier: @retroactive CaseIterable {
    public static let allCases: [HKCategoryTypeIdentifier] = [
        .sleepAnalysis, .mindfulSession, .menstrualFlow, .sexualActivity, .cervicalMucusQuality,
        .ovulationTestResult, .irregularHeartRhythmEvent, .lowHeartRateEvent, .highHeartRateEvent, .appleStandHour,
        .persistentIntermenstrualBleeding, .prolongedMenstrualPeriods, .irregularMenstrualCycles,
        .infrequentMenstrualCycles, .intermenstrualBleeding, .contraceptive, .pregnancyTestResult,
        .progesteroneTestResult, .headache, .handwashingEvent, .lowCardioFitnessEvent, .chestTightnessOrPain,
        .dizziness, .fainting, .rapidPoundingOrFlutteringHeartbeat, .shortnessOfBreath, .skippedHeartbeat,
        .toothbrushingEvent, .pregnancy, .lactation, .environmentalAudioExposureEvent, .headphoneAudioExposureEvent,
        .appetiteChanges, .abdominalCramps, .fatigue, .moodChanges, .sleepChanges, .appleWalkingSteadinessEvent,
        .acne, .bladderIncontinence, .bloating, .breastPain, .chills, .constipation, .coughing, .drySkin, .fever,
        .generalizedBodyAche, .hairLoss, .heartburn, .hotFlashes, .lossOfSmell, .lossOfTaste, .lowerBackPain,
        .memoryLapse, .nausea, .nightSweats, .pelvicPain, .runnyNose, .sinusCongestion, .soreThroat, .vaginalDryness,
        .vomiting, .wheezing, .diarrhea, .sleepApneaEvent, .bleedingDuringPregnancy, .bleedingAfterPregnancy,
        .audioExposureEvent,
    ]
}

extension HKCorrelationTypeIdentifier: @retroactive CaseIterable {
    public static let allCases: [HKCorrelationTypeIdentifier] = [
        .bloodPressure, .food,
    ]
}

extension HKQuantityTypeIdentifier: @retroactive Codable {}

extension HKQuantityTypeIdentifier: @retroactive CustomStringConvertible {
    public var description: String {
        rawValue.replacingOccurrences(of: "HKQuantityTypeIdentifier", with: "")
    }
}

extension HKCategoryTypeIdentifier: @retroactive CustomStringConvertible {
    public var description: String { String(rawValue.dropFirst("HKCategoryTypeIdentifier".count)) }
}

extension HKCorrelationTypeIdentifier: @retroactive CustomStringConvertible {
    public var description: String { rawValue }

    var sampleTypes: [HKSampleType] {
        switch self {
        case .bloodPressure: [HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)]
        default: []
        }
    }
}

enum ReadableTypes {
    static func quantityTypes() -> [HKQuantityType] {
        HKQuantityTypeIdentifier.allCases.compactMap { HKObjectType.quantityType(forIdentifier: $0) }
    }

    static func categoryTypes() -> [HKCategoryType] {
        HKCategoryTypeIdentifier.allCases.compactMap(HKObjectType.categoryType(forIdentifier:))
    }

    static func toShare() -> Set<HKSampleType> {
        [
            HKObjectType.workoutType(), HKSeriesType.workoutRoute(), HKQuantityType(.heartRate),
            HKQuantityType.quantityType(forIdentifier: .activeEnergyBurned)!,
            HKSampleType.quantityType(forIdentifier: .distanceWalkingRunning)!,
            HKWorkoutType.workoutType(), .workoutType(), HKCategoryType(.sleepAnalysis),
            HKCategoryType.categoryType(forIdentifier: .mindfulSession)!,
        ]
    }

    static func toRead() -> Set<HKObjectType> {
        var types: Set<HKObjectType> = [
            .workoutType(), .activitySummaryType(), .electrocardiogramType(), .audiogramSampleType(),
            .visionPrescriptionType(), .stateOfMindType(), .userAnnotatedMedicationType(),
            .quantityType(forIdentifier: .stepCount)!,
            HKObjectType.characteristicType(forIdentifier: .dateOfBirth)!,
            HKObjectType.characteristicType(forIdentifier: HKCharacteristicTypeIdentifier.biologicalSex)!,
            HKCharacteristicType(.bloodType), HKCharacteristicType(.wheelchairUse),
            HKCharacteristicType(.fitzpatrickSkinType), HKCharacteristicType(.activityMoveMode),
            HKSeriesType.workoutRoute(), HKSeriesType.heartbeat(),
            HKObjectType.seriesType(forIdentifier: HKWorkoutRouteTypeIdentifier)!,
            HKSeriesType.seriesType(forIdentifier: HKDataTypeIdentifierHeartbeatSeries)!,
            HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9),
            HKObjectType.documentType(forIdentifier: .CDA)!,
            HKObjectType.clinicalType(forIdentifier: .allergyRecord)!, HKClinicalType(.labResultRecord),
        ]
        types.formUnion(quantityTypes())
        types = types.union(categoryTypes())
        return types
    }

    /// How apps find a type by the string that a server sent.
    static func sampleType(named identifier: String) -> HKSampleType? {
        if let type = HKQuantityType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier)) {
            return type
        }
        if let type = HKObjectType.categoryType(forIdentifier: HKCategoryTypeIdentifier(rawValue: identifier)) {
            return type
        }
        if let type = HKObjectType.correlationType(forIdentifier: .init(rawValue: identifier)) { return type }
        switch identifier {
        case HKObjectType.workoutType().identifier: return HKObjectType.workoutType()
        case HKWorkoutRouteTypeIdentifier: return HKSeriesType.workoutRoute()
        case "HKDataTypeIdentifierElectrocardiogram": return HKObjectType.electrocardiogramType()
        default: return nil
        }
    }

    static func kind(of type: HKObjectType) -> String {
        switch type {
        case is HKQuantityType: "quantity"
        case is HKCategoryType: "category"
        case is HKCorrelationType: "correlation"
        case is HKCharacteristicType: "characteristic"
        case is HKWorkoutType: "workout"
        case is HKSeriesType: "series"
        case is HKElectrocardiogramType: "ecg"
        case is HKClinicalType: "clinical"
        case is HKActivitySummaryType, is HKAudiogramSampleType, is HKPrescriptionType, is HKStateOfMindType: "other"
        case is HKScoredAssessmentType, is HKUserAnnotatedMedicationType, is HKDocumentType: "other"
        default: "unknown"
        }
    }
}

extension HKQuantityType {
    var statisticsOptions: HKStatisticsOptions {
        switch aggregationStyle {
        case .cumulative:
            return [.cumulativeSum, .mostRecent]
        case .discreteArithmetic, .discreteTemporallyWeighted, .discreteEquivalentContinuousLevel:
            return [.discreteAverage, .discreteMin, .discreteMax, .mostRecent]
        @unknown default:
            return .mostRecent
        }
    }

    var isDiscrete: Bool { aggregationStyle == .discrete }
}
