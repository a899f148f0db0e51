import ArgumentParser
import Foundation
import HealthKit
import SessionLog

/// `workout stats`: shows figures of a quantity type in buckets of time.
struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Print statistics of a quantity type over time.",
        discussion: """
            Heart rate and similar types have a minimum, a time-weighted average and a maximum; steps, distances and energy \
            have a sum, which counts overlapping sources once. Intervals follow the local calendar. An interval without \
            samples is a gap, not a zero.

            Example:
              workout stats heartRate --from 7d --every 1d
            """)

    @Argument(
        help: TypeArgument.help, completion: TypeArgument.quantityTypes,
        transform: { try TypeArgument.quantityType($0) })
    var type: HKQuantityType

    @OptionGroup var range: DateRangeArguments

    @Option(help: "Interval: 15m, 1h, 1d, 1w, 1mo, 1y … Default: one figure for the whole range.")
    var every: StatisticsInterval?

    @Option(help: "Only samples of this source: its name or bundle identifier.")
    var source: String?

    @Flag(
        inversion: .prefixedNo,
        help:
            """
            Draw sums as bars, and other types as ranges from minimum to maximum. Default: if they fit.
            """
    )
    var chart: Bool?

    @OptionGroup var pager: PagerOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let lines = try await CommandFailure.ownFault {
            try self.lines(HealthEnvironment.current.database, .standard(columnsInPipe: 100))
        }
        Pager.print(styled: lines, pager)
    }

    func lines(_ database: any HealthDatabase, _ page: Page) throws -> [String] {
        var report = try self.report(database, timeZone: page.timeZone)
        report.chart = chart
        if json { return [report.json] }
        guard report.buckets.contains(where: { $0.total.count > 0 }) else {
            let isWhole = range.start == nil && range.end == nil
            return ["No samples of \(type.swiftName) \(isWhole ? "are stored" : "fall in this period")."]
        }
        return report.lines(page)
    }

    func report(_ database: any HealthDatabase, timeZone: TimeZone) throws -> StatisticsReport {
        let calendar = Calendar.gregorian(timeZone)
        let selection = SampleSelection(type, try sourceFilter(database))
        let bounds = try self.bounds(try database.dateRange(selection), calendar)
        guard !bounds.isEmpty else { return StatisticsReport(type: type, buckets: [], areWholeDays: false) }
        // Without bounds from the user, nothing is cut: the last value is held until its workout's end.
        let isWhole = every == nil && range.start == nil && range.end == nil
        let figures = try database.statistics(
            selection, bounds: isWhole ? .whole : .dates(bounds), separatingSources: false)
        let filled = Dictionary(figures.map { (isWhole ? bounds[0] : $0.start, $0.total) }) { first, _ in first }
        let buckets = zip(bounds, bounds.dropFirst()).map { start, end in
            StatisticsBucket(start: start, end: end, total: filled[start] ?? RunningStatistics(type.averagingRule))
        }
        let areWholeDays = bounds.allSatisfy { calendar.startOfDay(for: $0) == $0 }
        return StatisticsReport(type: type, buckets: buckets, areWholeDays: areWholeDays)
    }

    /// Returns the bounds of the buckets, empty if there are no samples. Bounds that the user does not state come from
    /// the samples. Bounds that the user states cut the buckets.
    private func bounds(_ stored: ClosedRange<Date>?, _ calendar: Calendar) throws -> [Date] {
        guard let start = range.start ?? stored?.lowerBound, let last = stored?.upperBound ?? range.end else {
            return []
        }
        // A sample at the last moment lies inside.
        let end = range.end ?? last.addingTimeInterval(1)
        guard start < end else { return [] }
        guard let every else { return [start, end] }
        guard var bounds = every.bounds(from: start, to: end, calendar) else {
            throw CommandFailure(
                exitCode: .wrongUsage,
                message: "this makes more than \(StatisticsInterval.mostBuckets) intervals; choose a longer --every")
        }
        if range.start != nil { bounds[0] = start }
        if range.end != nil { bounds[bounds.count - 1] = end }
        return bounds
    }

    private func sourceFilter(_ database: any HealthDatabase) throws -> SampleFilter {
        guard let source else { return .all }
        let known = try database.sources(SampleSelection(type))
        let wanted = source.lowercased()
        let found = known.filter { $0.bundleIdentifier.lowercased() == wanted || $0.name.lowercased() == wanted }
        guard !found.isEmpty else {
            let names = known.map { "\($0.name) (\($0.bundleIdentifier))" }.sorted()
            let there = names.isEmpty ? "no source has any" : "sources: \(names.joined(separator: ", "))"
            throw CommandFailure(
                exitCode: .badInput, message: "no \(type.swiftName) from the source \(source); \(there)")
        }
        return .sources(Set(found.map(\.bundleIdentifier)))
    }
}
