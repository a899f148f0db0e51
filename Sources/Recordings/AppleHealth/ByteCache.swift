import Foundation

/// A cache of values by the bytes that they were made from.
///
/// A key has one place. Another key for the same place replaces it, which only costs time. So the cache does not grow,
/// and a hostile file can at worst make it useless.
struct ByteCache<Value>: ~Copyable {
    private let places: Int
    private let stride: Int
    private let lengths: UnsafeMutablePointer<Int32>
    private let keys: UnsafeMutablePointer<UInt8>
    private var values: [Value?]

    /// `places` must be a power of two. Keys longer than `stride` bytes are not kept.
    init(places: Int, stride: Int) {
        precondition(places > 0 && places & (places - 1) == 0)
        self.places = places
        self.stride = stride
        lengths = .allocate(capacity: places)
        lengths.initialize(repeating: -1, count: places)
        keys = .allocate(capacity: places * stride)
        values = Array(repeating: nil, count: places)
    }

    deinit {
        lengths.deallocate()
        keys.deallocate()
    }

    @inline(__always)
    func value(_ key: UnsafeBufferPointer<UInt8>) -> Value? {
        guard let start = key.baseAddress, key.count <= stride else { return nil }
        let place = Self.hash(start, key.count) & (places - 1)
        guard Int(lengths[place]) == key.count, memcmp(keys + place * stride, start, key.count) == 0 else { return nil }
        return values[place]
    }

    mutating func keep(_ value: Value, for key: UnsafeBufferPointer<UInt8>) {
        guard let start = key.baseAddress, key.count <= stride else { return }
        let place = Self.hash(start, key.count) & (places - 1)
        lengths[place] = Int32(key.count)
        (keys + place * stride).update(from: start, count: key.count)
        values[place] = value
    }

    /// Hashes eight bytes per step by multiplication and rotation. The last step overlaps the one before.
    @inline(__always)
    private static func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let bytes = UnsafeRawPointer(start)
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = UInt64(truncatingIfNeeded: count) &* factor
        if count >= 8 {
            var index = 0
            while index < count - 8 {
                hash = (hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* factor
                hash ^= hash &>> 29
                index += 8
            }
            hash = (hash ^ bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)) &* factor
        } else {
            var word: UInt64 = 0
            for index in 0..<count { word = word &<< 8 | UInt64(start[index]) }
            hash = (hash ^ word) &* factor
        }
        return Int(truncatingIfNeeded: hash &>> 40)
    }
}
