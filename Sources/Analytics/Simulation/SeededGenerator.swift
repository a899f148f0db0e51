/// Random numbers that are the same on every machine for the same seed.
///
/// xoshiro256** (Blackman & Vigna, ACM Trans Math Softw 47:36, 2021), with its state filled by SplitMix64 (Steele, Lea
/// & Flood, OOPSLA 2014). It uses neither the standard library's distributions, which may change, nor the mathematical
/// library, whose last digits differ between platforms.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Equatable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// - Parameter stream: Generators with the same seed but different streams give unrelated numbers.
    public init(seed: UInt64, stream: UInt64 = 0) {
        var counter = seed ^ (stream &* 0xD1B5_4A32_D192_ED03)
        func splitMix() -> UInt64 {
            counter &+= 0x9E37_79B9_7F4A_7C15
            var z = counter
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        state = (splitMix(), splitMix(), splitMix(), splitMix())
    }

    public mutating func next() -> UInt64 {
        let result = Self.rotate(state.1 &* 5, by: 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = Self.rotate(state.3, by: 45)
        return result
    }

    /// Returns a number evenly distributed in 0 ..< 1, in steps of 2⁻⁵³.
    public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a number evenly distributed in the range.
    public mutating func uniform(in range: Range<Double>) -> Double {
        range.lowerBound + uniform() * (range.upperBound - range.lowerBound)
    }

    /// Returns an almost normally distributed number with mean 0 and standard deviation 1: the sum of twelve even
    /// values. It is never beyond ±6.
    public mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += uniform() }
        return sum
    }

    private static func rotate(_ value: UInt64, by bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }

    public static func == (a: SeededGenerator, b: SeededGenerator) -> Bool { a.state == b.state }
}
