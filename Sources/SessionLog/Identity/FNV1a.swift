package import Foundation

/// The 64-bit hash FNV-1a (Fowler, Noll & Vo 1991). Unlike Swift's own hashes it is the same in every process and on
/// every machine. It does not resist deliberate collisions.
package struct FNV1a: Sendable {
    package private(set) var value: UInt64

    package static let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325

    /// - Parameter basis: A basis other than the default gives a second hash of the same bytes.
    package init(basis: UInt64 = offsetBasis) {
        value = basis
    }

    @inline(__always)
    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
    }

    /// Adds the bytes of the word, least significant first.
    package mutating func add(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}

extension UUID {
    /// Makes a UUID from these words that is the same everywhere.
    package init(naming words: [UInt64]) {
        var high = FNV1a()
        var low = FNV1a(basis: 0x8422_2325_CBF2_9CE4)
        for word in words {
            high.add(word)
            low.add(word)
        }
        self.init(version8: high.value, low.value)
    }
}
