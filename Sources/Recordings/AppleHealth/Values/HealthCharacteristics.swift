/// What does not change about the person: the `Me` of an export.
public struct HealthCharacteristics: Sendable, Equatable {
    /// By identifier, such as `HKCharacteristicTypeIdentifierBloodType`; values such as `HKBloodTypeANegative`, or
    /// empty.
    public var values: [String: String]

    /// - Parameter values: By identifier, as the attributes of `Me`.
    public init(values: [String: String]) { self.values = values }

    /// The value of a characteristic, by what follows `HKCharacteristicTypeIdentifier` in its identifier.
    public subscript(name: String) -> String? { values["HKCharacteristicTypeIdentifier" + name] }

    /// The day of birth, from `1985-02-28`.
    public var dateOfBirth: (year: Int, month: Int, day: Int)? { self["DateOfBirth"].flatMap(HealthExportDate.day) }
    /// Such as `HKBiologicalSexFemale`; nil where the export has none.
    public var biologicalSex: String? { self["BiologicalSex"] }
    /// Such as `HKBloodTypeANegative`; nil where the export has none.
    public var bloodType: String? { self["BloodType"] }
    /// Such as `HKFitzpatrickSkinTypeII`; nil where the export has none.
    public var fitzpatrickSkinType: String? { self["FitzpatrickSkinType"] }
    /// As the export writes it; nil where it has none. HealthKit has no characteristic for it.
    public var cardioFitnessMedicationsUse: String? { self["CardioFitnessMedicationsUse"] }
}
