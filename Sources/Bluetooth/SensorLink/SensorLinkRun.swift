import DBus
import Foundation
import GATT

/// One run of a ``SensorLink``: it owns the tasks, which report their results to it.
///
/// It runs on the D-Bus thread, where bluetoothd's values arrive, so no value wakes another thread.
@BusActor
final class SensorLinkRun {
    private let link: SensorLink
    private let ticks: LinkClock
    private let report: @Sendable (SensorLinkEvent) -> Void

    private var state: SensorLinkState
    private let address: DeviceAddress
    private var kind: DeviceAddress.Kind?
    private var peripheral: any Peripheral
    private var current: (any PeripheralLink)?
    /// Counts attempts to connect. Results of earlier attempts are ignored.
    private var attempt = 0
    /// Other sensors of the same name; each is reported once.
    private var lookalikes: Set<DeviceAddress> = []
    private var contact: Bool?
    private var burst = BurstDates()
    private var burstEnd: Task<Void, Never>?
    /// Events to report after the held values.
    private var heldBattery: SensorLinkEvent?
    private var batteryIsNotified = false
    private var hasResetEnergy = false
    /// Whether the details were reported on this link.
    private var hasDescribed = false
    /// Controls the trainer on the current link, and sets it free at the end.
    private var trainer: TrainerCourse?
    /// The streams on the current link.
    private var streams: PolarCourse?

    private var connecting: Task<Void, Never>?
    private var searching: Task<Void, Never>?
    private var probing: Task<Void, Never>?
    /// On the current or last link.
    private var linkTasks: [Task<Void, Never>] = []
    private var listening: Task<Void, Never>?
    private lazy var alarm = LinkAlarm(ticks) { [weak self] in self?.handle(.timePassed) }
    /// Closes old links. It is awaited at the end, and before the next attempt.
    private var hangingUp: Task<Void, Never>?

    init(_ link: SensorLink, ticks: LinkClock, report: @escaping @Sendable (SensorLinkEvent) -> Void) {
        self.link = link
        self.ticks = ticks
        self.report = report
        state = SensorLinkState(
            timings: link.timings, canPair: link.agent != nil, canSearch: !link.central.findsWhileConnecting)
        address = link.address
        kind = link.kind
        peripheral = link.central.peripheral(link.address, kind: link.kind)
    }

    func run() async {
        handle(.started)
        let (never, continuation) = AsyncStream.makeStream(of: Never.self)
        // Runs until the task is cancelled.
        for await _ in never {}
        continuation.finish()
        handle(.stopped)
        alarm.cancel()
        burstEnd?.cancel()
        endBurst()
        for task in linkTasks { task.cancel() }
        await probing?.value
        await connecting?.value
        await searching?.value
        // A trainer that is set free still answers.
        await hangingUp?.value
        listening?.cancel()
        await listening?.value
        for task in linkTasks { await task.value }
    }

    /// - Parameter date: When it happened; nil for now.
    private func handle(_ event: SensorLinkState.Event, on date: Date? = nil) {
        let now = ticks.now()
        let before = (state.phase, state.reason)
        let actions = state.handle(event, at: now)
        if before != (state.phase, state.reason) {
            report(.changed(state.phase, state.reason, date ?? link.wallClock()))
        }
        for action in actions { perform(action) }
        if let due = state.deadline { alarm.set(due) }
    }

    private func perform(_ action: SensorLinkState.Action) {
        switch action {
        case .probe: probe()
        case .search: search()
        case .stopSearching: stopSearching()
        case .connect: connect()
        case .giveUpConnecting: connecting?.cancel()
        case .subscribe: subscribe()
        case .pair: pair()
        case .forgetBond: forgetBond()
        case .readDetails: readDetails()
        case .hangUp: hangUp()
        }
    }
}

// MARK: - Finding and connecting

extension SensorLinkRun {
    private func probe() {
        probing =
            Task {
                do throws(BluetoothError) {
                    let adapters = try await link.central.adapters().filter(\.supportsCentral)
                    if adapters.contains(where: { $0.power == .on }) {
                        handle(.ready)
                    } else if adapters.contains(where: { $0.power == .off }) {
                        handle(.connectFailed(.poweredOff))
                    } else {
                        handle(.connectFailed(adapters.isEmpty ? .noAdapter : .blocked))
                    }
                } catch {
                    handle(.connectFailed(error))
                }
            }
    }

