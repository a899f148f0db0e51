// App code as it is written for watchOS: `ObservableObject` and `@Published` without an import of Combine. Nothing here is for Linux.

import Foundation
import HealthKit
import os.log

@MainActor
class WorkoutManager: NSObject, ObservableObject {
    static let shared = WorkoutManager()

    @Published var heartRate: Double = 0
    @Published var activeEnergy: Double = 0
    @Published var sessionState: HKWorkoutSessionState = .notStarted
    @Published private(set) var lastError: Error?

    let healthStore = HKHealthStore()
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?
    private let logger = Logger(subsystem: "com.example.Runner", category: "WorkoutManager")
    private let oldLog = OSLog(subsystem: "com.example.Runner", category: "old")

    func startWorkout(_ type: HKWorkoutActivityType) async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = type
        configuration.locationType = .outdoor
        logger.info("starting \(type.rawValue, format: .decimal), outdoor: \(configuration.locationType == .outdoor)")
        do {
            session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
            builder = session?.associatedWorkoutBuilder()
        } catch {
            lastError = error
            logger.error("cannot begin: \(error.localizedDescription, privacy: .public) (\(error))")
            os_log("cannot begin: %{public}@", log: oldLog, type: .error, error.localizedDescription)
            throw error
        }
        builder?.dataSource = HKLiveWorkoutDataSource(healthStore: healthStore, workoutConfiguration: configuration)
        let start = Date()
        session?.startActivity(with: start)
        try await builder?.beginCollection(at: start)
        logger.debug("begun at \(start, privacy: .public) with \(String(describing: self.builder))")
    }

    func update(_ statistics: HKStatistics) {
        let unit = HKUnit.count().unitDivided(by: .minute())
        heartRate = statistics.mostRecentQuantity()?.doubleValue(for: unit) ?? heartRate
        logger.log(
            level: .debug, "heart rate \(self.heartRate, format: .fixed(precision: 1), align: .right(columns: 6))")
        os_log(.debug, log: oldLog, "%{public}@ of %@", "heart rate", statistics.quantityType)
        os_log("heart rate is %.1f", heartRate)
    }

    func fail(with error: NSError, of quantity: HKQuantity, at url: URL?) {
        lastError = error
        logger.fault(
            "failed: \(error) \(error, privacy: .public) \(quantity) \(url?.absoluteString ?? "-", privacy: .private)")
        logger.warning(
            "failed: \(HKError(.errorAuthorizationDenied)) \(URLError(.badURL)) \(CocoaError(.fileNoSuchFile))")
        if let url { logger.trace("\(url, privacy: .sensitive(mask: .hash)) \(url.path)") }
        let error: any Error = error
        logger.critical("failed: \(error, privacy: .public)")
    }
}
