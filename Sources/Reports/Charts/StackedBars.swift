/// Bars side by side, each a stack of amounts of several kinds.
package struct StackedBars: Sendable {
    package struct Bar: Sendable {
        /// The label under the bar. Empty if it does not fit.
        package var text: String
        /// The amount of each kind, none below 0.
        package var amounts: [Double]

        package init(_ text: String, _ amounts: [Double]) {
            self.text = text
            self.amounts = amounts
        }
    }

    package var bars: [Bar]
    package var kinds: [(name: String, style: StaticString)]
    /// Formats an amount with its unit.
    package var text: @Sendable (Double) -> String

    package init(
        _ bars: [Bar], kinds: [(name: String, style: StaticString)], text: @escaping @Sendable (Double) -> String
    ) {
        self.bars = bars
        self.kinds = kinds
        self.text = text
    }

    /// Returns the bars. Returns nil if all amounts are 0.
    package func markup(label: String) -> Markup? {
        let greatest = bars.map { $0.amounts.reduce(0, +) }.max() ?? 0
        guard greatest > 0, greatest.isFinite else { return nil }
        let y = LinearScale(around: 0...greatest, ticks: 4)
        var plot = Plot(label)
        plot.heightInPixels = 170
        plot.rows = Ticks.values(y.domain, count: 4).map { Plot.Tick(y.fraction($0), text($0)) }
        let width = 1 / Double(bars.count)
        let gap = bars.count > 200 ? 0 : width * 0.12
        var paths = [PathData](repeating: PathData(), count: kinds.count)
        for (index, bar) in bars.enumerated() {
            let (left, right) = (Double(index) * width + gap, Double(index + 1) * width - gap)
            if !bar.text.isEmpty { plot.columns.append(Plot.Tick((left + right) / 2, bar.text)) }
            var below = 0.0
            for (kind, amount) in zip(kinds.indices, bar.amounts) where amount > 0 {
                let (from, to) = (Plot.y(y.fraction(below)), Plot.y(y.fraction(below + amount)))
                paths[kind].move(Plot.x(left), from)
                paths[kind].line(Plot.x(left), to)
                paths[kind].line(Plot.x(right), to)
                paths[kind].line(Plot.x(right), from)
                paths[kind].close()
                below += amount
            }
        }
        plot.shapes = zip(paths, kinds).map { Plot.Shape($0, $1.style) }
        plot.drawsColumns = false
        var page = plot.markup
        page.append(Legend(kinds).markup)
        return page
    }
}
