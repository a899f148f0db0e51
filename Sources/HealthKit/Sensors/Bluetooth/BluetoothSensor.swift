package import Bluetooth
package import GATT
package import SessionLog

/// A Bluetooth sensor as a session's sensor. Need not be in reach: the session runs without it, and it comes when it comes.
package struct BluetoothSensor: Sensor {
    package let pace = SessionTimeline.Pace.wall
    package let fixedStart: Date? = nil

    package let sensor: PairedSensor
    private let activity: ActivityDescription
    private let central: any Central
    private let others: Set<DeviceAddress>
    private let keepsNotifications: Bool
    private let trainer: TrainerControl?
    private let streams: Set<PolarStream>
    private let observe: (@Sendable (PairedSensor, SensorLinkEvent) -> Void)?

    /// - Parameters:
    ///   - others: Sensors that are not this one, whatever they are called.
    ///   - keepsNotifications: Whether what the sensor sends goes into the log as it is, beside what was read from it.
    ///   - trainer: Controls the sensor if it is a trainer.
    ///   - streams: The streams to start if it is a sensor of Polar.
    ///   - observe: Hears of everything that happens on the link, for people to be shown.
    package init(
        _ sensor: PairedSensor, activity: ActivityDescription, central: any Central,
        others: Set<DeviceAddress> = [], keepsNotifications: Bool = false, trainer: TrainerControl? = nil,
        streams: Set<PolarStream> = [],
        observe: (@Sendable (PairedSensor, SensorLinkEvent) -> Void)? = nil
    ) {
        self.sensor = sensor
        self.activity = activity
        self.central = central
        self.others = others
        self.keepsNotifications = keepsNotifications
        self.trainer = trainer
        self.streams = streams
        self.observe = observe
    }

    /// Ends only when its reader goes; the sensor is then free again within 5 s.
    package func batches(from start: Date, time: any TimeSource) -> LiveBatches {
        LiveBatches { take in await run(from: start, time: time, take) }
    }

    /// Until its task is cancelled; the sensor is then free again within 5 s.
    /// - Parameter take: Called in order, where the value arrives: nobody else is woken on the way.
    func run(
        from start: Date, time: any TimeSource, _ take: @escaping @Sendable ([SessionEntry]) -> Void
    ) async {
        let entries = SensorEntries(sensor, activity: activity, keepsNotifications: keepsNotifications)
        let feed = SensorFeed(entries, time: time, take)
        var link = SensorLink(
            sensor.address, kind: sensor.addressKind, name: sensor.name, central: central, clock: time.clock)
        link.others = others
        link.trainer = trainer
        link.streams = streams
        link.wallClock = { time.wall() }
        feed.begin(at: start)
        await link.run { [sensor, observe] event in
            observe?(sensor, event)
            feed.handle(event)
        }
        feed.end()
    }
}
