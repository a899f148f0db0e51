#if Bluetooth
import DBus
import GATT

/// One run of a ``Broadcast``: gives the source's readings and the time to the state, and its notifications to the server.
@BusActor
final class BroadcastRun {
    private var state: BroadcastState
    private var faults: BroadcastFaults?
    private let server: BlueZServer
    private let spared: Set<DeviceAddress>
    private let report: @Sendable (BroadcastEvent) -> Void
    private let start = ContinuousClock.now
    private var alarm: Int?
    private var disturbance: Task<Void, Never>?
    private var isOver = false

    init(
        _ offer: BroadcastOffer, _ plan: BroadcastFaultPlan?, _ server: BlueZServer,
        sparing spared: Set<DeviceAddress>, report: @escaping @Sendable (BroadcastEvent) -> Void
    ) {
        state = BroadcastState(offer)
        faults = plan.map { BroadcastFaults($0) }
        self.server = server
        self.spared = spared
        self.report = report
        server.onEvent = { report($0) }
        server.onWrite = { [weak self] characteristic, bytes in self?.write(bytes, to: characteristic) }
    }

    private var now: Duration { ContinuousClock.now - start }

    func begin() { setAlarm() }

    /// Takes readings until the task is cancelled.
    func feed(_ readings: AsyncStream<[BroadcastReading]>) async {
        for await batch in readings { take(batch) }
    }

    private func take(_ readings: [BroadcastReading]) {
        send(state.take(readings, at: now))
        setAlarm()
    }

    func end() {
        isOver = true
        if let alarm { BusSchedule.shared.cancel(alarm) }
        disturbance?.cancel()
    }

    private func write(_ bytes: [UInt8], to characteristic: BluetoothUUID) -> UInt8? {
        let error = state.write(bytes, to: characteristic)
        if error == nil { report(.energyReset) }
        return error
    }

    private func timePassed() {
        let now = now
        for (fault, action) in faults?.due(at: now) ?? [] {
            if let fault { report(.fault(fault)) }
            switch action {
            case .send(let notification): send(notification)
            case .disconnect: disturb { [server, spared] in await server.disconnect(except: spared) }
            case .demandPairing(let isDemanded):
                disturb { [server, spared] in await server.demandPairing(isDemanded, sparing: spared) }
            case .rename(let name): disturb { [server] in await server.rename(name) }
            case nil: break
            }
        }
        send(state.timePassed(at: now))
        setAlarm()
    }

    /// One after the other.
    private func disturb(_ body: @escaping @BusActor () async -> Void) {
        let before = disturbance
        disturbance = Task {
            await before?.value
            await body()
        }
    }

    private func send(_ notifications: [BroadcastState.Notification]) {
        for notification in faults?.apply(to: notifications, at: now) ?? notifications { send(notification) }
    }

    private func send(_ notification: BroadcastState.Notification) {
        server.notify(notification)
        report(.sent(notification))
    }

    private func setAlarm() {
        if let alarm { BusSchedule.shared.cancel(alarm) }
        alarm = nil
        guard !isOver, let due = [state.deadline, faults?.deadline].compactMap(\.self).min() else { return }
        alarm = BusSchedule.shared.after(max(.zero, due - now)) { [weak self] in self?.timePassed() }
    }
}
#endif
