import SessionLog

/// The values that files with one row per moment have columns or fields for.
enum TrackChannel: Int, CaseIterable, Sendable {
    case heartRate, distance, speed, cadence, power, temperature, energy, strideLength, verticalOscillation
    case groundContactTime

    /// The unit of values in files, before a format scales them.
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

    /// Whether files hold the total so far. Logs hold what was added.
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

    /// Returns the channel of a quantity type for any activity, or nil if files cannot hold the type.
    init?(type: String) {
        if type.hasPrefix("distance") {
            self = .distance
        } else if let channel = Self.byType[type] {
            self = channel
        } else {
            return nil
        }
    }

    /// Chooses one of several types of a channel by the activity. A ride uses the distance of the bicycle, even if a
    /// phone also counted steps. If the activity's own type is missing, the first by name is used.
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
