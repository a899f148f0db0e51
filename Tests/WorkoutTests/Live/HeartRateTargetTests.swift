import Analytics
import ArgumentParser
import Testing

@testable import workout

@Suite struct HeartRateTargetTests {
    private let zones = HeartRateZones(maximumHeartRate: 190)

    @Test func `a target is a zone or a range`() {
        #expect(HeartRateTarget("zone2") == .zone(2))
        #expect(HeartRateTarget("Z3") == .zone(3))
        #expect(HeartRateTarget("140-155") == .range(140...155))
        for text in ["", "zone", "zone0", "155-140", "140", "10-20", "140-155-170", "100-999"] {
            #expect(HeartRateTarget(text) == nil, "\(text)")
        }
    }

    @Test func `a range is met in whole beats as displayed, and a zone as counted`() {
        let range = HeartRateTarget.range(140...155).bounds(nil)
        #expect(range.map { [139.4, 139.6, 155.4, 155.6].map($0.contains) } == [false, true, true, false])
        #expect(HeartRateTarget.zone(2).bounds(zones) == 114..<133)
        #expect(HeartRateTarget.zone(6).bounds(zones) == nil)
        #expect(HeartRateTarget.zone(1).bounds(nil) == nil)
    }

    @Test func `a target is shown in whole beats, and the last zone has no end`() throws {
        let texts = try [HeartRateTarget.range(140...155), .zone(2), .zone(5)].map {
            TargetPosition(try #require($0.bounds(zones)), nil).text
        }
        #expect(texts == ["140-155", "114-132", "from 171"])
    }

    private func notices(_ rates: [(seconds: Double, rate: Double?)]) -> [TargetWatch.Notice?] {
        var watch = TargetWatch()
        return rates.map { watch.take(TargetPosition(139.5..<155.5, $0.rate), at: $0.seconds) }
    }

    @Test func `one beat is ignored, and a lasting departure is reported once a minute`() {
        #expect(
            notices([(0, 150), (1, 160), (2, 150), (3, 160), (7, 160), (8, 160)]) == [
                nil, nil, nil, nil, nil, .tooHigh,
            ])
        #expect(notices([(0, 120), (5, 120), (60, 120), (65, 120)]) == [nil, .tooLow, nil, .tooLow])
    }

    @Test func `a return is reported if the departure was`() {
        #expect(notices([(0, 160), (6, 160), (7, 150), (8, 150)]) == [nil, .tooHigh, .back, nil])
        #expect(notices([(0, 160), (2, 150)]) == [nil, nil])
    }

    @Test func `without a heart rate nothing is known, and the other side is another departure`() {
        #expect(notices([(0, 160), (6, nil), (7, 160)]) == [nil, nil, .tooHigh])
        #expect(notices([(0, 160), (6, 160), (7, 120), (12, 120)]) == [nil, .tooHigh, nil, .tooLow])
    }

    @Test func `a zone without known zones is rejected, and so is speech without a synthesizer`() throws {
        let unknown = #expect(throws: CommandFailure.self) {
            try TargetOptions.parse(["--target", "zone2"]).alarm(nil)
        }
        #expect(unknown?.message.contains("workout profile") == true)
        let mute = #expect(throws: CommandFailure.self) {
            try TargetAlarm(.range(140...155), .speech, path: "/nowhere")
        }
        #expect(mute?.exitCode == .serviceMissing)
        #expect(throws: (any Error).self) { try TargetOptions.parse(["--target", "fast"]) }
    }

    @Test(arguments: [40, 60, 80, 200])
    func `the live view shows the target and the direction`(columns: Int) {
        var snapshot = LiveSnapshot.full
        snapshot.target = TargetPosition(149.5..<155.5, snapshot.heartRateInBeatsPerMinute)
        let lines = LiveView(size: TerminalSize(columns: columns, rows: 24), capability: .plain).lines(of: snapshot)
        #expect(lines.contains { $0.contains("▼ 150-155") || $0.contains("▼ target 150-155") })
    }
}
