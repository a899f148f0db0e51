public import Foundation

/// The result of a hearing test: how faint a tone could be heard, at each of some frequencies.
public final class HKAudiogramSample: HKSample, @unchecked Sendable {
    /// In order of frequency.
    public let sensitivityPoints: [HKAudiogramSensitivityPoint]

    /// Traps when the sample ends before it starts, as HealthKit raises.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// With the device that tested. Traps when the sample ends before it starts, and when metadata holds a value that
    /// is no `String`, number, `Date` or `HKQuantity`.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        raising(try Self.check(HKObjectType.audiogramSampleType(), start: startDate, end: endDate))
        let identity = raising(try ObjectIdentity(device: device, metadata: metadata))
        self.init(identity, sensitivityPoints, startDate, endDate)
    }

    /// An audiogram from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
    package static func validated(
        _ identity: ObjectIdentity, sensitivityPoints: [HKAudiogramSensitivityPoint], start: Date, end: Date
    ) throws(SampleError) -> HKAudiogramSample {
        try check(HKObjectType.audiogramSampleType(), start: start, end: end)
        return HKAudiogramSample(identity, sensitivityPoints, start, end)
    }

    private init(_ identity: ObjectIdentity, _ points: [HKAudiogramSensitivityPoint], _ start: Date, _ end: Date) {
        sensitivityPoints = points.sorted { $0.hertz < $1.hertz }
        super.init(identity, sampleType: .audiogramSampleType(), start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKAudiogramSample {
        HKAudiogramSample(identity, sensitivityPoints, start, end)
    }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        guard let points = coder.decodeList(of: HKAudiogramSensitivityPoint.self, forKey: "sensitivityPoints") else {
            return nil
        }
        sensitivityPoints = points
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(list: sensitivityPoints, forKey: "sensitivityPoints")
    }
}
