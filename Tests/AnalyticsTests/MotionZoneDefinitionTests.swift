import Analytics
import Testing

@Suite struct MotionZoneDefinitionTests {
    private func edges(_ text: String) -> [Double]? {
        MotionZoneDefinition(text)?.lowerBounds(thresholdPowerInWatts: 200, thresholdSpeedInMetersPerSecond: 4)
    }

    @Test func `bounds are watts, paces, or percent of a threshold`() throws {
        #expect(edges("100, 150,200 W") == [100, 150, 200])
        #expect(edges("50,75,100%ftp") == [100, 150, 200])
        #expect(edges("5:00,4:10/km") == [1000.0 / 300, 4])
        #expect(edges("2:00,1:40/100m") == [100.0 / 120, 1])
        #expect(edges("50,100%pace") == [2, 4])
        let mile = try #require(edges("8:00/mi"))
        #expect(abs(mile[0] - 1609.344 / 480) < 1e-12)
    }

    @Test func `percentages without their threshold give no zones`() throws {
        for text in ["50,75%ftp", "80,100%pace"] {
            let zones = try #require(MotionZoneDefinition(text))
            #expect(zones.lowerBounds(thresholdPowerInWatts: nil, thresholdSpeedInMetersPerSecond: nil) == nil)
        }
    }

    @Test(arguments: [
        "", "W", "100,150", "150,100W", "100,100W", "0,100W", "100,,200W", "x,200W", "nan,200W", "1,inf,W",
        "4:10,5:00/km", "4:70/km", "-1:30/km", "0:00/km", "1:2:3/km", "100,4000W", "1,2,3,4,5,6,7,8,9,10W", "0%ftp",
    ])
    func `text that contains no zones is rejected`(_ text: String) {
        #expect(MotionZoneDefinition(text) == nil)
    }

    @Test(arguments: [
        "100,150.5,200W", "55,75%ftp", "6:30,5:45,5:10/km", "10:30,9:15/mi", "2:05,1:52.5/100m", "80,95%pace",
    ])
    func `written zones read back the same`(_ text: String) throws {
        let zones = try #require(MotionZoneDefinition(text))
        #expect(zones.description == text && MotionZoneDefinition(zones.description)?.description == text)
        #expect((zones.measure == .power) == (text.hasSuffix("W") || text.hasSuffix("ftp")))
    }

    @Test func `a threshold is a single pace`() {
        #expect(MotionZoneDefinition.speed(ofPace: "4:10/km") == 4)
        #expect(MotionZoneDefinition.speed(ofPace: "4:10") == nil)
        #expect(MotionZoneDefinition.speed(ofPace: "5:00,4:10/km") == nil)
        #expect(MotionZoneDefinition.speed(ofPace: "80%pace") == nil)
    }
}
