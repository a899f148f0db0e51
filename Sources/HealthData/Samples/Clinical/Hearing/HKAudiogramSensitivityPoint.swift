public import Foundation

/// The faintest tone of one frequency that could be heard.
public final class HKAudiogramSensitivityPoint: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The frequency in hertz.
    public let frequency: HKQuantity
    /// The tests at this frequency, at least one.
    public let tests: [HKAudiogramSensitivityTest]

    /// The sensitivity in dBHL from the first unmasked test by air. Nil if there is none.
    public var leftEarSensitivity: HKQuantity? { sensitivity(.left) }
    /// The sensitivity in dBHL from the first unmasked test by air. Nil if there is none.
    public var rightEarSensitivity: HKQuantity? { sensitivity(.right) }

    /// Creates a point. Throws `HKError.errorInvalidArgument` if a quantity is in a unit of another kind, and if no ear
    /// is given.
    @available(iOS, deprecated: 18.0, message: "Use init(frequency:tests:)")
    public convenience init(
        frequency: HKQuantity, leftEarSensitivity: HKQuantity?, rightEarSensitivity: HKQuantity?
    ) throws {
        let ears: [(HKQuantity?, HKAudiogramSensitivityTestSide)] = [
            (leftEarSensitivity, .left), (rightEarSensitivity, .right),
        ]
        let tests = try ears.compactMap { sensitivity, side in
            try sensitivity.map {
                try HKAudiogramSensitivityTest(
                    sensitivity: $0, type: .air, masked: false, side: side, clampingRange: nil)
            }
        }
        try self.init(frequency: frequency, tests: tests)
    }

    /// Creates a point. Throws `HKError.errorInvalidArgument` if the frequency is not one, and if there are no tests.
    public convenience init(frequency: HKQuantity, tests: [HKAudiogramSensitivityTest]) throws {
        guard frequency.is(compatibleWith: .hertz()), frequency.doubleValue(for: .hertz()) > 0 else {
            throw HKError.make(.errorInvalidArgument, "The frequency of an audiogram's point must be above 0 Hz.")
        }
        guard !tests.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "A point of an audiogram needs a test of at least one ear.")
        }
        self.init(frequency, tests)
    }

    private init(_ frequency: HKQuantity, _ tests: [HKAudiogramSensitivityTest]) {
        self.frequency = frequency
        self.tests = tests
    }

    var hertz: Double { frequency.doubleValue(for: .hertz()) }

    private func sensitivity(_ side: HKAudiogramSensitivityTestSide) -> HKQuantity? {
        tests.first { $0.side == side && $0.type == .air && !$0.masked }?.sensitivity
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let frequency = coder.decodeValue(of: HKQuantity.self, forKey: "frequency"),
            let tests = coder.decodeList(of: HKAudiogramSensitivityTest.self, forKey: "tests")
        else { return nil }
        try? self.init(frequency: frequency, tests: tests)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(frequency, forKey: "frequency")
        coder.encode(list: tests, forKey: "tests")
    }
}
