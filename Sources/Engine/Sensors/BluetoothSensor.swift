package import Bluetooth
package import Foundation
package import GATT
package import SessionLog

/// A Bluetooth sensor of a session, which also runs while the sensor is out of reach.
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
    ///   - others: Sensors other than this one, which may have the same name.
    ///   - keepsNotifications: Whether the log also gets the raw notifications.
    ///   - trainer: Controls the sensor if it is a trainer.
    ///   - streams: The streams to start if it is a sensor of Polar.
    ///   - observe: Called with all events on the link, to be shown.
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

    /// Ends only when its reader ends. The sensor is free again within 5 s.
    package func batches(from start: Date, time: any TimeSource) -> LiveBatches {
        LiveBatches { take in await run(from: start, time: time, take) }
    }

    /// Runs until its task is cancelled. The sensor is free again within 5 s.
    /// - Parameter take: Called in order, on the thread where the value arrives, so that no other thread wakes up.
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
