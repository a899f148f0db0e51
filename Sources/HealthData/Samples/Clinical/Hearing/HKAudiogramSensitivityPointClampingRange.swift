public import Foundation

/// The range to which the sensitivity of a hearing test is clamped, in dBHL.
public final class HKAudiogramSensitivityPointClampingRange: NSObject, NSSecureCoding, Sendable {
    /// The lower bound. Nil if there is none.
    public let lowerBound: HKQuantity?
    /// The upper bound. Nil if there is none.
    public let upperBound: HKQuantity?

    /// Creates a range. Throws `HKError.errorInvalidArgument` if there is no bound, and if the lower one is not below
    /// the upper one.
    public init(lowerBound: NSNumber?, upperBound: NSNumber?) throws {
        guard lowerBound != nil || upperBound != nil else {
            throw HKError.make(.errorInvalidArgument, "A clamping range needs a lower or an upper bound.")
        }
        if let lowerBound, let upperBound, !(lowerBound.doubleValue < upperBound.doubleValue) {
            throw HKError.make(
                .errorInvalidArgument, "The lower bound of a clamping range must be below the upper one.")
        }
        func quantity(_ number: NSNumber?) -> HKQuantity? {
            number.map { HKQuantity(unit: .decibelHearingLevel(), doubleValue: $0.doubleValue) }
        }
        self.lowerBound = quantity(lowerBound)
        self.upperBound = quantity(upperBound)
    }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        try? self.init(
            lowerBound: coder.decodeValue(of: NSNumber.self, forKey: "lowerBound"),
            upperBound: coder.decodeValue(of: NSNumber.self, forKey: "upperBound"))
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        let unit = HKUnit.decibelHearingLevel()
        if let lowerBound { coder.encode(number: lowerBound.doubleValue(for: unit), forKey: "lowerBound") }
        if let upperBound { coder.encode(number: upperBound.doubleValue(for: unit), forKey: "upperBound") }
    }
}
