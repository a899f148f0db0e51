import Foundation

/// A route from above. North is up, and the scale is the same in all directions.
package struct RoutePicture: Sendable {
    /// A colouring of the route by a measure along it.
    package struct Colouring: Sendable {
        /// The key for a class name and an identity: letters and hyphens.
        package var key: String
        package var title: String
        package var trace: Trace
        package var text: @Sendable (Double) -> String

        package init(key: String, title: String, trace: Trace, text: @escaping @Sendable (Double) -> String) {
            self.key = key
            self.title = title
            self.trace = trace
            self.text = text
        }
    }

    /// A point in the units of the picture.
    struct Point: Sendable, Equatable {
        var x: Double
        var y: Double
        var seconds: Double
        var isStart: Bool
    }

    package static let levels = 8
    private static let width = MapFrame.routeWidth
    private static let mostPoints = 4000
    /// The extent from which on a route is drawn over coasts, borders and lakes, if there are any. They are accurate to
    /// a kilometre.
    private static let leastMetersOfOutline = 40_000.0
    private static let locatorMeters = 1_200_000.0
    private static let locatorSize = 300.0

    let points: [Point]
    let frame: MapFrame
    let colourings: [Colouring]

    var metersPerUnit: Double { frame.metersPerUnit }
    private var height: Double { frame.height }
    private var sizeInMeters: Double { max(frame.width, frame.height) * metersPerUnit }

    /// Returns nil for fewer than two places, and if all are the same.
    package init?(_ places: [WorkoutTimeline.Place], colourings: [Colouring]) {
        guard let frame = MapFrame(around: places) else { return nil }
        self.frame = frame
        let spacings = zip(places, places.dropFirst()).map { $1.seconds - $0.seconds }.sorted()
        let gap = max(60, 5 * spacings[spacings.count / 2])
        var last = -Double.infinity
        points = Self.thinned(
            places.map { place in
                defer { last = place.seconds }
                let point = frame.point(latitude: place.latitudeInDegrees, longitude: place.longitudeInDegrees)
                return Point(
                    x: point.x, y: point.y, seconds: place.seconds,
                    isStart: place.followsPause || place.seconds - last > gap)
            })
        self.colourings = colourings.filter { !$0.trace.isEmpty }
    }

    /// Leaves out points nearer to the one before than a thousandth of the picture, or more if there are too many.
    private static func thinned(_ points: [Point]) -> [Point] {
        var tolerance = 1.0
        while true {
            var kept: [Point] = []
            for (index, point) in points.enumerated() {
                let isLast = index + 1 == points.count || points[index + 1].isStart
                guard let last = kept.last, !point.isStart, !isLast else {
                    kept.append(point)
                    continue
                }
                if hypot(point.x - last.x, point.y - last.y) >= tolerance { kept.append(point) }
            }
            if kept.count <= mostPoints || tolerance > 100 { return kept }
            tolerance *= 1.5
        }
    }

    // MARK: Markup

    /// - Parameters:
    ///   - tiles: The map tiles behind the route. Without them it has the coasts, borders and lakes of
    ///     ``WorldOutline``.
    ///   - units: The units of the scale: a small one and a large one.
    ///   - time: Formats seconds since the start, in the table behind the picture.
    package func markup(
        title: String, tiles: MapLayer? = nil, units: [LengthUnit] = [("m", 1), ("km", 1000)],
        time: (Double) -> String = { "\(Int($0)) s" }, distance: (Double) -> String
    ) -> Markup {
        let outline =
            tiles == nil && sizeInMeters >= Self.leastMetersOfOutline ? WorldOutline.world.markup(in: frame) : nil
        var page = Markup()
        page.element("figure", ["class": "route"]) { page in
            for (index, colouring) in colourings.enumerated() {
                let id = "route-\(colouring.key)"
                page.void(
                    "input",
                    ["type": "radio", "name": "route", "id": id, "class": id, "checked": index == 0 ? "" : nil])
                page.element("label", ["for": id], text: colouring.title)
            }
            page.element(
                "svg",
                [
                    "viewBox": "0 0 \(Int(Self.width)) \(Int(height))", "role": "img", "aria-label": title,
                    "class": "map", "data-from": "\(points.first?.seconds ?? 0)",
                    "data-to": "\(points.last?.seconds ?? 0)",
                    "data-way": way,
                ]
            ) { page in
                if let tiles {
                    page.element("g", ["class": "tiles"]) { $0.append(tiles.markup) }
                } else if let outline {
                    page.append(outline)
                }
                if tiles != nil || outline != nil {
                    page.element("path", ["class": "casing", "d": wayPath.text]) { _ in }
                }
                if colourings.isEmpty {
                    page.element("path", ["class": "way", "d": wayPath.text]) { _ in }
                }
                for colouring in colourings { way(colouring, &page) }
                mark("start", points.first, &page)
                mark("finish", points.last, &page)
                scaleBar(units, &page)
            }
            for colouring in colourings { legend(colouring, &page) }
            if let tiles {
                if !tiles.attribution.isEmpty {
                    page.element("p", ["class": "soft"], text: localized("Map: %1", tiles.attribution))
                }
            } else {
                page.append(locator)
            }
            page.element("details") { page in
                page.element("summary", text: localized("Route as a table"))
                page.append(table(time: time, distance: distance).markup)
            }
        }
        return page
    }

    private var wayPath: PathData {
        var path = PathData()
        for stretch in stretches { path.polyline(stretch.map { ($0.x, $0.y) }) }
        return path
    }

    /// A small map that shows the position of the route among the coasts and borders around it.
    private var locator: Markup {
        let around = frame.wider(meters: max(Self.locatorMeters, 4 * sizeInMeters), size: Self.locatorSize)
        let middle = "\(Int(Self.locatorSize / 2))"
        var page = Markup()
        page.element(
            "svg",
            [
                "viewBox": "0 0 \(Int(Self.locatorSize)) \(Int(Self.locatorSize))", "role": "img",
                "aria-label": localized("Where the route is"), "class": "locator",
            ]
        ) { page in
            if let outline = WorldOutline.world.markup(in: around) { page.append(outline) }
            page.element("circle", ["class": "spot", "cx": middle, "cy": middle, "r": "8"]) { _ in }
        }
        return page
    }

    private static let wayPoints = 500

    /// The positions at equal times, for the script that marks the place of a time: `x,y x,y`.
    private var way: String {
        guard let first = points.first, let last = points.last else { return "" }
        var next = 0
        return (0..<Self.wayPoints).map { index in
            let time = first.seconds + (last.seconds - first.seconds) * Double(index) / Double(Self.wayPoints - 1)
            while next + 1 < points.count, points[next + 1].seconds <= time { next += 1 }
            return "\(Int(points[next].x)),\(Int(points[next].y))"
        }.joined(separator: " ")
    }

    private var stretches: [ArraySlice<Point>] {
        let starts = [0] + points.indices.dropFirst().filter { points[$0].isStart }
        return starts.enumerated().map { index, start in
            points[start..<(index + 1 < starts.count ? starts[index + 1] : points.count)]
        }
    }

    /// Returns the range of the colours, from the 5th to the 95th percentile, so that a single extreme value does not
    /// change them.
    private static func range(of colouring: Colouring) -> ClosedRange<Double> {
        let sorted = colouring.trace.points.map(\.value).sorted()
        guard let least = sorted.first, let greatest = sorted.last else { return 0...1 }
        let (lower, upper) = (sorted[sorted.count / 20], sorted[sorted.count - 1 - sorted.count / 20])
        return lower < upper ? lower...upper : least...greatest
    }

    private func way(_ colouring: Colouring, _ page: inout Markup) {
        let scale = LinearScale(Self.range(of: colouring).lowerBound, Self.range(of: colouring).upperBound)
        var paths = [PathData](repeating: PathData(), count: Self.levels + 1)
        var next = 0
        let values = colouring.trace.points
        for stretch in stretches {
            var run: [Point] = []
            var level = -1
            func draw() { if run.count > 1 { paths[level].polyline(run.map { ($0.x, $0.y) }) } }
            for point in stretch {
                while next + 1 < values.count, values[next + 1].seconds <= point.seconds { next += 1 }
                var here = Self.levels
                if !values.isEmpty, abs(values[next].seconds - point.seconds) <= Trace.shortestGapInSeconds {
                    here = Int(min(max(scale.fraction(values[next].value), 0), 0.999) * Double(Self.levels))
                }
                run.append(point)
                if here != level, level >= 0 {
                    draw()
                    run = [point]
                }
                level = here
            }
            draw()
        }
        page.element("g", ["class": "by by-\(colouring.key)"]) { page in
            for (level, path) in paths.enumerated() where !path.isEmpty {
                page.element(
                    "path", ["class": level == Self.levels ? "way none" : "way level-\(level)", "d": path.text]
                ) { _ in }
            }
        }
    }

    private func legend(_ colouring: Colouring, _ page: inout Markup) {
        let range = Self.range(of: colouring)
        page.element("p", ["class": "by by-\(colouring.key) legend"]) { page in
            page.text(colouring.text(range.lowerBound) + " ")
            for level in 0..<Self.levels { page.element("i", ["class": "level-\(level)"]) { _ in } }
            page.text(" " + colouring.text(range.upperBound))
        }
    }

    private func mark(_ name: String, _ point: Point?, _ page: inout Markup) {
        guard let point else { return }
        page.element(
            "circle", ["class": name, "cx": "\(Int(point.x))", "cy": "\(Int(point.y))", "r": "11"]
        ) { $0.element("title", text: localized(name == "start" ? "Start" : "Finish")) }
    }

    package typealias LengthUnit = (name: String, meters: Double)

    /// Returns a round length of at most a quarter of the picture, in the largest unit of which it is at least one.
    func scale(_ units: [LengthUnit]) -> (meters: Double, text: String)? {
        let most = Self.width / 4 * metersPerUnit
        for unit in units.sorted(by: { $0.meters > $1.meters }) where unit.meters <= most {
            let count = [1, 2, 5].flatMap { digit in (0...6).map { digit * Int(pow(10, Double($0))) } }.sorted()
                .last { Double($0) * unit.meters <= most }
            if let count { return (Double(count) * unit.meters, "\(count) \(unit.name)") }
        }
        return nil
    }

    private func scaleBar(_ units: [LengthUnit], _ page: inout Markup) {
        guard let scale = scale(units) else { return }
        let length = scale.meters / metersPerUnit
        let y = Int(height - 14)
        page.element("g", ["class": "scale"]) { page in
            page.element("path", ["d": "M20 \(y - 10)V\(y)H\(Int(20 + length))V\(y - 10)"]) { _ in }
            page.element("text", ["x": "\(Int(30 + length))", "y": "\(y)"], text: scale.text)
        }
    }
}