    private func search() {
        searching?.cancel()
        searching = Task {
            do {
                // Search for all devices: a strap may not advertise its service, and is recognised by its address.
                for try await advertisement in link.central.advertisements(of: []) {
                    if Task.isCancelled { return }
                    received(advertisement)
                }
            } catch {
                if Task.isCancelled { return }
                handle(.searchFailed(error as? BluetoothError ?? .failed(operation: "scanning", "\(error)")))
            }
        }
    }

    private func stopSearching() {
        searching?.cancel()
    }

    private func received(_ advertisement: Advertisement) {
        if advertisement.address == address {
            if kind != advertisement.addressKind {
                kind = advertisement.addressKind
                peripheral = link.central.peripheral(address, kind: kind)
            }
            handle(.found)
        } else if let name = link.name, !name.isEmpty, advertisement.name == name,
            advertisement.addressKind == .random, !link.others.contains(advertisement.address),
            !advertisement.services.isDisjoint(with: BluetoothUUID.sensorServices),
            lookalikes.insert(advertisement.address).inserted
        {
            report(.lookalike(advertisement.address, advertisement.date))
        }
    }

    private func connect() {
        attempt += 1
        let (number, peripheral, agent) = (attempt, peripheral, state.offersPairing ? link.agent : nil)
        let before = (connecting, searching, hangingUp)
        before.0?.cancel()
        connecting = Task {
            // Connecting mostly fails because of a running scan, or a link that is not closed completely.
            await before.0?.value
            await before.1?.value
            await before.2?.value
            do throws(BluetoothError) {
                let made =
                    if let agent { try await peripheral.connect(answering: agent) } else {
                        try await peripheral.connect()
                    }
                linked(made, number)
            } catch {
                if number == attempt { handle(.connectFailed(error)) }
            }
        }
    }

    private func linked(_ made: any PeripheralLink, _ number: Int) {
        guard number == attempt, state.phase == .connecting else {
            free(made)
            return
        }
        current = made
        contact = nil
        batteryIsNotified = false
        hasDescribed = false
        for task in linkTasks { task.cancel() }
        linkTasks = []
        listening?.cancel()
        // Stay on this thread: a task without a preference would resume on another one.
        listening = Task(executorPreference: BusActor.tasks) { await self.listen(to: made, number) }
        handle(.linked)
    }

    private func listen(to made: any PeripheralLink, _ number: Int) async {
        for await event in made.events where number == attempt { happened(event) }
        // The stream should report its end itself. If it doesn't, it has ended nevertheless.
        if number == attempt { happened(.ended(.unknown, link.wallClock())) }
    }

    private func hangUp() {
        guard let made = current else { return }
        current = nil
        endStreams()
        free(made, trainer)
    }

    private func endStreams() {
        streams?.end()
        streams = nil
    }

    private func free(_ made: any PeripheralLink, _ trainer: TrainerCourse? = nil) {
        let before = hangingUp
        // Not cancelled with the run: nobody else could use a sensor that stays connected.
        hangingUp = Task {
            await before?.value
            await trainer?.release()
            if self.trainer === trainer { self.trainer = nil }
            await made.disconnect()
        }
    }
}

// MARK: - On a link

extension SensorLinkRun {
    private func subscribe() {
        guard let current else { return }
        let measurements = current.measurements
        linkTasks.append(
            Task {
                do throws(BluetoothError) {
                    guard !measurements.isEmpty else {
                        throw BluetoothError.noCharacteristic(address, .heartRateMeasurement)
                    }
                    for characteristic in measurements { try await current.subscribe(to: characteristic) }
                    handle(.subscribed)
                    await controlTrainer(on: current)
                    await startStreams(on: current)
                } catch {
                    handle(.subscribeFailed(error))
                }
            })
    }

    /// Once on each link.
    private func controlTrainer(on made: any PeripheralLink) async {
        guard let control = link.trainer, current != nil, trainer == nil, state.phase != .stopped else { return }
        trainer = TrainerCourse(control, made, ticks)
        guard let trainer else { return control.happened(.isNone, at: address) }
        await trainer.begin()
    }

    /// Once on each link.
    private func startStreams(on made: any PeripheralLink) async {
        guard !link.streams.isEmpty, current != nil, streams == nil, state.phase != .stopped else { return }
        streams = PolarCourse(link.streams, made, ticks, report: report)
        guard let streams else { return report(.stream(.isNone)) }
        await streams.begin()
    }

    private func pair() {
        guard let agent = link.agent else { return }
        let (peripheral, before) = (peripheral, hangingUp)
        connecting = Task {
            await before?.value
            do throws(BluetoothError) {
                try await peripheral.pair(answering: agent)
                handle(.paired)
            } catch {
                handle(.pairingFailed(error))
            }
        }
    }

