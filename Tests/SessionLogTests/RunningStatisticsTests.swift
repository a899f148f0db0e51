import Analytics
import Foundation
import SessionLog
import Testing

@Suite struct RunningStatisticsTests {
    private func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: 800_000_000 + seconds) }

    private func statistics(_ rule: AveragingRule, _ values: [(Double, Double)]) -> RunningStatistics {
        var statistics = RunningStatistics(rule)
        for (seconds, value) in values { statistics.add(value, start: at(seconds), end: at(seconds)) }
        return statistics
    }

    @Test func `without values there are no figures`() {
        let none = RunningStatistics(.temporal)
        #expect(none.average == nil)
        #expect(none.mostRecent == nil)
        #expect(none.count == 0)
    }

    // formulas.md, section 10: samples at 0, 10 and 40 s, interval end at 60 s.
    @Test func `unevenly spaced values are weighted by their hold`() throws {
        var statistics = statistics(.temporal, [(0, 100), (10, 120), (40, 150)])
        #expect(abs(try #require(statistics.arithmeticMean) - 123.333) < 0.001)
        statistics.breakHold(at: at(60))
        #expect(abs(try #require(statistics.average) - 126.667) < 0.001)
    }

    @Test func `an arithmetic type ignores how long a value holds`() throws {
        let statistics = statistics(.arithmetic, [(0, 100), (10, 120), (40, 150)])
        #expect(abs(try #require(statistics.average) - 123.333) < 0.001)
    }

    @Test func `a value is not held across a gap above the limit`() throws {
        let statistics = statistics(.temporal, [(0, 100), (10, 100), (41, 200), (51, 200)])
        // 0–10 s at 100 and 41–51 s at 200; the 31 s between don't count.
        #expect(statistics.weightedSeconds == 20)
        #expect(statistics.average == 150)
    }

    @Test func `a break ends the hold at its date`() {
        var statistics = statistics(.temporal, [(0, 100), (10, 100)])
        statistics.breakHold(at: at(15))
        statistics.add(200, start: at(20), end: at(20))
        #expect(statistics.weightedSeconds == 15)
        #expect(statistics.average == 100)
    }

    @Test func `a single value is its own average`() {
        #expect(statistics(.temporal, [(0, 142)]).average == 142)
    }

    @Test func `the equivalent level is dominated by the loud part`() throws {
        var statistics = RunningStatistics(.continuousLevel)
        statistics.add(80, start: at(0), end: at(10))
        statistics.add(100, start: at(10), end: at(20))
        // 10·log10((10^8 + 10^10)/2) = 97.03
        #expect(abs(try #require(statistics.average) - 97.0331) < 0.001)
    }

    @Test func `the latest value is the one that ends last`() {
        var statistics = RunningStatistics(.temporal)
        statistics.add(1, start: at(0), end: at(10))
        statistics.add(2, start: at(3), end: at(4))
        #expect(statistics.mostRecent?.value == 1)
        statistics.add(3, start: at(5), end: at(10))
        #expect(statistics.mostRecent?.value == 3)
    }

    @Test(arguments: [AveragingRule.arithmetic, .temporal, .continuousLevel])
    func `merging parts equals one pass over the whole`(rule: AveragingRule) {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let steps = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                (
                    Double.random(in: 0...45, using: &generator), Double.random(in: 40...200, using: &generator),
                    Int.random(in: 0...9, using: &generator) == 0
                )
            }
            var whole = RunningStatistics(rule)
            var parts = [RunningStatistics(rule)]
            var time = 0.0
            for (gap, value, breaks) in steps {
                time += gap
                if Bool.random(using: &generator) { parts.append(RunningStatistics(rule)) }
                if breaks {
                    whole.breakHold(at: at(time))
                    parts[parts.count - 1].breakHold(at: at(time))
                } else {
                    whole.add(value, start: at(time), end: at(time))
                    parts[parts.count - 1].add(value, start: at(time), end: at(time))
                }
            }
            // A break at the border of two parts ends the hold without its last seconds, so these are left out.
            guard !steps.contains(where: { $0.2 }) || parts.count == 1 else { continue }
            var merged = RunningStatistics(rule)
            for part in parts { merged.merge(part) }
            #expect(merged.count == whole.count)
            #expect(merged.mostRecent == whole.mostRecent)
            #expect(abs(merged.sum - whole.sum) < 1e-6)
            #expect(abs(merged.weightedSeconds - whole.weightedSeconds) < 1e-6)
            #expect(abs(merged.integral - whole.integral) <= 1e-9 * max(1, abs(whole.integral)))
        }
    }

    @Test func `a break between two parts separates them`() {
        var first = statistics(.temporal, [(0, 100), (10, 100)])
        first.breakHold(at: at(12))
        first.merge(statistics(.temporal, [(20, 200), (30, 200)]))
        #expect(first.weightedSeconds == 22)
    }

    @Test func `values dated before an earlier break end the hold sooner, and no time counts twice`() {
        var statistics = statistics(.temporal, [(0, 100)])
        statistics.breakHold(at: at(10))
        #expect(statistics.weightedSeconds == 10)
        statistics.add(200, start: at(6), end: at(6))
        statistics.breakHold(at: at(10))
        #expect(statistics.weightedSeconds == 10)
        #expect(statistics.integral == 6 * 100 + 4 * 200)
    }

    @Test func `another stream's values do not end a hold`() {
        var first = statistics(.temporal, [(0, 100)])
        first.breakHold(at: at(10))
        first.letGo()
        first.merge(statistics(.temporal, [(5, 200), (8, 200)]))
        #expect(first.weightedSeconds == 13)
    }

    @Test func `figures archived by an earlier version are read`() throws {
        var statistics = statistics(.temporal, [(0, 100), (10, 120)])
        let data = try JSONEncoder().encode(statistics)
        let names = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any]).keys
        #expect(names.contains("integral") && names.contains("weightedSeconds") && !names.contains("heldUntil"))
        #expect(try JSONDecoder().decode(RunningStatistics.self, from: data) == statistics)
        statistics.breakHold(at: at(15))
        let broken = try JSONDecoder().decode(RunningStatistics.self, from: JSONEncoder().encode(statistics))
        #expect(broken.weightedSeconds == 15)
    }
}