extension RoutePicture {
    /// Returns a table for screen readers and for readers who want numbers: the position at some twenty moments,
    /// relative to the start, and the values there.
    func table(time: (Double) -> String, distance: (Double) -> String) -> DataTable {
        var table = DataTable(columns: [localized("after"), localized("from the start")] + colourings.map(\.title))
        guard let first = points.first, let last = points.last else { return table }
        let range = first.seconds...max(first.seconds, last.seconds)
        let step = Ticks.step(range, count: 20, steps: Ticks.timeSteps)
        var moments = Ticks.values(range, step: step)
        if moments.last.map({ $0 < last.seconds }) ?? true { moments.append(last.seconds) }
        var next = 0
        for moment in moments {
            while next + 1 < points.count, points[next].seconds < moment { next += 1 }
            let values = colourings.map { colouring in
                Self.value(colouring.trace, at: moment).map(colouring.text) ?? ""
            }
            table.rows.append(
                [.init(time(moment)), .init(place(of: points[next], from: first, distance))] + values.map { .init($0) })
        }
        return table
    }

    private static let directions = [
        "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]

    /// Returns `1.2 km north-east`, or "at the start" within a hundredth of the picture.
    private func place(of point: Point, from start: Point, _ distance: (Double) -> String) -> String {
        let (east, north) = (point.x - start.x, start.y - point.y)
        let length = hypot(east, north)
        guard length >= 10 else { return localized("at the start") }
        let eighths = Int((atan2(east, north) / (.pi / 4)).rounded())
        return "\(distance(length * metersPerUnit)) \(localized(Self.directions[(eighths + 8) % 8]))"
    }

    /// Returns the latest value, unless it is too old for the route to be coloured.
    private static func value(_ trace: Trace, at seconds: Double) -> Double? {
        guard let latest = trace.points.last(where: { $0.seconds <= seconds }),
            seconds - latest.seconds <= Trace.shortestGapInSeconds
        else { return nil }
        return latest.value
    }
}
