import Foundation

/// The fields of a session's JSON that are read. Any may be missing.
struct PolarFlowSession: Decodable {
    var deviceId: String?
    var startTime: String?
    var exercises: [Exercise]?

    struct Exercise: Decodable {
        var startTime: String?
        var stopTime: String?
        /// The time without pauses.
        var duration: String?
        /// The time zone in minutes east of UTC.
        var timezoneOffset: Double?
        var sport: String?
        var kiloCalories: Double?
        var distance: Double?
        var samples: Samples?
        var laps: [Lap]?
        var autoLaps: [Lap]?
    }

    struct Samples: Decodable {
        var heartRate: [Sample]?
        var altitude: [Sample]?
        var speed: [Sample]?
        var distance: [Sample]?
        var cadence: [Sample]?
        var leftPedalCrankBasedPower: [Power]?
        var rightPedalCrankBasedPower: [Power]?
        var recordedRoute: [Position]?
        var rr: [Interval]?
    }

    /// A sample. It has no value if the sensor had none.
    struct Sample: Decodable {
        var dateTime: String
        var value: Double?
    }

    struct Power: Decodable {
        var dateTime: String
        var currentPower: Double?
    }

    struct Position: Decodable {
        var dateTime: String
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
    }

    struct Interval: Decodable {
        var duration: String?
    }

    struct Lap: Decodable {
        /// The time since the start without pauses.
        var splitTime: String?
    }
}
