/// The kinds of readings for motion and temperature in an activity.
///
/// A reading has HealthKit's type if there is one for the activity, and otherwise a neutral one (``NeutralType``). Logs
/// and files can hold neutral types, but a health store cannot.
package struct MotionKinds {
    package private(set) var distance, speed, power, cadence, temperature: ReadingKind?
    /// Kinds for running.
    package private(set) var groundContactTime, verticalOscillation, strideLength: ReadingKind?
    package private(set) var waterTemperature: ReadingKind?

    /// Creates no kinds.
    package init() {}

    /// The types of the readings.
    package var types: Set<String> {
        let kinds = [
            distance, speed, power, cadence, temperature, groundContactTime, verticalOscillation, strideLength,
            waterTemperature,
        ]
        return Set(kinds.compactMap { $0?.type })
    }

    package init(_ activity: ActivityDescription, sensor: String) {
        func kind(_ type: String, _ unit: String) -> ReadingKind { ReadingKind(type, unit: unit, sensor: sensor) }
        distance = kind(activity.distanceType ?? NeutralType.distance, "m")
        speed = kind(activity.speedType ?? NeutralType.speed, "m/s")
        power = kind(activity.powerType ?? NeutralType.power, "W")
        cadence = kind(activity.cadenceType ?? NeutralType.cadence, "count/min")
        temperature = kind(NeutralType.temperature, "degC")
        switch activity.activity {
        case "running":
            groundContactTime = kind("runningGroundContactTime", "ms")
            verticalOscillation = kind("runningVerticalOscillation", "cm")
            strideLength = kind("runningStrideLength", "m")
        case "swimming", "underwaterDiving":
            waterTemperature = kind("waterTemperature", "degC")
        default:
            break
        }
    }
}

/// Types of readings that HealthKit has no type for.
///
/// A session log and the formats of other programs hold them under these names. A health store cannot hold them.
package enum NeutralType {
    /// Distance in m for an activity without a distance type, such as sailing.
    package static let distance = "distance"
    /// Speed in m/s for an activity without a speed type, such as hiking.
    package static let speed = "speed"
    /// Power in W for an activity without a power type, such as rowing.
    package static let power = "power"
    /// Cadence in count/min: full turns or cycles. Two steps of a run are one, as FIT, TCX and GPX count them.
    package static let cadence = "cadence"
    /// Temperature of the air around the device in degC.
    package static let temperature = "temperature"
    /// Inclination of a fitness machine: the gain in height per distance, so 0.02 in the unit "%" is 2 %.
    package static let inclination = "inclination"
    /// Resistance of a fitness machine, in "count" of the machine's own unit.
    package static let resistanceLevel = "resistanceLevel"
    /// The share of the power that comes from the right pedal, 0 … 1 in the unit "%".
    package static let rightPedalShare = "rightPedalShare"
    /// The same share of one pedal, if the file does not state which.
    package static let pedalShare = "pedalShare"

    /// The prefix for names of developer fields in FIT files.
    package static let developerPrefix = "developer:"

    /// Returns the name of the type in messages, such as "right pedal share".
    package static func words(_ type: String) -> String {
        if type.hasPrefix(developerPrefix) { return "the developer field \(type.dropFirst(developerPrefix.count))" }
        return type.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
    }
}
