public import Foundation

/// A type of sample whose value is one of a few: asleep or awake, mild or severe.
// Immutable, as HKObjectType explains.
public final class HKCategoryType: HKSampleType, @unchecked Sendable {
    /// The name of the enumeration with the values, such as `HKCategoryValueSleepAnalysis`.
    package let valueTypeName: String

    /// The raw values of that enumeration.
    package let allowedValues: Set<Int>

    init(_ row: CategoryTypeRow) {
        valueTypeName = row.valueTypeName
        allowedValues = row.allowedValues
        super.init(identifier: row.identifier, swiftName: row.swiftName, isShareableByApps: !row.readOnly)
    }

    private init(like type: HKCategoryType) {
        valueTypeName = type.valueTypeName
        allowedValues = type.allowedValues
        super.init(like: type)
    }

    /// Creates the category type with that identifier. Traps if there is none. `categoryType(forIdentifier:)` returns
    /// nil instead.
    public convenience init(_ identifier: HKCategoryTypeIdentifier) {
        guard let type = TypeCatalogue.categoryType(identifier: identifier.rawValue) else {
            preconditionFailure("there is no category type with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }

    /// Returns nil if the archive contains a type that is not in the catalogue or is of another class.
    public required init?(coder: NSCoder) {
        guard let type = Self.decodeShared(from: coder) as? HKCategoryType else { return nil }
        valueTypeName = type.valueTypeName
        allowedValues = type.allowedValues
        super.init(like: type)
    }
}
