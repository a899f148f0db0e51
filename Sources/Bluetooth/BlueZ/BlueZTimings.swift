#if Bluetooth
/// Time limits. They are a value, so that tests can shorten them.
///
/// bluetoothd's own limits are too long for users; the comments below name those that matter.
public struct BlueZTimings: Sendable {
    /// The limit for answers of the bus itself.
    public var bus = Duration.seconds(5)
    /// The limit for properties, the tree of objects, and starting and stopping a scan.
    public var call = Duration.seconds(10)
    /// The limit for turning an adapter on.
    public var power = Duration.seconds(10)
    /// The limit for finding a device that bluetoothd does not know.
    public var find = Duration.seconds(20)
    /// The limit for one `Connect`; the kernel gives up after 20 s, bluetoothd after 41.
    public var connect = Duration.seconds(60)
    /// How long one attempt to connect keeps others from starting.
    public var connectTurn = Duration.seconds(5)
    /// A `Connect` that fails within this time is tried again after each of ``retryPauses``.
    public var quickFailure = Duration.seconds(10)
    public var retryPauses: [Duration] = [.milliseconds(100), .milliseconds(100), .milliseconds(250)]
    /// The limit from the link to `ServicesResolved`; ATT's own limit is 30 s.
    public var resolve = Duration.seconds(30)
    /// The limit from `ServicesResolved` to the characteristics' objects.
    public var objects = Duration.seconds(2)
    /// The limit for a request to the device; ATT's own limit is 30 s.
    public var request = Duration.seconds(35)
    public var requestRetryPause = Duration.milliseconds(50)
    public var pair = Duration.seconds(130)
    /// How long `Pair` may take after the link was lost.
    public var pairSilence = Duration.seconds(5)
    /// The limit from `Disconnect` to the end of the link; bluetoothd takes 2 s.
    public var disconnect = Duration.seconds(5)
    /// How long to wait for the reason of a link's end, which newer versions send.
    public var reason = Duration.milliseconds(50)
    /// Equal values of a characteristic within this time may be copies of one, for another program that has subscribed
    /// (140 ms were observed on a busy machine).
    public var duplicate = Duration.milliseconds(400)
    /// How long values may be held until it is certain whether they are copies: twice a sensor's usual interval.
    public var probe = Duration.seconds(2)
    /// A scan without results for this long is restarted.
    public var quietScan = Duration.seconds(90)
    /// If bluetoothd ends within this time after a scan with a filter, it crashed because of the filter (BlueZ 5.87).
    public var filterCrash = Duration.seconds(5)
    /// How long a scan waits for a bluetoothd that crashed because of the filter.
    public var restart = Duration.seconds(15)
    public var scanRetryPauses: [Duration] = [.milliseconds(250), .seconds(1), .seconds(2), .seconds(4)]

    public init() {}
}
#endif
