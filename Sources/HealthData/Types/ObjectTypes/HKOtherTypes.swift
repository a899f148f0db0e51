/// The type of `HKActivitySummary`: the rings of one day. Read-only for apps, and not a sample type.
// Immutable, as HKObjectType explains.
public final class HKActivitySummaryType: HKObjectType, @unchecked Sendable {}

/// The type of `HKAudiogramSample`: a hearing test.
// Immutable, as HKObjectType explains.
public final class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {}

/// The type of a fact about the user that does not change with time, such as the date of birth. Read-only for apps.
// Immutable, as HKObjectType explains.
public final class HKCharacteristicType: HKObjectType, @unchecked Sendable {
    /// Creates the characteristic with that identifier. Traps if there is none. `characteristicType(forIdentifier:)`
    /// returns nil instead.
    public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
        guard let type = HKObjectType.characteristicType(forIdentifier: identifier) else {
            preconditionFailure("there is no characteristic with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}

/// A type of clinical record. Read-only for apps.
// Immutable, as HKObjectType explains.
public final class HKClinicalType: HKSampleType, @unchecked Sendable {
    /// Creates the clinical type with that identifier. Traps if there is none. `clinicalType(forIdentifier:)` returns
    /// nil instead.
    public convenience init(_ identifier: HKClinicalTypeIdentifier) {
        guard let type = HKObjectType.clinicalType(forIdentifier: identifier) else {
            preconditionFailure("there is no clinical type with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}

/// A type of sample that contains other samples, such as a blood pressure with its two quantities.
///
/// Request permissions for the contained types, never for the correlation type itself.
// Immutable, as HKObjectType explains.
public final class HKCorrelationType: HKSampleType, @unchecked Sendable {
    /// Creates the correlation type with that identifier. Traps if there is none. `correlationType(forIdentifier:)`
    /// returns nil instead.
    public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
        guard let type = HKObjectType.correlationType(forIdentifier: identifier) else {
            preconditionFailure("there is no correlation type with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}

/// A type of sample that contains a document.
// Immutable, as HKObjectType explains.
public final class HKDocumentType: HKSampleType, @unchecked Sendable {
    /// Creates the document type with that identifier. Traps if there is none. `documentType(forIdentifier:)` returns
    /// nil instead.
    public convenience init(_ identifier: HKDocumentTypeIdentifier) {
        guard let type = HKObjectType.documentType(forIdentifier: identifier) else {
            preconditionFailure("there is no document type with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}

/// The type of `HKElectrocardiogram`. Read-only for apps.
// Immutable, as HKObjectType explains.
public final class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {}

/// The type of `HKMedicationDoseEvent`. Read-only for apps.
///
/// Permission to read these comes with that for the medications themselves. Apple does not document whether the type
/// needs per-object authorization. Here it does not.
// Immutable, as HKObjectType explains.
public final class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {}

/// The identifier of `HKObjectType.medicationDoseEventType()`.
public let HKMedicationDoseEventTypeIdentifierMedicationDoseEvent =
    "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"

/// The type of `HKVisionPrescription`. The user allows reading per prescription.
// Immutable, as HKObjectType explains.
public final class HKPrescriptionType: HKSampleType, @unchecked Sendable {
    /// Returns true: prescriptions may not be in the read set of an ordinary request.
    public override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The identifier of `HKObjectType.visionPrescriptionType()`.
public let HKVisionPrescriptionTypeIdentifier = "HKVisionPrescriptionTypeIdentifier"

/// A type of questionnaire whose answers add up to a score.
// Immutable, as HKObjectType explains.
public final class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
    /// Creates the questionnaire with that identifier. Traps if there is none. `scoredAssessmentType(forIdentifier:)`
    /// returns nil instead.
    public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
        guard let type = HKObjectType.scoredAssessmentType(forIdentifier: identifier) else {
            preconditionFailure("there is no questionnaire with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}

/// A type of sample that contains a series of measurements, which are too many to be separate samples.
// Immutable, as HKObjectType explains.
public final class HKSeriesType: HKSampleType, @unchecked Sendable {
    /// Returns the type of `HKWorkoutRoute`: the locations of a workout's route.
    public static func workoutRoute() -> HKSeriesType { TypeCatalogue.workoutRoute }

    /// Returns the type of `HKHeartbeatSeriesSample`: single heartbeats.
    public static func heartbeat() -> HKSeriesType { TypeCatalogue.heartbeatSeries }
}

/// The identifier of `HKSeriesType.workoutRoute()`.
public let HKWorkoutRouteTypeIdentifier = "HKWorkoutRouteTypeIdentifier"

/// The identifier of `HKSeriesType.heartbeat()`.
public let HKDataTypeIdentifierHeartbeatSeries = "HKDataTypeIdentifierHeartbeatSeries"

/// The type of `HKStateOfMind`.
// Immutable, as HKObjectType explains.
public final class HKStateOfMindType: HKSampleType, @unchecked Sendable {}

/// The identifier of `HKObjectType.stateOfMindType()`. Its value lacks the word `Identifier` of its name.
public let HKDataTypeIdentifierStateOfMind = "HKDataTypeStateOfMind"

/// The type of `HKUserAnnotatedMedication`. The user allows reading per medication. Not a sample type.
// Immutable, as HKObjectType explains.
public final class HKUserAnnotatedMedicationType: HKObjectType, @unchecked Sendable {
    /// Returns true: medications may not be in the read set of an ordinary request.
    public override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The identifier of `HKObjectType.userAnnotatedMedicationType()`. Its value lacks the word `Identifier` of its name.
public let HKDataTypeIdentifierUserAnnotatedMedicationConcept = "HKDataTypeUserAnnotatedMedicationConcept"

/// The type of `HKWorkout`.
// Immutable, as HKObjectType explains.
public final class HKWorkoutType: HKSampleType, @unchecked Sendable {}

/// The identifier of `HKObjectType.workoutType()`.
public let HKWorkoutTypeIdentifier = "HKWorkoutTypeIdentifier"
