package import Bluetooth
package import Recordings
import Synchronization

/// A Bluetooth sensor as a session's sensor. Need not be in reach: the session runs without it, and it comes when it comes.
package struct BluetoothSensor: Sensor {
    package let pace = SessionTimeline.Pace.wall
    package let fixedStart: Date? = nil

    package let sensor: PairedSensor
    private let activity: ActivityDescription
    private let central: any Central
    private let others: Set<BluetoothAddress>
    private let keepsNotifications: Bool
    private let observe: (@Sendable (PairedSensor, SensorLinkEvent) -> Void)?

    /// - Parameters:
    ///   - others: Sensors that are not this one, whatever they are called.
    ///   - keepsNotifications: Whether what the sensor sends goes into the log as it is, beside what was read from it.
    ///   - observe: Hears of everything that happens on the link, for people to be shown.
    package init(
        _ sensor: PairedSensor, activity: ActivityDescription, central: any Central,
        others: Set<BluetoothAddress> = [], keepsNotifications: Bool = false,
        observe: (@Sendable (PairedSensor, SensorLinkEvent) -> Void)? = nil
    ) {
        self.sensor = sensor
        self.activity = activity
        self.central = central
        self.others = others
        self.keepsNotifications = keepsNotifications
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
        link.wallClock = { time.wall() }
        feed.begin(at: start)
        await link.run { [sensor, observe] event in
            observe?(sensor, event)
            feed.take(event)
        }
        feed.end()
    }
}

/// Between a sensor's link and its session: hands entries on, and notices when nothing more comes.
private final class SensorFeed: Sendable {
    private let time: any TimeSource
    private let handOn: @Sendable ([SessionEntry]) -> Void
    private let state: Mutex<State>
    /// A reading that came in time may still be on its way when the time is up.
    private static let graceInSeconds = 0.1

    private struct State {
        var entries: SensorEntries
        var watch: Task<Void, Never>?
    }

    init(
        _ entries: SensorEntries, time: any TimeSource, _ handOn: @escaping @Sendable ([SessionEntry]) -> Void
    ) {
        self.time = time
        self.handOn = handOn
        state = Mutex(State(entries: entries))
    }

    func begin(at date: Date) {
        hand { $0.begin(at: date) }
    }

    func take(_ event: SensorLinkEvent) {
        // Arrivals are marked by the wall clock, which may have been set since the session began.
        let event = event.dated { time.date(atWall: $0) }
        hand { $0.entries(for: event) }
        state.withLock { state in
            guard state.watch == nil, state.entries.staleAt != nil else { return }
            state.watch = Task { await self.watch() }
        }
    }

    func end() {
        state.withLock { $0.watch?.cancel() }
    }

    /// The lock also keeps batches in order.
    private func hand(_ body: (inout SensorEntries) -> [SessionEntry]) {
        state.withLock { state in
            let batch = body(&state.entries)
            if !batch.isEmpty { handOn(batch) }
        }
    }

    /// Sleeps from one deadline to the next, and ends when the sensor is away.
    private func watch() async {
        while let due = nextDeadline() {
            guard (try? await time.sleep(until: due.addingTimeInterval(Self.graceInSeconds))) != nil else { return }
            hand { entries in
                guard let staleAt = entries.staleAt, staleAt <= due else { return [] }
                return entries.becameStale()
            }
        }
    }

    private func nextDeadline() -> Date? {
        state.withLock { state in
            if state.entries.staleAt == nil { state.watch = nil }
            return state.entries.staleAt
        }
    }
}
