import Foundation
import HealthKit
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

    @Test func `only the figures that were asked for are there`() async throws {
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

    @Test func `no data is an error with words`() async throws {
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

    @Test(arguments: [
        (HKQuantityTypeIdentifier.stepCount, HKStatisticsOptions.cumulativeSum, String?.none),
        (.stepCount, [.mostRecent, .duration, .separateBySource], nil),
        (.stepCount, [.cumulativeSum, .discreteAverage],
            "Statistics option HKStatisticsOptionDiscreteAverage is not compatible with cumulative data type HKQuantityTypeIdentifierStepCount"),
        (.heartRate, [.discreteAverage, .discreteMin, .discreteMax], nil),
        (.heartRate, .cumulativeSum,
            "Statistics option HKStatisticsOptionCumulativeSum is not compatible with discrete data type HKQuantityTypeIdentifierHeartRate"),
        (.bodyMass, [.discreteMax, .cumulativeSum],
            "Statistics option HKStatisticsOptionCumulativeSum is not compatible with discrete data type HKQuantityTypeIdentifierBodyMass"),
    ])
    func `options go with the type, or the text of Apple's exception says why not`(
        _ identifier: HKQuantityTypeIdentifier, _ options: HKStatisticsOptions, _ mistake: String?
    ) {
        #expect(options.mistake(for: HKQuantityType(identifier)) == mistake)
    }

    @Test func `a sum of heart rates stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKStatisticsQuery(
                quantityType: HKQuantityType(.heartRate), quantitySamplePredicate: nil, options: .cumulativeSum
            ) { _, _, _ in }
        }
    }
}
