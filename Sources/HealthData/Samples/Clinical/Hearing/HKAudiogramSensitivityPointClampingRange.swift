public import Foundation

/// The range to which the sensitivity of a hearing test is clamped, in dBHL.
public final class HKAudiogramSensitivityPointClampingRange: NSObject, NSSecureCoding, Sendable {
    /// Nil when the range has no such bound.
    public let lowerBound: HKQuantity?
    /// Nil when the range has no such bound.
    public let upperBound: HKQuantity?

    /// Throws `HKError.errorInvalidArgument` when there is no bound, and when the lower one is not below the upper one.
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

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public convenience init?(coder: NSCoder) {
        try? self.init(
            lowerBound: coder.decodeValue(of: NSNumber.self, forKey: "lowerBound"),
            upperBound: coder.decodeValue(of: NSNumber.self, forKey: "upperBound"))
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        let unit = HKUnit.decibelHearingLevel()
        if let lowerBound { coder.encode(number: lowerBound.doubleValue(for: unit), forKey: "lowerBound") }
        if let upperBound { coder.encode(number: upperBound.doubleValue(for: unit), forKey: "upperBound") }
    }
}
