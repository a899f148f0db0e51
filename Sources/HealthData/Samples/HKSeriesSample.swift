public import Foundation

/// A sample that stands for a series of measurements, which the series' own query reads. Abstract.
public class HKSeriesSample: HKSample, @unchecked Sendable {
    /// The number of measurements in the series.
    public final let count: Int

    package init(_ identity: ObjectIdentity, type: HKSeriesType, count: Int, start: Date, end: Date) {
        self.count = count
        super.init(identity, sampleType: type, start: start, end: end)
    }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let count = coder.decodeCount(forKey: "count"), count >= 0 else { return nil }
        self.count = count
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: count, forKey: "count")
    }
}
