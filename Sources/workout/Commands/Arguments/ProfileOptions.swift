import Analytics
import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts

/// Facts about a person: the options of `workout profile`, and the columns of a class's roster.
struct ProfileOptions: ParsableArguments {
    @Option(help: "female, male or other.")
    var sex: String?
    @Option(help: "Date of birth, YYYY-MM-DD.")
    var dateOfBirth: String?
    @Option(help: "Body mass in kilograms, 1 to 700.")
    var mass: String?
    @Option(help: "Height in metres, 0.2 to 3, or in centimetres from 3 up.")
    var height: String?
    @Option(help: "Resting heart rate in beats per minute, 20 to 150.")
    var restingHeartRate: String?
    @Option(help: "Maximum heart rate in beats per minute, 60 to 260. If unset, it is estimated from your age.")
    var maximumHeartRate: String?
    @Option(
        help: """
            Lower bounds of your heart-rate zones: 120,140,155,170,185 in beats per minute, 50,60,70,80,90%max of the \
            maximum, or 50,60,70,80,90%reserve of the heart-rate reserve. 2 to 9 values.
            """)
    var zones: String?
    @Option(
        help: """
            First day on which the zones apply, YYYY-MM-DD; earlier workouts keep their own. Default: all days.
            """
    )
    var zonesFrom: String?
    @Option(
        help: """
            Lower bounds of your power zones: 100,150,200,250 in watts, or 55,75,90,105%ftp of the threshold power. 1 to 9 \
            values; power below the first, such as coasting, counts in no zone.
            """)
    var powerZones: String?
    @Option(
        help: """
            Lower bounds of your pace zones, slowest first: 6:30,5:45,5:10/km, …/mi, …/100m, or 78,88,95,100%pace of the \
            speed at threshold pace.
            """)
    var paceZones: String?
    @Option(
        help: """
            The sport that --power-zones or --pace-zones apply to. Default: all sports without zones of their own.
            """,
        completion: ActivityArgument.completion)
    var zonesActivity: String?
    @Option(help: "Heart rates of the first and second ventilatory threshold: 142,168.")
    var ventilatoryThresholds: String?
    @Option(help: "Power that you can hold for about an hour, in watts, 20 to 800.")
    var thresholdPower: String?
    @Option(help: "Pace that you can hold for about an hour: 4:30/km, 7:15/mi or 1:40/100m.")
    var thresholdPace: String?
    @Option(name: .customLong("vo2max"), help: "VO2 max in millilitres per kilogram and minute, 5 to 120.")
    var vo2Max: String?
    @Option(help: "aPositive, aNegative, bPositive, bNegative, abPositive, abNegative, oPositive or oNegative.")
    var bloodType: String?
    @Option(help: "Fitzpatrick skin type: I, II, III, IV, V or VI.")
    var skinType: String?
    @Option(help: "Uses a wheelchair: yes or no.")
    var wheelchair: String?
    @Option(help: "What the Move ring counts: activeEnergy or appleMoveTime.")
    var moveMode: String?
    @Option(help: "Units of distances, paces and apps: metric, imperial (us or uk). Default: the locale.")
    var units: String?

    /// What each option accepts, for the message about a bad value.
    private static let expected = [
        "sex": "female, male or other", "date-of-birth": "a day in the past, such as 1990-04-01",
        "mass": "1 to 700 kg", "height": "0.2 to 3 m, or 20 to 300 cm", "resting-heart-rate": "20 to 150 bpm",
        "maximum-heart-rate": "60 to 260 bpm", "ventilatory-thresholds": "two rising heart rates, such as 142,168",
        "threshold-power": "20 to 800 W", "threshold-pace": "a pace, such as 4:30/km", "vo2max": "5 to 120 mL/kg·min",
        "blood-type": "aPositive, aNegative, bPositive, bNegative, abPositive, abNegative, oPositive or oNegative",
        "skin-type": "I, II, III, IV, V or VI", "wheelchair": "yes or no", "move-mode": "activeEnergy or appleMoveTime",
        "units": "metric, imperial, us or uk",
    ]

