public import Foundation

/// A sample of a type whose values do not add up, such as heart rate, body mass and power.
///
/// For a sample of one value, the least, average, greatest and latest are that value. A series has each of them.
public final class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
    // Nil for a single value, to save memory: there are millions of them.
    private let series: DiscreteSeries?

    /// The least value of a series, or the single value.
    public var minimumQuantity: HKQuantity { series?.minimum ?? quantity }
    /// The average, equal to the sample's `quantity`.
    public var averageQuantity: HKQuantity { quantity }
    /// The greatest value of a series, or the single value.
    public var maximumQuantity: HKQuantity { series?.maximum ?? quantity }
    /// The value of a series whose interval ends last, or the single value.
    public var mostRecentQuantity: HKQuantity { series?.mostRecent ?? quantity }
    /// The interval in which `mostRecentQuantity` was measured.
    public var mostRecentQuantityDateInterval: DateInterval {
        series?.mostRecentInterval ?? DateInterval(start: startDate, end: endDate)
    }

    /// Creates a series of `count` quantities. `series` is in units of the type.
    package init(
        _ identity: ObjectIdentity, type: HKQuantityType, average: HKQuantity, count: Int, series: DiscreteSeries,
        start: Date, end: Date
    ) {
        self.series = series
        super.init(identity, type: type, quantity: average, count: count, start: start, end: end)
    }

    package override init(
        _ identity: ObjectIdentity, type: HKQuantityType, quantity: HKQuantity, count: Int = 1, start: Date, end: Date
    ) {
        series = nil
        super.init(identity, type: type, quantity: quantity, count: count, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKDiscreteQuantitySample {
        guard let series else {
            return HKDiscreteQuantitySample(
                identity, type: quantityType, quantity: quantity, count: count, start: start, end: end)
        }
        return HKDiscreteQuantitySample(
            identity, type: quantityType, average: quantity, count: count, series: series.mappingDates(inner),
            start: start, end: end)
    }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        series = DiscreteSeries(coder: coder)
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        series?.encode(with: coder)
    }
}

/// The least, greatest and latest quantity of a series of discrete values.
package final class DiscreteSeries: Sendable {
    package let minimum: HKQuantity
    package let maximum: HKQuantity
    package let mostRecent: HKQuantity
    package let mostRecentInterval: DateInterval

    package init(minimum: HKQuantity, maximum: HKQuantity, mostRecent: HKQuantity, mostRecentInterval: DateInterval) {
        self.minimum = minimum
        self.maximum = maximum
        self.mostRecent = mostRecent
        self.mostRecentInterval = mostRecentInterval
    }

    fileprivate func mappingDates(_ map: (Date) -> Date) -> DiscreteSeries {
        DiscreteSeries(
            minimum: minimum, maximum: maximum, mostRecent: mostRecent,
            mostRecentInterval: DateInterval(start: map(mostRecentInterval.start), end: map(mostRecentInterval.end)))
    }

    fileprivate convenience init?(coder: NSCoder) {
        guard let minimum = coder.decodeValue(of: HKQuantity.self, forKey: "minimum"),
            let maximum = coder.decodeValue(of: HKQuantity.self, forKey: "maximum"),
            let mostRecent = coder.decodeValue(of: HKQuantity.self, forKey: "mostRecent"),
            let start = coder.decodeDate(forKey: "mostRecentStart"),
            let end = coder.decodeDate(forKey: "mostRecentEnd"), start <= end
        else { return nil }
        self.init(
            minimum: minimum, maximum: maximum, mostRecent: mostRecent,
            mostRecentInterval: DateInterval(start: start, end: end))
    }

    fileprivate func encode(with coder: NSCoder) {
        coder.encode(minimum, forKey: "minimum")
        coder.encode(maximum, forKey: "maximum")
        coder.encode(mostRecent, forKey: "mostRecent")
        coder.encode(date: mostRecentInterval.start, forKey: "mostRecentStart")
        coder.encode(date: mostRecentInterval.end, forKey: "mostRecentEnd")
    }
}
