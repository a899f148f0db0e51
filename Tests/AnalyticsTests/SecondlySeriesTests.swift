import Analytics
import Testing

@Suite struct SecondlySeriesTests {
    private func steps(_ feed: (inout SecondlySeries, (SecondlySeries.Step) -> Void) -> Void) -> [SecondlySeries.Step] {
        var series = SecondlySeries()
        var steps: [SecondlySeries.Step] = []
        feed(&series) { steps.append($0) }
        return steps
    }

    @Test func `a reading holds until the next one`() {
        let told = steps { series, step in
            series.add(100, from: 0, to: 0, step)
            series.add(110, from: 2.5, to: 2.5, step)
            series.interrupt(at: 4, step)
        }
        #expect(
            told == [
                .value(100, second: 0), .value(100, second: 1), .value(100, second: 2), .value(110, second: 3), .gap,
            ])
    }

    @Test func `a reading without a successor within thirty seconds counts for its own second`() {
        let told = steps { series, step in
            series.add(100, from: 0, to: 0, step)
            series.add(110, from: 60, to: 60, step)
            series.add(120, from: 90, to: 90, step)
            series.interrupt(at: 100, step)
            series.add(130, from: 200, to: 200, step)
            series.interrupt(at: 300, step)
        }
        #expect(told.count == 1 + 1 + 30 + 10 + 1 + 1 + 1)
        #expect(Array(told.prefix(3)) == [.value(100, second: 0), .gap, .value(110, second: 60)])
        #expect(told[32] == .value(120, second: 90))
        #expect(Array(told.suffix(3)) == [.gap, .value(130, second: 200), .gap])
    }

    @Test func `a reading over an interval holds over it and no longer`() {
        let told = steps { series, step in
            series.add(3, from: 0, to: 2, step)
            series.add(4, from: 2, to: 3, step)
            series.add(5, from: 10, to: 11, step)
            series.interrupt(at: 20, step)
        }
        #expect(
            told == [
                .value(3, second: 0), .value(3, second: 1), .value(4, second: 2), .gap, .value(5, second: 10), .gap,
            ])
    }

    @Test func `entries without values add no seconds`() {
        let told = steps { series, step in
            series.add(5000, from: 0, to: 1e8, step)
            series.add(.nan, from: 0, to: 1, step)
            series.add(1, from: -5, to: 1, step)
            series.add(1, from: 1e300, to: 1e300, step)
            series.interrupt(at: .infinity, step)
        }
        #expect(told == [.gap])
    }

    @Test func `a reading at a boundary belongs to what begins there, in either order`() {
        func steps(_ notify: (inout SecondlySeries, (SecondlySeries.Step) -> Void) -> Void) -> [SecondlySeries.Step] {
            var series = SecondlySeries()
            var told: [SecondlySeries.Step] = []
            for second in 0..<3 {
                series.add(Double(second), from: Double(second), to: Double(second)) { told.append($0) }
            }
            notify(&series) { told.append($0) }
            series.interrupt(at: 40) { told.append($0) }
            return told
        }
        let readingFirst = steps { series, step in
            series.add(9, from: 3, to: 3, step)
            series.cut(at: 3, step)
        }
        let cutFirst = steps { series, step in
            series.cut(at: 3, step)
            series.add(9, from: 3, to: 3, step)
        }
        #expect(readingFirst == cutFirst)
        #expect(
            readingFirst == [
                .value(0, second: 0), .value(1, second: 1), .value(2, second: 2), .gap, .value(9, second: 3), .gap,
            ])
    }
}
