public import Foundation

/// The result of a hearing test: the faintest tone that could be heard at each of several frequencies.
public final class HKAudiogramSample: HKSample, @unchecked Sendable {
    /// The results, in order of frequency.
    public let sensitivityPoints: [HKAudiogramSensitivityPoint]

    /// Creates an audiogram. Traps if the sample ends before it starts, as HealthKit raises.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil, metadata: metadata)
    }

    /// Creates an audiogram with the device that tested. Traps if the sample ends before it starts, and if metadata
    /// contains a value that is no `String`, number, `Date` or `HKQuantity`.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        raising(try Self.check(HKObjectType.audiogramSampleType(), start: startDate, end: endDate))
        let identity = raising(try ObjectIdentity(device: device, metadata: metadata))
        self.init(identity, sensitivityPoints, startDate, endDate)
    }

    /// Creates an audiogram from a file or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
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

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let points = coder.decodeList(of: HKAudiogramSensitivityPoint.self, forKey: "sensitivityPoints") else {
            return nil
        }
        sensitivityPoints = points
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(list: sensitivityPoints, forKey: "sensitivityPoints")
    }
}
