import GATT
package import SessionLog

/// Heart rates that arrive one by one from a program, as entries of a session's log. Pure.
///
/// The sensor is present from its first heart rate on, and away without one: when the sender says so (no number, or 0), when the
/// connection is lost, and after 5 s of silence.
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

    /// The sensor belongs to the session, whether or not a heart rate ever comes.
    package func begin(at date: Date) -> [SessionEntry] { [status(at: date)] }

    /// - Parameter heartRate: In beats per minute. Nil or 0: there is none. What no heart does is not a reading.
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

    /// No heart rate came for 5 s.
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
