import Bluetooth
import Foundation

/// Makes a recording of what a capture shows: the sensors' notifications, and when they were there.
///
/// The workout lasts from the first measurement to the last. A sensor is away from the end of its link, or five seconds
/// after its last value, to its next one.
struct CaptureRecording {
    /// A sensor that is silent for longer is away.
    static let staleAfterInSeconds = 5.0

    private struct Sensor {
        var status: SensorStatus
        var lastValue: Date?
        var isAway = false
    }

    private var sensors: [BluetoothAddress: Sensor] = [:]
    private var entries: [SessionEntry] = []
    private var hasBegun = false
    private var characteristics: Set<BluetoothUUID> = []

    /// - Parameter events: In order of time.
    static func recording(
        _ events: [CapturedEvent], format: RecordingFile.Format, warnings: [RecordingWarning]
    )
        -> Recording
    {
        let maker = CaptureRecording()
        return maker.recording(of: events, format: format, warnings: warnings)
    }

    private consuming func recording(
        of events: [CapturedEvent], format: RecordingFile.Format, warnings: [RecordingWarning]
    ) -> Recording {
        let measurements = Set(BluetoothUUID.sensorMeasurements)
        func isMeasurement(_ event: CapturedEvent) -> Bool {
            if case .value(let characteristic, _) = event.content {
                measurements.contains(characteristic.uuid)
            } else {
                false
            }
        }
        // Other devices of the capture (a mouse, a watch) are no sensors.
        let senders = Set(events.lazy.filter(isMeasurement).map(\.address))
        guard let first = events.first(where: isMeasurement)?.date,
            let last = events.last(where: isMeasurement)?.date
        else {
            var summary = RecordingSummary(format: format.rawValue)
            summary.warnings =
                warnings + [RecordingWarning(byte: 0, message: "the capture holds no values of a sensor")]
            return Recording(entries: [], file: summary)
        }
        for event in events where senders.contains(event.address) {
            take(event, within: first...last)
        }
        stale(at: last)
        let activity = ActivityDescription(activity: activityName)
        let start: [SessionEntry] = [
            SessionEntry(first, .header(SessionHeader(id: Self.id(first, last, entries.count), activity: activity))),
            SessionEntry(first, .state(.running)),
        ]
        // What is stale is dated back to the moment from which it was.
        let order = entries.indices.sorted { (entries[$0].date, $0) < (entries[$1].date, $1) }
        let all = start + order.map { entries[$0] } + [SessionEntry(last, .state(.stopped))]
        var log = SessionLogSummary()
        for entry in all { log.add(entry) }
        var summary = log.finish()
        summary.format = format.rawValue
        summary.records = entries.count { if case .notification = $0.content { true } else { false } }
        // The file states no workout.
        summary.elapsedInSeconds = nil
        summary.timerInSeconds = nil
        summary.sessions = 0
        summary.warnings = warnings
        return Recording(entries: all, file: summary)
    }

    private mutating func take(_ event: CapturedEvent, within time: ClosedRange<Date>) {
        // What was learned before the first value belongs to it.
        let date = min(max(event.date, time.lowerBound), time.upperBound)
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
                if sensor.lastValue != nil { tell(sensor, date) }
            }
        case .read(let characteristic, let bytes):
            if learn(characteristic.uuid, bytes, &sensor), sensor.lastValue != nil { tell(sensor, date) }
        case .value(let characteristic, let bytes):
            let isFirst = sensor.lastValue == nil
            if let last = sensor.lastValue, !sensor.isAway,
                date.timeIntervalSince(last) > Self.staleAfterInSeconds
            {
                leave(&sensor, last.addingTimeInterval(Self.staleAfterInSeconds))
            }
            let learned = learn(characteristic.uuid, bytes, &sensor)
            let carries = Self.carriesReading(characteristic.uuid, bytes)
            if isFirst || (sensor.isAway && carries) {
                sensor.isAway = false
                sensor.status.presence = .present
                tell(sensor, date)
            } else if learned {
                tell(sensor, date)
            }
            if isFirst || carries { sensor.lastValue = date }
            guard let number = characteristic.uuid.assigned else { return }
            characteristics.insert(characteristic.uuid)
            entries.append(
                SessionEntry(
                    date, .notification(NotificationRecord(characteristic: number, bytes: bytes, sensor: id))))
        case .ended:
            // After the last value the workout is over; before the first there was none.
            if event.date <= time.upperBound, sensor.lastValue != nil, !sensor.isAway { leave(&sensor, date) }
        }
    }

    private mutating func tell(_ sensor: Sensor, _ date: Date) {
        entries.append(SessionEntry(date, .sensor(sensor.status)))
    }

    private mutating func leave(_ sensor: inout Sensor, _ date: Date) {
        sensor.isAway = true
        sensor.status.presence = .away
        tell(sensor, date)
    }

    /// Those that fell silent before the end.
    private mutating func stale(at end: Date) {
        for address in sensors.keys.sorted(by: { $0.value < $1.value }) {
            guard var sensor = sensors[address], !sensor.isAway, let last = sensor.lastValue,
                end.timeIntervalSince(last) > Self.staleAfterInSeconds
            else { continue }
            leave(&sensor, last.addingTimeInterval(Self.staleAfterInSeconds))
            sensors[address] = sensor
        }
    }

    /// Whether a packet says more than that the sensor is there: a strap off the skin is silent.
    private static func carriesReading(_ uuid: BluetoothUUID, _ bytes: [UInt8]) -> Bool {
        switch uuid {
        case .heartRateMeasurement: HeartRateMeasurement(bytes)?.heartRate != nil
        case .batteryLevel: false
        default: true
        }
    }

    /// - Returns: Whether more is known now.
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

    /// What the sensors suggest; a heart rate alone says nothing.
    private var activityName: String {
        if characteristics.contains(.cyclingPowerMeasurement)
            || characteristics.contains(.cyclingSpeedAndCadenceMeasurement)
        {
            return "cycling"
        }
        return characteristics.contains(.runningSpeedAndCadenceMeasurement) ? "running" : "other"
    }

    /// The same capture is the same workout, each time that it is read (FNV-1a; RFC 9562, version 8).
    private static func id(_ first: Date, _ last: Date, _ count: Int) -> UUID {
        let facts = [first.timeIntervalSince1970.bitPattern, last.timeIntervalSince1970.bitPattern, UInt64(count)]
        func hash(_ seed: UInt64) -> UInt64 {
            facts.flatMap { fact in (0..<8).map { fact >> (8 * $0) & 0xFF } }.reduce(seed) {
                ($0 ^ $1) &* 0x100_0000_01B3
            }
        }
        let high = hash(0xCBF2_9CE4_8422_2325) & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let low = hash(0x8422_2325_CBF2_9CE4) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ place: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: (place < 8 ? high : low) >> UInt64(56 - 8 * (place % 8)))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
                byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }
}
