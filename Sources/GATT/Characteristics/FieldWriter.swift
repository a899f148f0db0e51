/// Writes the fields of a packet, little-endian: the counterpart of ``FieldCursor``.
package struct FieldWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ value: some FixedWidthInteger) {
        for place in 0..<value.bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }

    package mutating func addUInt24(_ value: UInt32) {
        for place in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }

    /// Adds the value of a field with a resolution of `unit`, as near as its type can hold it. NaN becomes 0.
    package mutating func add<Field: FixedWidthInteger>(_ value: Double, in unit: Double, as field: Field.Type) {
        add(Self.clamped(value / unit, to: field))
    }

    package static func clamped<Field: FixedWidthInteger>(_ value: Double, to field: Field.Type) -> Field {
        guard !value.isNaN else { return 0 }
        let rounded = value.rounded()
        if rounded >= Double(Field.max) { return .max }
        return rounded <= Double(Field.min) ? .min : Field(rounded)
    }
}
