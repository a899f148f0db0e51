import Analytics
import Testing

@Suite struct EstimatedEffortTests {
    private func load(_ heartRates: [(rate: Double, seconds: Int)], sex: Sex? = .male) -> HeartRateLoad {
        var load = HeartRateLoad(sex: sex, restingHeartRate: 50, maximumHeartRate: 150)
        var second = 0
        for (rate, seconds) in heartRates {
            for _ in 0..<seconds {
                load.add(.value(rate, second: second))
                second += 1
            }
        }
        return load
    }

    @Test(arguments: [(60.0, 1.0), (70, 2), (89, 3), (90, 4), (109, 6), (110, 7), (125, 8), (140, 9), (149, 10)])
    func `classes begin at 40, 60 and 90 percent of the reserve, whatever the duration`(
        heartRate: Double, score: Double
    ) throws {
        for sex in [Sex.male, .female] {
            #expect(try load([(heartRate, 60)], sex: sex).effort.get() == score)
            #expect(try load([(heartRate, 3600)], sex: sex).effort.get() == score)
        }
    }

    @Test func `an even effort has its own fraction, and intervals have more than their mean`() throws {
        #expect(abs(try load([(123, 600)]).intensity.get() - 0.73) < 1e-9)
        #expect(try load([(140, 300), (80, 300)]).intensity.get() > 0.6 + 0.05)
        #expect(try load([(40, 60)]).intensity.get() < 1e-6)
        #expect(try load([(170, 60)]).intensity.get() == 1)
    }

    @Test func `without a heart rate or a sex there is no estimate`() {
        #expect(load([]).effort == .failure(.notMeasured(.heartRate)))
        #expect(load([(100, 60)], sex: nil).effort == .failure(.notKnown(.sex)))
    }
}
