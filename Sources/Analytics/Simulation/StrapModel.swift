/// What a chest strap makes of the beats: one packet a second with a smoothed, whole heart rate and the intervals between
/// the beats since the packet before, in 1/1024 s.
///
/// No beat is lost between packets, and the intervals add up to the time from the first beat to the last: it is the beats'
/// times that are rounded, not the intervals. Real straps lag and fail; so does this one, on request.
public struct StrapModel: Sendable, Equatable {
    /// What the strap sends in one second.
    public struct Packet: Sendable, Equatable {
        /// Beats a minute; nil while too few beats were seen.
        public var heartRate: Int?
        /// In 1/1024 s, oldest first.
        public var rrIntervals: [UInt16]
    }

    /// How often the strap gets a beat wrong.
    public struct Artefacts: Sendable, Equatable {
        /// Shares of all beats, 0 … 1: not seen; seen besides, where there was none; come too early.
        public var missed: Double
        public var extra: Double
        public var ectopic: Double
        /// Standard deviation of what is added to the heart rate that the strap shows, in beats a minute.
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
    /// The heart rate is the mean of the last intervals but the longest and the shortest.
    private static let smoothedIntervals = 7
    private static let leastIntervals = 3
    /// An ectopic beat comes early by this share of its interval; the next beat is in time again.
    private static let ectopicAdvance = 0.2..<0.35

    private var previousBeat: Double?
    private var previousTick: Double?
    private var recent: [Double] = []

    public init() {}

    /// Makes the next packet of the beats since the last one.
    ///
    /// - Parameter beats: Their times in seconds, rising.
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
            // The three draws are made for every beat, so that one kind of artefact does not move another.
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
