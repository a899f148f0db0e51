/// The identifier of a characteristic: a fact about the user that does not change with time, such as the blood type.
public struct HKCharacteristicTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string used in exports and archives.
    public let rawValue: String

    /// Creates an identifier from any string. ``HKObjectType/characteristicType(forIdentifier:)`` returns nil if there
    /// is no such type.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Value: `HKActivityMoveMode`. iOS 14.0, watchOS 7.0.
    public static let activityMoveMode = Self(rawValue: "HKCharacteristicTypeIdentifierActivityMoveMode")

    /// Value: `HKBiologicalSex`. iOS 8.0, watchOS 2.0.
    public static let biologicalSex = Self(rawValue: "HKCharacteristicTypeIdentifierBiologicalSex")

    /// Value: `HKBloodType`. iOS 8.0, watchOS 2.0.
    public static let bloodType = Self(rawValue: "HKCharacteristicTypeIdentifierBloodType")

    /// Value: `DateComponents`. iOS 8.0, watchOS 2.0.
    public static let dateOfBirth = Self(rawValue: "HKCharacteristicTypeIdentifierDateOfBirth")

    /// Value: `HKFitzpatrickSkinType`. iOS 9.0, watchOS 2.0.
    public static let fitzpatrickSkinType = Self(rawValue: "HKCharacteristicTypeIdentifierFitzpatrickSkinType")

    /// Value: `HKWheelchairUse`. iOS 10.0, watchOS 3.0.
    public static let wheelchairUse = Self(rawValue: "HKCharacteristicTypeIdentifierWheelchairUse")
}

/// The identifier of a type of clinical record. Apps can read them, but not write them.
public struct HKClinicalTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string used in stores, exports and archives.
    public let rawValue: String

    /// Creates an identifier from any string. ``HKObjectType/clinicalType(forIdentifier:)`` returns nil if there is no
    /// such type.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// iOS 12.0.
    public static let allergyRecord = Self(rawValue: "HKClinicalTypeIdentifierAllergyRecord")

    /// iOS 16.4.
    public static let clinicalNoteRecord = Self(rawValue: "HKClinicalTypeIdentifierClinicalNoteRecord")

    /// iOS 12.0.
    public static let conditionRecord = Self(rawValue: "HKClinicalTypeIdentifierConditionRecord")

    /// iOS 14.0.
    public static let coverageRecord = Self(rawValue: "HKClinicalTypeIdentifierCoverageRecord")

    /// iOS 12.0.
    public static let immunizationRecord = Self(rawValue: "HKClinicalTypeIdentifierImmunizationRecord")

    /// iOS 12.0.
    public static let labResultRecord = Self(rawValue: "HKClinicalTypeIdentifierLabResultRecord")

    /// iOS 12.0.
    public static let medicationRecord = Self(rawValue: "HKClinicalTypeIdentifierMedicationRecord")

    /// iOS 12.0.
    public static let procedureRecord = Self(rawValue: "HKClinicalTypeIdentifierProcedureRecord")

    /// iOS 12.0.
    public static let vitalSignRecord = Self(rawValue: "HKClinicalTypeIdentifierVitalSignRecord")
}

/// The identifier of a correlation type: samples that belong together.
public struct HKCorrelationTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string used in stores, exports and archives.
    public let rawValue: String

    /// Creates an identifier from any string. ``HKObjectType/correlationType(forIdentifier:)`` returns nil if there is
    /// no such type.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Contains bloodPressureSystolic + bloodPressureDiastolic. iOS 8.0, watchOS 2.0.
    public static let bloodPressure = Self(rawValue: "HKCorrelationTypeIdentifierBloodPressure")

    /// Contains dietary* samples. iOS 8.0, watchOS 2.0.
    public static let food = Self(rawValue: "HKCorrelationTypeIdentifierFood")
}

/// The identifier of a document type.
public struct HKDocumentTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string used in stores and archives.
    public let rawValue: String

    /// Creates an identifier from any string. ``HKObjectType/documentType(forIdentifier:)`` returns nil if there is no
    /// such type.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Clinical Document Architecture. iOS 10.0, watchOS 3.0.
    public static let CDA = Self(rawValue: "HKDocumentTypeIdentifierCDA")
}

/// The identifier of a questionnaire whose answers add up to a score.
public struct HKScoredAssessmentTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string used in stores and archives.
    public let rawValue: String

    /// Creates an identifier from any string. ``HKObjectType/scoredAssessmentType(forIdentifier:)`` returns nil if
    /// there is no such type.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Generalised anxiety, 7 questions. iOS 18.0, watchOS 11.0.
    public static let GAD7 = Self(rawValue: "HKScoredAssessmentTypeIdentifierGAD7")

    /// Patient health (depression), 9 questions. iOS 18.0, watchOS 11.0.
    public static let PHQ9 = Self(rawValue: "HKScoredAssessmentTypeIdentifierPHQ9")
}
