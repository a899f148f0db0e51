package import SessionLog

/// The statistics of a quantity type over a period.
///
/// A getter returns nil if its option was not requested, or if there were no samples. The forms with a source return
/// nil without ``HKStatisticsOptions/separateBySource``. The statistics of builders and workouts contain everything
/// that their type allows: the sum for cumulative types, average, minimum and maximum for discrete ones, and for both
/// the latest value and the duration.
// Sendable holds: every stored property is immutable, and its values are Sendable.
public class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The quantity type.
    public let quantityType: HKQuantityType
    /// The start of the period.
    public let startDate: Date
    /// The end of the period.
    public let endDate: Date
    /// The sources of the samples. Nil without ``HKStatisticsOptions/separateBySource``.
    public var sources: [HKSource]? { options.contains(.separateBySource) ? Array(bySource.keys) : nil }

    /// The statistics of all sources together, in ``unit``.
    package let total: RunningStatistics
    package let bySource: [HKSource: RunningStatistics]
    package let unit: HKUnit
    package let options: HKStatisticsOptions

    package init(
        quantityType: HKQuantityType, startDate: Date, endDate: Date, options: HKStatisticsOptions, unit: HKUnit,
        total: RunningStatistics, bySource: [HKSource: RunningStatistics] = [:]
    ) {
        self.quantityType = quantityType
        self.startDate = startDate
        self.endDate = endDate
        self.options = options
        self.unit = unit
        self.total = total
        self.bySource = bySource
    }

    /// Returns the average of a discrete type. Nil without ``HKStatisticsOptions/discreteAverage``, and without
    /// samples.
    public func averageQuantity() -> HKQuantity? { quantity(.discreteAverage, total.average) }
    /// Returns the same for one source. Nil without ``HKStatisticsOptions/separateBySource``.
    public func averageQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteAverage, part(source)?.average)
    }

    /// Returns the least value of a discrete type. Nil without ``HKStatisticsOptions/discreteMin``, and without
    /// samples.
    public func minimumQuantity() -> HKQuantity? { quantity(.discreteMin, total.leastIfAny) }
    /// Returns the same for one source. Nil without ``HKStatisticsOptions/separateBySource``.
    public func minimumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteMin, part(source)?.leastIfAny)
    }

    /// Returns the greatest value of a discrete type. Nil without ``HKStatisticsOptions/discreteMax``, and without
    /// samples.
    public func maximumQuantity() -> HKQuantity? { quantity(.discreteMax, total.greatestIfAny) }
    /// Returns the same for one source. Nil without ``HKStatisticsOptions/separateBySource``.
    public func maximumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteMax, part(source)?.greatestIfAny)
    }

    /// Returns the sum of a cumulative type. Nil without ``HKStatisticsOptions/cumulativeSum``, and without samples.
    public func sumQuantity() -> HKQuantity? { quantity(.cumulativeSum, total.sumIfAny) }
    /// Returns the same for one source. Nil without ``HKStatisticsOptions/separateBySource``.
    public func sumQuantity(for source: HKSource) -> HKQuantity? { quantity(.cumulativeSum, part(source)?.sumIfAny) }

    /// Returns the value whose interval ends last. Nil without ``HKStatisticsOptions/mostRecent``, and without samples.
    public func mostRecentQuantity() -> HKQuantity? { quantity(.mostRecent, total.mostRecent?.value) }
    /// Returns the same for one source. Nil without ``HKStatisticsOptions/separateBySource``.
    public func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.mostRecent, part(source)?.mostRecent?.value)
    }

    /// Returns the interval in which the latest value was measured. Nil without ``HKStatisticsOptions/mostRecent``.
    public func mostRecentQuantityDateInterval() -> DateInterval? { interval(total.mostRecent) }
    /// Returns the same for one source. Nil without ``HKStatisticsOptions/separateBySource``.
    public func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
        interval(part(source)?.mostRecent)
    }

    /// Returns the time that samples cover, as a quantity of time.
    public func duration() -> HKQuantity? { seconds(total) }
    /// Returns the same for one source. Nil without ``HKStatisticsOptions/separateBySource``.
    public func duration(for source: HKSource) -> HKQuantity? { part(source).flatMap(seconds) }

    private func part(_ source: HKSource) -> RunningStatistics? {
        options.contains(.separateBySource) ? bySource[source] : nil
    }

    private func quantity(_ option: HKStatisticsOptions, _ value: Double?) -> HKQuantity? {
        guard options.contains(option), let value else { return nil }
        return HKQuantity(unit: unit, doubleValue: value)
    }

    private func interval(_ latest: TimedValue?) -> DateInterval? {
        guard options.contains(.mostRecent), let latest else { return nil }
        // Decoded values may be invalid, and an interval traps if it ends before it starts.
        return DateInterval(start: latest.start, end: max(latest.start, latest.end))
    }

    private func seconds(_ statistics: RunningStatistics) -> HKQuantity? {
        guard options.contains(.duration), statistics.count > 0 else { return nil }
        return HKQuantity(unit: .second(), doubleValue: statistics.coveredSeconds)
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(quantityType, forKey: "quantityType")
        coder.encode(unit, forKey: "unit")
        coder.encode(NSNumber(value: options.rawValue), forKey: "options")
        coder.encode(startDate as NSDate, forKey: "startDate")
        coder.encode(endDate as NSDate, forKey: "endDate")
        let sources = Array(bySource.keys)
        coder.encode(sources as NSArray, forKey: "sources")
        let parts = [total] + sources.compactMap { bySource[$0] }
        if let figures = try? PropertyListEncoder().encode(parts) { coder.encode(figures as NSData, forKey: "figures") }
    }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required convenience init?(coder: NSCoder) {
        guard let type = coder.decodeObject(of: HKQuantityType.self, forKey: "quantityType"),
            let unit = coder.decodeObject(of: HKUnit.self, forKey: "unit"),
            let options = coder.decodeObject(of: NSNumber.self, forKey: "options"),
            let start = coder.decodeObject(of: NSDate.self, forKey: "startDate"),
            let end = coder.decodeObject(of: NSDate.self, forKey: "endDate"),
            let data = coder.decodeObject(of: NSData.self, forKey: "figures"),
            let parts = try? PropertyListDecoder().decode([RunningStatistics].self, from: data as Data),
            let total = parts.first,
            let sources = coder.decodeObject(of: [NSArray.self, HKSource.self], forKey: "sources") as? [HKSource],
            sources.count == parts.count - 1
        else { return nil }
        self.init(
            quantityType: type, startDate: start as Date, endDate: end as Date,
            options: HKStatisticsOptions(rawValue: options.uintValue), unit: unit, total: total,
            bySource: Dictionary(zip(sources, parts.dropFirst())) { first, _ in first })
    }
}

extension RunningStatistics {
    package var leastIfAny: Double? { count == 0 ? nil : minimum }
    package var greatestIfAny: Double? { count == 0 ? nil : maximum }
    package var sumIfAny: Double? { count == 0 ? nil : sum }
}
