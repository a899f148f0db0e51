import DBus
import Foundation
import GATT

/// The streams of a Polar sensor on one link: it performs what ``PolarStreamState`` decides.
@BusActor
final class PolarCourse {
    private let link: any PeripheralLink
    private let control: ControlPoint
    private let data: GATTCharacteristic
    private let ticks: LinkClock
    private let report: @Sendable (SensorLinkEvent) -> Void
    private var state: PolarStreamState
    private var isOver = false
    private lazy var alarm = LinkAlarm(ticks) { [weak self] in self?.handle(.timePassed) }

    /// Nil for a sensor without streams.
    init?(
        _ streams: Set<PolarStream>, _ link: any PeripheralLink, _ ticks: LinkClock,
        report: @escaping @Sendable (SensorLinkEvent) -> Void
    ) {
        guard let control = link.characteristic(.polarControlPoint), let data = link.characteristic(.polarData)
        else { return nil }
        (self.link, self.data, self.ticks, self.report) = (link, data, ticks, report)
        self.control = ControlPoint(control, on: link)
        state = PolarStreamState(streams.sorted { $0.rawValue < $1.rawValue })
    }

    func begin() async {
        do throws(BluetoothError) {
            try await control.subscribe()
            try await link.subscribe(to: data)
            handle(.linked)
        } catch {
            if !isOver { report(.stream(.failed(error))) }
        }
    }

    func received(_ bytes: [UInt8], from characteristic: GATTCharacteristic, _ date: Date) {
        if characteristic.uuid == .polarControlPoint, let response = PolarResponse(bytes) {
            handle(.answered(response))
        } else if characteristic.uuid == .polarData, let frame = PolarFrame(bytes) {
            report(.streamed(frame, samplesPerSecond: state.samplesPerSecond[frame.stream], date))
        }
    }

    private func handle(_ event: PolarStreamState.Event) {
        guard !isOver else { return }
        for action in state.handle(event, at: ticks.now()) {
            switch action {
            case .write(let command): control.write(command.bytes) { self.handle(.writeFailed) }
            case .report(let event): report(.stream(event))
            }
        }
        if let due = state.deadline { alarm.set(due) }
    }

    /// The link is over.
    func end() {
        isOver = true
        alarm.cancel()
    }
}
