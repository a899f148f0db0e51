package import Analytics
package import SessionLog

/// A plan of a simulated workout: who does what, how hard, for how long, and how the sensors fail.
package struct WorkoutProfile: Sendable, Equatable {
    package var name: String
    package var activity: ActivityDescription
    package var athlete: SimulatedAthlete
    package var temperatureInCelsius: Double
    /// One after the other; at least one.
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
        /// Share of the oxygen-uptake reserve in use: 0 lying still, 0.02 standing, 0.6 an easy run, 1 the maximum.
        package var intensity: Double
        package var speedInMetersPerSecond: Double?
        package var powerInWatts: Double?
        /// Revolutions of the cranks a minute.
        package var cadencePerMinute: Double?
        /// The sport, where the workout has several. A part of the workout begins where it changes.
        package var activity: ActivityDescription?
        /// The workout is paused; the athlete stands still, the strap goes on sending.
        package var isPause: Bool
        /// A lap ends with the segment.
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

    /// The link to the strap is lost for a while: what the strap would have sent is lost with it.
    package struct Dropout: Sendable, Equatable {
        /// Seconds from the beginning of the profile.
        package var start: Int
        package var seconds: Int
    }

    /// The length of all segments, pauses included.
    package var seconds: Int { segments.reduce(0) { $0 + $1.seconds } }
}
