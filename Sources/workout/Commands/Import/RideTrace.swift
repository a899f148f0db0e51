import CoreLocation
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts

/// Heart rates and positions of a workout by whole seconds. Two copies of one recording share them at the same instants,
/// however much of one copy was trimmed.
struct RideTrace: Equatable {
    /// Fewer common instants prove nothing.
    private static let leastInstants = 60
    /// Of the readings of the shorter one that must be in the other, and of the common ones that must agree.
    private static let leastShare = 0.9
    private static let heartRateTolerance = 1.0
    private static let metersOfTolerance = 25.0
    /// A heart rate that hardly changes agrees with any other of its kind.
    private static let leastDifferentRates = 5
    /// Bounds the memory for recordings of several days.
    private static let mostInstants = 100_000

    private(set) var heartRates: [Int: Double] = [:]
    private(set) var places: [Int: CLLocationCoordinate2D] = [:]

    init() {}

    init(_ workout: HKWorkout, in database: any HealthDatabase) throws {
        let entries = try StoredWorkoutEntries(
            workout, in: database, only: [HKQuantityType(.heartRate)], withRoutes: true)
        for entry in entries { take(entry) }
        if let failure = entries.failure { throw failure }
    }

    mutating func take(_ entry: SessionEntry) {
        guard let second = Int(exactly: entry.date.timeIntervalSince1970.rounded(.down)) else { return }
        switch entry.content {
        case .quantity(let reading) where reading.type == "heartRate" && heartRates.count < Self.mostInstants:
            heartRates[second] = reading.value
        case .position(let position) where places.count < Self.mostInstants:
            places[second] = CLLocationCoordinate2D(
                latitude: position.latitudeInDegrees, longitude: position.longitudeInDegrees)
        default: break
        }
    }

    /// Returns whether the shorter of the two is a part of the other. Heart rates decide, or else positions.
    func isOfSameRecording(as other: RideTrace) -> Bool {
        let rates = Self.common(heartRates, other.heartRates)
        if let rates, Set(rates.map { $0.own.rounded(.towardZero) }).count >= Self.leastDifferentRates {
            return Self.agree(rates) { abs($0 - $1) <= Self.heartRateTolerance }
        }
        guard let places = Self.common(places, other.places) else { return false }
        return Self.agree(places) { Geodesic.distance(from: $0, to: $1) <= Self.metersOfTolerance }
    }

    /// Returns the values at the same instants. Returns nil if too few of the shorter one's instants are in the other.
    private static func common<Value>(
        _ own: [Int: Value], _ others: [Int: Value]
    ) -> [(own: Value, other: Value)]? {
        let pairs = own.compactMap { second, value in others[second].map { (own: value, other: $0) } }
        let least = max(leastInstants, Int(leastShare * Double(min(own.count, others.count))))
        return pairs.count >= least ? pairs : nil
    }

    private static func agree<Value>(
        _ pairs: [(own: Value, other: Value)], _ isSame: (Value, Value) -> Bool
    ) -> Bool {
        Double(pairs.count { isSame($0.own, $0.other) }) >= leastShare * Double(pairs.count)
    }

    static func == (one: RideTrace, other: RideTrace) -> Bool {
        one.heartRates == other.heartRates && one.places.keys == other.places.keys
    }
}
