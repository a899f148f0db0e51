import Foundation
import Reports

/// The names that people use for HealthKit's types, and the values of quantity types: `Active energy`, `60 bpm`.
enum QuantityLabel {
    /// `HKQuantityTypeIdentifierActiveEnergyBurned` and `activeEnergyBurned` become `Active energy`.
    /// - Parameter others: The types shown beside it. Two that share a name, such as the distances of a triathlon, get their
    ///   longer ones.
    static func of(_ identifier: String, among others: [String] = []) -> String {
        let name = short(identifier)
        let label = common(name)
        guard others.contains(where: { short($0) != name && common(short($0)) == label }) else { return label }
        return ActivityTitle.of(name)
    }

    private static func short(_ identifier: String) -> String {
        var name = identifier[...]
        if identifier.hasPrefix("HK"), let kind = identifier.range(of: "TypeIdentifier") {
            // HKQuantityTypeIdentifierHeartRate, but HKWorkoutTypeIdentifier.
            name =
                kind.upperBound < identifier.endIndex
                ? identifier[kind.upperBound...] : identifier.dropFirst(2)[..<kind.lowerBound]
        }
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    private static func common(_ name: String) -> String {
        if let label = labels[name] { return localized(label) }
        return name.hasPrefix("distance") ? localized("Distance") : ActivityTitle.of(name)
    }

    private static let labels = [
        "activeEnergyBurned": "Active energy", "basalEnergyBurned": "Resting energy", "bodyMass": "Weight",
        "cyclingCadence": "Cadence", "cyclingPower": "Power", "cyclingSpeed": "Speed", "runningPower": "Power",
        "runningSpeed": "Speed", "runningStrideLength": "Stride length",
        "runningGroundContactTime": "Ground contact time", "runningVerticalOscillation": "Vertical oscillation",
        "stepCount": "Steps", "swimmingStrokeCount": "Strokes", "vo2Max": "VO2 max", "oxygenSaturation": "Blood oxygen",
        "heartRateVariabilityRMSSD": "Heart-rate variability (RMSSD)",
        "heartRateVariabilitySDNN": "Heart-rate variability (SDNN)",
        "estimatedWorkoutEffortScore": "Estimated effort", "workoutEffortScore": "Effort",
    ]

    /// Returns a value with its HealthKit unit as people read it: `60 bpm`, `88 /min`, `4.69 km`, `379 kcal`.
    static func value(_ value: Double, unit: String, of identifier: String) -> String {
        switch unit {
        case "count/min" where short(identifier).lowercased().contains("heartrate"): MetricFormat.heartRate(value)
        case "count/min": MetricFormat.cadence(value)
        case "m" where short(identifier).hasPrefix("distance"): MetricFormat.distance(value)
        case "km": MetricFormat.distance(value * 1_000)
        case "s": MetricFormat.time(value)
        case "kcal": MetricFormat.energy(value)
        case "W": MetricFormat.power(value)
        case "count": MetricFormat.short(value)
        default: "\(MetricFormat.short(value)) \(unit)"
        }
    }
}
