import SessionLog

/// What files with a row a moment have columns or fields for.
enum TrackChannel: Int, CaseIterable, Sendable {
    case heartRate, distance, speed, cadence, power, temperature, energy, strideLength, verticalOscillation
    case groundContactTime

    /// Of the values in files, before a format scales them.
    var unit: String {
        switch self {
        case .heartRate, .cadence: "count/min"
        case .distance, .strideLength: "m"
        case .speed: "m/s"
        case .power: "W"
        case .temperature: "degC"
        case .energy: "kcal"
        case .verticalOscillation: "cm"
        case .groundContactTime: "ms"
        }
    }

    /// Files have what was covered or burnt so far, logs what was added.
    var isTotal: Bool { self == .distance || self == .energy }

    private static let byType: [String: TrackChannel] = [
        "heartRate": .heartRate, "cyclingCadence": .cadence, "runningPower": .power, "cyclingPower": .power,
        "waterTemperature": .temperature, "activeEnergyBurned": .energy, "runningStrideLength": .strideLength,
        "walkingStepLength": .strideLength, "runningVerticalOscillation": .verticalOscillation,
        "runningGroundContactTime": .groundContactTime, "runningSpeed": .speed, "cyclingSpeed": .speed,
        "walkingSpeed": .speed, NeutralType.speed: .speed, NeutralType.cadence: .cadence, NeutralType.power: .power,
        NeutralType.temperature: .temperature, "crossCountrySkiingSpeed": .speed, "rowingSpeed": .speed,
        "paddleSportsSpeed": .speed,
    ]

    /// The channel of a quantity type, whatever the activity; nil for what files have no place for.
    init?(type: String) {
        if type.hasPrefix("distance") {
            self = .distance
        } else if let channel = Self.byType[type] {
            self = channel
        } else {
            return nil
        }
    }

    /// The one type of several of a channel that goes with an activity: a ride's metres are those of the bicycle, also where
    /// a phone has counted steps. Without the activity's own, the first by name.
    static func type(of channel: TrackChannel, among types: some Collection<String>, in activity: String) -> String? {
        let own: String? =
            switch channel {
            case .distance: ActivityDescription(activity: activity).distanceType
            case .speed: ActivityDescription(activity: activity).speedType
            case .power: ActivityDescription(activity: activity).powerType
            case .cadence: ActivityDescription(activity: activity).cadenceType
            default: nil
            }
        if let own, types.contains(own) { return own }
        return types.min()
    }
}

extension QuantityReading {
    /// Whether readings of the type add up: their value is what came between `start` and `end`.
    package static func addsUp(_ type: String) -> Bool {
        type.hasPrefix("distance") || type.hasPrefix("dietary") || type.hasPrefix("push") || cumulative.contains(type)
    }

    private static let cumulative: Set = [
        "activeEnergyBurned", "basalEnergyBurned", "stepCount", "flightsClimbed", "swimmingStrokeCount",
        "appleExerciseTime", "appleMoveTime", "appleStandTime", "nikeFuel", "numberOfAlcoholicBeverages",
        "numberOfTimesFallen", "inhalerUsage", "insulinDelivery", "timeInDaylight",
    ]
}
