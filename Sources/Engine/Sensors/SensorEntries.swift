package import Bluetooth
package import Foundation
import GATT
package import SessionLog

/// Converts the events of a sensor's link to entries of a session's log. Pure.
///
/// The sensor is present from its first reading on. It is away when the link is lost, when it reports no skin contact
/// or a heart rate of 0, and after 5 s without a reading. This makes a gap and never a zero.
package struct SensorEntries: Sendable {
    package static let staleInSeconds = ReadingPriority.staleInSeconds

    package let id: String
    private let kind: SensorStatus.Kind
    package private(set) var device: DeviceDescription
    private let keepsNotifications: Bool
    private var motion: MotionReadings
    private var isPresent = false
    private var batteryPercent: Int?
    private var lastReading: Date?
    /// The last reading other than a heart rate.
    private var lastMotion: Date?
    /// Whether it sends RR intervals with its heart rates, so that its pulse intervals are not needed.
    private var sendsIntervals = false
    private var streamTimes: [PolarStream: StreamTime] = [:]
    /// Statuses do not go back in time.
    private var latest: Date?

    package init(_ sensor: PairedSensor, activity: ActivityDescription, keepsNotifications: Bool) {
        id = sensor.address.description
        kind = sensor.address.ant == nil ? .bluetooth : .ant
        device = sensor.device
        self.keepsNotifications = keepsNotifications
        motion = MotionReadings(
            activity: activity.activity, sensor: sensor.address.description,
            wheelCircumferenceInMeters: sensor.wheelCircumferenceInMeters)
    }

    /// When ``becameStale()`` is due. Nil while the sensor is away.
    package var staleAt: Date? { isPresent ? lastReading?.addingTimeInterval(Self.staleInSeconds) : nil }

    /// Adds the sensor to the session, even if it never comes.
    package mutating func begin(at date: Date) -> [SessionEntry] { [status(at: date)] }

    package mutating func entries(for event: SensorLinkEvent) -> [SessionEntry] {
        switch event {
        case .value(let notification):
            return entries(notification)
        case .battery(let percent, let date):
            guard percent != batteryPercent else { return [] }
            batteryPercent = percent
            return [status(at: date)]
        case .details(let details):
            let known = device
            device.update(with: details)
            return device == known ? [] : [status(at: latest ?? .distantPast)]
        case .changed(let phase, _, let date):
            switch phase {
            case .streaming, .silent, .subscribing, .pairing: return []
            case .waitingForService, .waitingForAdapter, .searching, .connecting, .backoff, .blocked, .stopped:
                motion.forget()
                streamTimes = [:]
                return goAway(at: min(date, staleAt ?? date))
            }
        case .streamed(let frame, let rate, let date):
            return entries(frame, rate, at: date)
        case .missed, .contact, .energyReset, .lookalike, .stream:
            return []
        }
    }

    /// Notes that no reading came for 5 s.
    package mutating func becameStale() -> [SessionEntry] {
        staleAt.map { goAway(at: $0) } ?? []
    }

    private mutating func entries(_ notification: SensorNotification) -> [SessionEntry] {
        let date = notification.date
        // Values that are not used are kept as they came.
        let packet =
            keepsNotifications || notification.heartRate?.isImplausible == true
            ? notification.characteristic.assigned.map {
                SessionEntry(
                    date,
                    .notification(NotificationRecord(characteristic: $0, bytes: notification.bytes, sensor: id)))
            } : nil
        let raw = packet.map { [$0] } ?? []
        let readings: [SessionEntry]
        switch notification.measurement {
        case .heartRate(let measurement):
            readings = SessionEntry.readings(of: measurement, at: date, sensor: id)
            if !measurement.rrIntervals.isEmpty { sendsIntervals = true }
            if !measurement.hasSignal { return raw + readings + loseContact(at: date) }
        case .some(let measurement):
            readings = motion.readings(measurement, at: date).map { SessionEntry(date, .quantity($0)) }
            if !readings.isEmpty { lastMotion = date }
        case nil:
            readings = []
        }
        guard !readings.isEmpty else { return raw }
        lastReading = date
        latest = max(latest ?? date, date)
        guard !isPresent else { return raw + readings }
        isPresent = true
        return [status(at: date)] + raw + readings
    }

    private mutating func entries(_ frame: PolarFrame, _ samplesPerSecond: Int?, at date: Date) -> [SessionEntry] {
        switch frame.content {
        case .voltages(let values): return waveform(.electrocardiogram, values, frame, samplesPerSecond, at: date)
        case .acceleration(let values): return waveform(.acceleration, values, frame, samplesPerSecond, at: date)
        case .pulses(let pulses):
            let intervals = pulses.filter { !$0.isDoubtful && $0.intervalInMilliseconds > 0 }
                .map { Double($0.intervalInMilliseconds) }
            guard isPresent, !sendsIntervals, !intervals.isEmpty else { return [] }
            // Some sensors update the heart rate only every five seconds while they send pulses.
            lastReading = date
            return [SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: intervals, sensor: id)))]
        }
    }

    /// A piece of a signal. Without a rate, it cannot be dated.
    private mutating func waveform(
        _ signal: WaveformReading.Signal, _ values: [Int32], _ frame: PolarFrame, _ samplesPerSecond: Int?,
        at date: Date
    ) -> [SessionEntry] {
        guard let rate = samplesPerSecond.map(Double.init), rate > 0, isPresent else { return [] }
        let last = streamTimes[frame.stream, default: StreamTime()].date(of: frame.nanoseconds, arrived: date)
        let start = last - Double(values.count / signal.channels - 1) / rate
        return [
            SessionEntry(
                date, .waveform(WaveformReading(signal, values, samplesPerSecond: rate, start: start, sensor: id)))
        ]
    }

    /// A sensor that also measures something else is still present.
    private mutating func loseContact(at date: Date) -> [SessionEntry] {
        if let lastMotion, date.timeIntervalSince(lastMotion) <= Self.staleInSeconds { return [] }
        return goAway(at: date)
    }

    private mutating func goAway(at date: Date) -> [SessionEntry] {
        guard isPresent else { return [] }
        isPresent = false
        return [status(at: date)]
    }

    private mutating func status(at date: Date) -> SessionEntry {
        let date = max(date, latest ?? date)
        latest = date
        return SessionEntry(
            date,
            .sensor(
                SensorStatus(
                    id: id, kind: kind, presence: isPresent ? .present : .away, device: device,
                    batteryPercent: batteryPercent)))
    }
}

