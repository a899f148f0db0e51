package import SessionLog

/// A quantity type, and the unit of its readings.
package struct MeasuredType {
    package let type: HKQuantityType
    package let unit: HKUnit
    private let hasCompatibleUnit: Bool
    private let hasRestrictedDuration: Bool

    /// Returns nil for a type or unit that does not exist.
    package init?(_ kind: ReadingKind) {
        guard let type = TypeCatalogue.quantityType(named: kind.type), let unit = type.unit(named: kind.unit) else {
            return nil
        }
        self.type = type
        self.unit = unit
        hasCompatibleUnit = type.is(compatibleWith: unit)
        hasRestrictedDuration = type.isMaximumDurationRestricted || type.isMinimumDurationRestricted
    }

    /// Returns whether a reading of this kind can be a sample: see
    /// ``HKQuantitySample/validated(_:type:quantity:start:end:)``.
    package func takes(_ reading: ReadingNumbers) -> Bool {
        guard hasCompatibleUnit, reading.value.isFinite, reading.start <= reading.end else { return false }
        return !hasRestrictedDuration || (try? HKSample.check(type, start: reading.start, end: reading.end)) != nil
    }
}

extension HKQuantitySample {
    /// Creates a sample from a reading. Throws for a type or unit that does not exist, and for values that are not
    /// finite.
    package static func of(_ reading: QuantityReading) throws -> HKQuantitySample {
        guard let measured = MeasuredType(reading.kind) else {
            throw HKError.make(
                .errorInvalidArgument, "There is no quantity type \(reading.type) in \(reading.unit).")
        }
        return try of(reading, measured)
    }

    /// Creates a sample from a reading of a known kind. Throws for values that are not finite.
    package static func of(_ reading: QuantityReading, _ measured: MeasuredType) throws -> HKQuantitySample {
        try validated(
            try reading.origin.map { try ObjectIdentity($0) } ?? ObjectIdentity(), type: measured.type,
            quantity: HKQuantity(unit: measured.unit, doubleValue: reading.value), start: reading.start,
            end: reading.end)
    }
}

extension HKSample {
    /// Returns the log entry for a sample that an app adds.
    package func logContent() throws -> SessionEntry.Content {
        switch self {
        case let sample as HKQuantitySample where sample.count == 1:
            let unit = sample.quantityType.recordingUnit
            return .quantity(
                QuantityReading(
                    sample.quantityType.swiftName, sample.quantity.doubleValue(for: unit), unit: unit.unitString,
                    start: startDate, end: endDate, origin: try identity.origin()))
        case let sample as HKCategorySample:
            return .category(
                CategoryReading(
                    sample.categoryType.swiftName, sample.value, start: startDate, end: endDate,
                    origin: try identity.origin()))
        default:
            return .object(ObjectReference(id: uuid, type: sampleType.identifier))
        }
    }
}
