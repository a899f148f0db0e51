/// A chest strap that sends one packet per second, with a smoothed whole heart rate and the intervals since the last
/// packet, in 1/1024 s.
///
/// No beat is lost between packets, and the intervals add up to the time from the first beat to the last, because the
/// times of beats are rounded and not the intervals. Real straps lag and fail; this one does so on request.
public struct StrapModel: Sendable, Equatable {
    /// A packet of one second.
    public struct Packet: Sendable, Equatable {
        /// Beats per minute. Nil after too few beats.
        public var heartRate: Int?
        /// The intervals in 1/1024 s, oldest first.
        public var rrIntervals: [UInt16]
    }

    /// The frequency of the strap's errors.
    public struct Artefacts: Sendable, Equatable {
        /// The shares of all beats, 0 … 1, that are not detected, detected in addition, or come too early.
        public var missed: Double
        public var extra: Double
        public var ectopic: Double
        /// The standard deviation of the noise in the displayed heart rate, in beats per minute.
        public var heartRateNoise: Double

        public init(missed: Double = 0, extra: Double = 0, ectopic: Double = 0, heartRateNoise: Double = 0) {
            self.missed = missed
            self.extra = extra
            self.ectopic = ectopic
            self.heartRateNoise = heartRateNoise
        }

        public static let none = Artefacts()
    }

    private static let ticksPerSecond = 1024.0
    /// The heart rate is the mean of this many intervals, without the longest and the shortest.
    private static let smoothedIntervals = 7
    private static let leastIntervals = 3
    /// An ectopic beat comes early by this share of its interval; the next beat is on time.
    private static let ectopicAdvance = 0.2..<0.35

    private var previousBeat: Double?
    private var previousTick: Double?
    private var recent: [Double] = []

    public init() {}

    /// Returns the next packet, from the beats since the last one.
    ///
    /// - Parameter beats: The increasing times of beats in seconds.
    public mutating func packet(
        of beats: [Double], artefacts: Artefacts = .none, _ random: inout SeededGenerator
    ) -> Packet {
        var packet = Packet(heartRate: nil, rrIntervals: [])
        for beat in beats {
            guard let previous = previousBeat else {
                previousBeat = beat
                see(beat, &packet)
                continue
            }
            previousBeat = beat
            let interval = beat - previous
            // All three numbers are drawn for every beat, so that one kind of artefact does not affect another.
            let (isMissed, isExtra, isEctopic) = (
                random.uniform() < artefacts.missed, random.uniform() < artefacts.extra,
                random.uniform() < artefacts.ectopic
            )
            let place = random.uniform()
            if isExtra { see(previous + interval * (0.3 + 0.4 * place), &packet) }
            if isMissed { continue }
            let advance =
                Self.ectopicAdvance.lowerBound
                + place * (Self.ectopicAdvance.upperBound - Self.ectopicAdvance.lowerBound)
            see(isEctopic && !isExtra ? beat - interval * advance : beat, &packet)
        }
        packet.heartRate = heartRate.map { heartRate in
            Int(max(0, heartRate + artefacts.heartRateNoise * random.normal()).rounded())
        }
        return packet
    }

    private mutating func see(_ beat: Double, _ packet: inout Packet) {
        let tick = (beat * Self.ticksPerSecond).rounded()
        if let previousTick {
            let ticks = min(max(0, tick - previousTick), Double(UInt16.max))
            packet.rrIntervals.append(UInt16(ticks))
            recent.append(ticks / Self.ticksPerSecond)
            if recent.count > Self.smoothedIntervals { recent.removeFirst() }
        }
        previousTick = tick
    }

    private var heartRate: Double? {
        guard recent.count >= Self.leastIntervals else { return nil }
        let sorted = recent.sorted().dropFirst().dropLast()
        let sum = sorted.reduce(0, +)
        return sum > 0 ? 60 * Double(sorted.count) / sum : nil
    }
}
