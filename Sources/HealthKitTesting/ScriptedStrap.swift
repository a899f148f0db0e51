import Bluetooth
import Engine
import GATT
import HealthKit
import SessionLog

/// A chest strap that the test controls, in a world with ``HealthKitWorld/Sensors/script``.
///
/// Its packets are processed like decoded packets of a real strap, with the same rules for skin contact, implausible readings, and a strap
/// that is silent for 5 s.
public final class ScriptedStrap: Sendable {
    let listener = SessionListener<Link>()

    /// From the strap to the session that reads it.
    final class Link: Sendable {
        let feed: SensorFeed
        let now: @Sendable () -> Date
        let taken: Taken

        init(_ feed: SensorFeed, _ taken: Taken, now: @escaping @Sendable () -> Date) {
            self.feed = feed
            self.taken = taken
            self.now = now
        }
    }

    static let sensor: PairedSensor = {
        var sensor = PairedSensor(address: DeviceAddress(value: 0xC0FF_EE00_0001), name: "Scripted strap")
        sensor.manufacturer = "OpenHealthKit"
        return sensor
    }()

    // MARK: For the test

    /// Sends a packet of a worn strap, dated by the world's clock. Waits until a session listens, and returns when the session has
    /// processed the packet and its delegates were called.
    ///
    /// - Parameters:
    ///   - heartRate: The heart rate in bpm. 0 if the strap detects none.
    ///   - rrIntervalsInMilliseconds: The RR intervals since the last packet, oldest first. At most nine.
    /// - Throws: ``WorldError`` if no session listens within ten seconds.
    public func send(heartRate: Int, rrIntervalsInMilliseconds: [Double] = []) async throws {
        try await notify { date in
            .value(
                SensorNotification(
                    .heartRateMeasurement, Self.packet(heartRate, rrIntervalsInMilliseconds, isWorn: true), date))
        }
    }

    /// Takes the strap off: it reports no skin contact.
    public func takeOff() async throws {
        try await notify { .value(SensorNotification(.heartRateMeasurement, Self.packet(0, [], isWorn: false), $0)) }
    }

    /// Breaks the link: the strap is out of reach until its next packet.
    public func loseLink() async throws {
        try await notify { .changed(.searching, .lost(.timeout), $0) }
    }

    /// Reports the battery level in percent.
    public func reportBattery(percent: Int) async throws {
        try await notify { .battery(min(max(percent, 0), 100), $0) }
    }

    private func notify(_ event: (Date) -> SensorLinkEvent) async throws {
        let link = try await listener.link(to: "strap")
        link.feed.takeDated(event(link.now()))
        await link.taken.all()
    }

    /// Heart Rate Service 1.0, section 3.1.1: flags, the rate, RR intervals in 1/1024 s.
    static func packet(_ heartRate: Int, _ intervals: [Double], isWorn: Bool) -> [UInt8] {
        let rate = UInt16(clamping: heartRate)
        var flags: UInt8 = isWorn ? 0b0110 : 0b0100
        var bytes: [UInt8] = [UInt8(truncatingIfNeeded: rate)]
        if rate > 255 {
            flags |= 0b0001
            bytes.append(UInt8(rate >> 8))
        }
        if !intervals.isEmpty { flags |= 0b1_0000 }
        for interval in intervals.prefix(9) where interval.isFinite {
            let ticks = UInt16(min(max(interval * 1.024, 0), 65_535).rounded())
            bytes += [UInt8(truncatingIfNeeded: ticks), UInt8(ticks >> 8)]
        }
        return [flags] + bytes
    }

    // MARK: The session

    func sensor(of activity: ActivityDescription) -> any Sensor { ScriptedSensor(strap: self, activity: activity) }
}

/// The strap as a session's sensor.
struct ScriptedSensor: Sensor {
    let pace = SessionTimeline.Pace.wall
    let fixedStart: Date? = nil
    let strap: ScriptedStrap
    let activity: ActivityDescription

    func batches(from start: Date, time: any TimeSource) -> CountedBatches {
        let taken = Taken()
        let live = LiveBatches { [strap, activity] take in
            let entries = SensorEntries(ScriptedStrap.sensor, activity: activity, keepsNotifications: false)
            let feed = SensorFeed(entries, time: time) { batch in
                taken.handedOver()
                take(batch)
            }
            feed.begin(at: start)
            let link = ScriptedStrap.Link(feed, taken) { time.now() }
            strap.listener.begin(link)
            await taken.end()
            strap.listener.end(link)
            feed.end()
        }
        return CountedBatches(live: live, taken: taken)
    }
}

/// Batches whose reader is waited for.
struct CountedBatches: AsyncSequence {
    typealias Element = [SessionEntry]
    typealias Failure = any Error

    let live: LiveBatches
    let taken: Taken

    func makeAsyncIterator() -> Iterator { Iterator(live: live.makeAsyncIterator(), taken: taken) }

    final class Iterator: AsyncIteratorProtocol {
        private let live: LiveBatches.Iterator
        private let taken: Taken

        init(live: LiveBatches.Iterator, taken: Taken) {
            self.live = live
            self.taken = taken
        }

        deinit { taken.finish() }

        func next(isolation actor: isolated (any Actor)?) async throws -> [SessionEntry]? {
            taken.askedAgain()
            return try await live.next(isolation: actor)
        }

        func next() async throws -> [SessionEntry]? { try await next(isolation: nil) }
    }
}
