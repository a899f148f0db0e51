/// Names a characteristic: a fact about the user that does not change with time, such as the blood type.
public struct HKCharacteristicTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string that exports and archives have.
    public let rawValue: String

    /// Of any string: whether there is such a type, ``HKObjectType/characteristicType(forIdentifier:)`` says.
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