    /// Sets the values of the options.
    func set(_ profile: inout StoredProfile) throws {
        func assign<Value>(
            _ text: String?, _ option: String, _ property: WritableKeyPath<StoredProfile, Value?>,
            _ make: (String) -> Value?
        ) throws {
            guard let text else { return }
            if text == "none" {
                profile[keyPath: property] = nil
                return
            }
            guard let value = make(text) else {
                throw CommandFailure(
                    exitCode: .wrongUsage,
                    message:
                        "--\(option) must be \(Self.expected[option] ?? "a value that 'workout profile --help' lists"), not '\(text)'"
                )
            }
            profile[keyPath: property] = value
        }
        func number(_ range: ClosedRange<Double>) -> (String) -> Double? {
            { text in Double(text).flatMap { range.contains($0) ? $0 : nil } }
        }
        let today = Date()
        try assign(sex, "sex", \.sex) { WearerProfile.Sex(rawValue: $0) }
        try assign(dateOfBirth, "date-of-birth", \.dateOfBirth) { text in
            CivilDay(stated: text).flatMap { $0.years(to: today) == nil ? nil : $0 }
        }
        try assign(mass, "mass", \.massInKilograms, number(StoredProfile.massesInKilograms))
        try assign(height, "height", \.heightInMeters) { text in
            Double(text).map { $0 >= 3 ? $0 / 100 : $0 }.flatMap {
                StoredProfile.heightsInMeters.contains($0) ? $0 : nil
            }
        }
        try assign(restingHeartRate, "resting-heart-rate", \.restingHeartRate, number(StoredProfile.restingHeartRates))
        try assign(maximumHeartRate, "maximum-heart-rate", \.maximumHeartRate, number(StoredProfile.maximumHeartRates))
        try assign(
            thresholdPower, "threshold-power", \.thresholdPowerInWatts, number(StoredProfile.thresholdPowersInWatts))
        try assign(ventilatoryThresholds, "ventilatory-thresholds", \.ventilatoryThresholds) { text in
            let values = text.split(separator: ",").compactMap { Double($0) }
            return StoredProfile.areThresholds(values) ? values : nil
        }
        try assign(thresholdPace, "threshold-pace", \.thresholdSpeedInMetersPerSecond) {
            MotionZoneDefinition.speed(ofPace: $0)
        }
        try setZones(&profile)
        try setMotionZones(&profile)
        try assign(vo2Max, "vo2max", \.vo2Max, number(StoredProfile.vo2Maxima))
        try assign(bloodType, "blood-type", \.bloodType) { BloodTypeName($0) }
        try assign(skinType, "skin-type", \.skinType) { SkinTypeName(rawValue: $0.uppercased()) }
        try assign(wheelchair, "wheelchair", \.wheelchairUse) { ["yes": true, "no": false][$0] }
        try assign(moveMode, "move-mode", \.moveMode) { MoveModeName(rawValue: $0) }
        try assign(units, "units", \.units) { UnitSystemName(rawValue: $0 == "imperial" ? "us" : $0) }
        if let resting = profile.restingHeartRate, let maximum = profile.maximumHeartRate, resting >= maximum {
            throw CommandFailure(
                exitCode: .wrongUsage, message: "the resting heart rate must be below the maximum heart rate")
        }
    }

    func zonesDay() throws -> CivilDay? {
        try zonesFrom.map { text in
            guard let day = CivilDay(stated: text) else {
                throw Self.wrong("--zones-from must be a day, such as 2026-01-31, not '\(text)'")
            }
            return day
        }
    }

    /// Sets zones. 'none' removes those of all days, or with --zones-from those of that day.
    private func setZones(_ profile: inout StoredProfile) throws {
        let from = try zonesDay()
        guard let zones else {
            if from != nil, powerZones == nil, paceZones == nil {
                throw Self.wrong("--zones-from needs --zones, --power-zones or --pace-zones")
            }
            return
        }
        if zones == "none" {
            profile.heartRateZones.removeAll { from == nil || $0.from == from }
            return
        }
        guard let definition = HeartRateZoneDefinition(zones) else {
            throw Self.wrong(
                "--zones must be 2 to 9 rising values, such as 120,140,155,170,185 or 50,60,70,80,90%max, not '\(zones)'"
            )
        }
        let maximum = profile.wearer(at: Date())?.effectiveMaximumHeartRate
        guard definition.zones(maximumHeartRate: maximum, restingHeartRate: profile.restingHeartRate) != nil else {
            throw Self.wrong(
                definition.scale == .percentOfReserve
                    ? "zones in % of heart-rate reserve need --resting-heart-rate, and --maximum-heart-rate or --date-of-birth"
                    : "zones in % of the maximum need --maximum-heart-rate or --date-of-birth")
        }
        profile.heartRateZones = profile.heartRateZones.adding(DatedZones(from: from, definition))
    }

    /// Sets zones of power or pace. 'none' removes those of all days and sports, or with --zones-from those of that
    /// day, with --zones-activity those of that sport.
    func setMotionZones(_ profile: inout StoredProfile) throws {
        let activity = try zonesActivity.map { try ActivityArgument.parse($0).caseName }
        if activity != nil, powerZones == nil, paceZones == nil {
            throw Self.wrong("--zones-activity needs --power-zones or --pace-zones")
        }
        let from = try zonesDay()
        func set(
            _ text: String?, _ option: String, _ measure: MotionZoneDefinition.Measure, _ needed: String,
            _ zones: WritableKeyPath<StoredProfile, [DatedMotionZones]>
        ) throws {
            guard let text else { return }
            if text == "none" {
                profile[keyPath: zones].removeAll {
                    (from == nil || $0.from == from) && (activity == nil || $0.activity == activity)
                }
                return
            }
            // Numbers without a unit are watts.
            let given = MotionZoneDefinition(text) ?? (measure == .power ? MotionZoneDefinition(text + "W") : nil)
            guard let given, given.measure == measure else {
                let example = measure == .power ? "150,200,250" : "6:30,5:45,5:10/km"
                throw Self.wrong("--\(option) must be rising zone bounds, such as \(example), not '\(text)'")
            }
            guard profile.lowerBounds(of: given) != nil else {
                throw Self.wrong("zones in percent of the threshold need \(needed)")
            }
            profile[keyPath: zones] = profile[keyPath: zones].adding(
                DatedMotionZones(from: from, activity: activity, given))
        }
        try set(powerZones, "power-zones", .power, "--threshold-power", \.powerZones)
        try set(paceZones, "pace-zones", .speed, "--threshold-pace", \.paceZones)
    }

    static func wrong(_ message: String) -> CommandFailure {
        CommandFailure(exitCode: .wrongUsage, message: message)
    }
}
