import HealthKit

extension RawValues {
    /// Members of the structures whose raw value is a string.
    static let identifiers: [String: String] = all(
        of(
            [
                "allergyIntolerance": .allergyIntolerance, "condition": .condition, "coverage": .coverage,
                "diagnosticReport": .diagnosticReport, "documentReference": .documentReference,
                "immunization": .immunization, "medicationDispense": .medicationDispense,
                "medicationOrder": .medicationOrder, "medicationRequest": .medicationRequest,
                "medicationStatement": .medicationStatement, "observation": .observation, "procedure": .procedure,
            ] as [String: HKFHIRResourceType]),
        of(
            [
                "dstu2": .dstu2, "r4": .r4, "unknown": .unknown,
            ] as [String: HKFHIRRelease]),
        of(
            [
                "covid19": .covid19, "immunization": .immunization, "laboratory": .laboratory, "recovery": .recovery,
            ] as [String: HKVerifiableClinicalRecordCredentialType]),
        of(
            [
                "smartHealthCard": .smartHealthCard, "euDigitalCOVIDCertificate": .euDigitalCOVIDCertificate,
            ] as [String: HKVerifiableClinicalRecordSourceType]),
        of(
            [
                "medication": .medication
            ] as [String: HKHealthConceptDomain]),
        of(
            [
                "capsule": .capsule, "cream": .cream, "device": .device, "drops": .drops, "foam": .foam, "gel": .gel,
                "inhaler": .inhaler, "injection": .injection, "liquid": .liquid, "lotion": .lotion,
                "ointment": .ointment, "patch": .patch, "powder": .powder, "spray": .spray, "suppository": .suppository,
                "tablet": .tablet, "topical": .topical, "unknown": .unknown,
            ] as [String: HKMedicationGeneralForm]),
        of(
            [
                "bleedingAfterPregnancy": .bleedingAfterPregnancy, "bleedingDuringPregnancy": .bleedingDuringPregnancy,
                "cervicalMucusQuality": .cervicalMucusQuality, "contraceptive": .contraceptive,
                "infrequentMenstrualCycles": .infrequentMenstrualCycles,
                "intermenstrualBleeding": .intermenstrualBleeding,
                "irregularMenstrualCycles": .irregularMenstrualCycles,
                "lactation": .lactation, "menstrualFlow": .menstrualFlow, "ovulationTestResult": .ovulationTestResult,
                "persistentIntermenstrualBleeding": .persistentIntermenstrualBleeding, "pregnancy": .pregnancy,
                "pregnancyTestResult": .pregnancyTestResult, "progesteroneTestResult": .progesteroneTestResult,
                "prolongedMenstrualPeriods": .prolongedMenstrualPeriods, "sexualActivity": .sexualActivity,
                "abdominalCramps": .abdominalCramps, "acne": .acne, "appetiteChanges": .appetiteChanges,
                "bladderIncontinence": .bladderIncontinence, "bloating": .bloating, "breastPain": .breastPain,
                "chestTightnessOrPain": .chestTightnessOrPain, "chills": .chills, "constipation": .constipation,
                "coughing": .coughing, "diarrhea": .diarrhea, "dizziness": .dizziness, "drySkin": .drySkin,
                "fainting": .fainting, "fatigue": .fatigue, "fever": .fever,
                "generalizedBodyAche": .generalizedBodyAche,
                "hairLoss": .hairLoss, "headache": .headache, "heartburn": .heartburn, "hotFlashes": .hotFlashes,
                "lossOfSmell": .lossOfSmell, "lossOfTaste": .lossOfTaste, "lowerBackPain": .lowerBackPain,
                "memoryLapse": .memoryLapse, "moodChanges": .moodChanges, "nausea": .nausea,
                "nightSweats": .nightSweats,
                "pelvicPain": .pelvicPain, "rapidPoundingOrFlutteringHeartbeat": .rapidPoundingOrFlutteringHeartbeat,
                "runnyNose": .runnyNose, "shortnessOfBreath": .shortnessOfBreath, "sinusCongestion": .sinusCongestion,
                "skippedHeartbeat": .skippedHeartbeat, "sleepChanges": .sleepChanges, "soreThroat": .soreThroat,
                "vaginalDryness": .vaginalDryness, "vomiting": .vomiting, "wheezing": .wheezing,
                "appleStandHour": .appleStandHour, "audioExposureEvent": .audioExposureEvent,
                "environmentalAudioExposureEvent": .environmentalAudioExposureEvent,
                "headphoneAudioExposureEvent": .headphoneAudioExposureEvent, "highHeartRateEvent": .highHeartRateEvent,
                "hypertensionEvent": .hypertensionEvent, "irregularHeartRhythmEvent": .irregularHeartRhythmEvent,
                "lowCardioFitnessEvent": .lowCardioFitnessEvent, "lowHeartRateEvent": .lowHeartRateEvent,
                "mindfulSession": .mindfulSession, "appleWalkingSteadinessEvent": .appleWalkingSteadinessEvent,
                "handwashingEvent": .handwashingEvent, "toothbrushingEvent": .toothbrushingEvent,
                "sleepApneaEvent": .sleepApneaEvent, "sleepAnalysis": .sleepAnalysis,
            ] as [String: HKCategoryTypeIdentifier]),
        of(
            [
                "activityMoveMode": .activityMoveMode, "biologicalSex": .biologicalSex, "bloodType": .bloodType,
                "dateOfBirth": .dateOfBirth, "fitzpatrickSkinType": .fitzpatrickSkinType,
                "wheelchairUse": .wheelchairUse,
            ] as [String: HKCharacteristicTypeIdentifier]),
        of(
            [
                "allergyRecord": .allergyRecord, "clinicalNoteRecord": .clinicalNoteRecord,
                "conditionRecord": .conditionRecord, "coverageRecord": .coverageRecord,
                "immunizationRecord": .immunizationRecord, "labResultRecord": .labResultRecord,
                "medicationRecord": .medicationRecord, "procedureRecord": .procedureRecord,
                "vitalSignRecord": .vitalSignRecord,
            ] as [String: HKClinicalTypeIdentifier]),
        of(
            [
                "bloodPressure": .bloodPressure, "food": .food,
            ] as [String: HKCorrelationTypeIdentifier]),
        of(
            [
                "CDA": .CDA
            ] as [String: HKDocumentTypeIdentifier]),
        of(
            [
                "appleSleepingWristTemperature": .appleSleepingWristTemperature,
                "bodyFatPercentage": .bodyFatPercentage,
                "bodyMass": .bodyMass, "bodyMassIndex": .bodyMassIndex, "electrodermalActivity": .electrodermalActivity,
                "height": .height, "leanBodyMass": .leanBodyMass, "waistCircumference": .waistCircumference,
                "atrialFibrillationBurden": .atrialFibrillationBurden, "heartRate": .heartRate,
                "heartRateRecoveryOneMinute": .heartRateRecoveryOneMinute,
                "heartRateVariabilityRMSSD": .heartRateVariabilityRMSSD,
                "heartRateVariabilitySDNN": .heartRateVariabilitySDNN,
                "peripheralPerfusionIndex": .peripheralPerfusionIndex, "restingHeartRate": .restingHeartRate,
                "vo2Max": .vo2Max, "walkingHeartRateAverage": .walkingHeartRateAverage, "bloodGlucose": .bloodGlucose,
                "bodyTemperature": .bodyTemperature,
                "appleSleepingBreathingDisturbances": .appleSleepingBreathingDisturbances,
                "forcedExpiratoryVolume1": .forcedExpiratoryVolume1, "forcedVitalCapacity": .forcedVitalCapacity,
                "inhalerUsage": .inhalerUsage, "oxygenSaturation": .oxygenSaturation,
                "peakExpiratoryFlowRate": .peakExpiratoryFlowRate, "respiratoryRate": .respiratoryRate,
                "basalBodyTemperature": .basalBodyTemperature, "activeEnergyBurned": .activeEnergyBurned,
                "appleExerciseTime": .appleExerciseTime, "appleMoveTime": .appleMoveTime,
                "appleStandTime": .appleStandTime, "basalEnergyBurned": .basalEnergyBurned,
                "crossCountrySkiingSpeed": .crossCountrySkiingSpeed, "cyclingCadence": .cyclingCadence,
                "cyclingFunctionalThresholdPower": .cyclingFunctionalThresholdPower, "cyclingPower": .cyclingPower,
                "cyclingSpeed": .cyclingSpeed, "distanceCrossCountrySkiing": .distanceCrossCountrySkiing,
                "distanceCycling": .distanceCycling, "distanceDownhillSnowSports": .distanceDownhillSnowSports,
                "distancePaddleSports": .distancePaddleSports, "distanceRowing": .distanceRowing,
                "distanceSkatingSports": .distanceSkatingSports, "distanceSwimming": .distanceSwimming,
                "distanceWalkingRunning": .distanceWalkingRunning, "distanceWheelchair": .distanceWheelchair,
                "estimatedWorkoutEffortScore": .estimatedWorkoutEffortScore, "flightsClimbed": .flightsClimbed,
                "nikeFuel": .nikeFuel, "paddleSportsSpeed": .paddleSportsSpeed, "physicalEffort": .physicalEffort,
                "pushCount": .pushCount, "rowingSpeed": .rowingSpeed, "runningPower": .runningPower,
                "runningSpeed": .runningSpeed, "stepCount": .stepCount, "swimmingStrokeCount": .swimmingStrokeCount,
                "underwaterDepth": .underwaterDepth, "workoutEffortScore": .workoutEffortScore,
                "appleWalkingSteadiness": .appleWalkingSteadiness,
                "runningGroundContactTime": .runningGroundContactTime,
                "runningStrideLength": .runningStrideLength, "runningVerticalOscillation": .runningVerticalOscillation,
                "sixMinuteWalkTestDistance": .sixMinuteWalkTestDistance, "stairAscentSpeed": .stairAscentSpeed,
                "stairDescentSpeed": .stairDescentSpeed, "walkingAsymmetryPercentage": .walkingAsymmetryPercentage,
                "walkingDoubleSupportPercentage": .walkingDoubleSupportPercentage, "walkingSpeed": .walkingSpeed,
                "walkingStepLength": .walkingStepLength, "dietaryBiotin": .dietaryBiotin,
                "dietaryCaffeine": .dietaryCaffeine, "dietaryCalcium": .dietaryCalcium,
                "dietaryCarbohydrates": .dietaryCarbohydrates, "dietaryChloride": .dietaryChloride,
                "dietaryCholesterol": .dietaryCholesterol, "dietaryChromium": .dietaryChromium,
                "dietaryCopper": .dietaryCopper, "dietaryEnergyConsumed": .dietaryEnergyConsumed,
                "dietaryFatMonounsaturated": .dietaryFatMonounsaturated,
                "dietaryFatPolyunsaturated": .dietaryFatPolyunsaturated, "dietaryFatSaturated": .dietaryFatSaturated,
                "dietaryFatTotal": .dietaryFatTotal, "dietaryFiber": .dietaryFiber, "dietaryFolate": .dietaryFolate,
                "dietaryIodine": .dietaryIodine, "dietaryIron": .dietaryIron, "dietaryMagnesium": .dietaryMagnesium,
                "dietaryManganese": .dietaryManganese, "dietaryMolybdenum": .dietaryMolybdenum,
                "dietaryNiacin": .dietaryNiacin, "dietaryPantothenicAcid": .dietaryPantothenicAcid,
                "dietaryPhosphorus": .dietaryPhosphorus, "dietaryPotassium": .dietaryPotassium,
                "dietaryProtein": .dietaryProtein, "dietaryRiboflavin": .dietaryRiboflavin,
                "dietarySelenium": .dietarySelenium, "dietarySodium": .dietarySodium, "dietarySugar": .dietarySugar,
                "dietaryThiamin": .dietaryThiamin, "dietaryVitaminA": .dietaryVitaminA,
                "dietaryVitaminB12": .dietaryVitaminB12, "dietaryVitaminB6": .dietaryVitaminB6,
                "dietaryVitaminC": .dietaryVitaminC, "dietaryVitaminD": .dietaryVitaminD,
                "dietaryVitaminE": .dietaryVitaminE, "dietaryVitaminK": .dietaryVitaminK, "dietaryWater": .dietaryWater,
                "dietaryZinc": .dietaryZinc, "environmentalAudioExposure": .environmentalAudioExposure,
                "environmentalSoundReduction": .environmentalSoundReduction,
                "headphoneAudioExposure": .headphoneAudioExposure, "bloodAlcoholContent": .bloodAlcoholContent,
                "bloodPressureDiastolic": .bloodPressureDiastolic, "bloodPressureSystolic": .bloodPressureSystolic,
                "insulinDelivery": .insulinDelivery, "numberOfAlcoholicBeverages": .numberOfAlcoholicBeverages,
                "numberOfTimesFallen": .numberOfTimesFallen, "timeInDaylight": .timeInDaylight,
                "uvExposure": .uvExposure, "waterTemperature": .waterTemperature,
            ] as [String: HKQuantityTypeIdentifier]),
        of(
            [
                "GAD7": .GAD7, "PHQ9": .PHQ9,
            ] as [String: HKScoredAssessmentTypeIdentifier])
    )
}
