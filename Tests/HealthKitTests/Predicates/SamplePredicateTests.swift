import Foundation
import HealthKit
import MadeSamples
import Testing

/// Bounds from Apple's documentation of `predicateForSamples(withStart:end:options:)`: [100, 200).
@Suite struct SamplePredicateTests {
    struct Row: CustomTestStringConvertible {
        var from: Double
        var to: Double
        var loose: Bool
        var strictStart: Bool
        var strictEnd: Bool
        var strict: Bool
        var testDescription: String { "\(from) to \(to)" }
    }

    static let rows = [
        Row(from: 0, to: 99, loose: false, strictStart: false, strictEnd: false, strict: false),
        Row(from: 0, to: 100, loose: true, strictStart: false, strictEnd: true, strict: false),
        Row(from: 100, to: 100, loose: true, strictStart: true, strictEnd: true, strict: true),
        Row(from: 50, to: 150, loose: true, strictStart: false, strictEnd: true, strict: false),
        Row(from: 100, to: 150, loose: true, strictStart: true, strictEnd: true, strict: true),
        Row(from: 150, to: 199, loose: true, strictStart: true, strictEnd: true, strict: true),
        Row(from: 150, to: 200, loose: true, strictStart: true, strictEnd: false, strict: false),
        Row(from: 150, to: 300, loose: true, strictStart: true, strictEnd: false, strict: false),
        Row(from: 0, to: 300, loose: true, strictStart: false, strictEnd: false, strict: false),
        Row(from: 200, to: 200, loose: false, strictStart: false, strictEnd: false, strict: false),
        Row(from: 200, to: 300, loose: false, strictStart: false, strictEnd: false, strict: false),
    ]

    @Test(arguments: rows)
    func `the interval includes its start and excludes its end`(_ row: Row) {
        let sample = Made.steps(1, from: row.from, to: row.to)
        func matches(_ options: HKQueryOptions) -> Bool {
            HKQuery.predicateForSamples(withStart: Made.start + 100, end: Made.start + 200, options: options)
                .evaluate(with: sample)
        }
        #expect(matches([]) == row.loose)
        #expect(matches(.strictStartDate) == row.strictStart)
        #expect(matches(.strictEndDate) == row.strictEnd)
        #expect(matches([.strictStartDate, .strictEndDate]) == row.strict)
    }

    @Test func `a side without a date is open`() {
        let early = Made.steps(1, from: 0, to: 10)
        let late = Made.steps(1, from: 500, to: 510)
        let until = HKQuery.predicateForSamples(withStart: nil, end: Made.start + 100)
        let from = HKQuery.predicateForSamples(withStart: Made.start + 100, end: nil, options: .strictEndDate)
        let always = HKQuery.predicateForSamples(withStart: nil, end: nil)
        #expect(until.evaluate(with: early) && !until.evaluate(with: late))
        #expect(!from.evaluate(with: early) && from.evaluate(with: late))
        #expect(always.evaluate(with: early) && always.evaluate(with: late))
    }

    @Test(arguments: [
        (PredicateOperator.lessThan, [60.0]), (.lessThanOrEqualTo, [60, 80]), (.equalTo, [80]),
        (.notEqualTo, [60, 100]), (.greaterThanOrEqualTo, [80, 100]), (.greaterThan, [100]),
    ])
    func `quantities are compared physically`(_ type: PredicateOperator, _ expected: [Double]) {
        let perSecond = HKUnit.count().unitDivided(by: .second())
        let predicate = HKQuery.predicateForQuantitySamples(
            with: type, quantity: HKQuantity(unit: perSecond, doubleValue: 80.0 / 60))
        let matching = [60.0, 80, 100].filter { predicate.evaluate(with: Made.heartRate($0, at: 0)) }
        #expect(matching == expected)
    }

    @Test func `category values have predicates of their own`() {
        let core = Made.sleep(.asleepCore, from: 0, to: 60)
        let awake = Made.sleep(.awake, from: 60, to: 120)
        let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(
            equalTo: HKCategoryValueSleepAnalysis.allAsleepValues)
        #expect(asleep.evaluate(with: core) && !asleep.evaluate(with: awake))
        let one = HKCategoryValueSleepAnalysis.predicateForSamples(.equalTo, value: .awake)
        #expect(!one.evaluate(with: core) && one.evaluate(with: awake))
    }

    @Test func `a workout is found by its activities`() throws {
        let ride = try Made.workout(.cycling, at: 0, lasting: 3600)
        let run = try Made.workout(.running, at: 0, lasting: 600)
        let long = HKQuery.predicateForWorkouts(
            activityPredicate: HKQuery.predicateForWorkoutActivities(
                operatorType: .greaterThan, duration: 1800))
        #expect(long.evaluate(with: ride) && !long.evaluate(with: run))
        let running = HKQuery.predicateForWorkouts(with: .running)
        #expect(!running.evaluate(with: ride) && running.evaluate(with: run))
    }

    @Test func `a workout without a total is unequal to every value`() throws {
        let counted = try Made.workout(.running, at: 0, lasting: 600, kilocalories: 500)
        let uncounted = try Made.workout(.running, at: 0, lasting: 600)
        let bound = HKQuantity(unit: .largeCalorie(), doubleValue: 400)
        let more = HKQuery.predicateForWorkouts(with: .greaterThan, totalEnergyBurned: bound)
        let other = HKQuery.predicateForWorkouts(with: .notEqualTo, totalEnergyBurned: bound)
        #expect(more.evaluate(with: counted) && !more.evaluate(with: uncounted))
        #expect(other.evaluate(with: counted) && other.evaluate(with: uncounted))
    }
}
