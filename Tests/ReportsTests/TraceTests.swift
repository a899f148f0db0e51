import Testing

@testable import Reports

@Suite struct TraceTests {
    /// A day with one value a second that wanders, with a peak of one second and two gaps.
    private static func day() -> Trace {
        var trace = Trace()
        var state: UInt64 = 42
        var value = 120.0
        for second in 0..<86_400 {
            if (30_000..<33_600).contains(second) || second == 50_000 {
                trace.interrupt()
                continue
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1
            value = min(max(value + Double(Int(state >> 60)) - 7.5, 60), 180)
            trace.add(second == 12_345 ? 211 : second == 70_001 ? 31 : value, at: Double(second))
        }
        return trace
    }

    @Test func `a trace follows a distance, with its gaps`() {
        var trace = Trace()
        trace.add(1, at: 0)
        trace.add(2, at: 10)
        trace.interrupt()
        trace.add(3, at: 20)
        let placed = trace.placed { $0 * 4 }
        #expect(placed.points == [Trace.Point(0, 1), Trace.Point(40, 2), Trace.Point(80, 3)])
        #expect(placed.stretches.map(\.count) == [2, 1])
        // Standing still is one place.
        #expect(trace.placed { _ in 5 }.points.count == 3)
    }

    @Test func `a day is drawn with four points per column, and no peak is lost`() {
        let day = Self.day()
        let reduced = day.reduced(to: 1000, over: 0...86_400)
        #expect(reduced.points.count <= 4000)
        #expect(reduced.bounds == 31...211)
        #expect(reduced.points.contains(Trace.Point(12_345, 211)) && reduced.points.contains(Trace.Point(70_001, 31)))
        // In each column, not only in total.
        let (whole, drawn) = (day.columns(1000, over: 0...86_400), reduced.columns(1000, over: 0...86_400))
        for (a, b) in zip(whole, drawn) {
            #expect(a?.minimum == b?.minimum && a?.maximum == b?.maximum)
        }
    }

    @Test func `no line crosses a gap wider than a column`() {
        let reduced = Self.day().reduced(to: 1000, over: 0...86_400)
        for stretch in reduced.stretches {
            let (first, last) = (stretch.first?.seconds ?? 0, stretch.last?.seconds ?? 0)
            #expect(last < 30_000 || first >= 33_600)
        }
        #expect(reduced.stretches.count == 2)
    }

    @Test func `a gap at the edge of a column stays a gap`() {
        var trace = Trace()
        for second in 0..<100 {
            if second == 50 { trace.interrupt() }
            trace.add(1, at: Double(second))
        }
        #expect(trace.reduced(to: 10, over: 0...100).stretches.count == 2)
    }

    @Test func `few points are unchanged`() {
        var trace = Trace()
        for second in [0.0, 3, 7] { trace.add(second, at: second) }
        #expect(trace.reduced(to: 1000, over: 0...10) == trace)
    }

    @Test func `invalid values and steps back are left out`() {
        var trace = Trace()
        for (value, second) in [(1.0, 0.0), (.nan, 1), (2, 2), (3, 1), (.infinity, 3), (4, .nan), (5, 4)] {
            trace.add(value, at: second)
        }
        #expect(trace.points.map(\.value) == [1, 2, 5])
    }

    @Test func `a value without a converted form is a gap`() {
        var trace = Trace()
        for (second, speed) in [2.0, 4, 0, 5, 5].enumerated() { trace.add(speed, at: Double(second)) }
        let pace = trace.map { 1000 / $0 }
        #expect(pace.points.map(\.value) == [500, 250, 200, 200])
        #expect(pace.stretches.count == 2)
    }

    @Test func `a silence is a gap if values are usually more frequent`() {
        var trace = Trace()
        for second in [0.0, 1, 2, 3, 40, 41] { trace.add(1, at: second) }
        #expect(trace.separated().stretches.map(\.count) == [4, 2])
        var minutes = Trace()
        for minute in 0..<10 { minutes.add(1, at: Double(minute) * 60) }
        #expect(minutes.separated().stretches.count == 1)
    }
}
