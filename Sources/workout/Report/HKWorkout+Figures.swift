import Foundation
import HealthKit

/// What lists and pages say of a stored workout.
extension HKWorkout {
    /// Nil for a total of 0: exports state that of workouts whose distance nobody measured.
    var metersCovered: Double? { totalDistance?.doubleValue(for: .meter()).moreThanZero }
    /// The same.
    var energyInKilocalories: Double? { totalEnergyBurned?.doubleValue(for: .kilocalorie()).moreThanZero }
    var averageHeartRate: Double? { heartRate { $0.averageQuantity() } }
    var highestHeartRate: Double? { heartRate { $0.maximumQuantity() } }

    /// In metres a second, without pauses; nil without a distance.
    var meanSpeed: Double? { metersCovered.flatMap { duration > 0 ? $0 / duration : nil } }

    func speedText(_ metersPerSecond: Double) -> String {
        SpeedForm(self).text(metersPerSecond)
    }

    private func heartRate(_ figure: (HKStatistics) -> HKQuantity?) -> Double? {
        statistics(for: HKQuantityType(.heartRate)).flatMap(figure)?
            .doubleValue(for: .count().unitDivided(by: .minute()))
    }
}

extension Double {
    fileprivate var moreThanZero: Double? { self > 0 ? self : nil }
}
