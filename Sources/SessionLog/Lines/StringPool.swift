/// Shares one string among equal names, so that a log with ten thousand times `distanceWalkingRunning` holds it once.
///
/// A name has one place. Another name for the same place replaces it, which only costs time.
struct StringPool: Sendable {
    private var places = [String](repeating: "", count: 64)

    mutating func name(_ utf8: UnsafeBufferPointer<UInt8>) -> String {
        // A string stores up to fifteen bytes inline.
        guard utf8.count > 15, utf8.count <= 64 else { return String(decoding: utf8, as: UTF8.self) }
        var hash = utf8.count
        for byte in utf8 { hash = hash &* 31 &+ Int(byte) }
        let place = hash & 63
        let isThere = places[place].utf8.withContiguousStorageIfAvailable { $0.elementsEqual(utf8) } ?? false
        if !isThere { places[place] = String(decoding: utf8, as: UTF8.self) }
        return places[place]
    }
}
