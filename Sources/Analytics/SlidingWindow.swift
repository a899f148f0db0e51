/// Order statistics over a window that slides along a series, centred on each value and cut at the ends.
enum SlidingWindow {
    /// Calls `body` with the values around each value, sorted.
    static func map(_ values: [Double], width: Int, _ body: ([Double]) -> Double) -> [Double] {
        let reach = width / 2
        var sorted: [Double] = []
        for value in values.prefix(reach) { insert(value, into: &sorted) }
        return values.indices.map { i in
            if i + reach < values.count { insert(values[i + reach], into: &sorted) }
            if i - reach - 1 >= 0 { sorted.remove(at: position(of: values[i - reach - 1], in: sorted)) }
            return body(sorted)
        }
    }

    /// The `fraction` quantile of sorted values, interpolated between neighbours (type 7 of Hyndman & Fan, American
    /// Statistician 50:361–365, 1996).
    static func quantile(_ sorted: [Double], _ fraction: Double) -> Double {
        let place = fraction * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }

    private static func insert(_ value: Double, into sorted: inout [Double]) {
        sorted.insert(value, at: position(of: value, in: sorted))
    }

    /// The first place whose value is not less.
    private static func position(of value: Double, in sorted: [Double]) -> Int {
        sorted.partitioningIndex { $0 >= value }
    }
}
