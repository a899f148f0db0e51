import HealthKit

extension RawValues {
    /// Cases of all other enumerations.
    static let cases: [String: String] = all(
        of(
            [
                "activeEnergy": .activeEnergy, "appleMoveTime": .appleMoveTime,
            ] as [String: HKActivityMoveMode]),
        of(
            [
                "notSet": .notSet, "female": .female, "male": .male, "other": .other,
            ] as [String: HKBiologicalSex]),
        of(
            [
                "notSet": .notSet, "aPositive": .aPositive, "aNegative": .aNegative, "bPositive": .bPositive,
                "bNegative": .bNegative, "abPositive": .abPositive, "abNegative": .abNegative, "oPositive": .oPositive,
                "oNegative": .oNegative,
            ] as [String: HKBloodType]),
        of(
            [
                "notSet": .notSet, "I": .I, "II": .II, "III": .III, "IV": .IV, "V": .V, "VI": .VI,
            ] as [String: HKFitzpatrickSkinType]),
        of(
            [
                "notSet": .notSet, "no": .no, "yes": .yes,
            ] as [String: HKWheelchairUse]),
        of(
            [
                "unknownError": .unknownError, "errorHealthDataUnavailable": .errorHealthDataUnavailable,
                "errorHealthDataRestricted": .errorHealthDataRestricted, "errorInvalidArgument": .errorInvalidArgument,
                "errorAuthorizationDenied": .errorAuthorizationDenied,
                "errorAuthorizationNotDetermined": .errorAuthorizationNotDetermined,
                "errorDatabaseInaccessible": .errorDatabaseInaccessible, "errorUserCanceled": .errorUserCanceled,
                "errorAnotherWorkoutSessionStarted": .errorAnotherWorkoutSessionStarted,
                "errorUserExitedWorkoutSession": .errorUserExitedWorkoutSession,
                "errorRequiredAuthorizationDenied": .errorRequiredAuthorizationDenied, "errorNoData": .errorNoData,
                "errorWorkoutActivityNotAllowed": .errorWorkoutActivityNotAllowed,
                "errorDataSizeExceeded": .errorDataSizeExceeded,
                "errorBackgroundWorkoutSessionNotAllowed": .errorBackgroundWorkoutSessionNotAllowed,
                "errorNotPermissibleForGuestUserMode": .errorNotPermissibleForGuestUserMode, "noError": .noError,
            ] as [String: HKError.Code]),
        of(
            [
                "version1": .version1, "version2": .version2,
            ] as [String: HKAppleECGAlgorithmVersion]),
        of(
            [
                "preprandial": .preprandial, "postprandial": .postprandial,
            ] as [String: HKBloodGlucoseMealTime]),
        of(
            [
                "other": .other, "armpit": .armpit, "body": .body, "ear": .ear, "finger": .finger,
                "gastroIntestinal": .gastroIntestinal, "mouth": .mouth, "rectum": .rectum, "toe": .toe,
                "earDrum": .earDrum, "temporalArtery": .temporalArtery, "forehead": .forehead,
            ] as [String: HKBodyTemperatureSensorLocation]),
        of(
            [
                "maxExercise60Minute": .maxExercise60Minute, "maxExercise20Minute": .maxExercise20Minute,
                "rampTest": .rampTest, "predictionExercise": .predictionExercise,
            ] as [String: HKCyclingFunctionalThresholdPowerTestType]),
        of(
            [
                "unknown": .unknown, "left": .left, "right": .right, "central": .central,
            ] as [String: HKDevicePlacementSide]),
        of(
            [
                "notSet": .notSet, "sedentary": .sedentary, "active": .active,
            ] as [String: HKHeartRateMotionContext]),
        of(
            [
                "maxExercise": .maxExercise, "predictionSubMaxExercise": .predictionSubMaxExercise,
                "predictionNonExercise": .predictionNonExercise,
            ] as [String: HKHeartRateRecoveryTestType]),
        of(
            [
                "other": .other, "chest": .chest, "wrist": .wrist, "finger": .finger, "hand": .hand,
                "earLobe": .earLobe,
                "foot": .foot,
            ] as [String: HKHeartRateSensorLocation]),
        of(
            [
                "basal": .basal, "bolus": .bolus,
            ] as [String: HKInsulinDeliveryReason]),
        of(
            [
                "activityLookup": .activityLookup, "deviceSensed": .deviceSensed,
            ] as [String: HKPhysicalEffortEstimationType]),
        of(
            [
                "unknown": .unknown, "mixed": .mixed, "freestyle": .freestyle, "backstroke": .backstroke,
                "breaststroke": .breaststroke, "butterfly": .butterfly, "kickboard": .kickboard,
            ] as [String: HKSwimmingStrokeStyle]),
        of(
            [
                "notSet": .notSet, "stationary": .stationary, "active": .active,
            ] as [String: HKUserMotionContext]),
        of(
            [
                "maxExercise": .maxExercise, "predictionSubMaxExercise": .predictionSubMaxExercise,
                "predictionNonExercise": .predictionNonExercise, "predictionStepTest": .predictionStepTest,
            ] as [String: HKVO2MaxTestType]),
        of(
            [
                "freshWater": .freshWater, "saltWater": .saltWater,
            ] as [String: HKWaterSalinity]),
        of(
            [
                "none": .none, "clear": .clear, "fair": .fair, "partlyCloudy": .partlyCloudy,
                "mostlyCloudy": .mostlyCloudy, "cloudy": .cloudy, "foggy": .foggy, "haze": .haze, "windy": .windy,
                "blustery": .blustery, "smoky": .smoky, "dust": .dust, "snow": .snow, "hail": .hail, "sleet": .sleet,
                "freezingDrizzle": .freezingDrizzle, "freezingRain": .freezingRain,
                "mixedRainAndHail": .mixedRainAndHail, "mixedRainAndSnow": .mixedRainAndSnow,
                "mixedRainAndSleet": .mixedRainAndSleet, "mixedSnowAndSleet": .mixedSnowAndSleet, "drizzle": .drizzle,
                "scatteredShowers": .scatteredShowers, "showers": .showers, "thunderstorms": .thunderstorms,
                "tropicalStorm": .tropicalStorm, "hurricane": .hurricane, "tornado": .tornado,
            ] as [String: HKWeatherCondition]),
        of(
            [
                "none": .none, "pico": .pico, "nano": .nano, "micro": .micro, "milli": .milli, "centi": .centi,
                "deci": .deci, "deca": .deca, "hecto": .hecto, "kilo": .kilo, "mega": .mega, "giga": .giga,
                "tera": .tera, "femto": .femto,
            ] as [String: HKMetricPrefix]),
        of(
            [
                "cumulative": .cumulative, "discreteArithmetic": .discreteArithmetic,
                "discreteTemporallyWeighted": .discreteTemporallyWeighted,
                "discreteEquivalentContinuousLevel": .discreteEquivalentContinuousLevel, "discrete": .discrete,
            ] as [String: HKQuantityAggregationStyle]),
        of(
            [
                "default": .`default`, "mostRelevant": .mostRelevant,
            ] as [String: HKWorkoutEffortRelationshipQueryOptions]),
        of(
            [
                "notSet": .notSet, "sinusRhythm": .sinusRhythm, "atrialFibrillation": .atrialFibrillation,
                "inconclusiveLowHeartRate": .inconclusiveLowHeartRate,
                "inconclusiveHighHeartRate": .inconclusiveHighHeartRate,
                "inconclusivePoorReading": .inconclusivePoorReading, "inconclusiveOther": .inconclusiveOther,
                "unrecognized": .unrecognized,
            ] as [String: HKElectrocardiogram.Classification]),
        of(
            [
                "notSet": .notSet, "none": .none, "present": .present,
            ] as [String: HKElectrocardiogram.SymptomsStatus]),
        of(
            [
                "appleWatchSimilarToLeadI": .appleWatchSimilarToLeadI
            ] as [String: HKElectrocardiogram.Lead]),
        of(
            [
                "air": .air
            ] as [String: HKAudiogramConductionType]),
        of(
            [
                "left": .left, "right": .right,
            ] as [String: HKAudiogramSensitivityTestSide]),
        of(
            [
                "glasses": .glasses, "contacts": .contacts,
            ] as [String: HKVisionPrescriptionType]),
        of(
            [
                "left": .left, "right": .right,
            ] as [String: HKVisionEye]),
        of(
            [
                "none": .none, "up": .up, "down": .down, "in": .`in`, "out": .out,
            ] as [String: HKPrismBase]),
        of(
            [
                "notInteracted": .notInteracted, "notificationNotSent": .notificationNotSent, "snoozed": .snoozed,
                "taken": .taken, "skipped": .skipped, "notLogged": .notLogged,
            ] as [String: HKMedicationDoseEvent.LogStatus]),
        of(
            [
                "asNeeded": .asNeeded, "schedule": .schedule,
            ] as [String: HKMedicationDoseEvent.ScheduleType]),
        of(
            [
                "notAtAll": .notAtAll, "severalDays": .severalDays, "moreThanHalfTheDays": .moreThanHalfTheDays,
                "nearlyEveryDay": .nearlyEveryDay,
            ] as [String: HKGAD7Assessment.Answer]),
        of(
            [
                "noneToMinimal": .noneToMinimal, "mild": .mild, "moderate": .moderate, "severe": .severe,
            ] as [String: HKGAD7Assessment.Risk]),
        of(
            [
                "notAtAll": .notAtAll, "severalDays": .severalDays, "moreThanHalfTheDays": .moreThanHalfTheDays,
                "nearlyEveryDay": .nearlyEveryDay, "preferNotToAnswer": .preferNotToAnswer,
            ] as [String: HKPHQ9Assessment.Answer]),
        of(
            [
                "noneToMinimal": .noneToMinimal, "mild": .mild, "moderate": .moderate,
                "moderatelySevere": .moderatelySevere, "severe": .severe,
            ] as [String: HKPHQ9Assessment.Risk]),
        of(
            [
                "notElevated": .notElevated, "elevated": .elevated,
            ] as [String: HKAppleSleepingBreathingDisturbancesClassification]),
        of(
            [
                "ok": .ok, "low": .low, "veryLow": .veryLow,
            ] as [String: HKAppleWalkingSteadinessClassification]),
        of(
            [
                "unknown": .unknown, "shouldRequest": .shouldRequest, "unnecessary": .unnecessary,
            ] as [String: HKAuthorizationRequestStatus]),
        of(
            [
                "notDetermined": .notDetermined, "sharingDenied": .sharingDenied,
                "sharingAuthorized": .sharingAuthorized,
            ] as [String: HKAuthorizationStatus]),
        of(
            [
                "immediate": .immediate, "hourly": .hourly, "daily": .daily, "weekly": .weekly,
            ] as [String: HKUpdateFrequency]),
        of(
            [
                "americanFootball": .americanFootball, "archery": .archery, "australianFootball": .australianFootball,
                "badminton": .badminton, "baseball": .baseball, "basketball": .basketball, "bowling": .bowling,
                "boxing": .boxing, "climbing": .climbing, "cricket": .cricket, "crossTraining": .crossTraining,
                "curling": .curling, "cycling": .cycling, "dance": .dance,
                "danceInspiredTraining": .danceInspiredTraining, "elliptical": .elliptical,
                "equestrianSports": .equestrianSports, "fencing": .fencing, "fishing": .fishing,
                "functionalStrengthTraining": .functionalStrengthTraining, "golf": .golf, "gymnastics": .gymnastics,
                "handball": .handball, "hiking": .hiking, "hockey": .hockey, "hunting": .hunting, "lacrosse": .lacrosse,
                "martialArts": .martialArts, "mindAndBody": .mindAndBody,
                "mixedMetabolicCardioTraining": .mixedMetabolicCardioTraining, "paddleSports": .paddleSports,
                "play": .play, "preparationAndRecovery": .preparationAndRecovery, "racquetball": .racquetball,
                "rowing": .rowing, "rugby": .rugby, "running": .running, "sailing": .sailing,
                "skatingSports": .skatingSports, "snowSports": .snowSports, "soccer": .soccer, "softball": .softball,
                "squash": .squash, "stairClimbing": .stairClimbing, "surfingSports": .surfingSports,
                "swimming": .swimming, "tableTennis": .tableTennis, "tennis": .tennis, "trackAndField": .trackAndField,
                "traditionalStrengthTraining": .traditionalStrengthTraining, "volleyball": .volleyball,
                "walking": .walking, "waterFitness": .waterFitness, "waterPolo": .waterPolo,
                "waterSports": .waterSports,
                "wrestling": .wrestling, "yoga": .yoga, "barre": .barre, "coreTraining": .coreTraining,
                "crossCountrySkiing": .crossCountrySkiing, "downhillSkiing": .downhillSkiing,
                "flexibility": .flexibility, "highIntensityIntervalTraining": .highIntensityIntervalTraining,
                "jumpRope": .jumpRope, "kickboxing": .kickboxing, "pilates": .pilates, "snowboarding": .snowboarding,
                "stairs": .stairs, "stepTraining": .stepTraining, "wheelchairWalkPace": .wheelchairWalkPace,
                "wheelchairRunPace": .wheelchairRunPace, "taiChi": .taiChi, "mixedCardio": .mixedCardio,
                "handCycling": .handCycling, "discSports": .discSports, "fitnessGaming": .fitnessGaming,
                "cardioDance": .cardioDance, "socialDance": .socialDance, "pickleball": .pickleball,
                "cooldown": .cooldown, "swimBikeRun": .swimBikeRun, "transition": .transition,
                "underwaterDiving": .underwaterDiving, "other": .other,
            ] as [String: HKWorkoutActivityType]),
        of(
            [
                "pause": .pause, "resume": .resume, "lap": .lap, "marker": .marker, "motionPaused": .motionPaused,
                "motionResumed": .motionResumed, "segment": .segment, "pauseOrResumeRequest": .pauseOrResumeRequest,
            ] as [String: HKWorkoutEventType]),
        of(
            [
                "unknown": .unknown, "indoor": .indoor, "outdoor": .outdoor,
            ] as [String: HKWorkoutSessionLocationType]),
        of(
            [
                "notStarted": .notStarted, "running": .running, "ended": .ended, "paused": .paused,
                "prepared": .prepared, "stopped": .stopped,
            ] as [String: HKWorkoutSessionState]),
        of(
            [
                "primary": .primary, "mirrored": .mirrored,
            ] as [String: HKWorkoutSessionType]),
        of(
            [
                "unknown": .unknown, "pool": .pool, "openWater": .openWater,
            ] as [String: HKWorkoutSwimmingLocationType])
    )
}
