/// All types, which can be looked up by identifier or by Swift name in constant time.
///
/// The facts are in two tables, `QuantityTypeRow.all` and `CategoryTypeRow.all`. The few types without a table are
/// listed here. An identifier in none of them has no type.
package enum TypeCatalogue {
    package static let quantityTypes = QuantityTypeRow.all.map { HKQuantityType($0) }
    package static let categoryTypes = CategoryTypeRow.all.map { HKCategoryType($0) }

    static let workout = HKWorkoutType(
        identifier: HKWorkoutTypeIdentifier, swiftName: "workout", isShareableByApps: true)
    static let workoutRoute = HKSeriesType(
        identifier: HKWorkoutRouteTypeIdentifier, swiftName: "workoutRoute", isShareableByApps: true)
    static let heartbeatSeries = HKSeriesType(
        identifier: HKDataTypeIdentifierHeartbeatSeries, swiftName: "heartbeatSeries", isShareableByApps: true)
    static let visionPrescription = HKPrescriptionType(
        identifier: HKVisionPrescriptionTypeIdentifier, swiftName: "visionPrescription", isShareableByApps: true)
    static let stateOfMind = HKStateOfMindType(
        identifier: HKDataTypeIdentifierStateOfMind, swiftName: "stateOfMind", isShareableByApps: true)
    static let medicationDoseEvent = HKMedicationDoseEventType(
        identifier: HKMedicationDoseEventTypeIdentifierMedicationDoseEvent, swiftName: "medicationDoseEvent",
        isShareableByApps: false)
    static let userAnnotatedMedication = HKUserAnnotatedMedicationType(
        identifier: HKDataTypeIdentifierUserAnnotatedMedicationConcept, swiftName: "userAnnotatedMedication",
        isShareableByApps: false)

    // Apple publishes no constant for these three identifiers. The strings follow the pattern of similar ones.
    static let electrocardiogram = HKElectrocardiogramType(
        identifier: "HKDataTypeIdentifierElectrocardiogram", swiftName: "electrocardiogram", isShareableByApps: false)
    static let audiogram = HKAudiogramSampleType(
        identifier: "HKDataTypeIdentifierAudiogram", swiftName: "audiogram", isShareableByApps: true)
    static let activitySummary = HKActivitySummaryType(
        identifier: "HKActivitySummaryTypeIdentifier", swiftName: "activitySummary", isShareableByApps: false)

    /// All types: quantities, categories, then the others, each in the order of its table.
    package static let objectTypes: [HKObjectType] = quantityTypes + categoryTypes + otherTypes

    private static let otherTypes: [HKObjectType] = characteristics + correlations + clinicalRecords + others

    private static let characteristics: [HKObjectType] = [
        characteristic(.activityMoveMode), characteristic(.biologicalSex), characteristic(.bloodType),
        characteristic(.dateOfBirth), characteristic(.fitzpatrickSkinType), characteristic(.wheelchairUse),
    ]

    private static let correlations: [HKObjectType] = [correlation(.bloodPressure), correlation(.food)]

    private static let clinicalRecords: [HKObjectType] = [
        clinical(.allergyRecord), clinical(.clinicalNoteRecord), clinical(.conditionRecord),
        clinical(.coverageRecord), clinical(.immunizationRecord), clinical(.labResultRecord),
        clinical(.medicationRecord), clinical(.procedureRecord), clinical(.vitalSignRecord),
    ]

    private static let others: [HKObjectType] = [
        HKDocumentType(
            identifier: HKDocumentTypeIdentifier.CDA.rawValue, swiftName: "CDA", isShareableByApps: true),
        HKScoredAssessmentType(
            identifier: HKScoredAssessmentTypeIdentifier.GAD7.rawValue, swiftName: "GAD7", isShareableByApps: true),
        HKScoredAssessmentType(
            identifier: HKScoredAssessmentTypeIdentifier.PHQ9.rawValue, swiftName: "PHQ9", isShareableByApps: true),
        workout, workoutRoute, heartbeatSeries, electrocardiogram, audiogram, activitySummary,
        visionPrescription, stateOfMind, medicationDoseEvent, userAnnotatedMedication,
    ]

    private static func characteristic(_ identifier: HKCharacteristicTypeIdentifier) -> HKCharacteristicType {
        let name = swiftName(ofIdentifier: identifier.rawValue, after: "HKCharacteristicTypeIdentifier")
        return HKCharacteristicType(identifier: identifier.rawValue, swiftName: name, isShareableByApps: false)
    }

    /// Creates a correlation type. Permissions for it are those for the contained samples.
    private static func correlation(_ identifier: HKCorrelationTypeIdentifier) -> HKCorrelationType {
        let name = swiftName(ofIdentifier: identifier.rawValue, after: "HKCorrelationTypeIdentifier")
        return HKCorrelationType(identifier: identifier.rawValue, swiftName: name, isShareableByApps: false)
    }

    private static func clinical(_ identifier: HKClinicalTypeIdentifier) -> HKClinicalType {
        let name = swiftName(ofIdentifier: identifier.rawValue, after: "HKClinicalTypeIdentifier")
        return HKClinicalType(identifier: identifier.rawValue, swiftName: name, isShareableByApps: false)
    }

    // MARK: Lookups

    package static func objectType(identifier: String) -> HKObjectType? { objectIndex.byIdentifier[identifier] }

    package static func objectType(named swiftName: String) -> HKObjectType? { objectIndex.bySwiftName[swiftName] }

    package static func quantityType(identifier: String) -> HKQuantityType? { quantityIndex.byIdentifier[identifier] }

    package static func quantityType(named swiftName: String) -> HKQuantityType? {
        quantityIndex.bySwiftName[swiftName]
    }

    package static func categoryType(identifier: String) -> HKCategoryType? { categoryIndex.byIdentifier[identifier] }

    package static func categoryType(named swiftName: String) -> HKCategoryType? {
        categoryIndex.bySwiftName[swiftName]
    }

    private static let quantityIndex = Index(quantityTypes)
    private static let categoryIndex = Index(categoryTypes, aliases: categoryAliases)
    private static let objectIndex = Index(objectTypes, aliases: categoryAliases)

    /// Deprecated Swift names, and the names that replaced them.
    private static let categoryAliases = ["audioExposureEvent": "environmentalAudioExposureEvent"]

    private struct Index<ObjectType: HKObjectType>: Sendable {
        let byIdentifier: [String: ObjectType]
        let bySwiftName: [String: ObjectType]

        init(_ types: [ObjectType], aliases: [String: String] = [:]) {
            byIdentifier = Dictionary(uniqueKeysWithValues: types.map { ($0.identifier, $0) })
            var named = Dictionary(uniqueKeysWithValues: types.map { ($0.swiftName, $0) })
            for (alias, name) in aliases { named[alias] = named[name] }
            bySwiftName = named
        }
    }

    /// Returns the Swift name: `heartRate` for `HKQuantityTypeIdentifierHeartRate` after `HKQuantityTypeIdentifier`.
    ///
    /// The capitals at the start become lower case, except one that begins a word: `uvExposure`, `vo2Max`.
    static func swiftName(ofIdentifier identifier: String, after prefix: String) -> String {
        let name = identifier.dropFirst(prefix.count)
        let capitals = name.prefix(while: \.isUppercase)
        let beginsWord = name.dropFirst(capitals.count).first?.isLowercase ?? false
        let lowered = beginsWord ? max(1, capitals.count - 1) : capitals.count
        return name.prefix(lowered).lowercased() + name.dropFirst(lowered)
    }
}
