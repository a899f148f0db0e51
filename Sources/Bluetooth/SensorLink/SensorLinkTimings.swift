/// The time limits of a ``SensorLink``, with their reasons.
public struct SensorLinkTimings: Sendable, Equatable {
    /// After this time without a value, the last one is no longer current (OpenTracks uses the same limit).
    public var stale = Duration.seconds(5)
    /// After this time without a value, notifications are requested again, once, because some sensors forget the
    /// subscription. It is three times the usual interval.
    public var resubscribe = Duration.seconds(3)
    /// After this time the link is reopened. It is long, because many sensors are silent without skin contact.
    public var reconnect = Duration.seconds(20)
    /// The limit for one attempt to connect: the kernel gives up after 20 s, bluetoothd after 40 s.
    public var connecting = Duration.seconds(45)
    /// The limit for a subscription: a transaction of the attribute protocol may take 30 s.
    public var subscribing = Duration.seconds(35)
    /// The limit for typing a passkey: bluetoothd waits 60 s for each answer.
    public var pairing = Duration.seconds(120)
    /// The duration of one search for a sensor.
    public var searching = Duration.seconds(10)
    /// Pauses between attempts, one per failure in a row; the last one repeats. The first are short, because attempts
    /// often fail, even five in a row, before one succeeds. None is long, so that a sensor that returns is connected
    /// within 10 s.
    public var pauses: [Duration] = [
        .milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3),
    ]
    /// The pause between two checks if Bluetooth is not ready.
    public var probing = Duration.seconds(1)
    /// The pause after a refusal that needs the user. After refused pairings it doubles, up to ``longestBlocked``.
    public var blocked = Duration.seconds(10)
    public var longestBlocked = Duration.seconds(80)
    /// A link that lasted this long counts as a success.
    public var success = Duration.seconds(60)
    /// The limit for disconnecting.
    public var hangingUp = Duration.seconds(5)
    /// How often to read the battery level if it is not notified.
    public var battery = Duration.seconds(600)

    public init() {}

    func pause(afterFailures count: Int) -> Duration {
        pauses.isEmpty ? probing : pauses[min(max(count - 1, 0), pauses.count - 1)]
    }
}
