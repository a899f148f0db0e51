/// A chart as wide as its page. Lines and areas stretch with it, while texts and strokes keep their size. The labels of
/// the axes are outside the picture.
///
/// Positions are fractions: of the width from the left, of the height from the bottom.
package struct Plot: Sendable {
    package struct Tick: Sendable {
        package var place: Double
        package var text: String

        package init(_ place: Double, _ text: String) {
            self.place = place
            self.text = text
        }
    }

    /// A range of one axis that has a colour: a zone, a pause.
    package struct Band: Sendable {
        package var places: ClosedRange<Double>
        /// Names of classes in ``PageStyle``.
        package var style: StaticString

        package init(_ places: ClosedRange<Double>, _ style: StaticString) {
            self.places = places
            self.style = style
        }
    }

    package struct Shape: Sendable {
        package var path: PathData
        /// Names of classes in ``PageStyle``.
        package var style: StaticString

        package init(_ path: PathData, _ style: StaticString) {
            self.path = path
            self.style = style
        }
    }

    /// The values that a script shows under the pointer.
    package struct Reading: Sendable {
        /// A number with that many decimals, or a pace in minutes and seconds.
        package enum Form: Sendable { case number(decimals: Int), minutes }

        /// Values at equal distances. Nil if there is none.
        package var values: [Double?]
        package var form: Form
        package var unit: String

        package init(_ values: [Double?], _ form: Form, unit: String) {
            self.values = values
            self.form = form
            self.unit = unit
        }
    }

    /// The description for screen readers.
    package var label: String
    package var heightInPixels = 130
    /// Further names of classes in ``PageStyle``, such as "square".
    package var style: StaticString = "wide"
    package var columns: [Tick] = []
    /// Whether columns have lines besides their labels.
    package var drawsColumns = true
    package var rows: [Tick] = []
    package var bands: [Band] = []
    package var shades: [Band] = []
    package var marks: [Double] = []
    package var shapes: [Shape] = []
    package var reading: Reading?

    package init(_ label: String) { self.label = label }

    /// The size of the picture in the units of its shapes.
    package static let size = (x: 2000.0, y: 1000.0)

    package static func x(_ place: Double) -> Double { place * size.x }
    package static func y(_ place: Double) -> Double { (1 - place) * size.y }

    /// Returns a line that is interrupted at gaps.
    package static func line(_ trace: Trace, x: LinearScale, y: LinearScale) -> PathData {
        var path = PathData()
        for stretch in trace.stretches {
            path.polyline(stretch.map { (Self.x(x.fraction($0.seconds)), Self.y(y.fraction($0.value))) })
        }
        return path
    }

    /// Returns the same as ``line(_:x:y:)``, filled down to the bottom.
    package static func area(_ trace: Trace, x: LinearScale, y: LinearScale) -> PathData {
        var path = PathData()
        for stretch in trace.stretches {
            guard let first = stretch.first, let last = stretch.last else { continue }
            path.move(Self.x(x.fraction(first.seconds)), size.y)
            for point in stretch { path.line(Self.x(x.fraction(point.seconds)), Self.y(y.fraction(point.value))) }
            path.line(Self.x(x.fraction(last.seconds)), size.y)
            path.close()
        }
        return path
    }

    /// Returns a bar for each point, from the bottom up, that begins at the point.
    package static func bars(_ trace: Trace, _ seconds: Double, x: LinearScale, y: LinearScale) -> PathData {
        var path = PathData()
        for point in trace.points where y.fraction(point.value) > 0 {
            let (left, right) = (Self.x(x.fraction(point.seconds)), Self.x(x.fraction(point.seconds + seconds * 0.85)))
            path.move(left, size.y)
            path.line(left, Self.y(y.fraction(point.value)))
            path.line(right, Self.y(y.fraction(point.value)))
            path.line(right, size.y)
            path.close()
        }
        return path
    }

    // MARK: Markup

    package var markup: Markup {
        var page = Markup()
        page.element("div", ["class": "frame \(style)"]) { page in
            rowTexts(&page)
            page.element("div", ["class": "view"]) { page in
                page.element("div", ["class": "span"]) { page in
                    picture(&page)
                    if !columns.isEmpty { columnTexts(&page) }
                }
            }
        }
        return page
    }

    private func picture(_ page: inout Markup) {
        page.element(
            "svg",
            [
                "class": "plot", "role": "img", "aria-label": label, "width": "100%",
                "height": "\(heightInPixels)", "data-values": reading?.valueText, "data-form": reading?.formText,
                "data-unit": reading?.unit,
            ]
        ) { page in
            for band in bands { shade(band, isAcross: true, &page) }
            for shade in shades { self.shade(shade, isAcross: false, &page) }
            for tick in rows { line(isAcross: true, at: tick.place, "grid", &page) }
            if drawsColumns { for tick in columns { line(isAcross: false, at: tick.place, "grid time", &page) } }
            for mark in marks { line(isAcross: false, at: mark, "lap", &page) }
            page.element(
                "svg",
                [
                    "viewBox": "0 0 \(Int(Self.size.x)) \(Int(Self.size.y))", "preserveAspectRatio": "none",
                    "width": "100%", "height": "100%",
                ]
            ) { page in
                for shape in shapes where !shape.path.isEmpty {
                    page.element(
                        "path",
                        ["class": "\(shape.style)", "d": shape.path.text, "vector-effect": "non-scaling-stroke"]
                    ) { _ in }
                }
            }
        }
    }

    /// Adds the labels of the rows left of the picture, so that they cover none of it.
    private func rowTexts(_ page: inout Markup) {
        page.element("svg", ["class": "rows", "height": "\(heightInPixels)", "aria-hidden": "true"]) { page in
            for tick in rows {
                page.element(
                    "text", ["x": "100%", "y": Self.percent(1 - tick.place), "dy": "4", "text-anchor": "end"],
                    text: tick.text)
            }
        }
    }

    private func columnTexts(_ page: inout Markup) {
        page.element("svg", ["class": "columns", "width": "100%", "height": "18", "aria-hidden": "true"]) { page in
            for (index, tick) in columns.enumerated() {
                page.element(
                    "text",
                    [
                        "class": index % 2 == 0 ? nil : "odd", "x": Self.percent(tick.place), "y": "13",
                        "text-anchor": tick.place < 0.02 ? "start" : tick.place > 0.97 ? "end" : "middle",
                    ], text: tick.text)
            }
        }
    }

    private func line(isAcross: Bool, at place: Double, _ style: StaticString, _ page: inout Markup) {
        let at = Self.percent(isAcross ? 1 - place : place)
        page.element(
            "line",
            [
                "class": "\(style)", "x1": isAcross ? "0%" : at, "x2": isAcross ? "100%" : at,
                "y1": isAcross ? at : "0%", "y2": isAcross ? at : "100%",
            ]
        ) { _ in }
    }

    private func shade(_ band: Band, isAcross: Bool, _ page: inout Markup) {
        let (from, to) = (max(0, band.places.lowerBound), min(1, band.places.upperBound))
        guard from < to else { return }
        page.element(
            "rect",
            [
                "class": "\(band.style)", "x": isAcross ? "0%" : Self.percent(from),
                "width": isAcross ? "100%" : Self.percent(to - from), "y": isAcross ? Self.percent(1 - to) : "0%",
                "height": isAcross ? Self.percent(to - from) : "100%",
            ]
        ) { _ in }
    }

    static func percent(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "0%" }
        let hundredths = Int((min(max(fraction, -10), 10) * 10_000).rounded())
        let rest = abs(hundredths % 100)
        let sign = hundredths < 0 ? "-" : ""
        return "\(sign)\(abs(hundredths / 100))" + (rest == 0 ? "" : ".\(rest < 10 ? "0" : "")\(rest)") + "%"
    }
}

extension Plot.Reading {
    var formText: String {
        switch form {
        case .number(let decimals): "\(decimals)"
        case .minutes: "minutes"
        }
    }

    /// The values, separated by commas. A missing value is empty.
    var valueText: String {
        let decimals = if case .number(let decimals) = form { decimals } else { 0 }
        let scale = [1.0, 10, 100, 1000][min(max(decimals, 0), 3)]
        return values.map { value in
            guard let value, value.isFinite, abs(value) < 1e12 else { return "" }
            let rounded = (value * scale).rounded() / scale
            return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        }.joined(separator: ",")
    }
}
