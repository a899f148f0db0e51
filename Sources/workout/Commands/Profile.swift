import Analytics
import ArgumentParser
import Engine
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// `workout profile`: shows and sets the user's profile.
struct Profile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show or change your profile (used for zones, calories and apps).",
        discussion: """
            Without options, shows the profile. 'none' clears a value. The profile is stored in the health store; values in \
            "profile" of config.json take precedence.

            Example:
              workout profile --sex female --date-of-birth 1990-04-01 --mass 62
            """
    )

    @OptionGroup var options: ProfileOptions

    @Flag(help: "Clear the whole profile.")
    var reset = false
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let environment = HealthEnvironment.current
        var profile = StoredProfile()
        if !reset { profile = try CommandFailure.storeFault { try environment.database.storedProfile() } }
        let before = profile
        try options.set(&profile)
        if reset || profile != before {
            try CommandFailure.storeFault { try environment.database.store(profile) }
        }
        let shown = profile.overridden(by: environment.configuredProfile)
        if json {
            print(Self.json(shown).text)
        } else {
            for line in Self.lines(shown, at: environment.time.now()) { print(line) }
        }
    }

    static func json(_ profile: StoredProfile) -> JSONText {
        let members: [(String, JSONText?)] = [
            ("sex", profile.sex.map { .string($0.rawValue) }),
            ("dateOfBirth", profile.dateOfBirth.map { .string($0.description) }),
            ("massInKilograms", .optional(profile.massInKilograms)),
            ("heightInMeters", .optional(profile.heightInMeters)),
            ("restingHeartRate", .optional(profile.restingHeartRate)),
            ("maximumHeartRate", .optional(profile.maximumHeartRate)), ("vo2Max", .optional(profile.vo2Max)),
            ("thresholdPowerInWatts", .optional(profile.thresholdPowerInWatts)),
            ("ventilatoryThresholds", profile.ventilatoryThresholds.map { .array($0.map(JSONText.number)) }),
            (
                "heartRateZones",
                profile.heartRateZones.isEmpty
                    ? nil
                    : .array(
                        profile.heartRateZones.map {
                            .object([
                                ("from", $0.from.map { .string($0.description) }),
                                ("zones", .string($0.zones.description)),
                            ])
                        })
            ),
            ("bloodType", profile.bloodType.map { .string($0.rawValue) }),
            ("fitzpatrickSkinType", profile.skinType.map { .string($0.rawValue) }),
            ("wheelchairUse", profile.wheelchairUse.map { .string($0 ? "yes" : "no") }),
            ("activityMoveMode", profile.moveMode.map { .string($0.rawValue) }),
            ("units", profile.units.map { .string($0.rawValue) }),
        ]
        return .object(members + motionZones(profile))
    }

    static func lines(_ profile: StoredProfile, at date: Date) -> [String] {
        func text(_ value: Double?, _ unit: String) -> String? { value.map { "\($0.formatted()) \(unit)" } }
        let wearer = profile.wearer(at: date)
        let estimate = profile.maximumHeartRate == nil ? wearer?.effectiveMaximumHeartRate : nil
        let age = wearer?.ageInYears.map { " (" + localizedCount(Int($0), "year") + ")" } ?? ""
        let rows: [(String, String?)] = [
            ("sex", profile.sex?.rawValue), ("date of birth", profile.dateOfBirth.map { "\($0)\(age)" }),
            ("mass", text(profile.massInKilograms, "kg")), ("height", text(profile.heightInMeters, "m")),
            ("resting heart rate", text(profile.restingHeartRate, "bpm")),
            (
                "maximum heart rate",
                text(profile.maximumHeartRate, "bpm")
                    ?? estimate.map { "\(Int($0.rounded())) bpm, estimated from the age" }
            ),
            ("threshold power", text(profile.thresholdPowerInWatts, "W")),
            ("threshold pace", profile.thresholdSpeedInMetersPerSecond.map { MetricFormat.pace(1000 / $0) }),
            (
                "thresholds",
                profile.ventilatoryThresholds.map { "\($0.map { $0.formatted() }.joined(separator: " and ")) bpm" }
            ), ("VO2 max", text(profile.vo2Max, "mL/kg·min")), ("blood type", profile.bloodType?.rawValue),
            ("skin type", profile.skinType?.rawValue), ("wheelchair", profile.wheelchairUse.map { $0 ? "yes" : "no" }),
            ("move mode", profile.moveMode?.rawValue), ("units", profile.units?.rawValue ?? "of the locale"),
        ]
        let zones = profile.heartRateZones.map { ("zones", "\($0.zones)\($0.from.map { " from \($0) on" } ?? "")") }
        let noZones = [("zones", "five, from heart-rate reserve or maximum")]
        let motion =
            Self.rows("power zones", profile.powerZones) + Self.rows("pace zones", profile.paceZones)
        return (rows + (zones.isEmpty ? noZones : zones) + motion).map { name, value in
            let label = Language.current.text(name)
            return label + String(repeating: " ", count: max(1, 20 - label.count))
                + Language.current.message(value ?? "not set")
        }
    }
}

/// Zones of power and pace on the command line.
extension Profile {
    static func motionZones(_ profile: StoredProfile) -> [(String, JSONText?)] {
        [
            ("powerZones", json(profile.powerZones)), ("paceZones", json(profile.paceZones)),
            ("thresholdSpeedInMetersPerSecond", .optional(profile.thresholdSpeedInMetersPerSecond)),
        ]
    }

    private static func json(_ zones: [DatedMotionZones]) -> JSONText? {
        guard !zones.isEmpty else { return nil }
        return .array(
            zones.map {
                .object([
                    ("from", $0.from.map { .string($0.description) }), ("activity", $0.activity.map(JSONText.string)),
                    ("zones", .string($0.zones.description)),
                ])
            })
    }

    static func rows(_ label: String, _ zones: [DatedMotionZones]) -> [(String, String?)] {
        zones.map { dated in
            let sport = dated.activity.map { " \(ActivityTitle.words($0))" } ?? ""
            return (label, "\(dated.zones)\(sport)\(dated.from.map { " from \($0) on" } ?? "")")
        }
    }
}
