import SessionLog

/// The activities of HealthKit for the sports that files name in words.
///
/// Every program has its own words, so the first of these words that occurs in the name decides. Upper and lower case
/// and the characters between words do not matter.
enum SportName {
    private static let words: [(word: String, activity: String)] = [
        ("jumprope", "jumpRope"), ("jumpingrope", "jumpRope"), ("ropejump", "jumpRope"), ("ropeskip", "jumpRope"),
        ("wander", "hiking"), ("transition", "transition"), ("multisport", "other"), ("triathlon", "swimBikeRun"),
        ("handcycl", "handCycling"), ("handbik", "handCycling"), ("wheelchair", "wheelchairWalkPace"),
        ("crosscountryski", "crossCountrySkiing"), ("nordicski", "crossCountrySkiing"), ("xcski", "crossCountrySkiing"),
        ("skating", "skatingSports"), ("rollerski", "crossCountrySkiing"), ("backcountryski", "snowSports"),
        ("skitour", "snowSports"), ("snowshoe", "snowSports"), ("snowboard", "snowboarding"),
        ("waterski", "waterSports"),
        ("ski", "downhillSkiing"), ("kitesurf", "surfingSports"), ("windsurf", "surfingSports"),
        ("paddl", "paddleSports"), ("kayak", "paddleSports"), ("canoe", "paddleSports"), ("sup", "paddleSports"),
        ("surf", "surfingSports"), ("row", "rowing"), ("sail", "sailing"), ("dive", "underwaterDiving"),
        ("diving", "underwaterDiving"), ("swim", "swimming"), ("schwimm", "swimming"),
        ("bik", "cycling"), ("cycl", "cycling"), ("ride", "cycling"), ("riding", "equestrianSports"),
        ("horse", "equestrianSports"), ("velo", "cycling"), ("radfahr", "cycling"), ("mtb", "cycling"),
        ("gravel", "cycling"), ("spin", "cycling"), ("run", "running"), ("jog", "running"),
        ("treadmill", "running"),
        ("lauf", "running"), ("hik", "hiking"), ("trek", "hiking"), ("mountaineer", "hiking"), ("climb", "climbing"),
        ("boulder", "climbing"), ("walk", "walking"), ("gehen", "walking"), ("elliptic", "elliptical"),
        ("stair", "stairClimbing"), ("functionalstrength", "functionalStrengthTraining"),
        ("coretraining", "coreTraining"), ("cooldown", "cooldown"), ("kickbox", "kickboxing"),
        ("strength", "traditionalStrengthTraining"),
        ("weight", "traditionalStrengthTraining"), ("crossfit", "crossTraining"), ("crosstrain", "crossTraining"),
        ("hiit", "highIntensityIntervalTraining"), ("interval", "highIntensityIntervalTraining"),
        ("cardio", "mixedCardio"), ("yoga", "yoga"), ("pilates", "pilates"), ("golf", "golf"),
        ("tabletennis", "tableTennis"), ("pingpong", "tableTennis"), ("tennis", "tennis"), ("badminton", "badminton"),
        ("squash", "squash"),
        ("soccer", "soccer"), ("americanfootball", "americanFootball"), ("australianfootball", "australianFootball"),
        ("football", "soccer"), ("basketball", "basketball"), ("volleyball", "volleyball"),
        ("handball", "handball"), ("hockey", "hockey"), ("skat", "skatingSports"),
        ("dance", "socialDance"), ("box", "boxing"),
    ]

    /// Strava's numbers, which it wrote instead of names for some years; only those seen in its exports.
    private static let numbers = ["1": "cycling", "4": "hiking", "9": "running", "10": "walking"]

    static func activity(_ name: String?) -> String? {
        guard let name else { return nil }
        if let known = numbers[name] { return known }
        let letters = letters(name)
        return words.first { letters.contains($0.word) }?.activity
    }

    static func description(_ name: String?, hasPositions: Bool) -> ActivityDescription {
        let letters = letters(name ?? "")
        var description = ActivityDescription(activity: activity(name) ?? "other")
        let isIndoor = ["indoor", "treadmill", "virtual", "spin", "lapswim", "poolswim"].contains {
            letters.contains($0)
        }
        if description.activity == "swimming" {
            if letters.contains("openwater") {
                description.swimmingLocation = .openWater
            } else if letters.contains("pool") || letters.contains("lap") {
                description.swimmingLocation = .pool
            }
        }
        if isIndoor {
            description.location = .indoor
        } else if hasPositions {
            description.location = .outdoor
        }
        return description
    }

    private static func letters(_ name: String) -> String { String(name.lowercased().filter(\.isLetter)) }
}
