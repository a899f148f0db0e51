import Foundation
import HealthKit

/// Figures of a stored workout for lists and pages.
extension HKWorkout {
    /// Nil for a total of 0, which exports state if nobody measured the distance.
    var metersCovered: Double? { totalDistance?.doubleValue(for: .meter()).moreThanZero }
    /// Nil for a total of 0, too.
    var energyInKilocalories: Double? { totalEnergyBurned?.doubleValue(for: .kilocalorie()).moreThanZero }
    var averageHeartRate: Double? { heartRate { $0.averageQuantity() } }
    var highestHeartRate: Double? { heartRate { $0.maximumQuantity() } }

    /// The mean speed in metres per second, without pauses. Nil without a distance.
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
