import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct HKStatisticsQueryTests {
    private let health = QueryStore()

    private func statistics(
        of type: HKQuantityType, _ options: HKStatisticsOptions, _ predicate: NSPredicate? = nil
    ) async throws -> HKStatistics? {
        try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: type, predicate: predicate), options: options
        ).result(for: health.store)
    }

    @Test func `only the requested figures are present`() async throws {
        try health.save([Made.heartRate(60, at: 0), Made.heartRate(90, at: 20)])
        let figures = try #require(try await statistics(of: Made.heartRate, [.discreteMax, .mostRecent]))
        #expect(figures.maximumQuantity() == Made.bpm(90))
        #expect(figures.mostRecentQuantity() == Made.bpm(90))
        #expect(figures.mostRecentQuantityDateInterval()?.start == Made.start + 20)
        #expect(figures.minimumQuantity() == nil && figures.averageQuantity() == nil && figures.sources == nil)
        #expect(figures.startDate == Made.start && figures.endDate == Made.start + 20)
    }

    @Test func `a predicate limits the samples`() async throws {
        try health.save([Made.steps(10, from: 0, to: 10), Made.steps(20, from: 100, to: 110)])
        let late = HKQuery.predicateForSamples(withStart: Made.start + 50, end: nil)
        let figures = try #require(try await statistics(of: Made.steps, [.cumulativeSum, .duration], late))
        #expect(figures.sumQuantity()?.doubleValue(for: .count()) == 20)
        #expect(figures.duration()?.doubleValue(for: .second()) == 10)
    }

    @Test func `missing data is an error with a message`() async throws {
        let calls = Calls<(HKError.Code?, String?)>()
        health.store.execute(
            HKStatisticsQuery(quantityType: Made.steps, quantitySamplePredicate: nil, options: .cumulativeSum) {
                _, statistics, error in
                #expect(statistics == nil)
                calls.add(((error as? HKError)?.code, error?.localizedDescription))
            })
        let (code, text) = try #require(await calls.next())
        #expect(code == .errorNoData)
        #expect(text == "No data available for the specified predicate")
        await #expect(throws: HKError.self) { try await statistics(of: Made.steps, .cumulativeSum) }
    }

    struct Choice: CustomTestStringConvertible {
        var type: HKQuantityTypeIdentifier
        var options: HKStatisticsOptions
        /// The error of an option and whether the type is cumulative. Nil if they fit.
        var mistake: String?
        var testDescription: String { "\(type.rawValue) \(options.rawValue)" }
    }

    private static func text(_ option: String, _ kind: String, _ type: String) -> String {
        "Statistics option HKStatisticsOption\(option) is not compatible with \(kind) data type HKQuantityTypeIdentifier\(type)"
    }

    @Test(arguments: [
        Choice(type: .stepCount, options: .cumulativeSum),
        Choice(type: .stepCount, options: [.mostRecent, .duration, .separateBySource]),
        Choice(
            type: .stepCount, options: [.cumulativeSum, .discreteAverage],
            mistake: text("DiscreteAverage", "cumulative", "StepCount")),
        Choice(type: .heartRate, options: [.discreteAverage, .discreteMin, .discreteMax]),
        Choice(
            type: .heartRate, options: .cumulativeSum, mistake: text("CumulativeSum", "discrete", "HeartRate")),
        Choice(
            type: .bodyMass, options: [.discreteMax, .cumulativeSum],
            mistake: text("CumulativeSum", "discrete", "BodyMass")),
    ])
    func `options must fit the type, and otherwise Apple's exception text says why`(_ choice: Choice) {
        #expect(choice.options.mistake(for: HKQuantityType(choice.type)) == choice.mistake)
    }

    @Test func `a sum of heart rates stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKStatisticsQuery(
                quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: nil, options: .cumulativeSum
            ) { _, _, _ in }
        }
    }
}
