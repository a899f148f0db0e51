extension ActivityDescription {
    /// Returns the activity of a workout with several parts.
    package static func whole(of parts: [ActivityDescription]) -> ActivityDescription {
        let names = parts.map(\.activity)
        let triathlon: Set = ["swimming", "cycling", "running"]
        let sports = names.filter { $0 != "transition" }
        // A transition belongs to a multisport workout, even if the workout was trimmed to one sport.
        if Set(sports).count > 1 || names.count > sports.count, sports.allSatisfy(triathlon.contains) {
            let location = parts.contains { $0.location == .outdoor } ? ActivityDescription.Location.outdoor : .unknown
            return ActivityDescription(activity: "swimBikeRun", location: location)
        }
        // Several intervals of one sport have its name; any other mix has none.
        return Set(names).count == 1 ? parts[0] : ActivityDescription()
    }

    /// Returns whether a workout of this kind may have such an activity.
    package func takes(_ other: ActivityDescription) -> Bool { Self.takes(other.activity, in: activity) }

    /// Returns whether a workout may have an activity. A multisport workout (`swimBikeRun`) allows swimming, cycling, running
    /// and the transitions between them. Any other workout allows only its own activity, as intervals. A workout of
    /// activity `other` allows everything, because Apple's API has no better type for another device's mix of sports.
    package static func takes(_ activity: String, in workout: String) -> Bool {
        switch workout {
        case "other": true
        case "swimBikeRun": ["swimming", "cycling", "running", "transition"].contains(activity)
        default: activity == workout
        }
    }

    /// The type of the activity's distance. Nil if HealthKit has no type for it.
    package var distanceType: String? {
        switch activity {
        case "cycling", "handCycling": "distanceCycling"
        case "swimming": "distanceSwimming"
        case "crossCountrySkiing": "distanceCrossCountrySkiing"
        case "downhillSkiing", "snowboarding": "distanceDownhillSnowSports"
        case "rowing": "distanceRowing"
        case "paddleSports": "distancePaddleSports"
        case "skatingSports": "distanceSkatingSports"
        case "wheelchairWalkPace", "wheelchairRunPace": "distanceWheelchair"
        case "sailing", "surfingSports", "waterSports", "equestrianSports", "underwaterDiving", "snowSports": nil
        default: "distanceWalkingRunning"
        }
    }

    package var speedType: String? {
        switch activity {
        case "running": "runningSpeed"
        case "cycling", "handCycling": "cyclingSpeed"
        case "crossCountrySkiing": "crossCountrySkiingSpeed"
        case "rowing": "rowingSpeed"
        case "paddleSports": "paddleSportsSpeed"
        default: nil
        }
    }

    package var cadenceType: String? {
        switch activity {
        case "cycling", "handCycling": "cyclingCadence"
        default: nil
        }
    }

    package var powerType: String? {
        switch activity {
        case "running": "runningPower"
        case "cycling", "handCycling": "cyclingPower"
        default: nil
        }
    }
}