    private func forgetBond() {
        let (central, address, before) = (link.central, address, hangingUp)
        hangingUp = Task {
            await before?.value
            // If the bond can't be removed, the next attempt fails.
            try? await central.forget(address)
        }
    }

    /// The name of a sensor that was given by address, from bluetoothd.
    private func advertisedName() async -> String? {
        let (central, address, ticks) = (link.central, address, ticks)
        return await withTaskGroup(of: String?.self) { group in
            group.addTask {
                do {
                    for try await device in central.advertisements(of: []) where device.address == address {
                        if let name = device.name { return name }
                    }
                } catch {}
                return nil
            }
            group.addTask {
                try? await ticks.sleep(ticks.now() + .seconds(1))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func happened(_ event: LinkEvent) {
        // A trainer still answers while it is set free.
        if let trainer {
            switch event {
            case .value(let characteristic, let bytes, _): trainer.received(bytes, from: characteristic)
            case .ended:
                trainer.end()
                self.trainer = nil
            case .battery, .described, .missed: break
            }
        }
        guard state.phase != .stopped else { return }
        switch event {
        case .value(let characteristic, let bytes, let date):
            streams?.received(bytes, from: characteristic, date)
            if characteristic.uuid == .batteryLevel {
                guard let level = BatteryLevel(bytes) else { return }
                batteryIsNotified = true
                return notifyBattery(level.percent, date)
            }
            guard BluetoothUUID.sensorMeasurements.contains(characteristic.uuid) else { return }
            handle(.measured, on: date)
            notify(burst.add(SensorNotification(characteristic.uuid, bytes, date)))
            if burst.isHolding { awaitEndOfBurst() }
        case .battery(let percent, let date):
            batteryIsNotified = true
            notifyBattery(percent, date)
        case .described:
            describeAgain()
        case .missed(let count, let date):
            report(.missed(count, date))
        case .ended(let loss, let date):
            endBurst()
            burst = BurstDates()
            endStreams()
            current = nil
            handle(.ended(loss), on: date)
        }
    }

    private func notify(_ values: [SensorNotification]) {
        for value in values {
            if let heartRate = value.heartRate { noteContact(heartRate.sensorContact, value.date) }
            report(.value(value))
        }
    }

    private func awaitEndOfBurst() {
        burstEnd?.cancel()
        burstEnd = Task {
            guard (try? await ticks.sleep(ticks.now() + BurstDates.moment)) != nil else { return }
            endBurst()
        }
    }

    private func endBurst() {
        notify(burst.flush())
        if let heldBattery { report(heldBattery) }
        heldBattery = nil
    }

    private func notifyBattery(_ percent: Int, _ date: Date) {
        if burst.isHolding { heldBattery = .battery(percent, date) } else { report(.battery(percent, date)) }
    }

    private func noteContact(_ sensorContact: HeartRateMeasurement.SensorContact, _ date: Date) {
        let touches = sensorContact == .detected
        guard sensorContact != .notSupported, touches != contact else { return }
        contact = touches
        report(.contact(touches, date))
    }

    private func describeAgain() {
        guard let current, hasDescribed else { return }
        let number = attempt
        linkTasks.append(
            Task {
                let details = await current.details()
                if number == attempt, state.phase != .stopped { report(.details(details)) }
            })
    }

    /// Reads slowly, after the first value, so that values have priority. Unreadable characteristics are skipped.
    private func readDetails() {
        guard let current else { return }
        let number = attempt
        let resetsEnergy = link.resetsEnergy && !hasResetEnergy
        hasResetEnergy = hasResetEnergy || resetsEnergy
        linkTasks.append(
            Task {
                if resetsEnergy { report(.energyReset(await current.resetEnergy())) }
                var details = await current.details()
                if link.name == nil, details.name == nil { details.name = await advertisedName() }
                guard number == attempt, state.phase != .stopped else { return }
                hasDescribed = true
                report(.details(details))
                guard let battery = current.characteristic(.batteryLevel) else { return }
                try? await current.subscribe(to: battery)
                while !Task.isCancelled, number == attempt, self.current != nil {
                    if !batteryIsNotified, let bytes = try? await current.read(battery), number == attempt,
                        let level = BatteryLevel(bytes), !batteryIsNotified
                    {
                        notifyBattery(level.percent, link.wallClock())
                    }
                    guard (try? await ticks.sleep(ticks.now() + link.timings.battery)) != nil else { return }
                }
            })
    }
}
