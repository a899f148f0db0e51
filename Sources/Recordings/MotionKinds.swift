/// The readings of motion that recordings have in an activity; nil for what HealthKit has no type for in it.
struct MotionKinds {
    private(set) var distance, speed, power, cadence: ReadingKind?
    /// Of running.
    private(set) var groundContactTime, verticalOscillation, strideLength: ReadingKind?
    private(set) var waterTemperature: ReadingKind?

    /// Nothing is read.
    init() {}

    init(_ activity: ActivityDescription, sensor: String) {
        func kind(_ type: String?, _ unit: String) -> ReadingKind? {
            type.map { ReadingKind($0, unit: unit, sensor: sensor) }
        }
        distance = kind(activity.distanceType, "m")
        speed = kind(activity.speedType, "m/s")
        power = kind(activity.powerType, "W")
        switch activity.activity {
        case "cycling", "handCycling":
            cadence = kind("cyclingCadence", "count/min")
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
