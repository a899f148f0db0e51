import Analytics
import Testing

@Suite struct RecoveryReadingsTests {
    private func readings(until last: Double, from first: Double = 0) -> RecoveryReadings {
        var readings = RecoveryReadings()
        for second in 0...600 { readings.measured(170, at: Double(second)) }
        readings.ended(at: 600)
        for second in stride(from: 600 + max(first, 1), through: 600 + last, by: 1) {
            readings.measured(170 - (second - 600) / 2, at: second)
        }
        return readings
    }

    @Test func `the drop after one and two minutes is reported`() throws {
        let found = readings(until: 300)
        #expect(found.heartRateAtEnd == 170)
        #expect(try found.drop(after: 60).get() == 30)
        #expect(try found.drop(after: 120).get() == 60)
    }

    @Test func `missing readings at that moment are named`() throws {
        let found = readings(until: 90)
        #expect(try found.drop(after: 60).get() == 30)
        #expect(found.drop(after: 120) == .failure(.nothingAfterEnd(seconds: 120)))
        var lost = RecoveryReadings()
        lost.measured(170, at: 500)
        lost.ended(at: 600)
        lost.measured(130, at: 660)
        #expect(lost.drop(after: 60) == .failure(.notMeasured(.heartRate)))
    }
}
