public import Foundation

/// 128 bits that name the content of a sample: equal content gives equal fingerprints, in every run and on every
/// machine, so that importing a file twice, or a later export of the same phone, finds what is there already.
///
/// Dates count as instants, so the offset that an export happens to write them with does not matter; nor does the
/// address that the exporting process gave to a device. Exact duplicates within one file have one fingerprint.
///
/// Texts go in by FNV-1a, 64 bits (Fowler, Noll, Vo), words by the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast
/// splittable pseudorandom number generators", 2014), both twice with different constants. This is no defence against
/// somebody who wants two samples to collide.
public struct HealthFingerprint: Sendable, Hashable {
    /// The first 64 of the 128 bits.
    public private(set) var high: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The last 64 of the 128 bits.
    public private(set) var low: UInt64 = 0xD1B5_4A32_D192_ED03

    /// Of nothing yet: combine what the content is, always in the same order.
    public init() {}

    /// A UUID of version 8, "custom" (RFC 9562, section 5.8), of these bits.
    public var uuid: UUID { UUID(version8: high, low) }

    /// Takes in 64 bits.
    public mutating func combine(_ word: UInt64) {
        high = Self.mixed((high ^ word) &+ 0x9E37_79B9_7F4A_7C15)
        low = Self.mixed((low &+ word) ^ 0xA076_1D64_78BD_642F)
    }

    /// Takes in a text, and its length, so that neighbouring texts cannot run into each other.
    public mutating func combine(_ text: String) {
        var first = FNV1a()
        var second: UInt64 = 0x6C62_272E_07BB_0142
        var count: UInt64 = 0
        for byte in text.utf8 {
            first.add(byte)
            second = (second ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            count += 1
        }
        combine(first.value)
        combine(second &+ count)
    }

    /// Takes in a text or its absence, which are never the same.
    public mutating func combine(_ text: String?) {
        combine(text == nil ? 0 : 1)
        if let text { combine(text) }
    }

    /// Takes in an instant, without the offset that it was written with.
    public mutating func combine(_ date: Date) { combine(date.timeIntervalSinceReferenceDate.bitPattern) }

    /// Takes in an instant or its absence, which are never the same.
    public mutating func combine(_ date: Date?) {
        // No date has this pattern, which is that of a NaN.
        combine(date?.timeIntervalSinceReferenceDate.bitPattern ?? .max)
    }

    /// Takes in another one; the order matters.
    public mutating func combine(_ other: HealthFingerprint) {
        combine(other.high)
        combine(other.low)
    }

    /// Takes in another one so that the order does not matter.
    package mutating func add(_ other: HealthFingerprint) {
        high &+= other.high
        low &+= other.low
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
