/// The type of `HKStateOfMind`.
// Immutable, as HKObjectType explains.
public final class HKStateOfMindType: HKSampleType, @unchecked Sendable {}

/// The identifier of `HKObjectType.stateOfMindType()`. Its value lacks the word that its name has.
public let HKDataTypeIdentifierStateOfMind = "HKDataTypeStateOfMind"
