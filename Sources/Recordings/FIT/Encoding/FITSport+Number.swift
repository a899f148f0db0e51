extension FITSport {
    /// FIT's numbers for an activity: those that ``description(sport:subSport:poolLengthInMeters:hasPositions:)`` makes the
    /// same activity of. `isExact` is false where FIT has none, and the numbers say “generic”.
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
        // The smallest number of several that say the same; what is only a sub-sport is one of “training” or of its sport.
        if let sport = sport(named: activity.activity) { return (sport, 0, true) }
        if let subSport = subSport(named: activity.activity) { return (Self.training, subSport, true) }
        return (0, 0, false)
    }

    private static let training: UInt8 = 10

    /// The keys of a workout's metadata under which it keeps FIT's own numbers of its sport, if these say more than its
    /// activity.
    static let sportKey = "FITSport"
    static let subSportKey = "FITSubSport"

    /// Empty if the numbers say no more than the activity that is made of them.
    static func metadata(
        sport: UInt8?, subSport: UInt8?, of activity: ActivityDescription
    ) -> [String: MetadataValue] {
        guard let sport, sport != .max else { return [:] }
        let sub = subSport == .max ? 0 : subSport ?? 0
        let usual = numbers(of: activity)
        if usual.sport == sport, usual.subSport == sub { return [:] }
        return [sportKey: .number(Double(sport)), subSportKey: .number(Double(sub))]
    }

    /// The numbers that the metadata keeps. Nil if they are of another activity, which somebody has chosen since.
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
