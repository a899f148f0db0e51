/// What does not change about the person: the `Me` of an export.
public struct HealthCharacteristics: Sendable, Equatable {
    /// By identifier, such as `HKCharacteristicTypeIdentifierBloodType`; values such as `HKBloodTypeANegative`, or
    /// empty.
    public var values: [String: String]

    public init(values: [String: String]) { self.values = values }

    /// The value of a characteristic, by what follows `HKCharacteristicTypeIdentifier` in its identifier.
    public subscript(name: String) -> String? { values["HKCharacteristicTypeIdentifier" + name] }

    /// The day of birth, from `1985-02-28`.
    public var dateOfBirth: (year: Int, month: Int, day: Int)? { self["DateOfBirth"].flatMap(HealthExportDate.day) }
    public var biologicalSex: String? { self["BiologicalSex"] }
    public var bloodType: String? { self["BloodType"] }
    public var fitzpatrickSkinType: String? { self["FitzpatrickSkinType"] }
    public var cardioFitnessMedicationsUse: String? { self["CardioFitnessMedicationsUse"] }
}
