import Analytics
import ArgumentParser
import Foundation
import HealthKit
import Reports
import StoredWorkouts

/// Compares two workouts at the same distance, or after the same time without pauses.
struct WorkoutComparison {
    enum Axis: String, CaseIterable, ExpressibleByArgument { case distance, time }

    var first: AnalysisReport
    var second: AnalysisReport
    var axis: Axis

    /// Returns the name of each: its day, or its start if both began on one day.
    static func names(_ summaries: [WorkoutSummary], _ page: Page) -> [String] {
        let days = summaries.map { page.shortDay($0.start) }
        guard days[0] == days[1] else { return days }
        let minutes = summaries.map { page.minute($0.start) }
        return minutes[0] == minutes[1] ? ["first", "second"].map { localized($0) } : minutes
    }

    /// The same stretch of both workouts, with the time or the distance of each.
    struct Row: Equatable {
        /// The end of the stretch: in metres, or in seconds without pauses.
        var end: Double
        /// The seconds without pauses of a stretch by distance, or the metres of one by time.
        var first: Double
        var second: Double
        /// The difference since the start: second minus first.
        var total: Double
        /// The heart rates in beats per minute. Nil without a heart rate.
        var heartRates: (first: Double?, second: Double?)

        var difference: Double { second - first }

        static func == (a: Row, b: Row) -> Bool {
            (a.end, a.first, a.second, a.total) == (b.end, b.first, b.second, b.total) && a.heartRates == b.heartRates
        }
    }

    private var analyses: [DistanceAnalysis] { [first.distance.analysis, second.distance.analysis] }
    private var form: SpeedForm { first.speedForm }

    /// The length that both have. 0 if one has no distance, or ended at once.
    private var length: Double {
        analyses.map {
            axis == .distance ? $0.distance.totalInMeters : $0.activeSeconds(from: 0, to: $0.endInSeconds ?? 0)
        }.min() ?? 0
    }

    /// The length of a row: one or more kilometres or miles, or one or more minutes.
    private var step: Double {
        let steps =
            axis == .distance
            ? [1, 2, 5, 10, 20, 50, 100].map { $0 * form.metersOfUnit }
            : [60, 120, 300, 600, 900, 1800, 3600, 7200]
        return steps.first { length / $0 <= Self.mostRows } ?? length
    }

    private static let mostRows = 45.0

    /// Returns the clock time of a workout at that distance, or after that time without pauses.
    private func clock(_ analysis: DistanceAnalysis, at place: Double) -> Double {
        if axis == .time { return analysis.seconds(atActiveSeconds: place) }
        // The rest before the first metre does not belong to the first split.
        let start = analysis.distance.firstSecond ?? 0
        return place > 0 ? analysis.distance.seconds(atMeters: place) ?? start : start
    }

    private func amount(_ analysis: DistanceAnalysis, from start: Double, to end: Double) -> Double {
        axis == .distance
            ? analysis.activeSeconds(from: start, to: end)
            : analysis.distance.meters(atSeconds: end) - analysis.distance.meters(atSeconds: start)
    }

    var rows: [Row] { step > 0 ? rows(step) : [] }

    private func rows(_ step: Double) -> [Row] {
        var rows: [Row] = []
        var begin = 0.0
        var total = 0.0
        while begin < length * (1 - 1e-9), rows.count < 10_000 {
            let end = min(begin + step, length)
            let places = analyses.map { (clock($0, at: begin), clock($0, at: end)) }
            let amounts = zip(analyses, places).map { amount($0, from: $1.0, to: $1.1) }
            let rates = zip(analyses, places).map { $0.averageHeartRate(from: $1.0, to: $1.1) }
            total += amounts[1] - amounts[0]
            rows.append(
                Row(end: end, first: amounts[0], second: amounts[1], total: total, heartRates: (rates[0], rates[1])))
            begin = end
        }
        return rows
    }

    // MARK: For people

    func lines(_ page: Page) -> [String] {
        let rows = rows
        guard !rows.isEmpty else {
            return [
                axis == .distance
                    ? localized("These workouts cannot be compared by distance: one of them has none. Try --by time.")
                    : localized("These workouts cannot be compared by time: one of them ended at once.")
            ]
        }
        let marks = OverlaidCurves.marks(unicode: page.capability.unicode)
        let heads = [
            (localized("first"), marks.first, OverlaidCurves.styles.first, first),
            (localized("second"), marks.second, OverlaidCurves.styles.second, second),
        ].map { name, mark, style, report in
            let start = report.summary.start
            return
                (StyledLine("\(mark) ", style) + StyledLine(name + "  ", .bold)
                + StyledLine(
                    "\(ActivityTitle.of(report.summary.activity)), \(page.day(start)), \(page.clock(start)) "
                        + page.zoneName(start))).text(page.capability.colour)
        }
        return heads + charts(page) + [""] + table(page).lines(page)
    }

