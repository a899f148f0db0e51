public import Foundation

/// How the tone reached the ear.
public enum HKAudiogramConductionType: Int, Sendable {
    /// Through headphones or a loudspeaker.
    case air = 0
}

/// Which ear was tested.
public enum HKAudiogramSensitivityTestSide: Int, Sendable {
    /// Raw value 0.
    case left = 0
    /// Raw value 1.
    case right = 1
}

/// One test of one ear at one frequency.
public final class HKAudiogramSensitivityTest: NSObject, NSSecureCoding, Sendable {
    /// In dBHL.
    public let sensitivity: HKQuantity
    /// How the tone reached the ear.
    public let type: HKAudiogramConductionType
    /// Whether the other ear heard a noise meanwhile.
    public let masked: Bool
    /// Which ear was tested.
    public let side: HKAudiogramSensitivityTestSide
    /// The range to which an app should clamp the sensitivity; nil when it is shown as it is.
    public let clampingRange: HKAudiogramSensitivityPointClampingRange?

    /// Throws `HKError.errorInvalidArgument` when the sensitivity is not in dBHL.
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

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
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

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(sensitivity, forKey: "sensitivity")
        coder.encode(count: type.rawValue, forKey: "type")
        coder.encode(count: masked ? 1 : 0, forKey: "masked")
        coder.encode(count: side.rawValue, forKey: "side")
        coder.encodeIfPresent(clampingRange, forKey: "clampingRange")
    }
}
