import Foundation
import Testing

@testable import SessionLog

struct CountedDistanceTests {
    /// The distance that was added in total, part by part.
    private func added(_ parts: [(counts: [Double], total: Double?)]) -> [Double] {
        var before = 0.0
        return parts.map { part in
            var survey = CountedDistanceSurvey(scale: 1)
            for count in part.counts { survey.add(count) }
            var distance = CountedDistance(survey.finish(total: part.total, before: &before))
            return part.counts.map { distance.add($0) }.last ?? 0
        }
    }

    @Test(
        arguments: [
            ([0, 10, 20, 30], nil, 30), ([10, 20, 15, 25], nil, 25), ([0, 100, 200, 20, 30], nil, 230),
            ([0, 100, 200, 20, 30], 30, 30), ([0, 100, 200, 20, 30], 230, 230), ([0, 40, 2, 12], nil, 12),
            ([0, 100, 3, 101, 102], nil, 102), ([60, 70], nil, 70), ([], nil, 0),
            ([0, 100, 20000, 110, 120], nil, 120),
        ] as [([Double], Double?, Double)])
    func `the distance is that of the device's counter, whatever it corrects`(
        counts: [Double], total: Double?, sum: Double
    ) {
        #expect(added([(counts, total)]) == [sum])
    }

    @Test func `an activity continues the count or restarts it, depending on its total`() {
        #expect(added([([0, 100], 100), ([100, 150], 50), ([0, 30], 30)]) == [100, 50, 30])
        #expect(added([([0, 100], 100), ([100, 150], nil), ([0, 30], nil)]) == [100, 50, 30])
        #expect(added([([0, 100], 100), ([120, 150], 150)]) == [100, 150])
    }

    @Test(arguments: [(lead: 1.0, sum: 6310.0), (9, 6370), (nil, 6370)] as [(Double?, Double)])
    func `an activity does not restart the count with more than anybody covers`(lead: Double?, sum: Double) {
        var before = 60.0
        var survey = CountedDistanceSurvey(scale: 1)
        for count in [70.0, 3000, 6370] { survey.add(count) }
        // It states a distance closer to 6370 m, because its last count is in the next activity.
        var distance = CountedDistance(survey.finish(total: 6345, before: &before, lead: lead))
        #expect([70, 3000, 6370].map { distance.add($0) }.last == sum)
    }

    @Test func `an activity's last count in the next one is not a correction, even if the total fits`() {
        #expect(added([([0, 8000, 15_984], 16_000), ([15_992, 0, 30, 59], 60)]) == [15_984, 67])
    }

    @Test func `a drop is a wrong number only if the count soon returns`() {
        func counts(_ wrong: Int) -> [Double] {
            (0..<2000).map(Double.init) + [Double](repeating: 1, count: wrong) + (2000..<2100).map(Double.init)
        }
        #expect(added([(counts(500), nil)]) == [2099])
        #expect(added([(counts(700), nil)]) == [1999 + 2099])
    }

    @Test func `two counts of one second cover the same time`() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        var time = CountedTime(from: start)
        #expect(time.start(ofCountAt: start) == start)
        #expect(time.start(ofCountAt: start + 2) == start)
        #expect(time.start(ofCountAt: start + 3) == start + 2)
        #expect(time.start(ofCountAt: start + 3) == start + 2)
        #expect(time.start(ofCountAt: start + 4) == start + 3)
        // A pause until 10 s, and a leg that starts in the second of the last count.
        time.begin(at: start + 10)
        #expect(time.start(ofCountAt: start + 11) == start + 10)
        time.begin(at: start + 11)
        #expect(time.start(ofCountAt: start + 11) == start + 11)
        // A point that steps back.
        #expect(time.start(ofCountAt: start + 5) == start + 5)
    }
}
