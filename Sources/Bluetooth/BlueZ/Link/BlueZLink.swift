#if Bluetooth
import GATT
import DBus
import Foundation

/// A link through bluetoothd, with a bus connection of its own. When that closes, its subscriptions end.
@BusActor
final class BlueZLink: PeripheralLink {
    nonisolated let address: DeviceAddress
    nonisolated let characteristics: [GATTCharacteristic]
    nonisolated let events = LinkEventStream()

    private let path: String
    let mirror: BlueZMirror
    private let daemon: BlueZDaemon
    private let timings: BlueZTimings
    /// Whether to disconnect at the end. False for a link that another program has opened.
    private let hangsUp: Bool
    private var paths: [GATTCharacteristic: String]
    /// Answers a device that wants to be paired on this link.
    private let agent: BlueZAgent?
    private var subscribed: [String: BlueZSubscription] = [:]
    private var second: [String: BlueZSecondSubscription] = [:]
    private var isHangingUp = false
    /// When the link was lost, while its reason is awaited.
    private var gone: Date?
    private var reason: LinkLoss?
    /// A battery level to deliver after values that are not decided yet.
    private var heldBattery: LinkEvent?
    private var end: LinkLoss?

    init(
        _ address: DeviceAddress, path: String, mirror: BlueZMirror, daemon: BlueZDaemon, hangsUp: Bool,
        agent: BlueZAgent? = nil
    ) {
        self.address = address
        self.path = path
        self.mirror = mirror
        self.daemon = daemon
        self.hangsUp = hangsUp
        self.agent = agent
        timings = daemon.timings
        let found = mirror.tree.characteristics(of: path)
        characteristics = found.map(\.characteristic)
        paths = Dictionary(found.map { ($0.characteristic, $0.path) }, uniquingKeysWith: { first, _ in first })
        daemon.add(self)
        mirror.onEvent = { [weak self] event, date in self?.handle(event, date) }
        // The link may have been lost while it was being set up.
        let now = Date()
        if let level = mirror.tree.batteries[path]?.level { events.yield(.battery(level, now)) }
        if !mirror.tree.isLoaded { finish(.adapterGone, now) }
        handle(.device(path), now)
    }

    // MARK: requests

