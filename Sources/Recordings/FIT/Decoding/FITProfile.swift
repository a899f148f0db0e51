/// One field of the FIT profile: its number in the message and the meaning of its values.
struct FITField: Sendable {
    let number: UInt8
    let name: StaticString
    let unit: StaticString
    let scale: Double
    let offset: Double
    /// Whether the field has several elements, bytes or text: read it with `FITMessage.array` and `FITMessage.string`.
    let isArray: Bool

    init(
        _ number: UInt8, _ name: StaticString, _ unit: StaticString = "", scale: Double = 1, offset: Double = 0,
        isArray: Bool = false
    ) {
        self.number = number
        self.name = name
        self.unit = unit
        self.scale = scale
        self.offset = offset
        self.isArray = isArray
    }

    /// Converts the raw number of the file to `unit`.
    @inline(__always)
    func value(_ raw: Int64) -> Double { Double(raw) / scale - offset }
}

/// The messages and fields that the decoder understands, of the several hundred of the FIT profile; all others are
/// skipped. Numbers, scales and units: Garmin's published FIT profile, version 21.
enum FITProfile {
    struct Message: Sendable {
        let number: UInt16
        let name: StaticString
        let fields: [FITField]

        init(_ number: UInt16, _ name: StaticString, _ fields: [FITField]) {
            self.number = number
            self.name = name
            self.fields = fields
        }
    }

    /// The time in seconds since 1989-12-31T00:00:00Z. The number is the same in every message that has it.
    static let timestamp = FITField(253, "timestamp", "s")

    enum FileID {
        static let type = FITField(0, "type")
        static let manufacturer = FITField(1, "manufacturer")
        static let product = FITField(2, "product")
        static let serialNumber = FITField(3, "serial_number")
        static let timeCreated = FITField(4, "time_created", "s")
        static let productName = FITField(8, "product_name", isArray: true)
    }

    enum UserProfile {
        static let gender = FITField(1, "gender")
        static let age = FITField(2, "age", "years")
        static let height = FITField(3, "height", "m", scale: 100)
        static let weight = FITField(4, "weight", "kg", scale: 10)
        static let restingHeartRate = FITField(8, "resting_heart_rate", "bpm")
    }

    enum Sport {
        static let sport = FITField(0, "sport")
        static let subSport = FITField(1, "sub_sport")
        static let name = FITField(3, "name", isArray: true)
    }

    /// The plan that the athlete followed. Other programs use its name as the name of the activity.
    enum Workout {
        static let sport = FITField(4, "sport")
        static let name = FITField(8, "wkt_name", isArray: true)
        static let description = FITField(17, "wkt_description", isArray: true)
    }

    enum WorkoutStep {
        static let name = FITField(0, "wkt_step_name", isArray: true)
        static let durationType = FITField(1, "duration_type")
        static let durationValue = FITField(2, "duration_value")
        static let targetType = FITField(3, "target_type")
        static let targetValue = FITField(4, "target_value")
        static let low = FITField(5, "custom_target_value_low")
        static let high = FITField(6, "custom_target_value_high")
        static let notes = FITField(8, "notes", isArray: true)
    }

    enum Session {
        static let startTime = FITField(2, "start_time", "s")
        static let sport = FITField(5, "sport")
        static let subSport = FITField(6, "sub_sport")
        static let totalElapsedTime = FITField(7, "total_elapsed_time", "s", scale: 1000)
        static let totalTimerTime = FITField(8, "total_timer_time", "s", scale: 1000)
        static let totalDistance = FITField(9, "total_distance", "m", scale: 100)
        static let totalCalories = FITField(11, "total_calories", "kcal")
        static let poolLength = FITField(44, "pool_length", "m", scale: 100)
        /// Perceived effort on Borg's scale from 0 to 10, times ten.
        static let effort = FITField(193, "workout_rpe", scale: 10)
    }

    enum Lap {
        static let startTime = FITField(2, "start_time", "s")
        static let totalElapsedTime = FITField(7, "total_elapsed_time", "s", scale: 1000)
        static let totalTimerTime = FITField(8, "total_timer_time", "s", scale: 1000)
        static let totalDistance = FITField(9, "total_distance", "m", scale: 100)
        static let totalCalories = FITField(11, "total_calories", "kcal")
        static let sport = FITField(25, "sport")
        static let firstLengthIndex = FITField(35, "first_length_index")
        static let subSport = FITField(39, "sub_sport")
    }

