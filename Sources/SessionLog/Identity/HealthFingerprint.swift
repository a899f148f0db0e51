public import Foundation

/// A fingerprint of 128 bits for the content of a sample. Equal content gives equal fingerprints in every run and on
/// every machine. So importing a file twice, or a later export of the same phone, finds the existing samples.
///
/// Dates count as instants, so the offset in an export does not matter; nor does the address that the exporting process
/// gave to a device. Exact duplicates within one file have the same fingerprint.
///
/// Texts are hashed by FNV-1a, 64 bits (Fowler, Noll, Vo), words by the finalizer of SplitMix64 (Steele, Lea, Flood,
/// "Fast splittable pseudorandom number generators", 2014), both twice with different constants. It does not resist
/// deliberate collisions.
public struct HealthFingerprint: Sendable, Hashable {
    /// The first 64 of the 128 bits.
    public private(set) var high: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The last 64 of the 128 bits.
    public private(set) var low: UInt64 = 0xD1B5_4A32_D192_ED03

    /// Creates an empty fingerprint. Combine the content with it, always in the same order.
    public init() {}

    /// The bits as a UUID of version 8, "custom" (RFC 9562, section 5.8).
    public var uuid: UUID { UUID(version8: high, low) }

    /// Adds 64 bits.
    public mutating func combine(_ word: UInt64) {
        high = Self.mixed((high ^ word) &+ 0x9E37_79B9_7F4A_7C15)
        low = Self.mixed((low &+ word) ^ 0xA076_1D64_78BD_642F)
    }

    /// Adds a text with its length, which separates it from the next text.
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

    /// Adds a text or its absence, which always differ.
    public mutating func combine(_ text: String?) {
        combine(text == nil ? 0 : 1)
        if let text { combine(text) }
    }

    /// Adds an instant, without the offset in its text.
    public mutating func combine(_ date: Date) { combine(date.timeIntervalSinceReferenceDate.bitPattern) }

    /// Adds an instant or its absence, which always differ.
    public mutating func combine(_ date: Date?) {
        // No date has this pattern, because it is a NaN.
        combine(date?.timeIntervalSinceReferenceDate.bitPattern ?? .max)
    }

    /// Adds another fingerprint; the order matters.
    public mutating func combine(_ other: HealthFingerprint) {
        combine(other.high)
        combine(other.low)
    }

    /// Adds another fingerprint; the order does not matter.
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
