// App code: words for the values of characteristics and categories, as wrapper libraries add them.

import HealthKit

extension HKBiologicalSex: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSet: "na"
        case .female: "Female"
        case .male: "Male"
        case .other: "Other"
        @unknown default: "unknown"
        }
    }
}

extension HKBloodType: @retroactive CustomStringConvertible, @retroactive Codable {
    public var description: String {
        switch self {
        case .notSet: return "na"
        case .aPositive: return "A+"
        case .aNegative: return "A-"
        case .bPositive: return "B+"
        case .bNegative: return "B-"
        case .abPositive: return "AB+"
        case .abNegative: return "AB-"
        case .oPositive: return "O+"
        case .oNegative: return "O-"
        @unknown default: fatalError()
        }
    }
}

extension HKFitzpatrickSkinType: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSet: "na"
        case .I: "I"
        case .II: "II"
        case .III: "III"
        case .IV: "IV"
        case .V: "V"
        case .VI: "VI"
        @unknown default: "unknown"
        }
    }
}

extension HKWheelchairUse {
    var isUser: Bool? {
        switch self {
        case .notSet: nil
        case .no: false
        case .yes: true
        @unknown default: nil
        }
    }
}

extension HKActivityMoveMode: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .activeEnergy: "Active energy"
        case .appleMoveTime: "Move time"
        @unknown default: "unknown"
        }
    }
}

struct Wearer {
    var sex = HKBiologicalSexObject()
    var name: String { sex.biologicalSex.description }

    static func words(
        sex: HKBiologicalSexObject?, blood: HKBloodTypeObject?, skin: HKFitzpatrickSkinTypeObject?,
        chair: HKWheelchairUseObject?, mode: HKActivityMoveModeObject?
    ) -> [String] {
        [
            sex?.biologicalSex.description, blood?.bloodType.description, skin?.skinType.description,
            chair.map { "\($0.wheelchairUse == .yes)" }, mode?.activityMoveMode.description,
        ].compactMap { $0 }
    }
}

// MARK: Categories

extension HKCategoryValueSleepAnalysis: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .inBed: "In bed"
        case .asleepUnspecified: "Asleep"
        case .awake: "Awake"
        case .asleepCore: "Core"
        case .asleepDeep: "Deep"
        case .asleepREM: "REM"
        @unknown default: "unknown"
        }
    }

    static func isAsleep(_ sample: HKCategorySample) -> Bool {
        HKCategoryValueSleepAnalysis(rawValue: sample.value).map { allAsleepValues.contains($0) } ?? false
    }
}

extension HKCategoryValue: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .notApplicable: "na"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValueSeverity: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .unspecified: "unspecified"
        case .notPresent: "not present"
        case .mild: "mild"
        case .moderate: "moderate"
        case .severe: "severe"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValueMenstrualFlow: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .unspecified: "unspecified"
        case .light: "light"
        case .medium: "medium"
        case .heavy: "heavy"
        case .none: "none"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValueVaginalBleeding {
    var isBleeding: Bool { self != .none && self != .unspecified }
    static let bleeding: [Self] = [.light, .medium, .heavy]
}

extension HKCategoryValueContraceptive: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .unspecified: "unspecified"
        case .implant: "implant"
        case .injection: "injection"
        case .intrauterineDevice: "intrauterine device"
        case .intravaginalRing: "intravaginal ring"
        case .oral: "oral"
        case .patch: "patch"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValueCervicalMucusQuality: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .dry: "dry"
        case .sticky: "sticky"
        case .creamy: "creamy"
        case .watery: "watery"
        case .eggWhite: "egg white"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValueOvulationTestResult: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .negative: "negative"
        case .luteinizingHormoneSurge: "luteinizing hormone surge"
        case .indeterminate: "indeterminate"
        case .estrogenSurge: "estrogen surge"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValuePregnancyTestResult: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .negative: "negative"
        case .positive: "positive"
        case .indeterminate: "indeterminate"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValueProgesteroneTestResult: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .negative: "negative"
        case .positive: "positive"
        case .indeterminate: "indeterminate"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValueAppetiteChanges: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .unspecified: "unspecified"
        case .noChange: "no change"
        case .decreased: "decreased"
        case .increased: "increased"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValuePresence: @retroactive CustomStringConvertible {
    public var description: String { self == .present ? "present" : "not present" }
    static let absent: Self = .notPresent
}

extension HKCategoryValueAppleStandHour: @retroactive CustomStringConvertible {
    public var description: String { self == .stood ? "stood" : "idle" }
    static let sitting: Self = .idle
}

extension HKCategoryValueAppleWalkingSteadinessEvent: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .initialLow: "initial low"
        case .initialVeryLow: "initial very low"
        case .repeatLow: "repeat low"
        case .repeatVeryLow: "repeat very low"
        @unknown default: "unknown"
        }
    }
}

extension HKCategoryValueLowCardioFitnessEvent: @retroactive CustomStringConvertible {
    public var description: String { self == .lowFitness ? "low fitness" : "unknown" }
}

extension HKCategoryValueEnvironmentalAudioExposureEvent: @retroactive CustomStringConvertible {
    public var description: String { self == .momentaryLimit ? "momentary limit" : "unknown" }
}

extension HKCategoryValueHeadphoneAudioExposureEvent: @retroactive CustomStringConvertible {
    public var description: String { self == .sevenDayLimit ? "seven day limit" : "unknown" }
}

extension HKCategoryValueAudioExposureEvent: @retroactive CustomStringConvertible {
    public var description: String { self == .loudEnvironment ? "loud" : "unknown" }
}

extension HKCategorySample {
    /// What a value means depends on the type.
    var words: String? {
        switch categoryType {
        case HKCategoryType(.sleepAnalysis):
            return HKCategoryValueSleepAnalysis(rawValue: value)?.description
        case HKCategoryType(.appleStandHour):
            return HKCategoryValueAppleStandHour(rawValue: value)?.description
        case HKObjectType.categoryType(forIdentifier: .headache), HKObjectType.categoryType(forIdentifier: .fatigue):
            return HKCategoryValueSeverity(rawValue: value)?.description
        case HKObjectType.categoryType(forIdentifier: .moodChanges):
            return HKCategoryValuePresence(rawValue: value)?.description
        default:
            return HKCategoryValue(rawValue: value)?.description
        }
    }
}

func walkingSteadiness(_ value: Int) -> String? {
    switch HKAppleWalkingSteadinessClassification(rawValue: value) {
    case .ok: "OK"
    case .low: "Low"
    case .veryLow: "Very low"
    case nil: nil
    @unknown default: "unknown"
    }
}
