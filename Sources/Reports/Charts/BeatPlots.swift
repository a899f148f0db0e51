import Foundation

/// A plot of each interval between beats over the one before it.
package struct PoincarePlot: Sendable {
    package var pairs: [(Double, Double)]

    package init(_ pairs: [(Double, Double)]) { self.pairs = pairs }

    /// The grid in which points are drawn: those in the same square share a dot.
    private static let gridInMilliseconds = 5.0

    /// Returns the plot. Returns nil for fewer than two pairs.
    package func markup(label: String, text: (Double) -> String) -> Markup? {
        let all = pairs.flatMap { [$0.0, $0.1] }
        guard pairs.count > 1, let least = all.min(), let greatest = all.max() else { return nil }
        let scale = LinearScale(around: least...greatest, ticks: 4)
        var cells = Set<[Int]>()
        var path = PathData()
        for (x, y) in pairs {
            let cell = [Int(x / Self.gridInMilliseconds), Int(y / Self.gridInMilliseconds)]
            guard cells.insert(cell).inserted else { continue }
            path.polyline([(Plot.x(scale.fraction(x)), Plot.y(scale.fraction(y)))])
        }
        var plot = Plot(label)
        plot.style = "square"
        plot.heightInPixels = 300
        plot.columns = Ticks.values(scale.domain, count: 4).map { Plot.Tick(scale.fraction($0), text($0)) }
        plot.rows = plot.columns
        var identity = PathData()
        identity.polyline([(0, Plot.size.y), (Plot.size.x, 0)])
        plot.shapes = [Plot.Shape(identity, "rule"), Plot.Shape(path, "dots beats")]
        var page = plot.markup
        page.element("details") { page in
            page.element("summary", text: localized("Pairs of intervals as a table"))
            page.append(table(scale, text).markup)
        }
        return page
    }

    /// Returns a table of the intervals that follow intervals of similar length.
    private func table(_ scale: LinearScale, _ text: (Double) -> String) -> DataTable {
        let step = Ticks.step(scale.domain, count: 12)
        var table = DataTable(columns: [
            localized("interval from"), localized("pairs"), localized("next, avg"), localized("min"), localized("max"),
        ])
        let byLength = Dictionary(grouping: pairs.filter { $0.0.isFinite && $0.1.isFinite }) { Int($0.0 / step) }
        for (index, own) in byLength.sorted(by: { $0.key < $1.key }) {
            let next = own.map(\.1)
            table.rows.append([
                .init(text(Double(index) * step)), .init("\(own.count)"),
                .init(text(next.reduce(0, +) / Double(next.count))), .init(text(next.min() ?? 0)),
                .init(text(next.max() ?? 0)),
            ])
        }
        return table
    }
}

/// A plot of the power of the heart-rate variability over its frequency.
package struct SpectrumPlot: Sendable {
    /// The power density in ms²/Hz, from 0 Hz on.
    package var density: [Double]
    package var binWidthInHertz: Double
    /// The frequency bands in Hz, with the names of their styles.
    package var bands: [(frequencies: Range<Double>, style: StaticString)]

    package init(
        density: [Double], binWidthInHertz: Double, bands: [(frequencies: Range<Double>, style: StaticString)]
    ) {
        self.density = density
        self.binWidthInHertz = binWidthInHertz
        self.bands = bands
    }

    /// Returns the plot. Returns nil without a density.
    package func markup(label: String, frequency: (Double) -> String, power: (Double) -> String) -> Markup? {
        guard let greatest = density.max(), greatest > 0, density.count > 1 else { return nil }
        var trace = Trace()
        for (bin, value) in density.enumerated() { trace.add(value, at: Double(bin) * binWidthInHertz) }
        let x = LinearScale(0, Double(density.count - 1) * binWidthInHertz)
        let y = LinearScale(around: 0...greatest, ticks: 4)
        var plot = Plot(label)
        plot.heightInPixels = 180
        plot.columns = Ticks.values(x.domain, count: 5).map { Plot.Tick(x.fraction($0), frequency($0)) }
        plot.rows = Ticks.values(y.domain, count: 4).map { Plot.Tick(y.fraction($0), power($0)) }
        plot.shades = bands.map {
            Plot.Band(x.fraction($0.frequencies.lowerBound)...x.fraction($0.frequencies.upperBound), $0.style)
        }
        plot.shapes = [
            Plot.Shape(Plot.area(trace, x: x, y: y), "fill"), Plot.Shape(Plot.line(trace, x: x, y: y), "line beats"),
        ]
        var page = plot.markup
        page.element("details") { page in
            page.element("summary", text: localized("Spectrum as a table"))
            var table = DataTable(columns: [localized("frequency"), "ms²/Hz"])
            table.rows = trace.points.map { [.init(frequency($0.seconds)), .init(power($0.value))] }
            page.append(table.markup)
        }
        return page
    }
}
