import Foundation

// The values of samples in keyed archives.
//
// swift-corelibs-foundation fails the whole archive if a missing key is decoded, so the presence of every optional
// value is checked first.

extension NSCoder {
    package func encode(date: Date, forKey key: String) { encode(date as NSDate, forKey: key) }

    package func decodeDate(forKey key: String) -> Date? {
        decodeValue(of: NSDate.self, forKey: key).map { $0 as Date }
    }

    package func encode(uuid: UUID, forKey key: String) { encode(uuid.uuidString as NSString, forKey: key) }

    package func decodeUUID(forKey key: String) -> UUID? { decodeString(forKey: key).flatMap(UUID.init(uuidString:)) }

    package func encodeIfPresent(string: String?, forKey key: String) {
        if let string { encode(string as NSString, forKey: key) }
    }

    package func decodeString(forKey key: String) -> String? {
        decodeValue(of: NSString.self, forKey: key).map { $0 as String }
    }

    package func encode(number: Double, forKey key: String) { encode(NSNumber(value: number), forKey: key) }

    package func decodeNumber(forKey key: String) -> Double? {
        decodeValue(of: NSNumber.self, forKey: key)?.doubleValue
    }

    package func encode(count: Int, forKey key: String) { encode(NSNumber(value: count), forKey: key) }

    package func decodeCount(forKey key: String) -> Int? { decodeValue(of: NSNumber.self, forKey: key)?.intValue }

    package func encodeIfPresent(_ object: (any NSObject & NSCoding)?, forKey key: String) {
        if let object { encode(object, forKey: key) }
    }

    /// Returns nil if there is no value, or one of another class.
    package func decodeValue<Value: NSObject & NSCoding>(of type: Value.Type, forKey key: String) -> Value? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    package func encode(list: [some NSObject & NSCoding], forKey key: String) { encode(list as NSArray, forKey: key) }

    /// Returns nil if there is no list, or one of other elements.
    package func decodeList<Element: NSObject & NSCoding>(
        of types: [NSObject.Type], as element: Element.Type, forKey key: String
    ) -> [Element]? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: [NSArray.self] + types, forKey: key) as? [Element]
    }

    package func decodeList<Element: NSObject & NSCoding>(of type: Element.Type, forKey key: String) -> [Element]? {
        decodeList(of: [type], as: type, forKey: key)
    }

    package func encode(metadata: [String: Any]?, forKey key: String) {
        if let metadata { encode(metadata as NSDictionary, forKey: key) }
    }

    /// Returns an empty dictionary if there is no metadata, and nil if it contains values that are not allowed.
    package func decodeMetadata(forKey key: String) -> [String: Any]? {
        guard containsValue(forKey: key) else { return [:] }
        let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, HKQuantity.self]
        guard let metadata = decodeObject(of: classes, forKey: key) as? [String: Any] else { return nil }
        guard let normal = try? MetadataCoding.normalized(metadata) else { return metadata.isEmpty ? [:] : nil }
        return normal
    }
}
