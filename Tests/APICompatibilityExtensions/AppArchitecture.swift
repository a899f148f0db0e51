// App code: how apps keep HealthKit behind their own protocols, actors, observers and key paths.

import HealthKit
import Observation

/// The protocol that the app's test double implements.
protocol WorkoutSessionProviding: AnyObject {
    var state: HKWorkoutSessionState { get }
    var startDate: Date? { get }
    var endDate: Date? { get }
    var workoutConfiguration: HKWorkoutConfiguration { get }
    var delegate: (any HKWorkoutSessionDelegate)? { get set }
    func prepare()
    func startActivity(with date: Date?)
    func stopActivity(with date: Date?)
    func pause()
    func resume()
    func end()
    func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder
}

extension HKWorkoutSession: WorkoutSessionProviding {}

protocol WorkoutBuilding {
    func beginCollection(at start: Date) async throws
    func endCollection(at end: Date) async throws
    func finishWorkout() async throws -> HKWorkout?
    func statistics(for quantityType: HKQuantityType) -> HKStatistics?
}

extension HKWorkoutBuilder: WorkoutBuilding {}

protocol Spanning {
    var startDate: Date { get }
    var endDate: Date { get }
}

extension Spanning {
    var length: TimeInterval { endDate.timeIntervalSince(startDate) }
}

extension HKSample: Spanning {}

extension HKStatistics: @retroactive Identifiable {
    public var id: Date { startDate }
}

extension HKStatisticsOptions: @retroactive Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// Collects what queries deliver on their queues.
actor SampleCache {
    private var samples: [UUID: HKSample] = [:]
    private(set) var options: [HKQuantityType: HKStatisticsOptions] = [:]

    func insert(_ new: [HKSample]) {
        for sample in new { samples[sample.uuid] = sample }
    }

    func all<Value: Comparable>(by path: KeyPath<HKSample, Value> & Sendable) -> [HKSample] {
        samples.values.sorted { $0[keyPath: path] < $1[keyPath: path] }
    }

    nonisolated func stream(_ samples: [HKSample]) -> AsyncStream<HKSample> {
        AsyncStream { continuation in
            for sample in samples { continuation.yield(sample) }
            continuation.finish()
        }
    }
}

@MainActor
@Observable
final class SummaryModel {
    var workout: HKWorkout?
    var unit: HKUnit = .kilocalorie()
    var rows: [(String, HKQuantity)] = []

    func show(_ workout: HKWorkout) async {
        self.workout = workout
        let rows = await Task.detached { SummaryModel.rows(of: workout) }.value
        self.rows = rows
    }

    nonisolated static func rows(of workout: HKWorkout) -> [(String, HKQuantity)] {
        [("distance", workout.totalDistance), ("energy", workout.totalEnergyBurned)].compactMap { name, quantity in
            quantity.map { (name, $0) }
        }
    }
}

/// Read by key path, as columns of a table are.
struct Column<Sample: HKSample> {
    let title: String
    let text: (Sample) -> String

    init<Value>(_ title: String, _ path: KeyPath<Sample, Value>, _ format: @escaping (Value) -> String) {
        self.title = title
        text = { format($0[keyPath: path]) }
    }
}

enum Columns {
    static func ofWorkouts() -> [Column<HKWorkout>] {
        [
            Column("minutes", \.duration) { String(format: "%.0f", $0 / 60) },
            Column("activity", \.workoutActivityType.rawValue, String.init),
            Column("from", \HKWorkout.sourceRevision.source.name) { $0.isEmpty ? "?" : "app" },
            Column("device", \.device?.name) { $0 ?? "–" },
        ]
    }
}

enum Series {
    static func old(_ type: HKQuantityType, _ quantity: HKQuantity, at date: Date) -> [HKQuantitySample] {
        [
            HKCumulativeQuantitySample(type: type, quantity: quantity, start: date, end: date + 1),
            HKCumulativeQuantitySeriesSample(type: type, quantity: quantity, start: date, end: date + 1),
        ]
    }

    static func vision(at date: Date) -> HKVisionPrescription {
        HKVisionPrescription(type: .glasses, dateIssued: date, expirationDate: nil, device: nil, metadata: nil)
    }

    static func limits(_ type: HKSampleType) -> (Bool, Bool, Bool) {
        (type.isMaximumDurationRestricted, type.isMinimumDurationRestricted, type.allowsRecalibrationForEstimates)
    }

    static func shared(_ types: Set<HKObjectType>) -> Set<HKSampleType> {
        Set(types.compactMap { $0 as? HKSampleType })
    }
}
