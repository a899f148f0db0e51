/// How patient a ``SensorLink`` is, each with its reason.
public struct SensorLinkTimings: Sendable, Equatable {
    /// Without a value for so long, what a sensor said last is no longer true (OpenTracks holds values as long).
    public var stale = Duration.seconds(5)
    /// Without a value for so long its notifications are asked for again, once: some sensors forget that they were. Three
    /// times what is usual between two values.
    public var resubscribe = Duration.seconds(3)
    /// Then the link is given up and made anew: many sensors are silent while they are off the skin, and mean it.
    public var reconnect = Duration.seconds(20)
    /// Of one attempt to connect: the kernel gives up after 20 s, bluetoothd after 40 s.
    public var connecting = Duration.seconds(45)
    /// Until the sensor has accepted the subscription: a transaction of the attribute protocol may take 30 s.
    public var subscribing = Duration.seconds(35)
    /// Until a person has typed a passkey: bluetoothd waits 60 s for each answer.
    public var pairing = Duration.seconds(120)
    /// Of one look round for a sensor that is not in reach.
    public var searching = Duration.seconds(10)
    /// Between two attempts: one for each failure in a row, the last for all that follow. The first are short, since
    /// connections often come to nothing on the air, five in a row too, and the next one stands; none may be so long that
    /// a sensor which returns has to wait 10 s.
    public var pauses: [Duration] = [
        .milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(100), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(3),
    ]
    /// Between two looks at a machine whose Bluetooth is not ready.
    public var probing = Duration.seconds(1)
    /// After a refusal that only a person can lift.
    public var blocked = Duration.seconds(10)
    /// A link that held for so long counts as a success.
    public var success = Duration.seconds(60)
    /// How long hanging up may take.
    public var hangingUp = Duration.seconds(5)
    /// How often the battery is read where it is not told.
    public var battery = Duration.seconds(600)

    public init() {}

    func pause(afterFailures count: Int) -> Duration {
        pauses.isEmpty ? probing : pauses[min(max(count - 1, 0), pauses.count - 1)]
    }
}
