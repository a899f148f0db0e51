extension FITProfile {
    enum MessageNumber {
        static let fileID: UInt16 = 0
        static let userProfile: UInt16 = 3
        static let sport: UInt16 = 12
        static let session: UInt16 = 18
        static let lap: UInt16 = 19
        static let record: UInt16 = 20
        static let event: UInt16 = 21
        static let deviceInfo: UInt16 = 23
        static let workout: UInt16 = 26
        static let workoutStep: UInt16 = 27
        static let activity: UInt16 = 34
        static let heartRateVariability: UInt16 = 78
        static let length: UInt16 = 101
        static let heartRate: UInt16 = 132
        static let fieldDescription: UInt16 = 206
        static let developerDataID: UInt16 = 207
        static let set: UInt16 = 225
    }

    static let messages: [Message] = [
        Message(
            MessageNumber.fileID, "file_id",
            [
                FileID.type, FileID.manufacturer, FileID.product, FileID.serialNumber, FileID.timeCreated,
                FileID.productName,
            ]),
        Message(
            MessageNumber.userProfile, "user_profile",
            [
                UserProfile.gender, UserProfile.age, UserProfile.height, UserProfile.weight,
                UserProfile.restingHeartRate,
            ]),
        Message(MessageNumber.sport, "sport", [Sport.sport, Sport.subSport, Sport.name]),
        Message(MessageNumber.workout, "workout", [Workout.sport, Workout.name, Workout.description]),
        Message(
            MessageNumber.workoutStep, "workout_step",
            [
                WorkoutStep.name, WorkoutStep.durationType, WorkoutStep.durationValue, WorkoutStep.targetType,
                WorkoutStep.targetValue, WorkoutStep.low, WorkoutStep.high, WorkoutStep.notes,
            ]),
        Message(
            MessageNumber.session, "session",
            [
                Session.startTime, Session.sport, Session.subSport, Session.totalElapsedTime, Session.totalTimerTime,
                Session.totalDistance, Session.totalCalories, Session.poolLength, Session.effort,
            ]),
        Message(
            MessageNumber.lap, "lap",
            [
                Lap.startTime, Lap.totalElapsedTime, Lap.totalTimerTime, Lap.totalDistance, Lap.totalCalories,
                Lap.sport, Lap.firstLengthIndex, Lap.subSport,
            ]),
        Message(
            MessageNumber.record, "record",
            [
                Record.positionLat, Record.positionLong, Record.altitude, Record.heartRate, Record.cadence,
                Record.distance, Record.speed, Record.power, Record.compressedSpeedDistance,
                Record.verticalOscillation, Record.stanceTime, Record.cadence256, Record.fractionalCadence,
                Record.enhancedSpeed,
                Record.enhancedAltitude, Record.stepLength, Record.temperature, Record.leftRightBalance,
                Record.respirationRate, Record.enhancedRespirationRate, Record.depth, Record.coreTemperature,
                Record.grade, Record.resistance,
            ] + Record.unread),
        Message(MessageNumber.event, "event", [Event.event, Event.eventType]),
        Message(
            MessageNumber.deviceInfo, "device_info",
            [
                DeviceInfo.deviceIndex, DeviceInfo.deviceType, DeviceInfo.manufacturer, DeviceInfo.serialNumber,
                DeviceInfo.product, DeviceInfo.softwareVersion, DeviceInfo.hardwareVersion, DeviceInfo.sourceType,
                DeviceInfo.productName, DeviceInfo.batteryLevel,
            ]),
        Message(MessageNumber.activity, "activity", [Activity.totalTimerTime, Activity.localTimestamp]),
        Message(MessageNumber.heartRateVariability, "hrv", [HeartRateVariability.time]),
        Message(
            MessageNumber.length, "length",
            [
                Length.startTime, Length.totalElapsedTime, Length.totalStrokes, Length.swimStroke, Length.lengthType,
            ]),
        Message(
            MessageNumber.heartRate, "hr",
            [
                HeartRate.fractionalTimestamp, HeartRate.filteredBPM, HeartRate.eventTimestamp,
                HeartRate.eventTimestamp12,
            ]),
        Message(
            MessageNumber.fieldDescription, "field_description",
            [
                FieldDescription.developerDataIndex, FieldDescription.fieldDefinitionNumber, FieldDescription.baseType,
                FieldDescription.fieldName, FieldDescription.units, FieldDescription.nativeMessageNumber,
                FieldDescription.nativeFieldNumber,
            ]),
        Message(
            MessageNumber.developerDataID, "developer_data_id",
            [DeveloperDataID.applicationID, DeveloperDataID.developerDataIndex]),
    ]

    private static let byNumber = Dictionary(uniqueKeysWithValues: messages.map { ($0.number, $0) })

    /// Returns the known fields of a message, or nil for messages that the decoder skips.
    static func message(_ number: UInt16) -> Message? { byNumber[number] }

    /// Returns the name of the field in the profile, or its number.
    static func fieldName(_ field: UInt8, of message: UInt16) -> String {
        if field == timestamp.number { return "\(timestamp.name)" }
        guard let known = byNumber[message]?.fields.first(where: { $0.number == field }) else { return "\(field)" }
        return "\(known.name)"
    }

    /// Returns the name of the message in the profile, or its number.
    static func messageName(_ message: UInt16) -> String {
        byNumber[message].map { "\($0.name)" } ?? "\(message)"
    }
}
