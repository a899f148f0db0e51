public import Foundation

/// A kind of data that a health store holds. Abstract: every instance is of a subclass.
///
/// Two types are equal when their identifiers are. The lookups below give one shared instance per identifier.
// Immutable after init: every stored property here and in the subclasses is a `let` of a Sendable type.
public class HKObjectType: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The string that names the type in stores and archives, such as `HKQuantityTypeIdentifierHeartRate`.
    public let identifier: String

    /// The Swift name of the type, such as `heartRate`: what session logs and the command use.
    package let swiftName: String

    /// Whether an app may ask for the right to write samples of this type.
    package let isShareableByApps: Bool

    // Types are the keys of every statistics dictionary, so the hash is worth keeping.
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

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil, with the coder's error set, when the archive names a type that is not in the catalogue or is of another class.
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

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: Self.identifierKey)
    }

    /// Types are immutable: the copy is the type itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the identifiers are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKObjectType else { return false }
        return self === other || identifier == other.identifier
    }

    /// That of the identifier.
    public override var hash: Int { identifierHash }

    /// The identifier.
    public override var description: String { identifier }

    /// Whether the user grants reading object by object, in a prompt of its own. True for vision prescriptions and for
    /// medications; such types may not be in the read set of an ordinary request.
    public func requiresPerObjectAuthorization() -> Bool { false }
}

extension HKObjectType {
    /// Nil when there is no quantity type of that identifier.
    public class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier) -> HKQuantityType? {
        TypeCatalogue.quantityType(identifier: identifier.rawValue)
    }

    /// Nil when there is no category type of that identifier.
    public class func categoryType(forIdentifier identifier: HKCategoryTypeIdentifier) -> HKCategoryType? {
        TypeCatalogue.categoryType(identifier: identifier.rawValue)
    }

    /// Nil when there is no characteristic of that identifier.
    public class func characteristicType(
        forIdentifier identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKCharacteristicType
    }

    /// Nil when there is no correlation type of that identifier.
    public class func correlationType(forIdentifier identifier: HKCorrelationTypeIdentifier) -> HKCorrelationType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKCorrelationType
    }

    /// Nil when there is no document type of that identifier.
    public class func documentType(forIdentifier identifier: HKDocumentTypeIdentifier) -> HKDocumentType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKDocumentType
    }

    /// Nil unless the identifier is `HKWorkoutRouteTypeIdentifier` or `HKDataTypeIdentifierHeartbeatSeries`.
    public class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
        TypeCatalogue.objectType(identifier: identifier) as? HKSeriesType
    }

    /// Nil when there is no clinical type of that identifier.
    public class func clinicalType(forIdentifier identifier: HKClinicalTypeIdentifier) -> HKClinicalType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKClinicalType
    }

    /// Nil when there is no questionnaire of that identifier.
    public class func scoredAssessmentType(
        forIdentifier identifier: HKScoredAssessmentTypeIdentifier
    ) -> HKScoredAssessmentType? {
        TypeCatalogue.objectType(identifier: identifier.rawValue) as? HKScoredAssessmentType
    }

    /// For ``HKWorkout``. Ask for the right to share it before a builder is finished.
    public class func workoutType() -> HKWorkoutType { TypeCatalogue.workout }

    /// For ``HKActivitySummary``. No sample type: it goes into the read set of a request only.
    public class func activitySummaryType() -> HKActivitySummaryType { TypeCatalogue.activitySummary }

    /// For ``HKAudiogramSample``.
    public class func audiogramSampleType() -> HKAudiogramSampleType { TypeCatalogue.audiogram }

    /// For ``HKElectrocardiogram``: apps read these and may not share them.
    public class func electrocardiogramType() -> HKElectrocardiogramType { TypeCatalogue.electrocardiogram }

    /// For ``HKVisionPrescription``. Reading is asked for with
    /// ``HKHealthStore/requestPerObjectReadAuthorization(for:predicate:completion:)``.
    public class func visionPrescriptionType() -> HKPrescriptionType { TypeCatalogue.visionPrescription }

    /// For ``HKStateOfMind``.
    public class func stateOfMindType() -> HKStateOfMindType { TypeCatalogue.stateOfMind }

    /// For ``HKMedicationDoseEvent``: apps read these and may not share them.
    public class func medicationDoseEventType() -> HKMedicationDoseEventType { TypeCatalogue.medicationDoseEvent }

    /// For ``HKUserAnnotatedMedication``: no sample type, read with a query of its own and asked for object by object.
    public class func userAnnotatedMedicationType() -> HKUserAnnotatedMedicationType {
        TypeCatalogue.userAnnotatedMedication
    }
}
