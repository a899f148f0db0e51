/// The kinds of what recordings measure of motion and air in an activity.
///
/// Readings have HealthKit's type if HealthKit has one in the activity, and a neutral one otherwise (``NeutralType``): logs and
/// files keep those, although a health store cannot.
package struct MotionKinds {
    package private(set) var distance, speed, power, cadence, temperature: ReadingKind?
    /// Of running.
    package private(set) var groundContactTime, verticalOscillation, strideLength: ReadingKind?
    package private(set) var waterTemperature: ReadingKind?

    /// Nothing is read.
    package init() {}

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
/// A session log and the formats of other programs hold them under these names. A health store cannot.
package enum NeutralType {
    /// In m, of an activity without a distance type, such as sailing.
    package static let distance = "distance"
    /// In m/s, of an activity without a speed type, such as hiking.
    package static let speed = "speed"
    /// In W, of an activity without a power type, such as rowing.
    package static let power = "power"
    /// In count/min: full turns or cycles. Two steps of a run are one, as FIT, TCX and GPX count them.
    package static let cadence = "cadence"
    /// Of the air around the device, in degC.
    package static let temperature = "temperature"
    /// The share of the power that comes from the right pedal, 0 … 1 in the unit "%".
    package static let rightPedalShare = "rightPedalShare"
    /// The same of one pedal, if the file does not say which.
    package static let pedalShare = "pedalShare"

    /// The name of a developer field of a FIT file stands behind this.
    package static let developerPrefix = "developer:"

    /// What a reading of the type is called in messages.
    package static func words(_ type: String) -> String {
        type.hasPrefix(developerPrefix) ? "the developer field \(type.dropFirst(developerPrefix.count))" : type
    }
}
