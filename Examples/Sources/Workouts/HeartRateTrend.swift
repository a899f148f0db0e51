import Foundation
import HealthKit

/// The values of the trends widget: the average heart rate of each of the last days.
struct HeartRateTrend {
    struct Day: Sendable, Equatable {
        var start: Date
        var average: Double
    }

    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore = HKHealthStore()) {
        self.healthStore = healthStore
    }

    /// Days without a heart rate are left out.
    func days(_ count: Int, endingAt now: Date = .now, calendar: Calendar = .current) async throws -> [Day] {
        let today = calendar.startOfDay(for: now)
        guard let first = calendar.date(byAdding: .day, value: 1 - count, to: today) else { return [] }
        let range = HKQuery.predicateForSamples(withStart: first, end: now)
        let query = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: range), options: .discreteAverage,
            anchorDate: first, intervalComponents: DateComponents(day: 1))
        let unit = HKUnit.count().unitDivided(by: .minute())
        return try await query.result(for: healthStore).statistics().compactMap { statistics in
            statistics.averageQuantity().map { Day(start: statistics.startDate, average: $0.doubleValue(for: unit)) }
        }
    }
}
