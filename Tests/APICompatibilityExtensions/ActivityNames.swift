// App code: names and symbols of activities, states and events.

import HealthKit

extension HKWorkoutActivityType: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .walking: "walking"
        case .cycling: "cycling"
        case .swimming: "swimming"
        case .hiking: "hiking"
        case .functionalStrengthTraining: "functionalStrengthTraining"
        case .highIntensityIntervalTraining: "highIntensityIntervalTraining"
        case .elliptical: "elliptical"
        case .rowing: "rowing"
        case .traditionalStrengthTraining: "traditionalStrengthTraining"
        case .equestrianSports: "equestrianSports"
        case .archery: "archery"
        case .pilates: "pilates"
        case .mixedCardio: "mixedCardio"
        case .skatingSports: "skatingSports"
        case .yoga: "yoga"
        case .coreTraining: "coreTraining"
        case .crossTraining: "crossTraining"
        case .fencing: "fencing"
        case .rugby: "rugby"
        case .soccer: "soccer"
        case .cooldown: "cooldown"
        case .dance: "dance"
        case .climbing: "climbing"
        case .barre: "barre"
        case .americanFootball: "americanFootball"
        case .australianFootball: "australianFootball"
        case .badminton: "badminton"
        case .baseball: "baseball"
        case .basketball: "basketball"
        case .bowling: "bowling"
        case .boxing: "boxing"
        case .curling: "curling"
        case .fishing: "fishing"
        case .golf: "golf"
        case .gymnastics: "gymnastics"
        case .handball: "handball"
        case .hockey: "hockey"
        case .hunting: "hunting"
        case .lacrosse: "lacrosse"
        case .martialArts: "martialArts"
        case .mindAndBody: "mindAndBody"
        case .paddleSports: "paddleSports"
        case .play: "play"
        case .preparationAndRecovery: "preparationAndRecovery"
        case .racquetball: "racquetball"
        case .sailing: "sailing"
        case .snowSports: "snowSports"
        case .softball: "softball"
        case .squash: "squash"
        case .stairClimbing: "stairClimbing"
        case .surfingSports: "surfingSports"
        case .tableTennis: "tableTennis"
        case .tennis: "tennis"
        case .trackAndField: "trackAndField"
        case .volleyball: "volleyball"
        case .waterFitness: "waterFitness"
        case .waterPolo: "waterPolo"
        case .waterSports: "waterSports"
        case .wrestling: "wrestling"
        case .crossCountrySkiing: "crossCountrySkiing"
        case .downhillSkiing: "downhillSkiing"
        case .flexibility: "flexibility"
        case .jumpRope: "jumpRope"
        case .kickboxing: "kickboxing"
        case .snowboarding: "snowboarding"
        case .stairs: "stairs"
        case .stepTraining: "stepTraining"
        case .wheelchairWalkPace: "wheelchairWalkPace"
        case .wheelchairRunPace: "wheelchairRunPace"
        case .taiChi: "taiChi"
        case .handCycling: "handCycling"
        case .cardioDance: "cardioDance"
        case .socialDance: "socialDance"
        case .discSports: "discSports"
        case .fitnessGaming: "fitnessGaming"
        case .pickleball: "pickleball"
        case .danceInspiredTraining: "danceInspiredTraining"
        case .mixedMetabolicCardioTraining: "mixedMetabolicCardioTraining"
        case .cricket: "cricket"
        case .underwaterDiving: "underwaterDiving"
        case .swimBikeRun: "swimBikeRun"
        case .transition: "transition"
        case .running: "running"
        case .other: "other"
        @unknown default: "unknown"
        }
    }
}

extension HKWorkoutActivityType {
    /// App code in an older style.
    var isDistanceSport: Bool {
        switch self {
        case .running, .walking, .hiking, .cycling, .swimming, .rowing: return true
        default: return false
        }
    }

    var distanceType: HKQuantityType? {
        switch self {
        case .cycling: return HKObjectType.quantityType(forIdentifier: .distanceCycling)
        case .swimming: return HKQuantityType(.distanceSwimming)
        case .wheelchairRunPace, .wheelchairWalkPace: return HKQuantityType(.distanceWheelchair)
        case .downhillSkiing, .snowboarding: return .quantityType(forIdentifier: .distanceDownhillSnowSports)
        case .running, .walking: return .init(.distanceWalkingRunning)
        default: return nil
        }
    }
}

extension HKWorkoutSessionState: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .notStarted: return "Not Started"
        case .running: return "Running"
        case .ended: return "Ended"
        case .paused: return "Paused"
        case .prepared: return "Prepared"
        case .stopped: return "Stopped"
        @unknown default: return "Unknown"
        }
    }
}

extension HKWorkoutEventType: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .pause: "pause"
        case .resume: "resume"
        case .lap: "lap"
        case .marker: "marker"
        case .motionPaused: "motion paused"
        case .motionResumed: "motion resumed"
        case .segment: "segment"
        case .pauseOrResumeRequest: "pause or resume request"
        @unknown default: "unknown"
        }
    }
}

extension HKWorkoutSwimmingLocationType {
    var name: String? {
        switch self {
        case .pool: "Pool"
        case .openWater: "Open water"
        case .unknown: nil
        @unknown default: nil
        }
    }
}
