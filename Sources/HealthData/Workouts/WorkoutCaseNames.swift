// Session logs contain activities, places, states and events by the Swift names of their cases, which people can read
// and which do not change. The names are spelled out, because apps may give these enumerations a `description` of their
// own.

/// The names of the cases of one enumeration, in both directions.
private struct CaseNames<Value: Hashable & Sendable>: Sendable {
    let names: [Value: String]
    let values: [String: Value]

    init(_ pairs: [(value: Value?, name: String)]) {
        let pairs = pairs.compactMap { pair in pair.value.map { ($0, pair.name) } }
        names = Dictionary(uniqueKeysWithValues: pairs)
        values = Dictionary(uniqueKeysWithValues: pairs.map { ($1, $0) })
    }

    func name(of value: Value) -> String {
        guard let name = names[value] else { preconditionFailure("no name is listed for the case \(value)") }
        return name
    }
}

extension HKWorkoutActivityType {
    /// The name of the case, such as `running`.
    package var caseName: String { Self.caseNames.name(of: self) }

    /// Returns nil if no case has that name.
    package init?(caseName: String) {
        guard let value = Self.caseNames.values[caseName] else { return nil }
        self = value
    }

    /// All cases, including deprecated ones.
    package static var allActivityTypes: some Collection<HKWorkoutActivityType> { caseNames.names.keys }

    // The deprecated cases are written by raw value, because their names would cause warnings.
    private static let caseNames = CaseNames<HKWorkoutActivityType>([
        (.americanFootball, "americanFootball"),
        (.archery, "archery"),
        (.australianFootball, "australianFootball"),
        (.badminton, "badminton"),
        (.baseball, "baseball"),
        (.basketball, "basketball"),
        (.bowling, "bowling"),
        (.boxing, "boxing"),
        (.climbing, "climbing"),
        (.cricket, "cricket"),
        (.crossTraining, "crossTraining"),
        (.curling, "curling"),
        (.cycling, "cycling"),
        (HKWorkoutActivityType(rawValue: 14), "dance"),
        (HKWorkoutActivityType(rawValue: 15), "danceInspiredTraining"),
        (.elliptical, "elliptical"),
        (.equestrianSports, "equestrianSports"),
        (.fencing, "fencing"),
        (.fishing, "fishing"),
        (.functionalStrengthTraining, "functionalStrengthTraining"),
        (.golf, "golf"),
        (.gymnastics, "gymnastics"),
        (.handball, "handball"),
        (.hiking, "hiking"),
        (.hockey, "hockey"),
        (.hunting, "hunting"),
        (.lacrosse, "lacrosse"),
        (.martialArts, "martialArts"),
        (.mindAndBody, "mindAndBody"),
        (HKWorkoutActivityType(rawValue: 30), "mixedMetabolicCardioTraining"),
        (.paddleSports, "paddleSports"),
        (.play, "play"),
        (.preparationAndRecovery, "preparationAndRecovery"),
        (.racquetball, "racquetball"),
        (.rowing, "rowing"),
        (.rugby, "rugby"),
        (.running, "running"),
        (.sailing, "sailing"),
        (.skatingSports, "skatingSports"),
        (.snowSports, "snowSports"),
        (.soccer, "soccer"),
        (.softball, "softball"),
        (.squash, "squash"),
        (.stairClimbing, "stairClimbing"),
        (.surfingSports, "surfingSports"),
        (.swimming, "swimming"),
        (.tableTennis, "tableTennis"),
        (.tennis, "tennis"),
        (.trackAndField, "trackAndField"),
        (.traditionalStrengthTraining, "traditionalStrengthTraining"),
        (.volleyball, "volleyball"),
        (.walking, "walking"),
        (.waterFitness, "waterFitness"),
        (.waterPolo, "waterPolo"),
        (.waterSports, "waterSports"),
        (.wrestling, "wrestling"),
        (.yoga, "yoga"),
        (.barre, "barre"),
        (.coreTraining, "coreTraining"),
        (.crossCountrySkiing, "crossCountrySkiing"),
        (.downhillSkiing, "downhillSkiing"),
        (.flexibility, "flexibility"),
        (.highIntensityIntervalTraining, "highIntensityIntervalTraining"),
        (.jumpRope, "jumpRope"),
        (.kickboxing, "kickboxing"),
        (.pilates, "pilates"),
        (.snowboarding, "snowboarding"),
        (.stairs, "stairs"),
        (.stepTraining, "stepTraining"),
        (.wheelchairWalkPace, "wheelchairWalkPace"),
        (.wheelchairRunPace, "wheelchairRunPace"),
        (.taiChi, "taiChi"),
        (.mixedCardio, "mixedCardio"),
        (.handCycling, "handCycling"),
        (.discSports, "discSports"),
        (.fitnessGaming, "fitnessGaming"),
        (.cardioDance, "cardioDance"),
        (.socialDance, "socialDance"),
        (.pickleball, "pickleball"),
        (.cooldown, "cooldown"),
        (.swimBikeRun, "swimBikeRun"),
        (.transition, "transition"),
        (.underwaterDiving, "underwaterDiving"),
        (.other, "other"),
    ])
}

extension HKWorkoutSessionLocationType {
    /// The name of the case, such as `indoor`.
    package var caseName: String { Self.caseNames.name(of: self) }

    /// Returns nil if no case has that name.
    package init?(caseName: String) {
        guard let value = Self.caseNames.values[caseName] else { return nil }
        self = value
    }

    private static let caseNames = CaseNames<HKWorkoutSessionLocationType>([
        (.unknown, "unknown"), (.indoor, "indoor"), (.outdoor, "outdoor"),
    ])
}

extension HKWorkoutSwimmingLocationType {
    /// The name of the case, such as `openWater`.
    package var caseName: String { Self.caseNames.name(of: self) }

    /// Returns nil if no case has that name.
    package init?(caseName: String) {
        guard let value = Self.caseNames.values[caseName] else { return nil }
        self = value
    }

    private static let caseNames = CaseNames<HKWorkoutSwimmingLocationType>([
        (.unknown, "unknown"), (.pool, "pool"), (.openWater, "openWater"),
    ])
}

extension HKWorkoutSessionState {
    /// The name of the case, such as `paused`.
    package var caseName: String { Self.caseNames.name(of: self) }

    /// Returns nil if no case has that name.
    package init?(caseName: String) {
        guard let value = Self.caseNames.values[caseName] else { return nil }
        self = value
    }

    private static let caseNames = CaseNames<HKWorkoutSessionState>([
        (.notStarted, "notStarted"), (.running, "running"), (.ended, "ended"), (.paused, "paused"),
        (.prepared, "prepared"), (.stopped, "stopped"),
    ])
}

extension HKWorkoutEventType {
    /// The name of the case, such as `lap`.
    package var caseName: String { Self.caseNames.name(of: self) }

    /// Returns nil if no case has that name.
    package init?(caseName: String) {
        guard let value = Self.caseNames.values[caseName] else { return nil }
        self = value
    }

    private static let caseNames = CaseNames<HKWorkoutEventType>([
        (.pause, "pause"), (.resume, "resume"), (.lap, "lap"), (.marker, "marker"), (.motionPaused, "motionPaused"),
        (.motionResumed, "motionResumed"), (.segment, "segment"), (.pauseOrResumeRequest, "pauseOrResumeRequest"),
    ])
}
