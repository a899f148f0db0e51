import Analytics
import Testing

@Suite struct SecondsInZoneTests {
    @Test func `every second with a value is in one zone or below all, and a gap is in none`() throws {
        var time = try #require(SecondsInZone(lowerBounds: [100, 200]))
        for (second, watts) in [0.0, 99.9, 100, 199.9, 200, 900].enumerated() {
            time.add(.value(watts, second: second))
        }
        time.add(.gap)
        #expect(time.below == 2 && time.inZone == [2, 2] && time.seconds == 6)
        #expect(time.zones.map(\.bounds) == [100..<200, 200..<Double.infinity])
    }

    @Test(arguments: [[], [0, 100], [-5, 10], [100, 100], [200, 100], [100, .infinity]] as [[Double]])
    func `bounds that do not rise from above 0 give no zones`(_ edges: [Double]) {
        #expect(SecondsInZone(lowerBounds: edges) == nil)
    }
}
