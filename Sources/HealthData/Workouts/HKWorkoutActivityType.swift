/// The kind of exercise in a workout.
///
/// Raw values are those of Apple's HealthKit documentation, macOS 26. 81 is not in use.
///
/// The comment of each case states what a session collects from sensors unless the app chooses (all of them collect
/// heart rate, active and basal energy), which distance is ``HKWorkout/totalDistance``, and its name in FIT files.
public enum HKWorkoutActivityType: UInt, Sendable {
    /// Total distance: walking and running. FIT sport 9.
    case americanFootball = 1
    /// Total distance: walking and running. FIT sport 79.
    case archery = 2
    /// Total distance: walking and running. Generic in FIT.
    case australianFootball = 3
    /// Total distance: walking and running. FIT sub-sport 95.
    case badminton = 4
    /// Total distance: walking and running. FIT sport 49.
    case baseball = 5
    /// Total distance: walking and running. FIT sport 6.
    case basketball = 6
    /// Total distance: walking and running. Generic in FIT.
    case bowling = 7
    /// Total distance: walking and running. FIT sport 47.
    case boxing = 8
    /// On rock or a wall. Total distance: walking and running. FIT sport 16.
    case climbing = 9
    /// Total distance: walking and running. FIT sport 71.
    case cricket = 10
    /// Alternating exercises of several kinds. Total distance: walking and running. Generic in FIT.
    case crossTraining = 11
    /// With stones on ice. Total distance: walking and running. Generic in FIT.
    case curling = 12
    /// Collects cycling distance, speed and cadence. FIT sport 2.
    case cycling = 13
    /// Any dancing. Total distance: walking and running. Generic in FIT.
    @available(iOS, deprecated: 14.0, message: "Use cardioDance or socialDance")
    case dance = 14
    /// Exercises like dancing. Total distance: walking and running. Generic in FIT.
    @available(iOS, deprecated: 10.0, message: "Use cardioDance or barre")
    case danceInspiredTraining = 15
    /// A cross trainer. Total distance: walking and running. FIT sub-sport 15.
    case elliptical = 16
    /// On horseback. Total distance: walking and running. FIT sport 27.
    case equestrianSports = 17
    /// With foil, epee or sabre. Total distance: walking and running. Generic in FIT.
    case fencing = 18
    /// Total distance: walking and running. FIT sport 29.
    case fishing = 19
    /// Strength with the body's own weight or small weights. Total distance: walking and running. FIT sport 10.
    case functionalStrengthTraining = 20
    /// Total distance: walking and running. FIT sport 25.
    case golf = 21
    /// On apparatus or the floor. Total distance: walking and running. Generic in FIT.
    case gymnastics = 22
    /// Total distance: walking and running. Generic in FIT.
    case handball = 23
    /// Collects walking and running distance. FIT sport 17.
    case hiking = 24
    /// On ice or a field. Total distance: walking and running. FIT sport 73.
    case hockey = 25
    /// With or without a dog. Total distance: walking and running. FIT sport 28.
    case hunting = 26
    /// Total distance: walking and running. FIT sport 74.
    case lacrosse = 27
    /// Total distance: walking and running. FIT sport 80.
    case martialArts = 28
    /// Walking meditation and the like. Total distance: walking and running. FIT sport 67.
    case mindAndBody = 29
    /// Endurance at changing intensity. Total distance: walking and running. Generic in FIT.
    @available(iOS, deprecated: 11.0, message: "Use mixedCardio or highIntensityIntervalTraining")
    case mixedMetabolicCardioTraining = 30
    /// Canoe, kayak or stand-up paddling. Collects paddle sports distance and speed. FIT sport 19.
    case paddleSports = 31
    /// Games without a score. Total distance: walking and running. Generic in FIT.
    case play = 32
    /// Stretching, foam rolling and the like. Total distance: walking and running. Generic in FIT.
    case preparationAndRecovery = 33
    /// Total distance: walking and running. FIT sub-sport 96.
    case racquetball = 34
    /// Collects rowing distance and speed. FIT sport 15.
    case rowing = 35
    /// Total distance: walking and running. FIT sport 72.
    case rugby = 36
    /// Collects walking and running distance, speed, power, stride length, vertical oscillation and ground contact
    /// time. FIT sport 1.
    case running = 37
    /// Total distance: walking and running. FIT sport 32.
    case sailing = 38
    /// On ice, inline or on a board. Collects skating distance. FIT sport 30.
    case skatingSports = 39
    /// In the snow, neither skiing nor snowboarding. Collects distance of downhill snow sports. FIT sport 35.
    case snowSports = 40
    /// Total distance: walking and running. FIT sport 7.
    case soccer = 41
    /// Total distance: walking and running. Generic in FIT.
    case softball = 42
    /// Total distance: walking and running. FIT sub-sport 94.
    case squash = 43
    /// On a machine with moving steps. Total distance: walking and running. FIT sport 48.
    case stairClimbing = 44
    /// With a board on waves, by wind or kite. Total distance: walking and running. FIT sport 38.
    case surfingSports = 45
    /// Collects swimming distance and strokes. FIT sport 5.
    case swimming = 46
    /// Total distance: walking and running. FIT sub-sport 97.
    case tableTennis = 47
    /// Total distance: walking and running. FIT sport 8.
    case tennis = 48
    /// Jumping, throwing and short runs. Total distance: walking and running. Generic in FIT.
    case trackAndField = 49
    /// Strength with machines or heavy weights. Total distance: walking and running. FIT sub-sport 20.
    case traditionalStrengthTraining = 50
    /// Total distance: walking and running. FIT sport 75.
    case volleyball = 51
    /// Collects walking and running distance. FIT sport 11.
    case walking = 52
    /// Exercises in the water. Total distance: swimming. Generic in FIT.
    case waterFitness = 53
    /// Total distance: swimming. Generic in FIT.
    case waterPolo = 54
    /// On the water with a board or behind a boat. Total distance: swimming. FIT sport 39.
    case waterSports = 55
    /// Total distance: walking and running. Generic in FIT.
    case wrestling = 56
    /// Total distance: walking and running. FIT sub-sport 43.
    case yoga = 57
    /// Exercises at a ballet bar. Total distance: walking and running. Generic in FIT.
    case barre = 58
    /// For belly and back. Total distance: walking and running. Generic in FIT.
    case coreTraining = 59
    /// Collects cross-country skiing distance and speed. FIT sport 12.
    case crossCountrySkiing = 60
    /// Collects distance of downhill snow sports. FIT sport 13.
    case downhillSkiing = 61
    /// Stretching. Total distance: walking and running. FIT sport 86.
    case flexibility = 62
    /// Short hard bouts with rests. Total distance: walking and running. FIT sport 62.
    case highIntensityIntervalTraining = 63
    /// Total distance: walking and running. FIT sport 84.
    case jumpRope = 64
    /// Total distance: walking and running. Generic in FIT.
    case kickboxing = 65
    /// Total distance: walking and running. FIT sub-sport 44.
    case pilates = 66
    /// Collects distance of downhill snow sports. FIT sport 14.
    case snowboarding = 67
    /// Real stairs, up or down. Total distance: walking and running. Generic in FIT.
    case stairs = 68
    /// Up and down on a bench. Total distance: walking and running. Generic in FIT.
    case stepTraining = 69
    /// Pushing at the pace of walking. Collects wheelchair distance and pushes. FIT sport 65.
    case wheelchairWalkPace = 70
    /// Pushing at the pace of running. Collects wheelchair distance and pushes. FIT sport 66.
    case wheelchairRunPace = 71
    /// Total distance: walking and running. Generic in FIT.
    case taiChi = 72
    /// Several machines or kinds of endurance training in one workout. Total distance: walking and running. FIT sport
    /// 4.
    case mixedCardio = 73
    /// Collects cycling distance, speed and cadence. FIT sub-sport 12.
    case handCycling = 74
    /// Ultimate, disc golf. Total distance: walking and running. FIT sport 69.
    case discSports = 75
    /// A game controlled by moving. Total distance: walking and running. FIT sport 63.
    case fitnessGaming = 76
    /// Dancing as endurance training. Total distance: walking and running. Generic in FIT.
    case cardioDance = 77
    /// Dancing with others. Total distance: walking and running. FIT sport 83.
    case socialDance = 78
    /// Total distance: walking and running. FIT sub-sport 84.
    case pickleball = 79
    /// Slow movement after a workout. Total distance: walking and running. Generic in FIT.
    case cooldown = 80
    /// A triathlon, with an activity for each leg. Collects the same as its three sports. Total distance: the sum of
    /// its legs. FIT sport 18.
    case swimBikeRun = 82
    /// Between two legs of a triathlon. Collects walking and running distance. Total distance: none. FIT sport 3.
    case transition = 83
    /// Collects depth and water temperature. Total distance: swimming. FIT sport 53.
    case underwaterDiving = 84
    /// Any other activity, or an unknown one. Total distance: walking and running. FIT sport 0.
    case other = 3000
}