    enum Record {
        static let positionLat = FITField(0, "position_lat", "semicircles")
        static let positionLong = FITField(1, "position_long", "semicircles")
        static let altitude = FITField(2, "altitude", "m", scale: 5, offset: 500)
        static let heartRate = FITField(3, "heart_rate", "bpm")
        static let cadence = FITField(4, "cadence", "rpm")
        static let distance = FITField(5, "distance", "m", scale: 100)
        static let speed = FITField(6, "speed", "m/s", scale: 1000)
        static let power = FITField(7, "power", "W")
        static let compressedSpeedDistance = FITField(8, "compressed_speed_distance", isArray: true)
        static let grade = FITField(9, "grade", "%", scale: 100)
        static let resistance = FITField(10, "resistance")
        static let temperature = FITField(13, "temperature", "degC")
        static let leftRightBalance = FITField(30, "left_right_balance")
        static let verticalOscillation = FITField(39, "vertical_oscillation", "mm", scale: 10)
        static let stanceTime = FITField(41, "stance_time", "ms", scale: 10)
        static let cadence256 = FITField(52, "cadence256", "rpm", scale: 256)
        static let fractionalCadence = FITField(53, "fractional_cadence", "rpm", scale: 128)
        static let enhancedSpeed = FITField(73, "enhanced_speed", "m/s", scale: 1000)
        static let enhancedAltitude = FITField(78, "enhanced_altitude", "m", scale: 5, offset: 500)
        static let stepLength = FITField(85, "step_length", "mm", scale: 10)
        static let depth = FITField(92, "depth", "m", scale: 1000)
        static let coreTemperature = FITField(139, "core_temperature", "degC", scale: 100)
        static let respirationRate = FITField(99, "respiration_rate", "breaths/min")
        static let enhancedRespirationRate = FITField(108, "enhanced_respiration_rate", "breaths/min", scale: 100)

        /// Fields that devices measure but that do not become readings. The import warns about those that a file has.
        static let unread = [
            FITField(32, "vertical_speed"), FITField(40, "stance_time_percent"),
            FITField(43, "left_torque_effectiveness"),
            FITField(44, "right_torque_effectiveness"), FITField(45, "left_pedal_smoothness"),
            FITField(46, "right_pedal_smoothness"), FITField(47, "combined_pedal_smoothness"),
            FITField(54, "total_hemoglobin_conc"), FITField(57, "saturated_hemoglobin_percent"),
            FITField(81, "battery_soc"), FITField(83, "vertical_ratio"), FITField(84, "stance_time_balance"),
            FITField(90, "performance_condition"), FITField(91, "absolute_pressure"),
        ]
    }

    enum Event {
        static let event = FITField(0, "event")
        static let eventType = FITField(1, "event_type")
    }

    enum DeviceInfo {
        static let deviceIndex = FITField(0, "device_index")
        static let deviceType = FITField(1, "device_type")
        static let manufacturer = FITField(2, "manufacturer")
        static let serialNumber = FITField(3, "serial_number")
        static let product = FITField(4, "product")
        static let softwareVersion = FITField(5, "software_version", scale: 100)
        static let hardwareVersion = FITField(6, "hardware_version")
        static let antDeviceNumber = FITField(21, "ant_device_number")
        static let sourceType = FITField(25, "source_type")
        static let productName = FITField(27, "product_name", isArray: true)
        static let batteryLevel = FITField(32, "battery_level", "%")
    }

    enum Activity {
        static let totalTimerTime = FITField(0, "total_timer_time", "s", scale: 1000)
        static let localTimestamp = FITField(5, "local_timestamp", "s")
    }

    enum HeartRateVariability {
        static let time = FITField(0, "time", "s", scale: 1000, isArray: true)
    }

    enum Length {
        static let startTime = FITField(2, "start_time", "s")
        static let totalElapsedTime = FITField(3, "total_elapsed_time", "s", scale: 1000)
        static let totalStrokes = FITField(5, "total_strokes", "strokes")
        static let swimStroke = FITField(7, "swim_stroke")
        static let lengthType = FITField(12, "length_type")
    }

    enum HeartRate {
        static let fractionalTimestamp = FITField(0, "fractional_timestamp", "s", scale: 32768)
        static let filteredBPM = FITField(6, "filtered_bpm", "bpm", isArray: true)
        static let eventTimestamp = FITField(9, "event_timestamp", "s", scale: 1024, isArray: true)
        static let eventTimestamp12 = FITField(10, "event_timestamp_12", "s", scale: 1024, isArray: true)
    }

    enum FieldDescription {
        static let developerDataIndex = FITField(0, "developer_data_index")
        static let fieldDefinitionNumber = FITField(1, "field_definition_number")
        static let baseType = FITField(2, "fit_base_type_id")
        static let fieldName = FITField(3, "field_name", isArray: true)
        static let units = FITField(8, "units", isArray: true)
        static let nativeMessageNumber = FITField(14, "native_mesg_num")
        static let nativeFieldNumber = FITField(15, "native_field_num")
    }

    enum DeveloperDataID {
        static let applicationID = FITField(1, "application_id", isArray: true)
        static let developerDataIndex = FITField(3, "developer_data_index")
    }
}
