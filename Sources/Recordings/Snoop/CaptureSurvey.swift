import Foundation
import GATT
import SessionLog

/// The result of the first pass over a capture: the meaning of its values, the sensors among its devices, and when they
/// measured.
struct CaptureSurvey {
    /// Values whose characteristic was only known at the end of the capture.
    private(set) var named: [ControllerTrace.ValueKey: GATTCharacteristic] = [:]
    /// Devices that sent a measurement. Others in the capture (a mouse, a watch) are not sensors.
    private(set) var senders: Set<DeviceAddress> = []
    /// The kinds of measurements that were sent.
    private(set) var measurements: Set<BluetoothUUID> = []
    /// The times of measurements.
    private(set) var stated = StatedWorkout()
    private(set) var warnings: [RecordingWarning] = []

    private var parser = CaptureParser()
    private var trace = ControllerTrace()
    private static let sensorMeasurements = Set(BluetoothUUID.sensorMeasurements)

    mutating func read(_ bytes: some Collection<UInt8>) {
        var found: [CapturedEvent] = []
        parser.read(bytes) { packet in trace.take(packet) { found.append($0) } }
        for event in found { note(event) }
    }

    mutating func finish() throws(CaptureRefusal) {
        parser.finish()
        if let reason = parser.refusal { throw CaptureRefusal(reason: reason) }
        for (key, late) in trace.finish() {
            named[key] = late.characteristic
            note(late.characteristic, of: key.address, late.first...late.last)
        }
        warnings = parser.warnings + trace.warnings.map { RecordingWarning(byte: 0, message: $0) }
    }

    private mutating func note(_ event: CapturedEvent) {
        guard case .value(let characteristic, _) = event.content else { return }
        note(characteristic, of: event.address, event.date...event.date)
    }

    private mutating func note(
        _ characteristic: GATTCharacteristic, of sender: DeviceAddress, _ dates: ClosedRange<Date>
    ) {
        guard Self.sensorMeasurements.contains(characteristic.uuid) else { return }
        senders.insert(sender)
        measurements.insert(characteristic.uuid)
        let start = dates.lowerBound.timeIntervalSinceReferenceDate
        let end = dates.upperBound.timeIntervalSinceReferenceDate
        guard let known = stated.samples else {
            stated.samples = start...end
            return
        }
        stated.gaps.add(TimeSpan(start: known.upperBound, end: start))
        stated.samples = min(known.lowerBound, start)...max(known.upperBound, end)
    }
}
