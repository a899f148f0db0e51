public import Foundation

/// A type of sample whose value is a quantity: heart rate in beats per minute, distance in metres.
// Immutable, as HKObjectType explains.
public final class HKQuantityType: HKSampleType, @unchecked Sendable {
    /// The way in which samples of this type are aggregated: added, or averaged in one of three ways.
    public let aggregationStyle: HKQuantityAggregationStyle

    /// The unit in which Apple's catalogue states this type.
    package let canonicalUnit: HKUnit

    /// The unit that sensors, logs and reports use for this type: the canonical one, except that rates are per minute
    /// and not per second.
    package let recordingUnit: HKUnit

    init(_ row: QuantityTypeRow) {
        aggregationStyle = row.aggregationStyle
        canonicalUnit = HKUnit(from: row.canonicalUnit)
        recordingUnit = row.recordingUnit == row.canonicalUnit ? canonicalUnit : HKUnit(from: row.recordingUnit)
        super.init(identifier: row.identifier, swiftName: row.swiftName, isShareableByApps: !row.readOnly)
    }

    private init(like type: HKQuantityType) {
        aggregationStyle = type.aggregationStyle
        canonicalUnit = type.canonicalUnit
        recordingUnit = type.recordingUnit
        super.init(like: type)
    }

    /// Creates the quantity type with that identifier. Traps if there is none. `quantityType(forIdentifier:)` returns
    /// nil instead.
    public convenience init(_ identifier: HKQuantityTypeIdentifier) {
        guard let type = TypeCatalogue.quantityType(identifier: identifier.rawValue) else {
            preconditionFailure("there is no quantity type with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }

    /// Returns nil if the archive contains a type that is not in the catalogue or is of another class.
    public required init?(coder: NSCoder) {
        guard let type = Self.decodeShared(from: coder) as? HKQuantityType else { return nil }
        aggregationStyle = type.aggregationStyle
        canonicalUnit = type.canonicalUnit
        recordingUnit = type.recordingUnit
        super.init(like: type)
    }

    /// Returns whether quantities in this unit can be values of this type: `km` for a distance, but not `kcal`.
    public func `is`(compatibleWith unit: HKUnit) -> Bool {
        canonicalUnit.isCompatible(with: unit)
    }
}
