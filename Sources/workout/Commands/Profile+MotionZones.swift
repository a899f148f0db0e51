import Analytics
import Foundation
import HealthKit

/// Zones of power and pace on the command line.
extension Profile {
    /// 'none' forgets those of all days and sports, or with --zones-from of that day, with --zones-activity of that sport.
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
            // Watts are watts without their letter, too.
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
