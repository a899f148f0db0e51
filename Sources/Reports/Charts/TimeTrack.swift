/// One measure over the time of a workout: a line, with laps, pauses and zones behind it, and a table of the same
/// values.
///
/// Tracks below one another share a ``TimeAxis``.
package struct TimeTrack: Sendable {
    package var title: String
    package var unit: String
    package var trace: Trace
    /// Formats a value with its unit.
    package var text: @Sendable (Double) -> String
    /// Names of classes in ``PageStyle``.
    package var style: StaticString
    /// The format of the value under the pointer. A pace is computed from a speed.
    package var form = Plot.Reading.Form.number(decimals: 0)
    /// The value that is shown for one of the trace. Nil shows none.
    package var shown: @Sendable (Double) -> Double? = { $0 }
    package var isArea = false
    /// The width of bars in place of a line, such as bars of days. Nil for a line.
    package var barSeconds: Double?
    /// The bands of values behind the line: zones, thresholds.
    package var bands: [(values: Range<Double>, style: StaticString)] = []
    /// A second line in the same chart.
    package var other: (trace: Trace, style: StaticString)?
    /// The names of the two lines, if nothing else on the page explains them.
    package var names: (first: String, other: String)?
    /// Dots on the line.
    package var points: [Trace.Point] = []
    /// The values of grid lines. Nil means round values.
    package var rows: [Double]?
    /// The least range shown, so that small changes look small.
    package var leastRange = 1.0
    package var isFromZero = false
    /// The range shown at most. Values outside it are drawn at the edge.
    package var limits: ClosedRange<Double>?

    package init(
        _ title: String, unit: String, _ trace: Trace, style: StaticString,
        text: @escaping @Sendable (Double) -> String
    ) {
        self.title = title
        self.unit = unit
        self.trace = trace
        self.style = style
        self.text = text
    }

    /// The number of columns. No screen shows more.
    static let columns = 1000
    private static let readings = 500
    private static let mostRows = 5
    /// The least distance between rows, as a fraction of the height. Below it, labels would touch.
    private static let leastDistance = 0.25

    /// Returns the chart. Returns nil without values.
    package func markup(_ axis: TimeAxis) -> Markup? {
        guard let bounds = trace.bounds else { return nil }
        var plot = Plot(
            localized(
                axis.unit == nil ? "%1 over time: %2 to %3" : "%1 over distance: %2 to %3", title,
                text(bounds.lowerBound),
                text(bounds.upperBound))
        )
        let y = scale
        plot.columns = axis.ticks
        plot.rows = shownRows(y)
        plot.bands = bands.compactMap { band in
            let lower = max(0, y.fraction(band.values.lowerBound))
            let upper = band.values.upperBound.isFinite ? min(1, y.fraction(band.values.upperBound)) : 1
            return lower < upper ? Plot.Band(lower...upper, band.style) : nil
        }
        plot.shades = axis.shades
        plot.marks = axis.marks
        let reduced = drawn(trace, axis)
        if isArea { plot.shapes.append(Plot.Shape(Plot.area(reduced, x: axis.scale, y: y), "fill")) }
        if let barSeconds {
            plot.shapes.append(Plot.Shape(Plot.bars(reduced, barSeconds, x: axis.scale, y: y), style))
        }
        if let other {
            plot.shapes.append(Plot.Shape(Plot.line(drawn(other.trace, axis), x: axis.scale, y: y), other.style))
        }
        if barSeconds == nil { plot.shapes.append(Plot.Shape(Plot.line(reduced, x: axis.scale, y: y), style)) }
        plot.shapes.append(Plot.Shape(dots(axis, y), "dots artefact"))
        plot.reading = Plot.Reading(
            trace.columns(Self.readings, over: axis.seconds).map { $0.flatMap { shown($0.mean) } }, form, unit: unit)
        var page = Markup()
        page.element("figure", ["class": "track"]) { page in
            page.element("figcaption") { page in
                page.element("span", text: unit.isEmpty ? title : "\(title), \(unit)")
                page.element("output") { _ in }
            }
            page.append(plot.markup)
            if let names, let other {
                page.append(Legend([(names.first, style), (names.other, other.style)], .line).markup)
            }
            table(axis, &page)
        }
        return page
    }

    // MARK: Values from the bottom to the top

    private var scale: LinearScale {
        let all = [trace.bounds, other?.trace.bounds].compactMap { $0 }
        var least = all.map(\.lowerBound).min() ?? 0
        var greatest = all.map(\.upperBound).max() ?? 1
        if isFromZero { least = min(0, least) }
        if let limits {
            least = min(max(least, limits.lowerBound), limits.upperBound)
            greatest = max(least, min(greatest, limits.upperBound))
        }
        let missing = max(0, leastRange - (greatest - least))
        return LinearScale(
            around: (isFromZero ? least : least - missing / 2)...(greatest + (isFromZero ? missing : missing / 2)),
            ticks: Self.mostRows - 1)
    }

    private func shownRows(_ y: LinearScale) -> [Plot.Tick] {
        guard let rows else {
            return Ticks.values(y.domain, count: Self.mostRows - 1).map { Plot.Tick(y.fraction($0), rowText($0)) }
        }
        var shown: [Plot.Tick] = []
        for row in rows.sorted() where y.domain.contains(row) {
            let place = y.fraction(row)
            if place - (shown.last?.place ?? -1) >= Self.leastDistance {
                shown.append(Plot.Tick(place, rowText(row)))
            }
        }
        return shown
    }

    /// Returns the label of a row, without the unit, which is in the caption.
    private func rowText(_ value: Double) -> String {
        let text = text(value)
        guard !unit.isEmpty, text.hasSuffix(" " + unit) else { return text }
        let number = text.dropLast(unit.count + 1)
        return String(number.hasSuffix(Language.current.decimalMark + "0") ? number.dropLast(2) : number)
    }

    private func drawn(_ trace: Trace, _ axis: TimeAxis) -> Trace {
        let reduced = trace.reduced(to: Self.columns, over: axis.seconds)
        guard let limits else { return reduced }
        return reduced.map { min(max($0, limits.lowerBound), limits.upperBound) }
    }

    /// Returns the dots, only one of those at the same position.
    private func dots(_ axis: TimeAxis, _ y: LinearScale) -> PathData {
        var trace = Trace()
        for point in points.sorted(by: { $0.seconds < $1.seconds }) { trace.add(point.value, at: point.seconds) }
        var path = PathData()
        for point in drawn(trace, axis).points {
            path.polyline([(Plot.x(axis.scale.fraction(point.seconds)), Plot.y(y.fraction(point.value)))])
        }
        return path
    }

    /// Adds a table for screen readers and for readers who want numbers: some forty rows.
    private func table(_ axis: TimeAxis, _ page: inout Markup) {
        let step = Ticks.step(axis.seconds, count: 40, steps: axis.steps)
        let length = axis.seconds.upperBound - axis.seconds.lowerBound
        let count = max(1, Int((length / step).rounded(.up)))
        let range = axis.seconds.lowerBound...(axis.seconds.lowerBound + Double(count) * step)
        var table = DataTable(columns: [
            localized("from"), localized("avg"), localized("min"), localized("max"),
        ])
        table.name = localized("Table: %1", title)
        for (index, column) in trace.columns(count, over: range).enumerated() {
            guard let column else { continue }
            let from = range.lowerBound + Double(index) * step
            table.rows.append([
                .init(axis.text(from)), .init(text(column.mean)), .init(text(column.minimum)),
                .init(text(column.maximum)),
            ])
        }
        page.element("details") { page in
            page.element("summary", text: localized("%1 as a table", title))
            page.append(table.markup)
        }
    }
}
