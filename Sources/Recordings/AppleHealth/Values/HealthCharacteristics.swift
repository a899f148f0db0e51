/// What does not change about the person: the `Me` of an export.
public struct HealthCharacteristics: Sendable, Equatable {
    /// The values, such as `HKBloodTypeANegative` or empty, by identifiers such as
    /// `HKCharacteristicTypeIdentifierBloodType`.
    public var values: [String: String]

    /// - Parameter values: The attributes of `Me`, by identifier.
    public init(values: [String: String]) { self.values = values }

    /// The value of a characteristic, by its identifier without `HKCharacteristicTypeIdentifier`.
    public subscript(name: String) -> String? { values["HKCharacteristicTypeIdentifier" + name] }

    /// The day of birth, from `1985-02-28`.
    public var dateOfBirth: (year: Int, month: Int, day: Int)? { self["DateOfBirth"].flatMap(HealthExportDate.day) }
    /// The biological sex, such as `HKBiologicalSexFemale`. Nil if the export has none.
    public var biologicalSex: String? { self["BiologicalSex"] }
    /// The blood type, such as `HKBloodTypeANegative`. Nil if the export has none.
    public var bloodType: String? { self["BloodType"] }
    /// The skin type, such as `HKFitzpatrickSkinTypeII`. Nil if the export has none.
    public var fitzpatrickSkinType: String? { self["FitzpatrickSkinType"] }
    /// The use of cardio fitness medications as the export writes it. Nil if it has none. HealthKit has no
    /// characteristic for it.
    public var cardioFitnessMedicationsUse: String? { self["CardioFitnessMedicationsUse"] }
}
