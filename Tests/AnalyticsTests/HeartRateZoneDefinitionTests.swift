import Analytics
import Testing

@Suite struct HeartRateZoneDefinitionTests {
    @Test(
        arguments: [
            ("120,140,155,170,185", [120, 140, 155, 170, 185]), ("50,60,70,80,90%max", [100, 120, 140, 160, 180]),
            ("50, 60, 70, 80, 90 %reserve", [125, 140, 155, 170, 185]), ("142.5,168bpm", [142.5, 168]),
        ] as [(String, [Double])])
    func `zones are in beats, or in percent of the maximum or of the reserve`(_ text: String, _ edges: [Double]) throws
    {
        let definition = try #require(HeartRateZoneDefinition(text))
        let zones = try #require(definition.zones(maximumHeartRate: 200, restingHeartRate: 50))
        #expect(zones.lowerBounds == edges)
        #expect(HeartRateZoneDefinition(definition.description) == definition)
    }

    @Test(arguments: [
        "", "120", "140,120", "120,120,140", "a,b", "120,,140", "5,10", "50,60,170%max", "120,140%",
        "1,2,3,4,5,6,7,8,9,10%max",
    ])
    func `an invalid definition gives no zones`(_ text: String) { #expect(HeartRateZoneDefinition(text) == nil) }

    @Test func `percentages need a reference value`() throws {
        let share = try #require(HeartRateZoneDefinition("60,80%max"))
        #expect(share.zones(maximumHeartRate: nil, restingHeartRate: 50) == nil)
        let reserve = try #require(HeartRateZoneDefinition("60,80%reserve"))
        #expect(reserve.zones(maximumHeartRate: 190, restingHeartRate: nil) == nil)
        #expect(reserve.zones(maximumHeartRate: 190, restingHeartRate: 190) == nil)
    }
}
