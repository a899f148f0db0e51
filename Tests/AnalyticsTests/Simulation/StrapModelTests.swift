import Analytics
import Testing

struct StrapModelTests {
    /// Packets with beats 0.4371 s apart, one packet a second.
    private func packets(
        _ seconds: Int, _ artefacts: StrapModel.Artefacts = .none, seed: UInt64 = 1
    ) -> [StrapModel.Packet] {
        var random = SeededGenerator(seed: seed)
        var strap = StrapModel()
        var beat = 0.0
        return (0..<seconds).map { second in
            var beats: [Double] = []
            while beat < Double(second + 1) {
                beats.append(beat)
                beat += 0.4371
            }
            return strap.packet(of: beats, artefacts: artefacts, &random)
        }
    }

    @Test func `no interval is lost between packets, and rounding errors do not add up`() {
        let intervals = packets(600).flatMap(\.rrIntervals)
        let beats = Int(600 / 0.4371) + 1
        #expect(intervals.count == beats - 1)
        let total = intervals.reduce(0) { $0 + Int($1) }
        #expect(abs(Double(total) / 1024 - 0.4371 * Double(beats - 1)) < 1.0 / 1024)
    }

    @Test func `the heart rate is the rounded mean of the last beats, once there are some`() {
        let packets = packets(60)
        #expect(packets[0].heartRate == nil)
        #expect(packets.dropFirst(2).allSatisfy { $0.heartRate == 137 })
    }

    @Test func `the displayed heart rate lags behind the beats`() throws {
        var random = SeededGenerator(seed: 1)
        var strap = StrapModel()
        var beat = 0.0
        var shown: [Int?] = []
        for second in 0..<30 {
            var beats: [Double] = []
            while beat < Double(second + 1) {
                beats.append(beat)
                beat += beat < 15 ? 1.0 : 0.5
            }
            shown.append(strap.packet(of: beats, &random).heartRate)
        }
        #expect(shown[14] == 60)
        #expect(shown[15] == 60)
        #expect(try #require(shown[17]) < 120)
        #expect(shown[29] == 120)
    }

    @Test(arguments: [
        StrapModel.Artefacts(missed: 0.02), StrapModel.Artefacts(extra: 0.02), StrapModel.Artefacts(ectopic: 0.02),
    ])
    func `artefacts keep the total time, and the filter recognizes their kind`(_ artefacts: StrapModel.Artefacts) {
        let intervals = packets(1800, artefacts).flatMap(\.rrIntervals)
        let clean = packets(1800).flatMap(\.rrIntervals)
        let total = { (ticks: [UInt16]) in ticks.reduce(0) { $0 + Int($1) } }
        // An artefact on the very last beat may cut the series.
        #expect(abs(total(intervals) - total(clean)) <= 448)
        let kind: BeatArtefact.Kind =
            artefacts.missed > 0 ? .missed : artefacts.extra > 0 ? .extra : .ectopic
        let found = BeatFilter.filter(intervals.map { Double($0) * 1000 / 1024 }).artefacts
        let ofKind = found.count { $0.kind == kind }
        #expect((50...110).contains(ofKind), "\(ofKind) of about 82")
        #expect(found.count - ofKind <= ofKind / 8)
    }
}
