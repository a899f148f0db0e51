import Foundation
import HealthKit

/// Reads a trend and shows whether it covers only part of the history. Written like an app for iOS 27.
@MainActor final class StepTrend {
    let healthStore = HKHealthStore()
    private(set) var days: [Double] = []
    private(set) var notice: String?

    private let steps = HKQuantityType(.stepCount)

    func load(days count: Int, until end: Date) async throws {
        try await healthStore.requestAuthorization(toShare: [], read: [steps, .workoutType()])
        let wanted = end.addingTimeInterval(-Double(count) * 24 * 3600)
        var start = wanted
        if #available(iOS 27.0, watchOS 27.0, macOS 27.0, *) {
            let limits = try await healthStore.earliestAuthorizedSampleDate(for: [steps, .workoutType()])
            start = [wanted, limits[steps]].compactMap { $0 }.max() ?? wanted
        }
        notice = start > wanted ? "Only a part of your history is shared with this app." : nil
        let predicate = HKQuery.predicateForSamples(withStart: start, end: end, options: .strictStartDate)
        let descriptor = HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: steps, predicate: predicate), options: .cumulativeSum, anchorDate: start,
            intervalComponents: DateComponents(day: 1))
        let collection = try await descriptor.result(for: healthStore)
        days = collection.statistics().compactMap { $0.sumQuantity()?.doubleValue(for: .count()) }
    }

    /// The completion handler of apps that do not use `async`.
    func showLimit(_ completion: @escaping @Sendable (Date?, (any Error)?) -> Void) {
        let type = steps
        healthStore.getEarliestAuthorizedSampleDate(for: [type]) { dates, error in
            completion(dates?[type], error)
        }
    }
}
