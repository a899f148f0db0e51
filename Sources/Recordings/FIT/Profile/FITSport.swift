import SessionLog

/// Converts FIT's sport and sub_sport to an activity of HealthKit and back. The numbers are those of the FIT profile's
/// types `sport` and `sub_sport`, version 21.
enum FITSport {
    /// The activities by sport; all other sports are `other`.
    private static let activities: [UInt8: String] = [
        1: "running", 2: "cycling", 3: "transition", 4: "mixedCardio", 5: "swimming", 6: "basketball", 7: "soccer",
        8: "tennis", 9: "americanFootball", 10: "functionalStrengthTraining", 11: "walking",
        12: "crossCountrySkiing", 13: "downhillSkiing", 14: "snowboarding", 15: "rowing", 16: "climbing",
        17: "hiking", 18: "swimBikeRun", 19: "paddleSports", 21: "cycling", 25: "golf", 27: "equestrianSports",
        28: "hunting", 29: "fishing", 30: "skatingSports", 31: "climbing", 32: "sailing", 33: "skatingSports",
        35: "snowSports", 37: "paddleSports", 38: "surfingSports", 39: "waterSports", 40: "waterSports",
        41: "paddleSports", 42: "paddleSports", 43: "surfingSports", 44: "surfingSports", 47: "boxing",
        48: "stairClimbing", 49: "baseball", 53: "underwaterDiving", 58: "snowSports",
        62: "highIntensityIntervalTraining", 63: "fitnessGaming", 65: "wheelchairWalkPace",
        66: "wheelchairRunPace", 67: "mindAndBody", 69: "discSports", 71: "cricket", 72: "rugby", 73: "hockey",
        74: "lacrosse", 75: "volleyball", 76: "waterSports", 77: "surfingSports", 78: "waterSports",
        79: "archery", 80: "martialArts", 82: "swimming", 83: "socialDance", 84: "jumpRope", 85: "underwaterDiving",
        86: "flexibility", 88: "paddleSports",
    ]

    /// The activities by sub_sport, if it is more precise than the sport.
    private static let subActivities: [UInt8: String] = [
        12: "handCycling", 14: "rowing", 15: "elliptical", 16: "stairClimbing", 19: "flexibility",
        20: "traditionalStrengthTraining", 26: "mixedCardio", 32: "transition", 33: "transition", 34: "transition",
        43: "yoga", 44: "pilates", 53: "underwaterDiving", 54: "underwaterDiving", 55: "underwaterDiving",
        56: "underwaterDiving", 57: "underwaterDiving", 62: "mindAndBody", 63: "underwaterDiving",
        68: "climbing", 69: "climbing", 70: "highIntensityIntervalTraining", 73: "highIntensityIntervalTraining",
        74: "highIntensityIntervalTraining", 75: "highIntensityIntervalTraining", 78: "swimBikeRun",
        79: "swimBikeRun", 80: "swimBikeRun", 81: "swimBikeRun", 84: "pickleball", 86: "wheelchairWalkPace",
        87: "wheelchairRunPace",
        88: "handCycling", 92: "discSports", 94: "squash", 95: "badminton", 96: "racquetball", 97: "tableTennis",
        126: "swimBikeRun",
    ]

    /// Sub-sports that only exist indoors: treadmill, spin, indoor cycling, …
    private static let indoor: Set<UInt8> = [
        1, 5, 6, 14, 15, 16, 19, 20, 25, 26, 27, 43, 44, 45, 58, 68, 70, 71, 73, 74, 75, 86, 87, 88,
    ]

    private static let lapSwimming: UInt8 = 17
    private static let openWater: UInt8 = 18

    /// Returns the smallest number of the sports with this activity.
    static func sport(named activity: String) -> UInt8? { activities.filter { $0.value == activity }.keys.min() }

    static func subSport(named activity: String) -> UInt8? { subActivities.filter { $0.value == activity }.keys.min() }

    static func description(
        sport: UInt8?, subSport: UInt8?, poolLengthInMeters: Double?, hasPositions: Bool
    ) -> ActivityDescription {
        let activity =
            subSport.flatMap { subActivities[$0] } ?? sport.flatMap { activities[$0] } ?? "other"
        var description = ActivityDescription(activity: activity)
        if let subSport, indoor.contains(subSport) {
            description.location = .indoor
        } else if hasPositions || subSport == openWater {
            description.location = .outdoor
        }
        if activity == "swimming" {
            let hasPool = poolLengthInMeters.map { $0 > 0 } ?? false
            if subSport == lapSwimming || hasPool && subSport != openWater {
                description.swimmingLocation = .pool
                description.lapLengthInMeters = hasPool ? poolLengthInMeters : nil
            } else if subSport == openWater {
                description.swimmingLocation = .openWater
            }
        }
        return description
    }
}

extension FITSport {
    /// Returns FIT's numbers for an activity, which ``description(sport:subSport:poolLengthInMeters:hasPositions:)``
    /// converts back to the same activity. `isExact` is false if FIT has no such numbers and the result means
    /// “generic”.
    static func numbers(of activity: ActivityDescription) -> (sport: UInt8, subSport: UInt8, isExact: Bool) {
        let isIndoor = activity.location == .indoor
        switch activity.activity {
        case "other": return (0, 0, true)
        case "running": return (1, isIndoor ? 1 : 0, true)
        case "cycling": return (2, isIndoor ? 6 : 0, true)
        case "rowing": return isIndoor ? (15, 14, true) : (15, 0, true)
        case "walking": return (11, isIndoor ? 27 : 0, true)
        case "swimming":
            switch activity.swimmingLocation {
            case .pool: return (5, 17, true)
            case .openWater: return (5, 18, true)
            case .unknown: return (5, 0, true)
            }
        default: break
        }
        // Take the smallest of several numbers with the same meaning. An activity that is only a sub-sport gets the
        // sport “training” or its own sport.
        if let sport = sport(named: activity.activity) { return (sport, 0, true) }
        if let subSport = subSport(named: activity.activity) { return (Self.training, subSport, true) }
        return (0, 0, false)
    }

    private static let training: UInt8 = 10

    /// The metadata keys for FIT's own numbers of the sport, if they are more precise than the activity.
    static let sportKey = "FITSport"
    static let subSportKey = "FITSubSport"

    /// Returns the metadata with these numbers, or none if the activity already implies them.
    static func metadata(
        sport: UInt8?, subSport: UInt8?, of activity: ActivityDescription
    ) -> [String: MetadataValue] {
        guard let sport, sport != .max else { return [:] }
        let sub = subSport == .max ? 0 : subSport ?? 0
        let usual = numbers(of: activity)
        if usual.sport == sport, usual.subSport == sub { return [:] }
        return [sportKey: .number(Double(sport)), subSportKey: .number(Double(sub))]
    }

    /// Returns the numbers in the metadata, or nil if they belong to another activity, because somebody has changed it
    /// since.
    static func stated(
        in metadata: [String: MetadataValue], for activity: ActivityDescription
    ) -> (sport: UInt8, subSport: UInt8)? {
        guard case .number(let sport)? = metadata[sportKey], case .number(let sub)? = metadata[subSportKey],
            let sport = UInt8(exactly: sport), let sub = UInt8(exactly: sub)
        else { return nil }
        let known = description(sport: sport, subSport: sub, poolLengthInMeters: nil, hasPositions: false)
        return known.activity == activity.activity ? (sport, sub) : nil
    }
}
