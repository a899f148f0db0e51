import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import SessionLog
import Synchronization

/// A broadcast beside the other work of a command, from the first registration to ``close()``.
final class RunningBroadcast: Sendable {
    private let broadcast: Broadcast
    private let work: Task<BroadcastError?, Never>
    private let reporting: Task<Void, Never>
    private let followed = Mutex<Set<ObjectIdentifier>>([])

    /// Returns once devices can find it.
    /// - Throws: ``CommandFailure`` if this machine cannot broadcast.
    init(
        _ offer: BroadcastOffer, _ settings: BroadcastSettings, sparing sources: Set<DeviceAddress> = [],
        report: @escaping @Sendable (BroadcastEvent) -> Void
    ) async throws {
        var offer = offer
        let plan = try settings.plan()
        // A battery that sinks by a fault needs one.
        if plan != nil { offer.batteryPercent = offer.batteryPercent ?? 100 }
        let broadcast = Broadcast(
            offer, name: settings.name, faults: plan, sparing: sources, adapter: settings.adapter)
        let (events, continuation) = AsyncStream.makeStream(of: BroadcastEvent.self)
        let work = Task { () -> BroadcastError? in
            defer { continuation.finish() }
            do throws(BroadcastError) {
                try await broadcast.run { continuation.yield($0) }
                return nil
            } catch {
                return error
            }
        }
        var isOnAir = false
        for await event in events {
            report(event)
            guard case .onAir = event else { continue }
            isOnAir = true
            break
        }
        // The events have ended if it could not begin.
        guard isOnAir else { throw CommandFailure.broadcast(await work.value ?? .needsService) }
        self.broadcast = broadcast
        self.work = work
        reporting = Task {
            for await event in events { report(event) }
            if let error = await work.value { report(.offAir(error)) }
        }
    }

    func take(_ readings: [BroadcastReading]) { broadcast.take(readings) }

    /// Gives it the entries of a session.
    /// A session that it has already does not come twice.
    func follow(_ session: HKWorkoutSession) async {
        guard followed.withLock({ $0.insert(ObjectIdentifier(session)).inserted }) else { return }
        await session.recorder.attach(BroadcastFeed(self, from: session.recorder.now))
    }

    func close() async {
        work.cancel()
        _ = await work.value
        await reporting.value
    }
}

extension CommandFailure {
    static func broadcast(_ error: BroadcastError) -> CommandFailure {
        if case .bluetooth(let error) = error { return bluetooth(error) }
        return CommandFailure(exitCode: .serviceMissing, message: error.description)
    }
}

/// Gives a broadcast the entries of a session as they are appended.
private final class BroadcastFeed: SessionLogSink {
    /// An entry that is older when it comes is from before the broadcast.
    private static let latencyInSeconds = 5.0

    private let broadcast: RunningBroadcast
    private let start: Date
    private let readings = Mutex(BroadcastReadings())

    init(_ broadcast: RunningBroadcast, from start: Date) {
        self.broadcast = broadcast
        self.start = start
    }

    func append(_ entry: SessionEntry) {
        let all = readings.withLock { $0.readings(of: entry) }
        let isLate = entry.date < start - Self.latencyInSeconds
        broadcast.take(isLate ? all.filter(\.isPartOfSum) : all)
    }
}

extension BroadcastReading {
    /// Whether it counts although it is old.
    fileprivate var isPartOfSum: Bool {
        switch self {
        case .energy, .distance, .battery, .contact: true
        case .packet, .heartRate, .beats, .speed, .cadence, .power: false
        }
    }
}

extension BroadcastEvent {
    /// The line for a person. Nil for what happens all the time.
    var line: String? {
        switch self {
        case .onAir(let adapter): "broadcasting on \(adapter)"
        case .offAir(let error): "not broadcasting: \(error)"
        case .subscribed(let characteristic): "a device receives the \(characteristic.broadcastName)"
        case .unsubscribed(let characteristic): "a device no longer receives the \(characteristic.broadcastName)"
        case .energyReset: "a device has reset the energy counter"
        case .fault(let fault): "fault: \(fault.name)"
        case .sent: nil
        }
    }
}

extension BluetoothUUID {
    fileprivate var broadcastName: String {
        switch self {
        case .heartRateMeasurement: "heart rate"
        case .runningSpeedAndCadenceMeasurement: "running speed and cadence"
        case .cyclingSpeedAndCadenceMeasurement: "cycling speed and cadence"
        case .cyclingPowerMeasurement: "cycling power"
        case .indoorBikeData: "indoor bike data"
        case .batteryLevel: "battery level"
        default: description
        }
    }
}

/// Passes on what the links of a session's sensors report, once there is a broadcast.
final class LinkRelay: Sendable {
    private struct State {
        var readings = BroadcastReadings()
        var broadcast: RunningBroadcast?
    }

    private let state = Mutex(State())

    func broadcast(on broadcast: RunningBroadcast?) { state.withLock { $0.broadcast = broadcast } }

    func happened(_ event: SensorLinkEvent, of sensor: PairedSensor) {
        state.withLock { state in
            guard let broadcast = state.broadcast else { return }
            broadcast.take(state.readings.readings(of: event, from: sensor.address))
        }
    }
}
