/// How values of a type are combined over time, by its Swift name. A test compares both tables with the styles of Apple's
/// types.
extension QuantityReading {
    /// Returns whether readings of the type add up: the value is the amount between `start` and `end`.
    package static func addsUp(_ type: String) -> Bool {
        type.hasPrefix("distance") || type.hasPrefix("dietary") || type.hasPrefix("push") || cumulative.contains(type)
    }

    private static let cumulative: Set = [
        "activeEnergyBurned", "basalEnergyBurned", "stepCount", "flightsClimbed", "swimmingStrokeCount",
        "appleExerciseTime", "appleMoveTime", "appleStandTime", "nikeFuel", "numberOfAlcoholicBeverages",
        "numberOfTimesFallen", "inhalerUsage", "insulinDelivery", "timeInDaylight",
    ]
}

extension AveragingRule {
    /// The rule of a type. Types without a rule of their own are averaged arithmetically.
    package init(ofType type: String) {
        self =
            switch type {
            case "heartRate", "restingHeartRate", "walkingHeartRateAverage", "atrialFibrillationBurden",
                "cyclingCadence",
                "cyclingPower", "cyclingSpeed":
                .temporal
            case "environmentalAudioExposure", "environmentalSoundReduction", "headphoneAudioExposure": .continuousLevel
            default: .arithmetic
            }
    }
}
