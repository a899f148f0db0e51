public import Foundation

/// A type of data in a health store. Abstract: every instance is of a subclass.
///
/// Two types are equal if their identifiers are. The lookups below return one shared instance per identifier.
// Immutable after init: every stored property here and in the subclasses is a `let` of a Sendable type.
public class HKObjectType: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The identifier of the type in stores and archives, such as `HKQuantityTypeIdentifierHeartRate`.
    public let identifier: String

    /// The Swift name of the type, such as `heartRate`. Session logs and the command use it.
    package let swiftName: String

    /// Whether an app may request permission to write samples of this type.
    package let isShareableByApps: Bool

    // Types are the keys of every statistics dictionary, so the hash is kept.
    private let identifierHash: Int

    init(identifier: String, swiftName: String, isShareableByApps: Bool) {
        self.identifier = identifier
        self.swiftName = swiftName
        self.isShareableByApps = isShareableByApps
        identifierHash = identifier.hashValue
    }

    init(like type: HKObjectType) {
        identifier = type.identifier
        swiftName = type.swiftName
        isShareableByApps = type.isShareableByApps
        identifierHash = type.identifierHash
    }

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil, with the coder's error set, if the archive contains a type that is not in the catalogue or is of
    /// another class.
    public required init?(coder: NSCoder) {
        guard let type = Self.decodeShared(from: coder) else { return nil }
        identifier = type.identifier
        swiftName = type.swiftName
        isShareableByApps = type.isShareableByApps
        identifierHash = type.identifierHash
    }

    static func decodeShared(from coder: NSCoder) -> HKObjectType? {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: identifierKey) as String? else {
            return nil
        }
        if let type = TypeCatalogue.objectType(identifier: identifier), Swift.type(of: type) == self { return type }
        coder.failWithError(
            CocoaError(
                .coderReadCorrupt,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The archive holds the object type \(identifier), which is not a known \(self)."
                ]))
        return nil
    }

    private static let identifierKey = "identifier"

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: Self.identifierKey)
    }

    /// Returns the type itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the identifiers are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKObjectType else { return false }
        return self === other || identifier == other.identifier
    }

    /// The hash of the identifier.
    public override var hash: Int { identifierHash }

    /// The identifier.
    public override var description: String { identifier }

    /// Returns whether the user allows reading per object, in a separate prompt. True for vision prescriptions and for
    /// medications. Such types may not be in the read set of an ordinary request.
    public func requiresPerObjectAuthorization() -> Bool { false }
}

extension HKObjectType {
    /// Returns the quantity type with that identifier, or nil if there is none.
    public class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        TypeCatalogue.quantityType(identifier: identifier.rawValue)
    }

    /// Returns the category type with that identifier, or nil if there is none.
    public class func categoryType(forIdentifier identifier: HKCategoryTypeIdentifier) -> HKCategoryType? {
        TypeCatalogue.categoryType(identifier: identifier.rawValue)
    }

    /// Returns the characteristic with that identifier, or nil if there is none.
    public class func characteristicType(
        forIdentifier identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKCharacteristicType
    }

    /// Returns the correlation type with that identifier, or nil if there is none.
    public class func correlationType(forIdentifier identifier: HKCorrelationTypeIdentifier) -> HKCorrelationType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKCorrelationType
    }

    /// Returns the document type with that identifier, or nil if there is none.
    public class func documentType(forIdentifier identifier: HKDocumentTypeIdentifier) -> HKDocumentType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKDocumentType
    }

    /// Returns the series type with that identifier, or nil unless it is `HKWorkoutRouteTypeIdentifier` or
    /// `HKDataTypeIdentifierHeartbeatSeries`.
    public class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
        TypeCatalogue.objectType(identifier: identifier) as? HKSeriesType
    }

    /// Returns the clinical type with that identifier, or nil if there is none.
    public class func clinicalType(forIdentifier identifier: HKClinicalTypeIdentifier) -> HKClinicalType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKClinicalType
    }

    /// Returns the questionnaire with that identifier, or nil if there is none.
    public class func scoredAssessmentType(
        forIdentifier identifier: HKScoredAssessmentTypeIdentifier
    ) -> HKScoredAssessmentType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKScoredAssessmentType
    }

    /// Returns the type of ``HKWorkout``. Request permission to share it before you finish a builder.
    public class func workoutType() -> HKWorkoutType { TypeCatalogue.workout }

    /// Returns the type of ``HKActivitySummary``. It is no sample type and can only be in the read set of a request.
    public class func activitySummaryType() -> HKActivitySummaryType { TypeCatalogue.activitySummary }

    /// Returns the type of ``HKAudiogramSample``.
    public class func audiogramSampleType() -> HKAudiogramSampleType { TypeCatalogue.audiogram }

    /// Returns the type of ``HKElectrocardiogram``. Apps can read these but not share them.
    public class func electrocardiogramType() -> HKElectrocardiogramType { TypeCatalogue.electrocardiogram }

    /// Returns the type of ``HKVisionPrescription``. Request reading with
    /// ``HKHealthStore/requestPerObjectReadAuthorization(for:predicate:completion:)``.
    public class func visionPrescriptionType() -> HKPrescriptionType { TypeCatalogue.visionPrescription }

    /// Returns the type of ``HKStateOfMind``.
    public class func stateOfMindType() -> HKStateOfMindType { TypeCatalogue.stateOfMind }

    /// Returns the type of ``HKMedicationDoseEvent``. Apps can read these but not share them.
    public class func medicationDoseEventType() -> HKMedicationDoseEventType { TypeCatalogue.medicationDoseEvent }

    /// Returns the type of ``HKUserAnnotatedMedication``. It is no sample type, has a query of its own, and is
    /// authorized per object.
    public class func userAnnotatedMedicationType() -> HKUserAnnotatedMedicationType {
        TypeCatalogue.userAnnotatedMedication
    }
}