    func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        let path = try attribute(characteristic)
        if subscribed[path] != nil { return try await subscribeAgain(path, characteristic) }
        // Before the request, because values may arrive before the answer.
        let isShared = mirror.tree.characteristics[path]?.isNotifying == true
        subscribed[path] = BlueZSubscription(characteristic, isShared: isShared, within: timings.duplicate)
        let operation = "subscribing to \(characteristic.uuid)"
        do throws(BluetoothError) {
            try await startNotify(path, operation: operation)
        } catch {
            subscribed[path] = nil
            // bluetoothd may have accepted it although nobody waits for it any more.
            if end == nil { abandon(path) }
            throw error
        }
        await noteThatItHolds(path)
    }

    private func noteThatItHolds(_ path: String) async {
        guard subscribed[path]?.copies.holds == false else { return }
        await ask(path) { [weak self] in self?.subscribed[path]?.copies.began() }
    }

    /// Ends the subscription and starts it again, for a device that has forgotten it. bluetoothd would ignore a second
    /// `StartNotify`.
    private func subscribeAgain(_ path: String, _ characteristic: GATTCharacteristic) async throws(BluetoothError) {
        _ = try? await mirror.call(path, BlueZ.characteristic, "StopNotify", atMost: timings.call)
        try await startNotify(path, operation: "subscribing to \(characteristic.uuid) again")
    }

    /// Moves subscriptions after the device's services have changed: bluetoothd has removed the old objects and adds
    /// the new ones.
    private func move() {
        for (old, subscription) in subscribed where mirror.tree.characteristics[old] == nil {
            let wanted = subscription.characteristic
            let found = mirror.tree.characteristics(of: path).first {
                $0.characteristic.uuid == wanted.uuid && $0.characteristic.service == wanted.service
                    && subscribed[$0.path] == nil
            }
            guard let found else { continue }
            deliver(subscribed[old]?.end() ?? [], old)
            subscribed[old] = nil
            second.removeValue(forKey: old)?.drop()
            paths[wanted] = found.path
            let isShared = mirror.tree.characteristics[found.path]?.isNotifying == true
            subscribed[found.path] = BlueZSubscription(wanted, isShared: isShared, within: timings.duplicate)
            Task {
                do throws(BluetoothError) {
                    try await startNotify(found.path, operation: "subscribing to \(wanted.uuid) where it is now")
                    await self.noteThatItHolds(found.path)
                } catch {
                    // The link is useless without it, and a new one discovers everything again.
                    if BluetoothUUID.sensorMeasurements.contains(wanted.uuid) { await self.disconnect() }
                }
            }
        }
    }

    /// Starts notifications. If the device wants to be paired first, bluetoothd begins pairing. Without an agent it
    /// would wait for half a minute and drop the link; a refusing agent detects it at once.
    private func startNotify(_ path: String, operation: String) async throws(BluetoothError) {
        let isBonded = mirror.tree.devices[self.path]?.isPaired != false
        let refusing = isBonded || agent != nil ? nil : await BlueZAgent.refusing(address, self.path, mirror, timings)
        let asked = agent ?? refusing
        let request = Task { () -> Result<Void, BluetoothError> in
            do throws(BluetoothError) {
                try await self.request(path, "StartNotify", operation: operation)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        asked?.onRefusal = { request.cancel() }
        let result = await withTaskCancellationHandler {
            await request.value
        } onCancel: {
            request.cancel()
        }
        asked?.onRefusal = nil
        refusing?.withdraw()
        do throws(BluetoothError) {
            try result.get()
        } catch {
            throw asked?.hasRefused == true && end == nil ? .pairingRequired(address) : error
        }
    }

    func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8] {
        let path = try attribute(characteristic)
        // bluetoothd reports the value like a notification, just before it answers.
        subscribed[path]?.beginRead()
        do throws(BluetoothError) {
            let body = try await request(
                path, "ReadValue", [.properties([:])], operation: "reading \(characteristic.uuid)")
            let bytes = body.first?.asBytes ?? []
            endRead(path, bytes)
            return bytes
        } catch {
            endRead(path, nil)
            throw error
        }
    }

    func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        let path = try attribute(characteristic)
        let options = DBusValue.properties(["type": .string("request")])
        try await request(path, "WriteValue", [.bytes(bytes), options], operation: "writing \(characteristic.uuid)")
    }

    func disconnect() async {
        guard end == nil else { return }
        if hangsUp {
            isHangingUp = true
            // Values still arrive during the 2 s that bluetoothd needs for it.
            await mirror.hangUp(path)
            daemon.noteHungUp(address)
        }
        finish(.local, Date())
    }

    private func attribute(_ characteristic: GATTCharacteristic) throws(BluetoothError) -> String {
        if let end { throw .linkLost(address, end) }
        guard let path = paths[characteristic] else { throw .noCharacteristic(address, characteristic.uuid) }
        return path
    }

    @discardableResult
    private func request(
        _ path: String, _ member: String, _ body: [DBusValue] = [], operation: String
    ) async throws(BluetoothError) -> [DBusValue] {
        var tries = 5
        while true {
            do throws(DBusCallError) {
                return try await mirror.call(path, BlueZ.characteristic, member, body, atMost: timings.request)
            } catch {
                if let end { throw .linkLost(address, end) }
                tries -= 1
                // Another request for the same attribute is active.
                if error.is("InProgress"), tries > 0, !Task.isCancelled {
                    await BusWaiters.pause(timings.requestRetryPause)
                    continue
                }
                if error.is("UnknownObject") { throw .linkLost(address, .unknown) }
                throw BluetoothError(error, operation: operation, device: address)
            }
        }
    }

    private func abandon(_ path: String) {
        let mirror = mirror
        let limit = timings.call
        Task { _ = try? await mirror.call(path, BlueZ.characteristic, "StopNotify", atMost: limit) }
    }

    private func endRead(_ path: String, _ bytes: [UInt8]?) {
        if let outcome = subscribed[path]?.endRead(bytes) { perform(outcome, path) }
    }

    // MARK: what happens

    private func handle(_ event: BlueZObjectTree.Event, _ date: Date) {
        guard end == nil else { return }
        switch event {
        case .value(let path, let bytes):
            if let outcome = subscribed[path]?.add(bytes, date) { perform(outcome, path) }
        case .attributes(let changed):
            if changed.hasPrefix(path + "/") { move() }
        case .battery(path, let level):
            heldBattery = .battery(level, date)
            notifyBattery()
        case .reason(path, let loss):
            reason = loss
            if gone != nil { settle() }
        case .device(path), .deviceRemoved(path):
            guard mirror.tree.devices[path]?.isConnected != true, gone == nil else { return }
            gone = date
            if reason != nil || isHangingUp { return settle() }
            // The reason, if there is one, comes before or after this signal, and so does the removal of the adapter.
            BusSchedule.shared.after(timings.reason) { [weak self] in self?.settle() }
        case .adapterRemoved(let adapter):
            if path.hasPrefix(adapter + "/") { finish(.adapterGone, gone ?? date) }
        case .ended:
            finish(.adapterGone, gone ?? date)
        default:
            break
        }
    }

    private func deliver(_ values: [NotificationCopies.Value], _ path: String) {
        guard let characteristic = subscribed[path]?.characteristic else { return }
        for value in values { events.yield(.value(characteristic, value.bytes, value.date)) }
    }

    /// Delivers the battery level after the values that came before it and are not decided yet.
    private func notifyBattery() {
        guard let battery = heldBattery, !subscribed.values.contains(where: \.copies.isHolding) else { return }
        heldBattery = nil
        events.yield(battery)
    }

    // MARK: copies for other subscribers

    private func perform(_ outcome: NotificationCopies.Outcome, _ path: String) {
        deliver(outcome.values, path)
        notifyBattery()
        for request in outcome.requests {
            switch request {
            case .ask:
                // Before the next value is examined, because values before the answer may be copies.
                Task.immediate {
                    await self.ask(path) { [weak self] in
                        if let outcome = self?.subscribed[path]?.copies.answered() { self?.perform(outcome, path) }
                    }
                }
            case .probe(let number): Task { await self.probe(path, number) }
            case .endProbe(let number): Task { await self.endProbe(path, number) }
            }
        }
    }

    /// Sends bluetoothd a harmless query. The place of its answer among the values matters.
    private func ask(_ path: String, then act: @escaping () -> Void) async {
        var message = DBusMessage.call(BlueZ.service, path, BlueZ.properties, "Get")
        message.body = [.string(BlueZ.characteristic), .string("Notifying")]
        do throws(DBusCallError) {
            try await mirror.connection.call(message, atMost: timings.call, inOrder: { _ in act() })
        } catch {
            // An error is an answer too, although less reliable.
            if end == nil { act() }
        }
    }

    private func probe(_ path: String, _ number: Int) async {
        // If the sensor falls silent now, nothing can be measured.
        BusSchedule.shared.after(timings.probe) { [weak self] in
            if let outcome = self?.subscribed[path]?.copies.probeIsLate(number) { self?.perform(outcome, path) }
        }
        do throws(DBusCallError) {
            let another = try await BlueZSecondSubscription(
                to: path, busAddress: daemon.busAddress, timings: timings)
            guard end == nil, subscribed[path]?.copies.isProbing(number) == true else { return another.drop() }
            second[path]?.drop()
            second[path] = another
            await ask(path) { [weak self] in self?.subscribed[path]?.copies.probeBegan(number) }
        } catch {
            if let outcome = subscribed[path]?.copies.probeFailed(number) { perform(outcome, path) }
        }
    }

    private func endProbe(_ path: String, _ number: Int) async {
        await second.removeValue(forKey: path)?.end()
        guard end == nil else { return }
        await ask(path) { [weak self] in self?.subscribed[path]?.copies.probeEnded(number) }
    }

    private func settle() {
        let adapter = mirror.tree.adapters.first { path.hasPrefix($0.key + "/") }?.value
        let cause = adapter?.isPowered == true ? LinkLoss.unknown : .adapterGone
        finish(isHangingUp ? .local : reason ?? cause, gone ?? Date())
    }

    /// Ends the link, only once. Everything in progress fails with it.
    private func finish(_ loss: LinkLoss, _ date: Date) {
        guard end == nil else { return }
        for path in subscribed.keys.sorted() { deliver(subscribed[path]?.end() ?? [], path) }
        notifyBattery()
        end = loss
        for another in second.values { another.drop() }
        second = [:]
        events.yield(.ended(loss, date))
        mirror.close()
        daemon.remove(self)
    }
}
#endif
