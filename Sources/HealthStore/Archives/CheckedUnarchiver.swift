/// Reads keyed archives from a disk. Any content gives an object or an error.
///
/// An archive numbers its objects. Each names its class and refers to others by their numbers. Classes must be those of
/// ``ObjectArchive/classes`` or collections, no object may contain itself, and missing or wrong values are decoded as nil.
package final class CheckedUnarchiver: NSCoder {
    private let list: BinaryPropertyList
    private let classes = ObjectArchive.classes
    /// The indices of the archive's objects.
    private let objects: [Int]
    /// The members of the object that is being read.
    private var parts: [String: Int] = [:]
    private var known: [Int: NSObject] = [:]
    private var underWay: Set<Int> = []
    private var isDamaged = false

    /// More levels than any written object has. Each level needs some frames of the stack.
    private static let deepest = 32

    package static func object<Object: NSObject & NSSecureCoding>(
        of type: Object.Type, from data: Data
    ) throws(BinaryPropertyList.Damage) -> Object {
        let list = try BinaryPropertyList(data)
        guard case .dictionary(let archive) = try list.value(at: list.top), let objects = archive["$objects"],
            case .list(let places) = try list.value(at: objects), let top = archive["$top"],
            case .dictionary(let parts) = try list.value(at: top)
        else { throw .damaged }
        let coder = CheckedUnarchiver(list, places)
        coder.parts = parts
        guard let object = coder.decodeObject(of: [type], forKey: NSKeyedArchiveRootObjectKey) as? Object,
            !coder.isDamaged
        else { throw .damaged }
        return object
    }

    private init(_ list: BinaryPropertyList, _ objects: [Int]) {
        self.list = list
        self.objects = objects
    }

    // MARK: NSCoder

    package override var allowsKeyedCoding: Bool { true }
    package override var requiresSecureCoding: Bool { true }
    package override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy {
        get { .setErrorAndReturn }
        set {}
    }
    package override func failWithError(_ error: any Error) { isDamaged = true }

    package override func containsValue(forKey key: String) -> Bool { parts[key] != nil }

    package override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? { object(forKey: key) }
    package override func decodeObject(forKey key: String) -> Any? { object(forKey: key) }

    package override func decodeDouble(forKey key: String) -> Double { number(forKey: key)?.doubleValue ?? 0 }
    package override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }
    package override func decodeInteger(forKey key: String) -> Int { integer(forKey: key) }
    package override func decodeInt64(forKey key: String) -> Int64 { Int64(integer(forKey: key)) }
    package override func decodeInt32(forKey key: String) -> Int32 { Int32(truncatingIfNeeded: integer(forKey: key)) }
    package override func decodeBool(forKey key: String) -> Bool { integer(forKey: key) != 0 }

    private func integer(forKey key: String) -> Int {
        guard let place = parts[key] else { return 0 }
        switch try? list.value(at: place) {
        case .integer(let value): return Int(value)
        case .boolean(let value): return value ? 1 : 0
        case .real(let value): return Int(exactly: value.rounded()) ?? 0
        default: return 0
        }
    }

    private func number(forKey key: String) -> NSNumber? {
        parts[key].flatMap { try? list.value(at: $0) }.flatMap(Self.plain) as? NSNumber
    }

    // MARK: Objects

    private func object(forKey key: String) -> NSObject? {
        guard !isDamaged, let place = parts[key] else { return nil }
        do throws(BinaryPropertyList.Damage) {
            guard case .reference(let number) = try list.value(at: place) else { throw .damaged }
            return try object(number)
        } catch {
            isDamaged = true
            return nil
        }
    }

    /// Nil for the archive's null.
    private func object(_ number: Int) throws(BinaryPropertyList.Damage) -> NSObject? {
        if let object = known[number] { return object }
        guard objects.indices.contains(number), underWay.count < Self.deepest else { throw .damaged }
        let value = try list.value(at: objects[number])
        guard case .dictionary(let parts) = value else {
            if case .string("$null") = value { return nil }
            guard let plain = Self.plain(value) else { throw .damaged }
            return plain
        }
        guard underWay.insert(number).inserted else { throw .damaged }
        defer { underWay.remove(number) }
        let object = try object(try className(parts), parts)
        known[number] = object
        return object
    }

    private func className(_ parts: [String: Int]) throws(BinaryPropertyList.Damage) -> String {
        guard let place = parts["$class"], case .reference(let number) = try list.value(at: place),
            objects.indices.contains(number), case .dictionary(let described) = try list.value(at: objects[number]),
            let name = described["$classname"], case .string(let text) = try list.value(at: name)
        else { throw .damaged }
        return text
    }

    private func object(_ name: String, _ parts: [String: Int]) throws(BinaryPropertyList.Damage) -> NSObject {
        switch name {
        case "NSArray", "NSMutableArray": return NSArray(array: try elements("NS.objects", parts))
        case "NSDictionary", "NSMutableDictionary":
            let values = try elements("NS.objects", parts)
            guard let keys = try elements("NS.keys", parts) as? [NSString], keys.count == values.count else {
                throw .damaged
            }
            let dictionary = NSMutableDictionary()
            for (key, value) in zip(keys, values) { dictionary.setObject(value, forKey: key) }
            return dictionary
        case "NSDate":
            guard let place = parts["NS.time"], case .real(let seconds) = try list.value(at: place), seconds.isFinite
            else { throw .damaged }
            return NSDate(timeIntervalSinceReferenceDate: seconds)
        case "NSData", "NSMutableData":
            guard let place = parts["NS.data"], let data = Self.plain(try list.value(at: place)) as? NSData else {
                throw .damaged
            }
            return data
        case "NSString", "NSMutableString":
            guard let place = parts["NS.string"], let text = Self.plain(try list.value(at: place)) as? NSString else {
                throw .damaged
            }
            return text
        default:
            let own = name.split(separator: ".").last.map(String.init) ?? ""
            guard let type = classes[own] else { throw .damaged }
            let outer = self.parts
            self.parts = parts
            defer { self.parts = outer }
            guard let object = type.init(coder: self), !isDamaged else { throw .damaged }
            return object
        }
    }

    private func elements(_ key: String, _ parts: [String: Int]) throws(BinaryPropertyList.Damage) -> [NSObject] {
        guard let place = parts[key], case .list(let references) = try list.value(at: place) else { throw .damaged }
        var elements: [NSObject] = []
        for reference in references {
            guard case .reference(let number) = try list.value(at: reference), let element = try object(number) else {
                throw .damaged
            }
            elements.append(element)
        }
        return elements
    }

    private static func plain(_ value: BinaryPropertyList.Value) -> NSObject? {
        switch value {
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .boolean(let value): NSNumber(value: value)
        case .string(let value): NSString(string: value)
        case .data(let value): NSData(data: value)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .reference, .list, .dictionary, .other: nil
        }
    }
}
