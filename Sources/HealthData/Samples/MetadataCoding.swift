import Foundation
package import SessionLog

/// Metadata in its three forms: that of apps (`[String: Any]`), that of objects (the same with four types of value, all
/// immutable), and that of logs and files (`[String: MetadataValue]`).
package enum MetadataCoding {
    /// Returns the metadata with every value as `String`, `NSNumber`, `Date` or `HKQuantity`, or nil if there is none.
    ///
    /// Numbers and booleans become `NSNumber`, like the bridged values on Apple's systems, so that an `Int` that was
    /// put in can be read as a `Double`. Cases of enumerations with such raw values become their raw value. Anything
    /// else is rejected with its key and its type.
    package static func normalized(_ metadata: [String: Any]?) throws(SampleError) -> [String: Any]? {
        guard let metadata, !metadata.isEmpty else { return nil }
        var result: [String: Any] = [:]
        result.reserveCapacity(metadata.count)
        for (key, value) in metadata {
            guard let normal = normalized(value) else {
                throw .metadataValue(key: key, type: String(describing: type(of: value)))
            }
            result[key] = normal
        }
        return result
    }

    private static func normalized(_ value: Any) -> Any? {
        switch value {
        case let quantity as HKQuantity: quantity
        case let date as Date: date
        case let text as String: text
        case let number as NSNumber: number
        case let enumeration as any RawRepresentable: normalized(enumeration.rawValue)
        default: nil
        }
    }

    /// Returns the metadata for logs and files. Empty if there is none.
    ///
    /// Their numbers are `Double`. An integer beyond 2⁵³ that would lose digits and a number that is not finite are
    /// rejected instead of changed.
    package static func neutral(_ metadata: [String: Any]?) throws(SampleError) -> [String: MetadataValue] {
        var result: [String: MetadataValue] = [:]
        for (key, value) in metadata ?? [:] {
            guard let normal = normalized(value) else {
                throw .metadataValue(key: key, type: String(describing: type(of: value)))
            }
            result[key] = try neutral(normal, key: key)
        }
        return result
    }

    private static func neutral(_ value: Any, key: String) throws(SampleError) -> MetadataValue {
        switch value {
        case let quantity as HKQuantity:
            guard quantity.value.isFinite else { throw .metadataNumber(key: key, value: "\(quantity.value)") }
            return .quantity(quantity.value, unit: quantity.unit.unitString)
        case let date as Date:
            return .date(date)
        case let text as String:
            return .string(text)
        case let number as NSNumber:
            if number.isBoolean { return .bool(number.boolValue) }
            // `as? Double` fails if a Double cannot represent the number.
            guard let double = number as? Double, double.isFinite else {
                throw .metadataNumber(key: key, value: number.stringValue)
            }
            return .number(double)
        default:
            throw .metadataValue(key: key, type: String(describing: type(of: value)))
        }
    }

    /// Returns metadata for objects, or nil if there is none. Throws if the unit of a quantity cannot be read.
    package static func metadata(_ neutral: [String: MetadataValue]) throws(SampleError) -> [String: Any]? {
        guard !neutral.isEmpty else { return nil }
        var result: [String: Any] = [:]
        result.reserveCapacity(neutral.count)
        for (key, value) in neutral { result[key] = try object(value, key: key) }
        return result
    }

    private static func object(_ value: MetadataValue, key: String) throws(SampleError) -> Any {
        switch value {
        case .string(let text): return text
        case .bool(let flag): return NSNumber(value: flag)
        case .date(let date): return date
        case .number(let number):
            // Whole numbers become integers, so that they print as the app wrote them.
            return Int(exactly: number).map { NSNumber(value: $0) } ?? NSNumber(value: number)
        case .quantity(let number, let unit):
            guard let unit = try? HKUnit.parse(unit) else { throw .metadataUnit(key: key, unit: unit) }
            return HKQuantity(unit: unit, doubleValue: number)
        }
    }
}

extension NSNumber {
    /// Whether this was created from a Bool. Both such numbers are single objects, on Apple's systems and on Linux. The
    /// type code (`c`) would not suffice, since Int8 has the same.
    fileprivate var isBoolean: Bool { self === NSNumber(value: true) || self === NSNumber(value: false) }
}

extension MetadataCoding {
    /// Returns metadata for apps, or nil if there is none. Leaves out a quantity whose unit cannot be read.
    package static func readable(_ metadata: [String: MetadataValue]) -> [String: Any]? {
        if let all = try? Self.metadata(metadata) { return all }
        let readable = metadata.filter { (try? Self.metadata([$0.key: $0.value])) != nil }
        return try? Self.metadata(readable)
    }
}
