import Foundation

extension RoutePicture {
    /// For screen readers, and whoever wants numbers: where the way was at some twenty moments, seen from its start, and what was
    /// measured there.
    func table(time: (Double) -> String, distance: (Double) -> String) -> DataTable {
        var table = DataTable(columns: ["after", "from the start"] + colourings.map(\.title))
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

    /// `1.2 km north-east`; nearer than a hundredth of the picture it is at the start.
    private func place(of point: Point, from start: Point, _ distance: (Double) -> String) -> String {
        let (east, north) = (point.x - start.x, start.y - point.y)
        let length = hypot(east, north)
        guard length >= 10 else { return "at the start" }
        let eighths = Int((atan2(east, north) / (.pi / 4)).rounded())
        return "\(distance(length * metersPerUnit)) \(Self.directions[(eighths + 8) % 8])"
    }

    /// The latest value, where it is not older than the way has colours for.
    private static func value(_ trace: Trace, at seconds: Double) -> Double? {
        guard let latest = trace.points.last(where: { $0.seconds <= seconds }),
            seconds - latest.seconds <= Trace.shortestGapInSeconds
        else { return nil }
        return latest.value
    }
}
