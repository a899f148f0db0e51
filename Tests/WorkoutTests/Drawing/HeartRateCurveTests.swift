import Analytics
import Testing

@testable import workout

@Suite struct HeartRateCurveTests {
    private let palette = TerminalCapability(colour: .palette, unicode: true)

    private func text(_ curve: HeartRateCurve, rows: Int) -> [String] {
        curve.lines(rows: rows).map { $0.text(.none) }
    }

    @Test func `each column has the colour of its zone, and a dim one below zone 1`() {
        let curve = HeartRateCurve(
            values: [90, 110, 130, 130, nil, 110], zones: HeartRateZones(lowerBounds: [100, 120]), span: 0...60,
            capability: palette)
        #expect(curve.lines(rows: 1)[0].runs.map(\.text) == ["▁", "▅", "██ ", "▅"])
        #expect(
            curve.lines(rows: 1)[0].runs.map(\.style) == [
                TextStyle(colour: .grey, dim: true), .zone(1, of: 2), .zone(2, of: 2), .zone(1, of: 2),
            ])
    }

    @Test func `without zones the curve has one colour`() {
        let curve = HeartRateCurve(values: [90, 110], zones: nil, span: 0...60, capability: palette)
        #expect(curve.lines(rows: 1)[0].runs.map(\.style) == [.colour(.red)])
    }

    @Test func `minimum and maximum are beside the curve, and laps and time below`() {
        let curve = HeartRateCurve(
            values: (0..<40).map { 100 + Double($0) }, zones: nil, span: 0...600, lapStarts: [0, 300, 450],
            capability: .plain)
        #expect(
            text(curve, rows: 5) == [
                "                           ▁▂▂▃▃▄▄▅▆▆▇▇█ 139",
                "             ▁▁▂▂▃▄▄▅▅▆▇▇███████████████",
                "▁▂▂▃▃▄▅▅▆▆▇▇████████████████████████████ 100",
                "╷1 lap              ╷2        ╷3",
                "╵0:00   ╵2:00   ╵4:00   ╵6:00   ╵8:00",
            ])
    }

    @Test func `without values the rows are empty`() {
        let curve = HeartRateCurve(values: [nil, nil], zones: nil, span: 0...60, capability: palette)
        #expect(text(curve, rows: 4) == ["", "", "", ""])
    }
}

@Suite struct TimeAxisTests {
    @Test func `ticks are at round times, in their columns`() {
        #expect(
            TimeRuler.text(from: 0, to: 600, columns: 60) == "╵0:00       ╵2:00       ╵4:00       ╵6:00       ╵8:00")
        #expect(TimeRuler.text(from: 3_000, to: 3_600, columns: 40) == "╵50:00              ╵55:00")
    }

    @Test(arguments: [1.0, 60, 599, 3_600, 86_400, 31_000_000])
    func `an axis is never wider than its curve, however long the time`(seconds: Double) {
        for columns in 0...220 {
            #expect(TimeRuler.text(from: 0, to: seconds, columns: columns).count <= columns)
        }
    }

    @Test func `without time there is no axis`() {
        #expect(TimeRuler.text(from: 0, to: .nan, columns: 80).isEmpty)
        #expect(TimeRuler.text(from: 10, to: 10, columns: 80).isEmpty)
    }
}
