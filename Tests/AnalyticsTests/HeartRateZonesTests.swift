import Analytics
import Testing

struct HeartRateZonesTests {
    @Test func `Karvonen's zones begin at rest plus a share of the reserve`() throws {
        let zones = try #require(
            HeartRateZones(maximumHeartRate: 190, restingHeartRate: 60, fractions: [0.5, 0.6, 0.7, 0.8, 0.9, 1]))
        #expect(zones.lowerBounds == [125, 138, 151, 164, 177, 190])
    }

    @Test(
        arguments: [
            (99.9, nil), (100, 1), (119.9, 1), (120, 2), (140, 3), (160, 4), (179.9, 4), (180, 5), (200, 5), (400, 5),
        ] as [(Double, Int?)])
    func `zones are half-open, and the last has no upper bound`(_ heartRate: Double, _ zone: Int?) throws {
        let zones = try #require(HeartRateZones(maximumHeartRate: 200))
        #expect(zones.zone(of: heartRate) == zone)
    }

    @Test func `the bounds of a zone contain its heart rates`() throws {
        let zones = try #require(HeartRateZones(lowerBounds: [110, 140, 165]))
        #expect(zones.bounds(ofZone: 1) == 110..<140)
        #expect(zones.bounds(ofZone: 3) == 165.0 ..< .infinity)
    }

    @Test(arguments: [[], [0, 10], [-5, 10], [140, 140], [140, 120], [.nan, 120], [120, .infinity]])
    func `bounds that do not rise give no zones`(_ edges: [Double]) {
        #expect(HeartRateZones(lowerBounds: edges) == nil)
    }
}
