package import Analytics
package import SessionLog

/// The plan of a simulated workout: the athlete, the activity, intensities and durations, and the faults of the
/// sensors.
package struct WorkoutProfile: Sendable, Equatable {
    package var name: String
    package var activity: ActivityDescription
    package var athlete: SimulatedAthlete
    package var temperatureInCelsius: Double
    /// In order. At least one.
    package var segments: [Segment]
    package var dropouts: [Dropout]
    package var artefacts: StrapModel.Artefacts

    package init(
        name: String, activity: ActivityDescription, athlete: SimulatedAthlete = SimulatedAthlete(),
        temperatureInCelsius: Double = 18, segments: [Segment], dropouts: [Dropout] = [],
        artefacts: StrapModel.Artefacts = .none
    ) {
        precondition(!segments.isEmpty, "A workout profile needs at least one segment.")
        self.name = name
        self.activity = activity
        self.athlete = athlete
        self.temperatureInCelsius = temperatureInCelsius
        self.segments = segments
        self.dropouts = dropouts
        self.artefacts = artefacts
    }

    /// A stretch of even effort.
    package struct Segment: Sendable, Equatable {
        package var seconds: Int
        /// The share of the oxygen-uptake reserve in use: 0 lying still, 0.02 standing, 0.6 an easy run, 1 the maximum.
        package var intensity: Double
        package var speedInMetersPerSecond: Double?
        package var powerInWatts: Double?
        /// Revolutions of the cranks per minute.
        package var cadencePerMinute: Double?
        /// The sport, if the workout has several. A change begins another activity of the workout.
        package var activity: ActivityDescription?
        /// Whether the workout is paused. The athlete stands still, and the strap keeps sending.
        package var isPause: Bool
        /// Whether a lap ends with the segment.
        package var endsLap: Bool

        package init(
            seconds: Int, intensity: Double, speedInMetersPerSecond: Double? = nil, powerInWatts: Double? = nil,
            cadencePerMinute: Double? = nil, activity: ActivityDescription? = nil, isPause: Bool = false,
            endsLap: Bool = true
        ) {
            precondition(seconds > 0, "A segment lasts at least one second.")
            self.seconds = seconds
            self.intensity = intensity
            self.speedInMetersPerSecond = speedInMetersPerSecond
            self.powerInWatts = powerInWatts
            self.cadencePerMinute = cadencePerMinute
            self.activity = activity
            self.isPause = isPause
            self.endsLap = endsLap && !isPause
        }

        package static func pause(seconds: Int) -> Segment {
            Segment(seconds: seconds, intensity: 0.03, isPause: true)
        }
    }

    /// A lost link to the strap, during which its values are lost.
    package struct Dropout: Sendable, Equatable {
        /// Seconds from the beginning of the profile.
        package var start: Int
        package var seconds: Int
    }

    /// The duration of all segments, including pauses.
    package var seconds: Int { segments.reduce(0) { $0 + $1.seconds } }
}
