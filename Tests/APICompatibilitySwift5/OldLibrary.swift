// App code in the Swift 5 language mode: extensions and enumerations as wrapper libraries write them.

import HealthKit

typealias HealthCompletion = (Result<[HKSample], Error>) -> Void

enum HealthFailure: Error {
    case unknownType(String)
    case wrapped(HKError)
}

extension HKQuantity: Comparable {
    public static func < (lhs: HKQuantity, rhs: HKQuantity) -> Bool {
        return lhs.compare(rhs) == .orderedAscending
    }
}

extension HKStatisticsOptions: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }
}

extension HKStatistics: Identifiable {
    public var id: Date { startDate }
}

extension HKQuantityTypeIdentifier: Codable {}

extension HKWorkoutActivityType {
    static var favourites: [HKWorkoutActivityType] = [.running, .cycling, .dance]

    var name: String {
        switch self {
        case .running: return "Running"
        case .dance: return "Dance"
        case .danceInspiredTraining: return "Dance training"
        case .mixedMetabolicCardioTraining: return "Mixed cardio"
        default: return "Other"
        }
    }
}

struct WorkoutHeader: Codable {
    var type: HKQuantityTypeIdentifier
    var start: Date
    var unit: String

    func quantity(_ value: Double) -> HKQuantity {
        return HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }
}

class SampleCollector {
    private let queue = DispatchQueue(label: "collector")
    private var samples = [UUID: HKSample]()
    var onChange: (([HKSample]) -> Void)?
    static var current: SampleCollector?

    func insert(_ new: [HKSample]) {
        queue.async {
            for sample in new { self.samples[sample.uuid] = sample }
            let sorted = self.samples.values.sorted { $0.startDate < $1.startDate }
            self.onChange?(sorted)
        }
    }

    func wait() -> Int {
        queue.sync { samples.count }
    }

    /// Builds a workout from collected samples and blocks until it is saved, as exporters on a background queue do.
    func workout(store: HKHealthStore, from start: Date, to end: Date) -> HKWorkout? {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .cycling
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
        let group = DispatchGroup()
        var result: HKWorkout?
        var failure: Error?
        group.enter()
        builder.beginCollection(withStart: start) { success, error in
            failure = error
            builder.add(Array(self.samples.values)) { success, error in
                failure = failure ?? error
                builder.endCollection(withEnd: end) { success, error in
                    failure = failure ?? error
                    builder.finishWorkout { workout, error in
                        result = workout
                        failure = failure ?? error
                        group.leave()
                    }
                }
            }
        }
        group.wait()
        return failure == nil ? result : nil
    }

    static func dictionary(_ sample: HKQuantitySample, unit: HKUnit) -> [String: Any] {
        return [
            "uuid": sample.uuid.uuidString,
            "value": sample.quantity.doubleValue(for: unit) as NSNumber,
            "date": sample.startDate as NSDate,
            "byHand": sample.metadata?[HKMetadataKeyWasUserEntered] as? NSNumber as Any,
        ]
    }
}
