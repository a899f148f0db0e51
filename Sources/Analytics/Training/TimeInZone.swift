/// How long the heart rate was in each zone, kept as the readings come in.
///
/// Each stretch of time counts for the reading that was held over it. A reading is held until the next one, but not beyond
/// the hold limit, nor over a pause, nor once the signal is known to be lost. Every moment goes to exactly one of the zones, "below",
/// "without signal" or "paused", and the time is kept in whole attoseconds, so that these add up to `elapsed` exactly.
///
/// Times count from the start of the workout. One that lies before an earlier one is taken as that earlier one: time
/// already given away is not taken back.
public struct TimeInZone: Sendable, Equatable {
    public let zones: HeartRateZones
    /// How long one reading may stand for the heart rate.
    public let holdLimit: Duration
    /// Zone 1 first.
    public private(set) var inZone: [Duration]
    /// Time with a heart rate below zone 1.
    public private(set) var belowZones = Duration.zero
    public private(set) var withoutSignal = Duration.zero
    public private(set) var paused = Duration.zero
    public private(set) var elapsed = Duration.zero

    private var isPaused = false
    private var heartRate: Double?
    private var holdUntil = Duration.zero

    public init(zones: HeartRateZones, holdLimit: Duration = .seconds(30)) {
        self.zones = zones
        self.holdLimit = holdLimit
        inZone = Array(repeating: .zero, count: zones.count)
    }

    /// A heart rate was measured, in beats a minute. Zero or less is no signal.
    public mutating func measured(_ heartRate: Double, at time: Duration) {
        advance(to: time)
        self.heartRate = heartRate > 0 ? heartRate : nil
        holdUntil = elapsed + holdLimit
    }

    /// The sensor went away.
    public mutating func signalLost(at time: Duration) {
        advance(to: time)
        heartRate = nil
    }

    public mutating func pause(at time: Duration) {
        advance(to: time)
        isPaused = true
        heartRate = nil
    }

    public mutating func resume(at time: Duration) {
        advance(to: time)
        isPaused = false
    }

    /// Time passed without news.
    public mutating func advance(to time: Duration) {
        guard time > elapsed else { return }
        let heldTo = min(max(holdUntil, elapsed), time)
        if isPaused {
            paused += time - elapsed
        } else if let heartRate {
            if let zone = zones.zone(of: heartRate) {
                inZone[zone - 1] += heldTo - elapsed
            } else {
                belowZones += heldTo - elapsed
            }
            withoutSignal += time - heldTo
        } else {
            withoutSignal += time - elapsed
        }
        elapsed = time
    }
}