    /// Draws speed and heart rate of both over the same distance or time.
    private func charts(_ page: Page) -> [String] {
        let columns = min(120, page.columns - 14)
        guard columns >= 20 else { return [] }
        let bins = rows(length / Double(columns))
        let width = length / Double(columns)
        func speed(_ amount: Double) -> Double? {
            axis == .time ? amount / width : amount > 0 ? width / amount : nil
        }
        let form = form
        let pictures = [
            (
                form.title,
                OverlaidCurves(
                    first: bins.map { speed($0.first) }, second: bins.map { speed($0.second) },
                    text: { form.text($0) }, capability: page.capability)
            ),
            (
                localized("Heart rate"),
                OverlaidCurves(
                    first: bins.map(\.heartRates.first), second: bins.map(\.heartRates.second),
                    text: { MetricFormat.heartRate($0) }, capability: page.capability)
            ),
        ]
        return pictures.flatMap { title, picture -> [String] in
            let lines = picture.lines(rows: 9)
            guard !lines.isEmpty else { return [] }
            let axis = StyledLine.spread(
                StyledLine(place(0), .dim), StyledLine(place(length), .dim), columns: columns,
                ellipsis: page.ellipsis)
            return ([StyledLine(), StyledLine(title, .bold)] + lines + [axis]).map { $0.text(page.capability.colour) }
        }
    }

    /// Returns a row for each stretch, with the differences and their sum.
    func table(_ page: Page) -> ColumnTable {
        let rows = rows
        let hasRates = rows.contains { $0.heartRates.first != nil && $0.heartRates.second != nil }
        var table = ColumnTable(
            columns: [axis.rawValue, "first", "second", "difference", "in total"].map {
                .init(title: localized($0), isNumber: true)
            }
                + (hasRates
                    ? ["first bpm", "second bpm", "difference"].map { .init(title: localized($0), isNumber: true) }
                    : []))
        for row in rows {
            let rates = [row.heartRates.first, row.heartRates.second].map {
                $0.map { MetricFormat.fixed($0, 0) } ?? page.dash
            }
            let both = row.heartRates.first.flatMap { one in row.heartRates.second.map { $0 - one } }
            table.rows.append(
                .values(
                    [
                        place(row.end), amount(row.first), amount(row.second), signed(row.difference),
                        signed(row.total),
                    ]
                        + (hasRates
                            ? rates + [both.map { Self.signed($0) { MetricFormat.fixed($0, 0) } } ?? page.dash] : [])))
        }
        return table
    }

    private func place(_ value: Double) -> String {
        axis == .distance ? MetricFormat.distance(value) : MetricFormat.shortTime(value)
    }

    private func amount(_ value: Double) -> String {
        axis == .distance ? MetricFormat.shortTime(value) : MetricFormat.distance(value)
    }

    private func signed(_ value: Double) -> String { Self.signed(axis == .distance ? value.rounded() : value, amount) }

    /// Returns the value with its sign. Zero has none.
    static func signed(_ value: Double, _ text: (Double) -> String) -> String {
        let magnitude = text(abs(value))
        if magnitude == text(0) { return magnitude }
        return (value < 0 ? "-" : "+") + magnitude
    }

    // MARK: For programs

    var json: JSONText {
        let unit = axis == .distance ? "Seconds" : "Meters"
        return .object([
            ("by", .string(axis.rawValue)),
            (
                "rows",
                .array(
                    rows.map { row in
                        .object([
                            (axis == .distance ? "toMeters" : "toActiveSeconds", .optional(row.end)),
                            ("firstIn\(unit)", .optional(row.first)), ("secondIn\(unit)", .optional(row.second)),
                            ("differenceIn\(unit)", .optional(row.difference)),
                            ("totalDifferenceIn\(unit)", .optional(row.total)),
                            ("firstAverageHeartRateInBeatsPerMinute", .optional(row.heartRates.first)),
                            ("secondAverageHeartRateInBeatsPerMinute", .optional(row.heartRates.second)),
                        ])
                    })
            ),
        ])
    }
}
