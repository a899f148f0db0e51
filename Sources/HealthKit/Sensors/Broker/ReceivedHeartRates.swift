import Engine
import GATT
package import SessionLog

/// Converts heart rates from another program to entries of a session's log. Pure.
///
/// The sensor is present from its first heart rate on. It is away if the sender sends no number or 0, if the connection
/// is lost, and after 5 s of silence.
package struct ReceivedHeartRates: Sendable {
    private let id: String
    private let device: DeviceDescription
    private var isPresent = false
    private var last: Date?

    package init(id: String, name: String) {
        self.id = id
        device = DeviceDescription(name: name)
    }

    /// When ``becameSilent()`` is due. Nil while the sensor is away.
    package var silentAt: Date? { isPresent ? last?.addingTimeInterval(ReadingPriority.staleInSeconds) : nil }

    /// Adds the sensor to the session, even if no heart rate ever comes.
    package func begin(at date: Date) -> [SessionEntry] { [status(at: date)] }

    /// - Parameter heartRate: In beats per minute. Nil or 0 for none. Impossible heart rates are ignored.
    package mutating func receive(_ heartRate: Double?, at date: Date) -> [SessionEntry] {
        let date = max(date, last ?? date)
        last = date
        guard let heartRate, heartRate > 0 else { return goAway(at: date) }
        let plausible = HeartRateMeasurement.plausibleHeartRates
        guard (Double(plausible.lowerBound)...Double(plausible.upperBound)).contains(heartRate) else { return [] }
        let reading = SessionEntry(date, .quantity(.heartRate(heartRate, at: date, sensor: id)))
        guard !isPresent else { return [reading] }
        isPresent = true
        return [status(at: date), reading]
    }

    /// Notes that no heart rate came for 5 s.
    package mutating func becameSilent() -> [SessionEntry] { silentAt.map { goAway(at: $0) } ?? [] }

    private mutating func goAway(at date: Date) -> [SessionEntry] {
        guard isPresent else { return [] }
        isPresent = false
        return [status(at: date)]
    }

    private func status(at date: Date) -> SessionEntry {
        SessionEntry(
            date, .sensor(SensorStatus(id: id, kind: .app, presence: isPresent ? .present : .away, device: device)))
    }
}
