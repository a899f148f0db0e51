import Analytics
import Foundation
import Testing

/// Best efforts and rolling means of series with one value a second, compared with their definitions.
@Suite struct EffortTests {
    /// Values; nil is a gap.
    private static func series(_ seed: UInt64, count: Int) -> [Double?] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            Int.random(in: 0..<400, using: &random) == 0 ? nil : Double(Int.random(in: 0...400, using: &random))
        }
    }

    private static func steps(_ values: [Double?]) -> [SecondlySeries.Step] {
        values.enumerated().map { second, value in value.map { .value($0, second: second) } ?? .gap }
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a best effort is the greatest mean over all spans of its length`(_ seed: UInt64) {
        let values = Self.series(seed, count: 3000)
        var curve = MeanMaximalCurve(durationsInSeconds: [1, 5, 60, 300, 5000])
        for step in Self.steps(values) { curve.add(step) }
        var expected: [MeanMaximalCurve.Effort] = []
        for length in [1, 5, 60, 300, 5000] where length <= values.count {
            for start in 0...(values.count - length) {
                let stretch = values[start..<(start + length)].compactMap(\.self)
                guard stretch.count == length else { continue }
                let mean = stretch.reduce(0, +) / Double(length)
                if let last = expected.last, last.seconds == length {
                    if mean > last.mean {
                        expected[expected.count - 1] = .init(seconds: length, mean: mean, start: start)
                    }
                } else {
                    expected.append(.init(seconds: length, mean: mean, start: start))
                }
            }
        }
        #expect(curve.efforts.map(\.seconds) == expected.map(\.seconds))
        #expect(curve.efforts.map(\.start) == expected.map(\.start))
        for (found, wanted) in zip(curve.efforts, expected) { #expect(isClose(found.mean, wanted.mean, within: 1e-9)) }
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `normalized power is the fourth root of the mean fourth power of 30-second means`(_ seed: UInt64) throws {
        let values = Self.series(seed, count: 3000)
        var power = NormalizedPower()
        for step in Self.steps(values) { power.add(step) }
        var means: [Double] = []
        for end in 30...values.count {
            let stretch = values[(end - 30)..<end].compactMap(\.self)
            if stretch.count == 30 { means.append(stretch.reduce(0, +) / 30) }
        }
        let expected = pow(means.reduce(0) { $0 + pow($1, 4) } / Double(means.count), 0.25)
        let watts = try power.watts.get()
        #expect(isClose(watts, expected, within: 1e-6))
        let measured = values.compactMap(\.self)
        let mean = measured.reduce(0, +) / Double(measured.count)
        #expect(isClose(try power.variabilityIndex.get(), watts / mean, within: 1e-9))
    }

    @Test func `an hour at threshold has a stress of 100, an intensity of 1 and no variability`() throws {
        var power = NormalizedPower()
        for second in 0..<3600 { power.add(.value(250, second: second)) }
        #expect(isClose(try power.watts.get(), 250, within: 1e-9))
        #expect(isClose(try power.intensityFactor(thresholdPowerInWatts: 250).get(), 1, within: 1e-9))
        #expect(isClose(try power.trainingStress(thresholdPowerInWatts: 250).get(), 100, within: 1e-9))
        #expect(isClose(try power.variabilityIndex.get(), 1, within: 1e-9))
        #expect(power.trainingStress(thresholdPowerInWatts: nil) == .failure(.notKnown(.thresholdPower)))
        #expect(NormalizedPower().watts == .failure(.notMeasured(.power)))
        var short = NormalizedPower()
        for second in 0..<600 { short.add(.value(250, second: second)) }
        #expect(short.watts == .failure(.tooShort(neededSeconds: 1200)))
    }

    @Test(arguments: [3600, 100_000])
    func `a heart rate that rises by a tenth at even power is decoupled by a tenth`(_ seconds: Int) throws {
        var decoupling = AerobicDecoupling()
        for second in 0..<seconds {
            decoupling.takeHeartRate(.value(second < seconds / 2 ? 140 : 154, second: second))
            decoupling.takeOutput(.value(200, second: second))
        }
        // 1/140 against 1/154; a bin of the longer one is 160 s, and the middle lies in one.
        #expect(isClose(try decoupling.percent(of: .power).get(), 100 * (1 - 140.0 / 154), within: 0.02))
    }

    @Test func `decoupling needs power, heart rate and at least 20 minutes`() {
        var decoupling = AerobicDecoupling()
        #expect(decoupling.percent(of: .speed) == .failure(.notMeasured(.heartRate)))
        for second in 0..<600 { decoupling.takeHeartRate(.value(140, second: second)) }
        #expect(decoupling.percent(of: .speed) == .failure(.notMeasured(.speed)))
        for second in 0..<600 { decoupling.takeOutput(.value(3, second: second)) }
        #expect(decoupling.percent(of: .speed) == .failure(.tooShort(neededSeconds: 1200)))
    }
}
