import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// The figures of a quantity type, bucket by bucket.
struct StatisticsReport {
    var type: HKQuantityType
    /// The buckets in order of time. ``RunningStatistics/count`` is 0 if there were no samples.
    var buckets: [StatisticsBucket]
    /// Whether buckets begin at midnight.
    var areWholeDays: Bool
    /// Whether sums have a bar and other figures their range. Nil means: if they fit and there is something to compare.
    var chart: Bool?

    func lines(_ page: Page) -> [String] {
        let isCumulative = type.aggregationStyle == .cumulative
        let unit = QuantityText.unit(of: type)
        let zone = page.zoneName(ofAll: buckets.lazy.map { ($0.start, nil) })
        let showsZone = zone == nil && !areWholeDays
        let figures =
            isCumulative
            ? [localized("sum %1", unit)] : [localized("min"), localized("avg %1", unit), localized("max")]
        var table = ColumnTable(
            columns: [
                .init(title: zone.map { localized("from %1", $0) } ?? localized("from")), .init(title: localized("to")),
            ]
                + figures.map { .init(title: $0, isNumber: true) } + [
                    .init(title: localized("samples"), isNumber: true)
                ])
        if let room = barColumns(page) { table.columns.append(.init(title: "", minimumWidth: room)) }
        let most = buckets.filter { $0.total.count > 0 }.map(\.total.sum).max() ?? 0
        let scale = scale
        var empty: [StatisticsBucket] = []
        for bucket in buckets {
            guard bucket.total.count > 0 else {
                empty.append(bucket)
                continue
            }
            table.rows += gap(&empty, page, showsZone)
            var values = [date(bucket.start, page, showsZone), date(bucket.end, page, showsZone)]
            let total = bucket.total
            values +=
                isCumulative
                ? [QuantityText.sum(total.sum, type)]
                : [
                    QuantityText.number(total.minimum, type),
                    QuantityText.number(total.average ?? .nan, type, isAverage: true),
                    QuantityText.number(total.maximum, type),
                ]
            values.append("\(total.count)")
            if let room = barColumns(page) {
                values.append(isCumulative ? bar(total.sum, most, room, page) : range(total, scale, room, page))
            }
            table.rows.append(.values(values))
        }
        table.rows += gap(&empty, page, showsZone)
        return table.lines(page)
    }

    /// Returns one row for consecutive buckets without samples, and never shows them as zero.
    private func gap(_ empty: inout [StatisticsBucket], _ page: Page, _ showsZone: Bool) -> [ColumnTable.Row] {
        defer { empty = [] }
        guard let first = empty.first, let last = empty.last else { return [] }
        if empty.count == 1 {
            return [.values([date(first.start, page, showsZone), date(first.end, page, showsZone), page.dash])]
        }
        let span = "\(date(first.start, page, showsZone))  \(date(last.end, page, showsZone))"
        return [.remark("\(span)  \(page.dash) " + localized("no samples in %1 intervals", "\(empty.count)"))]
    }

    /// Returns the width of bars, if they fit and there are buckets to compare, or if the user asked for them.
    private func barColumns(_ page: Page) -> Int? {
        guard chart ?? (buckets.count > 1 && page.columns >= 80) else { return nil }
        return page.columns >= 140 ? 60 : page.columns >= 110 ? 36 : 16
    }

    /// The range from the least to the greatest value of all buckets.
    private var scale: ClosedRange<Double> {
        let figures = buckets.map(\.total).filter { $0.count > 0 && $0.minimum.isFinite && $0.maximum.isFinite }
        guard let least = figures.map(\.minimum).min(), let most = figures.map(\.maximum).max() else { return 0...0 }
        return least...most
    }

    private func bar(_ sum: Double, _ most: Double, _ room: Int, _ page: Page) -> String {
        HorizontalBar.text(most > 0 ? sum / most : 0, columns: room, unicode: page.capability.unicode)
    }

    private func range(
        _ figures: RunningStatistics, _ scale: ClosedRange<Double>, _ room: Int, _ page: Page
    ) -> String {
        RangeBar.text(
            minimum: figures.minimum, average: figures.average ?? .nan, maximum: figures.maximum, scale: scale,
            columns: room,
            unicode: page.capability.unicode)
    }

    private func date(_ date: Date, _ page: Page, _ showsZone: Bool) -> String {
        areWholeDays ? page.sortableDay(date) : page.minute(date, showsZone: showsZone)
    }

    /// One object. Empty buckets have a count of 0 and no figures.
    var json: String {
        let unit = type.recordingUnit.unitString
        return JSONText.object([
            ("type", .string(type.identifier)), ("unit", .string(unit)),
            (
                "buckets",
                .array(
                    buckets.map { bucket in
                        let figures = WorkoutSummary.Statistics(type: type, unit: unit, bucket.total)
                        return .object(
                            [("start", .date(bucket.start)), ("end", .date(bucket.end))]
                                + (figures.map { SummaryJSON.members(of: $0).filter { $0.0 != "unit" } }
                                    ?? [("count", .integer(0))]))
                    })
            ),
        ]).text
    }
}

/// A range on a scale: a line from the least to the greatest value, and a dot at the average.
enum RangeBar {
    /// Returns `columns` characters for `scale`. Values outside it are clamped.
    static func text(
        minimum: Double, average: Double, maximum: Double, scale: ClosedRange<Double>, columns: Int,
        unicode: Bool = true
    ) -> String {
        guard columns > 0 else { return "" }
        let span = scale.upperBound - scale.lowerBound
        func place(_ value: Double) -> Int? {
            guard value.isFinite else { return nil }
            let share = span > 0 ? (min(max(value, scale.lowerBound), scale.upperBound) - scale.lowerBound) / span : 0.5
            return min(columns - 1, Int(share * Double(columns)))
        }
        guard let first = place(minimum), let last = place(maximum), first <= last else {
            return String(repeating: " ", count: columns)
        }
        var bar = Array(repeating: Character(" "), count: columns)
        for column in first...last { bar[column] = unicode ? "─" : "-" }
        if let middle = place(average) { bar[middle] = unicode ? "●" : "o" }
        return String(bar)
    }
}
