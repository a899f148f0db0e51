/// The figures of a quantity type over a stretch of time.
///
/// A getter returns nil when its option was not asked for, or when there were no samples. The forms with a source are
/// nil without ``HKStatisticsOptions/separateBySource``. The statistics of builders and workouts hold everything that
/// their type allows: the sum for cumulative types, average, minimum and maximum for discrete ones, and for both the
/// latest value and the duration.
// Sendable holds: every stored property is immutable, and its values are Sendable.
public class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// What is counted.
    public let quantityType: HKQuantityType
    /// The beginning of the time that the figures are of.
    public let startDate: Date
    /// The end of the time that the figures are of.
    public let endDate: Date
    /// The sources that took part; nil without ``HKStatisticsOptions/separateBySource``.
    public var sources: [HKSource]? { options.contains(.separateBySource) ? Array(bySource.keys) : nil }

    /// The figures of all sources together, in ``unit``.
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

    /// The average of a discrete type; nil without ``HKStatisticsOptions/discreteAverage``, and without samples.
    public func averageQuantity() -> HKQuantity? { quantity(.discreteAverage, total.average) }
    /// The same of one source; nil without ``HKStatisticsOptions/separateBySource``.
    public func averageQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteAverage, part(source)?.average)
    }

    /// The least value of a discrete type; nil without ``HKStatisticsOptions/discreteMin``, and without samples.
    public func minimumQuantity() -> HKQuantity? { quantity(.discreteMin, total.leastIfAny) }
    /// The same of one source; nil without ``HKStatisticsOptions/separateBySource``.
    public func minimumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteMin, part(source)?.leastIfAny)
    }

    /// The greatest value of a discrete type; nil without ``HKStatisticsOptions/discreteMax``, and without samples.
    public func maximumQuantity() -> HKQuantity? { quantity(.discreteMax, total.greatestIfAny) }
    /// The same of one source; nil without ``HKStatisticsOptions/separateBySource``.
    public func maximumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.discreteMax, part(source)?.greatestIfAny)
    }

    /// The sum of a cumulative type; nil without ``HKStatisticsOptions/cumulativeSum``, and without samples.
    public func sumQuantity() -> HKQuantity? { quantity(.cumulativeSum, total.sumIfAny) }
    /// The same of one source; nil without ``HKStatisticsOptions/separateBySource``.
    public func sumQuantity(for source: HKSource) -> HKQuantity? { quantity(.cumulativeSum, part(source)?.sumIfAny) }

    /// The value whose interval ends last.
    public func mostRecentQuantity() -> HKQuantity? { quantity(.mostRecent, total.mostRecent?.value) }
    /// The same of one source; nil without ``HKStatisticsOptions/separateBySource``.
    public func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
        quantity(.mostRecent, part(source)?.mostRecent?.value)
    }

    /// When the latest value was measured; nil without ``HKStatisticsOptions/mostRecent``.
    public func mostRecentQuantityDateInterval() -> DateInterval? { interval(total.mostRecent) }
    /// The same of one source; nil without ``HKStatisticsOptions/separateBySource``.
    public func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
        interval(part(source)?.mostRecent)
    }

    /// The time that samples cover, as a quantity of time.
    public func duration() -> HKQuantity? { seconds(total) }
    /// The same of one source; nil without ``HKStatisticsOptions/separateBySource``.
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
        // Decoded figures may say anything, and an interval traps when it ends before it starts.
        return DateInterval(start: latest.start, end: max(latest.start, latest.end))
    }

    private func seconds(_ statistics: RunningStatistics) -> HKQuantity? {
        guard options.contains(.duration), statistics.count > 0 else { return nil }
        return HKQuantity(unit: .second(), doubleValue: statistics.coveredSeconds)
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
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

    /// Nil when the archive holds no such object, or one with values that it cannot have.
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
