/// Order statistics over a window that slides along a series. It is centred on each value and cut at the ends.
enum SlidingWindow {
    /// Calls `body` with the values around each value, sorted.
    static func map(_ values: [Double], width: Int, _ body: ([Double]) -> Double) -> [Double] {
        let reach = width / 2
        var sorted = values.prefix(reach).sorted()
        sorted.reserveCapacity(width)
        return values.indices.map { i in
            let entering = i + reach < values.count ? values[i + reach] : nil
            let leaving = i - reach - 1 >= 0 ? values[i - reach - 1] : nil
            switch (leaving, entering) {
            case (let old?, let new?): replace(old, by: new, in: &sorted)
            case (nil, let new?): sorted.insert(new, at: position(of: new, in: sorted))
            case (let old?, nil): sorted.remove(at: position(of: old, in: sorted))
            case (nil, nil): break
            }
            return body(sorted)
        }
    }

    /// Returns the `fraction` quantile of sorted values, interpolated between neighbours (type 7 of Hyndman & Fan,
    /// American Statistician 50:361–365, 1996).
    static func quantile(_ sorted: [Double], _ fraction: Double) -> Double {
        let place = fraction * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }

    /// Replaces a value. Only the values between the two places move.
    private static func replace(_ old: Double, by new: Double, in sorted: inout [Double]) {
        var place = position(of: old, in: sorted)
        // A span, because an array would check at each step whether its memory is unique.
        var sorted = sorted.mutableSpan
        while place + 1 < sorted.count, sorted[place + 1] < new {
            sorted[place] = sorted[place + 1]
            place += 1
        }
        while place > 0, sorted[place - 1] > new {
            sorted[place] = sorted[place - 1]
            place -= 1
        }
        sorted[place] = new
    }

    /// Returns the first place whose value is not less.
    private static func position(of value: Double, in sorted: [Double]) -> Int {
        sorted.partitioningIndex { $0 >= value }
    }
}
