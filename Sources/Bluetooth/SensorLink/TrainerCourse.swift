import DBus
import GATT

/// The control of a trainer on one link: it performs what ``TrainerState`` decides.
@BusActor
final class TrainerCourse {
    private let control: TrainerControl
    private let link: any PeripheralLink
    private let point: ControlPoint
    private let ticks: LinkClock
    private var state = TrainerState()
    private var listener: Int?
    private var isOver = false
    private lazy var alarm = LinkAlarm(ticks) { [weak self] in self?.handle(.timePassed) }
    /// The caller of ``release()``, which waits until the trainer is free.
    private var released: CheckedContinuation<Void, Never>?

    /// How long a trainer may take to be set free at the end: to answer a command that is on its way, and then the last one.
    private static let releaseLimit = Duration.seconds(2)

    /// Nil for a sensor that is no trainer.
    init?(_ control: TrainerControl, _ link: any PeripheralLink, _ ticks: LinkClock) {
        guard let point = link.characteristic(.fitnessMachineControlPoint) else { return nil }
        (self.control, self.link, self.ticks) = (control, link, ticks)
        self.point = ControlPoint(point, on: link)
    }

    /// Reads the abilities of the trainer, then controls it.
    func begin() async {
        // It may do without; then it answers nothing.
        try? await point.subscribe()
        if let status = link.characteristic(.fitnessMachineStatus) { try? await link.subscribe(to: status) }
        let feature = await read(.fitnessMachineFeature)
        let abilities = FitnessMachineAbilities(feature: feature, powerRange: await read(.supportedPowerRange))
        guard !isOver else { return }
        listener = control.add { [weak self] in
            // Each of these sends the newest request, whatever their order.
            Task { @BusActor in self?.ask() }
        }
        handle(.linked(abilities))
        ask()
    }

    private func read(_ uuid: BluetoothUUID) async -> [UInt8]? {
        guard let characteristic = link.characteristic(uuid) else { return nil }
        return try? await link.read(characteristic)
    }

    private func ask() { handle(.wanted(control.request)) }

    func received(_ bytes: [UInt8], from characteristic: GATTCharacteristic) {
        if characteristic.uuid == .fitnessMachineControlPoint, let response = FitnessMachineResponse(bytes) {
            handle(.answered(response))
        } else if characteristic.uuid == .fitnessMachineStatus, let status = FitnessMachineStatus(bytes) {
            handle(.reported(status))
        }
    }

    private func handle(_ event: TrainerState.Event) {
        guard !isOver else { return }
        for action in state.handle(event, at: ticks.now()) {
            switch action {
            case .write(let command): point.write(command.bytes) { self.handle(.writeFailed) }
            case .report(let event): control.happened(event, at: link.address)
            }
        }
        if let due = state.deadline { alarm.set(due) }
        if state.isOver { end() }
    }

    /// The link is over.
    func end() {
        isOver = true
        alarm.cancel()
        if let listener { control.remove(listener) }
        released?.resume()
        released = nil
    }

    /// Sets the trainer free, and ends. One call at most.
    func release() async {
        handle(.ending)
        guard !isOver else { return }
        let limit = LinkAlarm(ticks) { [weak self] in self?.end() }
        limit.set(ticks.now() + Self.releaseLimit)
        await withCheckedContinuation { released = $0 }
        limit.cancel()
    }
}
