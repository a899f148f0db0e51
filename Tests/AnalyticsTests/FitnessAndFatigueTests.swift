import Analytics
import Foundation
import Testing

@Suite struct FitnessAndFatigueTests {
    @Test func `a constant load is the limit of fitness and fatigue, and form becomes zero`() {
        var state = FitnessAndFatigue()
        for _ in 0..<1000 { state.add(dailyLoad: 80) }
        #expect(isClose(state.fitness, 80, within: 1e-6) && isClose(state.fatigue, 80, within: 1e-6))
        #expect(isClose(state.form, 0, within: 1e-6))
    }

    @Test func `one load decays by its time constants, and form is that of the day before`() {
        var state = FitnessAndFatigue()
        state.add(dailyLoad: 100)
        #expect(state.form == 0)
        let (fitness, fatigue) = (state.fitness, state.fatigue)
        #expect(isClose(fitness, 100 * (1 - exp(-1 / 42.0)), within: 1e-12))
        for _ in 0..<42 { state.add(dailyLoad: 0) }
        #expect(isClose(state.fitness, fitness / M_E, within: 1e-9))
        #expect(isClose(state.fatigue, fatigue * exp(-6), within: 1e-9))
        let before = (state.fitness, state.fatigue)
        state.add(dailyLoad: .nan)
        #expect(state.form == before.0 - before.1 && state.fitness < before.0)
    }

    @Test func `a resting heart rate that falls by a beat a week shows as a trend after two weeks`() throws {
        var trend = RestingHeartRateTrend()
        #expect(trend.mean == .failure(.notMeasured(.restingHeartRate)))
        for day in 0..<28 {
            if day == 5 { #expect(trend.changePerWeek == .failure(.tooFew(5, needed: 7))) }
            if day == 10 { #expect(trend.changePerWeek == .failure(.tooShort(neededSeconds: 14 * 86_400))) }
            trend.add(60 - Double(day) / 7, day: 9000 + Double(day))
        }
        #expect(isClose(try trend.changePerWeek.get(), -1, within: 1e-9))
        #expect(isClose(try trend.mean.get(), 60 - 13.5 / 7, within: 1e-9))
        #expect(trend.latest == 60 - 27.0 / 7)
    }
}
