import Analytics
import Testing

@Suite struct RestingVariabilityTests {
    /// Intervals that alternate around a mean by a fixed amount.
    private func beats(_ mean: Double, _ swing: Double, count: Int) -> [Double] {
        (0..<count).map { mean + ($0 % 4 < 2 ? swing : -swing) }
    }

    private func atRest(_ variability: RestingVariability) -> Figure<RestingVariability.Minute> {
        variability.atRest(restingHeartRate: 50, maximumHeartRate: 190)
    }

    @Test func `the quietest minute is reported with its place and its spread`() throws {
        var variability = RestingVariability()
        variability.add(beats(800, 5, count: 150), from: 0)
        variability.add(beats(1000, 4, count: 60), from: 300)
        variability.add(beats(500, 5, count: 240), from: 400)
        let minute = try atRest(variability).get()
        #expect(minute.startInSeconds == 300 && minute.lengthInSeconds == 60)
        #expect(abs(minute.heartRate - 60) < 1e-9)
        #expect(isClose(minute.sdnn, BeatStatistics(beats(1000, 4, count: 60)).sdnn ?? 0, within: 1e-9))
    }

    @Test func `minutes are consecutive within a segment and never span a gap`() throws {
        var variability = RestingVariability()
        variability.add(beats(1000, 10, count: 59), from: 0)
        variability.add(beats(1000, 10, count: 59), from: 60)
        #expect(atRest(variability) == .failure(.tooShort(neededSeconds: 60)))
        variability.add(beats(900, 0, count: 67) + beats(1000, 4, count: 60), from: 200)
        #expect(abs(try atRest(variability).get().startInSeconds - 260.3) < 1e-9)
    }

    @Test func `a heart that was never at rest has no result, and the report says how quiet it was`() {
        var variability = RestingVariability()
        variability.add(beats(600, 0, count: 120), from: 0)
        #expect(atRest(variability) == .failure(.notAtRest(lowestHeartRate: 100, most: 78)))
    }

    @Test func `missing data is named`() {
        var variability = RestingVariability()
        #expect(atRest(variability) == .failure(.notMeasured(.beats)))
        // One beat of every ten seconds was missed.
        variability.add(
            beats(1000, 10, count: 60).enumerated().map { $0.offset % 10 == 9 ? 2000 : $0.element }, from: 0)
        guard case .failure(.tooManyArtefacts(let share)) = atRest(variability) else {
            Issue.record("\(atRest(variability))")
            return
        }
        #expect(share > 0.05 && share < 0.3)
        #expect(
            variability.atRest(restingHeartRate: nil, maximumHeartRate: 190) == .failure(.notKnown(.restingHeartRate)))
        #expect(
            variability.atRest(restingHeartRate: 50, maximumHeartRate: nil) == .failure(.notKnown(.maximumHeartRate)))
    }

    @Test func `an impossible interval ends the minute`() {
        var variability = RestingVariability()
        variability.add(beats(1000, 10, count: 50) + [9000] + beats(1000, 10, count: 50), from: 0)
        #expect(atRest(variability) == .failure(.tooShort(neededSeconds: 60)))
    }
}
