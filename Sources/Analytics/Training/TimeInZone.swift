/// The time in each heart-rate zone, updated as readings arrive.
///
/// Time counts for the reading that holds over it. A reading holds until the next one, but not beyond the hold limit,
/// during a pause, or after the signal was lost. Every moment belongs to exactly one of the zones, "below", "without
/// signal" or "paused". Time is kept in whole attoseconds, so that these add up to `elapsed` exactly.
///
/// Times count from the start of the workout. A time before an earlier one is taken as that earlier one, because time
/// that was already assigned does not change.
public struct TimeInZone: Sendable, Equatable {
    public let zones: HeartRateZones
    /// The longest time that one reading can hold.
    public let holdLimit: Duration
    /// The time in each zone, from zone 1 on.
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

    /// Adds a heart rate in beats per minute. Zero or less means no signal.
    public mutating func measured(_ heartRate: Double, at time: Duration) {
        advance(to: time)
        self.heartRate = heartRate > 0 ? heartRate : nil
        holdUntil = elapsed + holdLimit
    }

    /// Marks the loss of the signal.
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

    /// Advances the time without a new reading.
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
