import Analytics
package import Foundation
package import SessionLog

/// A simulated workout: the entries that its session's log would have, generated second by second on demand.
///
/// The entries are those of a `Recording`: a header, then everything in order of time from the first `running` to the
/// last `stopped`. The same profile, seed, start and duration give the same entries on every machine. In planned pauses
/// the strap keeps sending, as real ones do, and the session ignores its values.
package struct SimulatedWorkout: Sequence, Sendable {
    package let profile: WorkoutProfile
    package let seed: UInt64
    package let start: Date
    /// Whole seconds. Nil if it never ends.
    package let seconds: Int?

    static let strap = "simulated strap"
    /// A silent strap counts as away after this many seconds.
    static let strapIsAwayAfter = 5

    /// - Parameters:
    ///   - duration: Seconds from start to end, pauses included; a fraction of a second is dropped, `.infinity` never ends.
    ///     A workout shorter than its profile is cut off; a longer one begins the profile again. Nil for the profile's own
    ///     length.
    package init(profile: WorkoutProfile, seed: UInt64, start: Date, duration: TimeInterval? = nil) {
        self.profile = profile
        self.seed = seed
        self.start = start
        if let duration {
            seconds = Int(exactly: Swift.max(0, duration).rounded(.down))
        } else {
            seconds = profile.seconds
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }

    package struct Iterator: IteratorProtocol, Sendable {
        private let workout: SimulatedWorkout
        private var batch: [SessionEntry] = []
        private var nextInBatch = 0
        private var second = 0
        private var isOver = false

        private var segment = 0
        private var secondsLeftInSegment: Int
        private var cycleStart = 0
        private var lapStart: Date
        private var pauseStart: Date?
        private var activity: ActivityDescription?

        private var heart: SimulatedHeart
        private var motion: SimulatedMotion
        private var silentSeconds = 0
        private var motionRandom: SeededGenerator
        private var identityRandom: SeededGenerator

        init(_ workout: SimulatedWorkout) {
            self.workout = workout
            let first = workout.profile.segments[0]
            secondsLeftInSegment = first.seconds
            lapStart = workout.start
            heart = SimulatedHeart(
                athlete: workout.profile.athlete, temperatureInCelsius: workout.profile.temperatureInCelsius,
                intensity: Swift.min(first.intensity, 0.05), seed: workout.seed)
            motion = SimulatedMotion(first.activity ?? workout.profile.activity)
            motionRandom = SeededGenerator(seed: workout.seed, stream: 3)
            identityRandom = SeededGenerator(seed: workout.seed, stream: 4)
            begin()
        }

        package mutating func next() -> SessionEntry? {
            while nextInBatch == batch.count {
                if isOver { return nil }
                batch.removeAll(keepingCapacity: true)
                nextInBatch = 0
                advanceOneSecond()
            }
            defer { nextInBatch += 1 }
            return batch[nextInBatch]
        }

        private var profile: WorkoutProfile { workout.profile }
        private var now: Date { workout.start.addingTimeInterval(Double(second)) }

        private mutating func append(_ content: SessionEntry.Content) {
            batch.append(SessionEntry(now, content))
        }

        /// The athlete as a profile: the heart rates of the simulation, and otherwise a plausible person.
        private var wearer: WearerProfile {
            WearerProfile(
                sex: .female, ageInYears: 34, massInKilograms: 62,
                restingHeartRate: profile.athlete.restingHeartRate,
                maximumHeartRate: profile.athlete.maximumHeartRate)
        }

        private mutating func begin() {
            append(
                .header(
                    SessionHeader(
                        id: identity(), activity: profile.activity, creator: "simulator, profile \(profile.name)")))
            append(.wearer(wearer))
            append(.state(.running))
            append(.sensor(strapStatus(.present)))
            if profile.segments.contains(where: { $0.speedInMetersPerSecond != nil || $0.powerInWatts != nil }) {
                append(
                    .sensor(
                        SensorStatus(
                            id: SimulatedMotion.sensor, kind: .simulated, presence: .present,
                            device: DeviceDescription(name: "Simulated motion sensor"))))
            }
            enterSegment()
            endIfTimeIsUp()
        }

        private mutating func advanceOneSecond() {
            let current = profile.segments[segment]
            let before = now
            let isDroppedOut = isStrapDroppedOut
            second += 1

            let packet = heart.advanceOneSecond(intensity: current.intensity, artefacts: profile.artefacts)
            if isDroppedOut { strapIsSilent() } else { strapSent(packet) }
            if !current.isPause {
                motion.advanceOneSecond(current, start: before, end: now, &motionRandom, appendingTo: &batch)
            }

            secondsLeftInSegment -= 1
            if secondsLeftInSegment == 0 { leaveSegment() }
            endIfTimeIsUp()
        }

        // MARK: Strap

        private var isStrapDroppedOut: Bool {
            let place = second - cycleStart
            return profile.dropouts.contains { place >= $0.start && place - $0.start < $0.seconds }
        }

        private mutating func strapIsSilent() {
            silentSeconds += 1
            if silentSeconds == SimulatedWorkout.strapIsAwayAfter { append(.sensor(strapStatus(.away))) }
        }

        private mutating func strapSent(_ packet: StrapModel.Packet) {
            if silentSeconds >= SimulatedWorkout.strapIsAwayAfter { append(.sensor(strapStatus(.present))) }
            silentSeconds = 0
            if let heartRate = packet.heartRate {
                append(
                    .quantity(
                        .heartRate(Double(heartRate), at: now, sensor: SimulatedWorkout.strap)))
            }
            if !packet.rrIntervals.isEmpty {
                let milliseconds = packet.rrIntervals.map { Double($0) * 1000 / 1024 }
                append(
                    .beats(BeatReading(intervalsInMilliseconds: milliseconds, sensor: SimulatedWorkout.strap)))
            }
        }

        private func strapStatus(_ presence: SensorStatus.Presence) -> SensorStatus {
            SensorStatus(
                id: SimulatedWorkout.strap, kind: .simulated, presence: presence,
                device: DeviceDescription(name: "Simulated strap"), batteryPercent: presence == .present ? 90 : nil)
        }

        // MARK: Segments

        private mutating func enterSegment() {
            let entered = profile.segments[segment]
            if let sport = entered.activity, sport != activity {
                activity = sport
                motion = SimulatedMotion(sport)
                append(.activityBegan(ActivityRecord(id: identity(), activity: sport)))
            }
            if entered.isPause, pauseStart == nil {
                pauseStart = now
                motion.stop()
                append(.state(.paused))
            } else if !entered.isPause, let pauseStart {
                // A lap does not begin with a pause but after it.
                if lapStart == pauseStart { lapStart = now }
                self.pauseStart = nil
                append(.state(.running))
            }
        }

        private mutating func leaveSegment() {
            if profile.segments[segment].endsLap { endLap() }
            segment += 1
            if segment == profile.segments.count {
                segment = 0
                cycleStart = second
            }
            secondsLeftInSegment = profile.segments[segment].seconds
            if second != workout.seconds { enterSegment() }
        }

        private mutating func endLap() {
            append(.event(EventRecord(.lap, start: lapStart, end: now)))
            lapStart = now
        }

        private mutating func endIfTimeIsUp() {
            guard second == workout.seconds else { return }
            let hasLaps = profile.segments.contains(where: \.endsLap)
            if hasLaps, lapStart < pauseStart ?? now { endLap() }
            if activity != nil { append(.activityEnded) }
            append(.state(.stopped))
            isOver = true
        }

        private mutating func identity() -> UUID {
            var bytes = [UInt8](repeating: 0, count: 16)
            for half in 0..<2 {
                let random = identityRandom.next()
                for i in 0..<8 { bytes[8 * half + i] = UInt8(truncatingIfNeeded: random >> (8 * UInt64(i))) }
            }
            // Version 4, variant 1 of RFC 9562: random.
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
    }
}
