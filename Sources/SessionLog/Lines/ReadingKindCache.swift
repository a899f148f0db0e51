/// Shares one object among equal kinds of readings, because the lines of a log repeat a few of them.
///
/// A kind has one place. Another kind for the same place replaces it, which only costs time.
struct ReadingKindCache: Sendable {
    private var places = [ReadingKind?](repeating: nil, count: 64)

    /// Returns the kind with these names, in UTF-8.
    mutating func kind(
        _ type: UnsafeBufferPointer<UInt8>, unit: UnsafeBufferPointer<UInt8>, sensor: UnsafeBufferPointer<UInt8>?
    ) -> ReadingKind {
        let place = (Self.hash(type) &* 31 &+ Self.hash(unit) &* 7 &+ (sensor.map(Self.hash) ?? 0)) & 63
        if let known = places[place], Self.equals(known.type, type), Self.equals(known.unit, unit),
            Self.equals(known.sensor, sensor)
        {
            return known
        }
        let new = ReadingKind(
            String(decoding: type, as: UTF8.self), unit: String(decoding: unit, as: UTF8.self),
            sensor: sensor.map { String(decoding: $0, as: UTF8.self) })
        places[place] = new
        return new
    }

    /// Hashes only a few bytes, because names rarely differ only in the others.
    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        return Int(first) &+ Int(last) &* 5 &+ Int(name[name.count / 2]) &* 3 &+ name.count &* 11
    }

    private static func equals(_ name: String?, _ utf8: UnsafeBufferPointer<UInt8>?) -> Bool {
        guard let name, let utf8 else { return name == nil && utf8 == nil }
        return name.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.count == utf8.count && bytes.elementsEqual(utf8)
        } ?? false
    }
}
