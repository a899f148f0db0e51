public import Foundation

/// Metres covered, from a foot pod's total distance, or from its speed if it has no total.
///
/// Call `forget()` after the pod has reconnected: the distance in between is a gap.
public struct RunningOdometer: Sendable, Equatable {
    /// Faster than people run (the record is 12.4 m/s). A larger value is a fault, or the pod was reset.
    public static let maximumMetersPerSecond = 12.5
    /// The longest time between two packets over which a speed counts.
    public static let maximumSilenceInSeconds = 5.0
    /// Packets may arrive this much late, and then all at once.
    static let latenessInSeconds = 10.0

    private var last: (arrival: Date, decimeters: UInt32?)?

    public init() {}

    public static func == (a: Self, b: Self) -> Bool {
        a.last?.arrival == b.last?.arrival && a.last?.decimeters == b.last?.decimeters
    }

    /// - Parameter arrival: When the packet arrived, on a clock that does not jump.
    /// - Returns: Metres since the packet before. Nil for the first packet, for a total that fell or jumped, and after
    ///   a silence if the pod has no total.
    public mutating func add(_ measurement: RunningSpeedCadenceMeasurement, at arrival: Date) -> Double? {
        let before = last
        last = (arrival, measurement.totalDistanceInDecimeters)
        guard let before else { return nil }
        let silence = arrival.timeIntervalSince(before.arrival)
        guard silence >= 0 else { return nil }
        if let total = measurement.totalDistanceInDecimeters {
            guard let base = before.decimeters, total >= base else { return nil }
            let meters = Double(total - base) / 10
            return meters <= Self.maximumMetersPerSecond * (silence + Self.latenessInSeconds) ? meters : nil
        }
        guard silence <= Self.maximumSilenceInSeconds, measurement.speedInMetersPerSecond <= Self.maximumMetersPerSecond
        else { return nil }
        return measurement.speedInMetersPerSecond * silence
    }

    /// Makes the next packet the first.
    public mutating func forget() { last = nil }
}
