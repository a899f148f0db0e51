import Foundation
import HealthStore
import MadeSamples
import Testing

@Suite struct DeliveryStateTests {
    private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private let heart = HKQuantityType(.heartRate)

    private func state(_ frequency: HKUpdateFrequency = .immediate) -> DeliveryState {
        DeliveryState(frequency: frequency, answered: 10)
    }

    @Test func `without a change nothing is due, and the first change is due at once`() {
        #expect(state().next(latest: 10, for: heart, now: now) == .nothing)
        #expect(state(.weekly).next(latest: 11, for: heart, now: now) == .start)
    }

    @Test(arguments: [
        (HKUpdateFrequency.immediate, 0.0), (.hourly, 3_600), (.daily, 86_400), (.weekly, 604_800),
    ])
    func `an app that answers is started once in a period`(_ frequency: HKUpdateFrequency, _ period: Double) {
        var state = state(frequency)
        state.started(at: now)
        state.answered(upTo: 11)
        #expect(state.next(latest: 11, for: heart, now: now) == .nothing)
        if period > 0 {
            #expect(state.next(latest: 12, for: heart, now: now + period - 1) == .wait(until: now + period))
        }
        #expect(state.next(latest: 12, for: heart, now: now + period) == .start)
    }

    @Test(arguments: [
        (HKUpdateFrequency.immediate, [60.0, 120.0]), (.hourly, [3_600, 7_200]), (.daily, [86_400, 172_800]),
    ])
    func `an app that does not answer is started at growing intervals, three times in all`(
        _ frequency: HKUpdateFrequency, _ distances: [Double]
    ) {
        var state = state(frequency)
        var time = now
        for distance in distances {
            #expect(state.next(latest: 11, for: heart, now: time) == .start)
            state.started(at: time)
            #expect(state.next(latest: 11, for: heart, now: time) == .wait(until: time + distance))
            // More changes do not make it earlier.
            #expect(state.next(latest: 99, for: heart, now: time + distance - 1) == .wait(until: time + distance))
            time += distance
        }
        #expect(state.next(latest: 11, for: heart, now: time) == .start)
        state.started(at: time)
        #expect(state.next(latest: 11, for: heart, now: time + 1e9) == .givenUp)
    }

    @Test func `an answer, however late, resets the count, and so does enabling again`() {
        var state = state()
        for _ in 0..<3 { state.started(at: now) }
        #expect(state.next(latest: 11, for: heart, now: now + 1e6) == .givenUp)
        var enabled = state
        enabled.enabled(.daily)
        #expect(enabled.next(latest: 11, for: heart, now: now + 1e6) == .start)
        state.answered(upTo: 11)
        #expect(state.next(latest: 11, for: heart, now: now + 1e6) == .nothing)
        #expect(state.next(latest: 12, for: heart, now: now + 1e6) == .start)
    }

    @Test func `an answer covers the changes known when the app was started`() {
        var state = state()
        state.started(at: now)
        state.answered(upTo: 11)
        #expect(state.next(latest: 12, for: heart, now: now) == .start)
        state.answered(upTo: 5)
        #expect(state.answered == 11)
    }

    @Test(arguments: [
        (HKQuantityTypeIdentifier.stepCount, HKUpdateFrequency.hourly), (.activeEnergyBurned, .hourly),
        (.distanceWalkingRunning, .hourly), (.flightsClimbed, .immediate), (.heartRate, .immediate),
    ])
    func `some types are delivered once an hour at most`(
        _ type: HKQuantityTypeIdentifier, _ expected: HKUpdateFrequency
    ) {
        #expect(state(.immediate).frequency(for: HKQuantityType(type)) == expected)
        #expect(state(.daily).frequency(for: HKQuantityType(type)) == .daily)
    }

    @Test func `setting the clock back does not delay deliveries`() {
        var state = state(.weekly)
        state.started(at: now)
        state.answered(upTo: 11)
        #expect(state.next(latest: 12, for: heart, now: now - 86_400) == .start)
    }
}
