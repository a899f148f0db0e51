public import Foundation

/// The path of the tone to the ear.
public enum HKAudiogramConductionType: Int, Sendable {
    /// Through headphones or a loudspeaker.
    case air = 0
}

/// The ear tested.
public enum HKAudiogramSensitivityTestSide: Int, Sendable {
    /// Raw value 0.
    case left = 0
    /// Raw value 1.
    case right = 1
}

/// One test of one ear at one frequency.
public final class HKAudiogramSensitivityTest: NSObject, NSSecureCoding, Sendable {
    /// The sensitivity in dBHL.
    public let sensitivity: HKQuantity
    /// The path of the tone to the ear.
    public let type: HKAudiogramConductionType
    /// Whether the other ear heard a noise during the test.
    public let masked: Bool
    /// The ear tested.
    public let side: HKAudiogramSensitivityTestSide
    /// The range to which an app should clamp the sensitivity. Nil if it is shown unchanged.
    public let clampingRange: HKAudiogramSensitivityPointClampingRange?

    /// Creates a test. Throws `HKError.errorInvalidArgument` if the sensitivity is not in dBHL.
    public init(
        sensitivity: HKQuantity, type: HKAudiogramConductionType, masked: Bool, side: HKAudiogramSensitivityTestSide,
        clampingRange: HKAudiogramSensitivityPointClampingRange?
    ) throws {
        guard sensitivity.is(compatibleWith: .decibelHearingLevel()) else {
            throw HKError.make(
                .errorInvalidArgument,
                "The sensitivity of a hearing test cannot be in \(sensitivity.unit.unitString): give it in dBHL.")
        }
        self.sensitivity = sensitivity
        self.type = type
        self.masked = masked
        self.side = side
        self.clampingRange = clampingRange
    }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let sensitivity = coder.decodeValue(of: HKQuantity.self, forKey: "sensitivity"),
            let type = coder.decodeCount(forKey: "type").flatMap(HKAudiogramConductionType.init),
            let side = coder.decodeCount(forKey: "side").flatMap(HKAudiogramSensitivityTestSide.init)
        else { return nil }
        try? self.init(
            sensitivity: sensitivity, type: type, masked: coder.decodeCount(forKey: "masked") == 1, side: side,
            clampingRange: coder.decodeValue(of: HKAudiogramSensitivityPointClampingRange.self, forKey: "clampingRange")
        )
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(sensitivity, forKey: "sensitivity")
        coder.encode(count: type.rawValue, forKey: "type")
        coder.encode(count: masked ? 1 : 0, forKey: "masked")
        coder.encode(count: side.rawValue, forKey: "side")
        coder.encodeIfPresent(clampingRange, forKey: "clampingRange")
    }
}
