public import Foundation

/// How faint a tone of one frequency could be heard.
public final class HKAudiogramSensitivityPoint: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// In hertz.
    public let frequency: HKQuantity
    /// The tests at this frequency, at least one.
    public let tests: [HKAudiogramSensitivityTest]

    /// In dBHL, of the first unmasked test by air; nil when there is none.
    public var leftEarSensitivity: HKQuantity? { sensitivity(.left) }
    /// In dBHL, of the first unmasked test by air; nil when there is none.
    public var rightEarSensitivity: HKQuantity? { sensitivity(.right) }

    /// Throws `HKError.errorInvalidArgument` when a quantity is in a unit of another kind, and when there is no ear.
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

    /// Throws `HKError.errorInvalidArgument` when the frequency is not one, and when there are no tests.
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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public convenience init?(coder: NSCoder) {
        guard let frequency = coder.decodeValue(of: HKQuantity.self, forKey: "frequency"),
            let tests = coder.decodeList(of: HKAudiogramSensitivityTest.self, forKey: "tests")
        else { return nil }
        try? self.init(frequency: frequency, tests: tests)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(frequency, forKey: "frequency")
        coder.encode(list: tests, forKey: "tests")
    }
}
