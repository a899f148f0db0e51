import Analytics
import Foundation
import SessionLog

extension WorkoutProfile {
    /// The names of the built-in profiles.
    package static let builtIn = [easyRun, intervals, ride, triathlon, strength, rest, poorContact]

    /// Returns the built-in profile of this name, or the one in the JSON file at this path.
    package init(named nameOrPath: String) throws(WorkoutProfileError) {
        if let profile = Self.builtIn.first(where: { $0.name == nameOrPath }) {
            self = profile
        } else if nameOrPath.contains("/") || nameOrPath.contains(".") {
            try self.init(contentsOf: URL(filePath: nameOrPath))
        } else {
            throw .unknownName(nameOrPath, known: Self.builtIn.map(\.name))
        }
    }

    /// 42 minutes, some 7 km, at three quarters of the maximum heart rate.
    package static let easyRun = WorkoutProfile(
        name: "easyRun", activity: .running,
        segments: [
            Segment(seconds: 360, intensity: 0.48, speedInMetersPerSecond: 2.5),
            Segment(seconds: 600, intensity: 0.59, speedInMetersPerSecond: 2.85),
            Segment(seconds: 600, intensity: 0.60, speedInMetersPerSecond: 2.88),
            Segment(seconds: 600, intensity: 0.60, speedInMetersPerSecond: 2.88),
            Segment(seconds: 360, intensity: 0.42, speedInMetersPerSecond: 2.3),
        ])

    /// 45 minutes: five times three minutes near the maximum, two minutes of jogging between.
    package static let intervals = WorkoutProfile(
        name: "intervals", activity: .running,
        segments: [Segment(seconds: 720, intensity: 0.52, speedInMetersPerSecond: 2.65)]
            + [[Segment]](
                repeating: [
                    Segment(seconds: 180, intensity: 0.93, speedInMetersPerSecond: 4.0),
                    Segment(seconds: 120, intensity: 0.40, speedInMetersPerSecond: 2.1),
                ], count: 5
            ).flatMap { $0 }
            + [Segment(seconds: 480, intensity: 0.45, speedInMetersPerSecond: 2.4)])

    /// 72 minutes, some 35 km, with a stop of two minutes and two climbs at the threshold.
    package static let ride = WorkoutProfile(
        name: "ride", activity: .cycling, temperatureInCelsius: 21,
        segments: [
            Segment(
                seconds: 600, intensity: 0.40, speedInMetersPerSecond: 7.4, powerInWatts: 140, cadencePerMinute: 84),
            Segment(
                seconds: 1200, intensity: 0.57, speedInMetersPerSecond: 8.9, powerInWatts: 195, cadencePerMinute: 88),
            .pause(seconds: 120),
            Segment(
                seconds: 480, intensity: 0.79, speedInMetersPerSecond: 8.1, powerInWatts: 260, cadencePerMinute: 82),
            Segment(
                seconds: 240, intensity: 0.34, speedInMetersPerSecond: 9.8, powerInWatts: 115, cadencePerMinute: 80),
            Segment(
                seconds: 480, intensity: 0.80, speedInMetersPerSecond: 8.0, powerInWatts: 263, cadencePerMinute: 81),
            Segment(
                seconds: 240, intensity: 0.34, speedInMetersPerSecond: 9.8, powerInWatts: 115, cadencePerMinute: 80),
            Segment(
                seconds: 600, intensity: 0.54, speedInMetersPerSecond: 8.6, powerInWatts: 185, cadencePerMinute: 88),
            Segment(
                seconds: 360, intensity: 0.32, speedInMetersPerSecond: 6.8, powerInWatts: 110, cadencePerMinute: 80),
        ])

    /// A sprint triathlon in 77 minutes: 750 m in open water, 20 km on the bicycle, 5 km of running, and the changes.
    package static let triathlon = WorkoutProfile(
        name: "triathlon",
        activity: ActivityDescription(
            activity: "swimBikeRun", location: .outdoor, swimmingLocation: .openWater),
        temperatureInCelsius: 20,
        segments: [
            Segment(
                seconds: 790, intensity: 0.70, speedInMetersPerSecond: 0.96,
                activity: ActivityDescription(
                    activity: "swimming", location: .outdoor, swimmingLocation: .openWater)),
            Segment(seconds: 120, intensity: 0.55, speedInMetersPerSecond: 1.6, activity: .transition),
            Segment(
                seconds: 1080, intensity: 0.74, speedInMetersPerSecond: 9.3, powerInWatts: 222, cadencePerMinute: 88,
                activity: .cycling),
            Segment(
                seconds: 1080, intensity: 0.73, speedInMetersPerSecond: 9.3, powerInWatts: 219, cadencePerMinute: 87,
                activity: .cycling),
            Segment(seconds: 70, intensity: 0.5, speedInMetersPerSecond: 1.8, activity: .transition),
            Segment(seconds: 750, intensity: 0.79, speedInMetersPerSecond: 3.4, activity: .running),
            Segment(seconds: 720, intensity: 0.83, speedInMetersPerSecond: 3.5, activity: .running),
        ])

    /// 45 minutes of sets of 40 s, with rests of 80 s.
    package static let strength = WorkoutProfile(
        name: "strength",
        activity: ActivityDescription(activity: "traditionalStrengthTraining", location: .indoor),
        segments: [Segment(seconds: 300, intensity: 0.3, endsLap: false)]
            + [[Segment]](
                repeating: [
                    Segment(seconds: 40, intensity: 0.7, endsLap: false),
                    Segment(seconds: 80, intensity: 0.16, endsLap: false),
                ], count: 20
            ).flatMap { $0 })

    /// Ten minutes lying still.
    package static let rest = WorkoutProfile(
        name: "rest", activity: ActivityDescription(activity: "mindAndBody", location: .indoor),
        segments: [Segment(seconds: 600, intensity: 0, endsLap: false)])

    /// The easy run with a dry strap: the link drops four times, and some beats are false.
    package static let poorContact = WorkoutProfile(
        name: "poorContact", activity: .running, segments: easyRun.segments,
        dropouts: [
            Dropout(start: 95, seconds: 3), Dropout(start: 400, seconds: 12), Dropout(start: 1100, seconds: 45),
            Dropout(start: 1900, seconds: 150),
        ],
        artefacts: StrapModel.Artefacts(missed: 0.006, extra: 0.004, ectopic: 0.003, heartRateNoise: 0.7))
}

extension ActivityDescription {
    fileprivate static let running = ActivityDescription(activity: "running", location: .outdoor)
    fileprivate static let cycling = ActivityDescription(activity: "cycling", location: .outdoor)
    fileprivate static let transition = ActivityDescription(activity: "transition", location: .outdoor)
}