/// Dates samples by a sensor's own clock, because packets may be late but never early.
struct StreamTime: Sendable {
    /// The date at which the sensor's clock was 0.
    private var zero: Date?
    /// The largest difference of both clocks. A larger one means that the sensor's clock was set, or that packets were
    /// lost for long.
    private static let limitInSeconds = 3.0

    /// - Parameter nanoseconds: On the sensor's clock. 0 if it has no time.
    mutating func date(of nanoseconds: UInt64, arrived: Date) -> Date {
        guard nanoseconds > 0 else { return arrived }
        let seconds = Double(nanoseconds) / 1e9
        if let zero, abs((zero + seconds).timeIntervalSince(arrived)) < Self.limitInSeconds, zero + seconds <= arrived {
            return zero + seconds
        }
        zero = arrived - seconds
        return arrived
    }
}

extension DeviceDescription {
    /// Merges a newer description. Missing parts stay as they were.
    package mutating func update(with details: SensorDetails) {
        let information = details.information
        name = name ?? details.name
        manufacturer = information[.manufacturerName] ?? manufacturer
        model = information[.modelNumber] ?? model
        hardwareVersion = information[.hardwareRevision] ?? hardwareVersion
        firmwareVersion = information[.firmwareRevision] ?? firmwareVersion
        softwareVersion = information[.softwareRevision] ?? softwareVersion
    }
}
