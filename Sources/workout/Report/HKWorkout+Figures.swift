import Foundation
import HealthKit

/// What lists and pages say of a stored workout.
extension HKWorkout {
    var metersCovered: Double? { totalDistance?.doubleValue(for: .meter()) }
    var energyInKilocalories: Double? { totalEnergyBurned?.doubleValue(for: .kilocalorie()) }
    var averageHeartRate: Double? { heartRate { $0.averageQuantity() } }
    var highestHeartRate: Double? { heartRate { $0.maximumQuantity() } }

    /// In metres a second, without pauses; nil without a distance.
    var meanSpeed: Double? { metersCovered.flatMap { $0 > 0 && duration > 0 ? $0 / duration : nil } }

    func speedText(_ metersPerSecond: Double) -> String {
        SpeedForm(workoutActivityType.caseName).text(metersPerSecond)
    }

    private func heartRate(_ figure: (HKStatistics) -> HKQuantity?) -> Double? {
        statistics(for: HKQuantityType(.heartRate)).flatMap(figure)?
            .doubleValue(for: .count().unitDivided(by: .minute()))
    }
}
