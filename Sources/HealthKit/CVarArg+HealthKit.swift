public import Foundation

// On Apple's systems every object can be an argument of a format string, since every `NSObject` is a `CVarArg`.

/// An object that `%@` in a format string can print, by its description.
public protocol FormatArgument: _CVarArgObject {}

extension FormatArgument where Self: NSObject {
    // Formatting on Linux accepts only Foundation's own objects, so the description replaces the object.
    /// The object that Foundation's formatter prints instead: the description.
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
    /// The words of an argument list for the same text.
    public var _cVarArgEncoding: [Int] { NSString(string: description)._cVarArgEncoding }
}

extension HKActivityMoveModeObject: FormatArgument {}
extension HKActivitySummary: FormatArgument {}
extension HKAttachment: FormatArgument {}
extension HKAttachmentStore: FormatArgument {}
extension HKAudiogramSensitivityPoint: FormatArgument {}
extension HKAudiogramSensitivityPointClampingRange: FormatArgument {}
extension HKAudiogramSensitivityTest: FormatArgument {}
extension HKBiologicalSexObject: FormatArgument {}
extension HKBloodTypeObject: FormatArgument {}
extension HKCDADocument: FormatArgument {}
extension HKClinicalCoding: FormatArgument {}
extension HKDeletedObject: FormatArgument {}
extension HKDevice: FormatArgument {}
extension HKElectrocardiogram.VoltageMeasurement: FormatArgument {}
extension HKFHIRResource: FormatArgument {}
extension HKFHIRVersion: FormatArgument {}
extension HKFitzpatrickSkinTypeObject: FormatArgument {}
extension HKHealthConceptIdentifier: FormatArgument {}
extension HKHealthStore: FormatArgument {}
extension HKLensSpecification: FormatArgument {}
extension HKLiveWorkoutDataSource: FormatArgument {}
extension HKMedicationConcept: FormatArgument {}
extension HKObject: FormatArgument {}
extension HKObjectType: FormatArgument {}
extension HKQuantity: FormatArgument {}
extension HKQuantitySeriesSampleBuilder: FormatArgument {}
extension HKQuery: FormatArgument {}
extension HKQueryAnchor: FormatArgument {}
extension HKQueryDescriptor: FormatArgument {}
extension HKSeriesBuilder: FormatArgument {}
extension HKSource: FormatArgument {}
extension HKSourceRevision: FormatArgument {}
extension HKStatistics: FormatArgument {}
extension HKStatisticsCollection: FormatArgument {}
extension HKUnit: FormatArgument {}
extension HKUserAnnotatedMedication: FormatArgument {}
extension HKVerifiableClinicalRecordSubject: FormatArgument {}
extension HKVisionPrism: FormatArgument {}
extension HKWheelchairUseObject: FormatArgument {}
extension HKWorkoutActivity: FormatArgument {}
extension HKWorkoutBuilder: FormatArgument {}
extension HKWorkoutConfiguration: FormatArgument {}
extension HKWorkoutEffortRelationship: FormatArgument {}
extension HKWorkoutEvent: FormatArgument {}
extension HKWorkoutSession: FormatArgument {}
