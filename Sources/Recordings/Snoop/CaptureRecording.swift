import Foundation
import GATT
import SessionLog

/// Makes a recording from a capture: the sensors' notifications, and the times when the sensors were present.
///
/// The workout lasts from the first measurement to the last. A sensor is away from the end of its link, or five seconds
/// after its last value, to its next one.
struct CaptureRecording {
    /// A sensor that is silent for longer than this is away.
    static let staleAfterInSeconds = 5.0

    private struct Sensor {
        var status: SensorStatus
        var lastValue: Date?
        var isAway = false
    }

    private let workout: CapturedWorkout
    private var sensors: [DeviceAddress: Sensor] = [:]
    private var pauses: ArraySlice<WorkoutTimes.Pause>
    /// Entries that were made but not yet returned.
    var entries: [SessionEntry] = []

    init(_ workout: CapturedWorkout, id: UUID) {
        self.workout = workout
        pauses = workout.times.pauses[...]
        let start = workout.time.lowerBound
        entries.append(SessionEntry(start, .header(SessionHeader(id: id, activity: workout.activity))))
        entries.append(SessionEntry(start, .state(.running)))
    }

    /// Returns the recording of a capture without measurements.
    static func nothing(format: String, warnings: [RecordingWarning]) -> Recording {
        var summary = RecordingSummary(format: format)
        summary.warnings = warnings + [RecordingWarning(byte: 0, message: "the capture holds no values of a sensor")]
        return Recording(entries: [], file: summary)
    }

    /// Summarises the entries one by one.
    struct Summary {
        private var log = SessionLogSummary()
        private var notifications = 0
        /// The number of entries without the header and the states.
        private(set) var count = 0

        mutating func add(_ entry: SessionEntry) {
            log.add(entry)
            switch entry.content {
            case .header, .state: return
            case .notification: notifications += 1
            default: break
            }
            count += 1
        }

        func finish(format: String, warnings: [RecordingWarning]) -> RecordingSummary {
            var log = log
            var summary = log.finish()
            summary.format = format
            summary.records = notifications
            // The capture states no workout.
            summary.elapsedInSeconds = nil
            summary.timerInSeconds = nil
            summary.sessions = 0
            summary.warnings = warnings
            return summary
        }
    }

    /// Adds the next event. Events come in the order of the file, which is the order of time.
    mutating func take(_ event: CapturedEvent) {
        guard workout.senders.contains(event.address) else { return }
        // Details learned before the first value are dated at its time.
        let eventDate = workout.corrected(event.date)
        let date = min(max(eventDate, workout.time.lowerBound), workout.time.upperBound)
        pause(until: date)
        leaveSilent(until: date)
        let id = event.address.description
        var sensor =
            sensors[event.address]
            ?? Sensor(
                status: SensorStatus(
                    id: id, kind: .bluetooth, presence: .present, device: DeviceDescription(localIdentifier: id)))
        defer { sensors[event.address] = sensor }
        switch event.content {
        case .connected:
            break
        case .name(let name):
            if sensor.status.device.name != name {
                sensor.status.device.name = name
                if sensor.lastValue != nil { notify(sensor, date) }
            }
        case .read(let characteristic, let bytes):
            if learn(characteristic.uuid, bytes, &sensor), sensor.lastValue != nil { notify(sensor, date) }
        case .value(let characteristic, let bytes):
            let isFirst = sensor.lastValue == nil
            let learned = learn(characteristic.uuid, bytes, &sensor)
            let carries = Self.carriesReading(characteristic.uuid, bytes)
            if isFirst || (sensor.isAway && carries) {
                sensor.isAway = false
                sensor.status.presence = .present
                notify(sensor, date)
            } else if learned {
                notify(sensor, date)
            }
            if isFirst || carries { sensor.lastValue = date }
            guard let number = characteristic.uuid.assigned else { return }
            entries.append(
                SessionEntry(
                    date, .notification(NotificationRecord(characteristic: number, bytes: bytes, sensor: id))))
        case .ended:
            // After the last value the workout is over, and before the first there was none.
            if eventDate <= workout.time.upperBound, sensor.lastValue != nil, !sensor.isAway { leave(&sensor, date) }
        }
    }

    /// Ends the recording after the last event.
    mutating func finish() {
        leaveSilent(until: workout.time.upperBound)
        entries.append(SessionEntry(workout.time.upperBound, .state(.stopped)))
    }

    private mutating func pause(until date: Date) {
        while let pause = pauses.first, let seconds = pause.end {
            let end = Date(timeIntervalSinceReferenceDate: seconds)
            guard end <= date else { return }
            entries.append(SessionEntry(Date(timeIntervalSinceReferenceDate: pause.start), .state(.paused)))
            leaveSilent(until: end)
            entries.append(SessionEntry(end, .state(.running)))
            pauses.removeFirst()
        }
    }

    private mutating func notify(_ sensor: Sensor, _ date: Date) {
        entries.append(SessionEntry(date, .sensor(sensor.status)))
    }

    private mutating func leave(_ sensor: inout Sensor, _ date: Date) {
        sensor.isAway = true
        sensor.status.presence = .away
        notify(sensor, date)
    }

    /// Ends the presence of sensors that have been silent for more than five seconds.
    private mutating func leaveSilent(until date: Date) {
        let silent = sensors.compactMap { address, sensor -> (address: DeviceAddress, last: Date)? in
            guard let last = sensor.lastValue, !sensor.isAway,
                date.timeIntervalSince(last) > Self.staleAfterInSeconds
            else { return nil }
            return (address, last)
        }
        for (address, last) in silent.sorted(by: { ($0.last, $0.address.value) < ($1.last, $1.address.value) }) {
            guard var sensor = sensors[address] else { continue }
            leave(&sensor, last.addingTimeInterval(Self.staleAfterInSeconds))
            sensors[address] = sensor
        }
    }

    /// Returns whether a packet shows more than that the sensor is present. A strap off the skin counts as silent.
    private static func carriesReading(_ uuid: BluetoothUUID, _ bytes: [UInt8]) -> Bool {
        switch uuid {
        case .heartRateMeasurement: HeartRateMeasurement(bytes)?.heartRate != nil
        case .batteryLevel: false
        default: true
        }
    }

    /// - Returns: Whether something new was learned.
    private func learn(_ uuid: BluetoothUUID, _ bytes: [UInt8], _ sensor: inout Sensor) -> Bool {
        let before = sensor.status
        if uuid == .batteryLevel, let level = BatteryLevel(bytes) { sensor.status.batteryPercent = level.percent }
        switch uuid.assigned.flatMap(DeviceInformation.Field.init) {
        case .manufacturerName: sensor.status.device.manufacturer = DeviceInformation.text(bytes)
        case .modelNumber: sensor.status.device.model = DeviceInformation.text(bytes)
        case .hardwareRevision: sensor.status.device.hardwareVersion = DeviceInformation.text(bytes)
        case .firmwareRevision: sensor.status.device.firmwareVersion = DeviceInformation.text(bytes)
        case .softwareRevision: sensor.status.device.softwareVersion = DeviceInformation.text(bytes)
        case .serialNumber, nil: break
        }
        return sensor.status != before
    }
}
