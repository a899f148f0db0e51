import CoreLocation
import Foundation
import HealthKit
import Recordings

extension RouteSummary {
    /// Nil without positions. Each track is in order of time; between two there is no way.
    init?(tracks: [[(date: Date, position: PositionReading)]]) {
        self.init(points: 0, distanceInMeters: 0)
        for track in tracks {
            add(track.lazy.map { CLLocation($0.position, at: $0.date) })
            points += track.count
        }
        if points == 0 { return nil }
    }

    fileprivate mutating func add(_ track: some Sequence<CLLocation>) {
        var previous: CLLocation?
        for location in track {
            if let previous {
                let meters = location.distance(from: previous)
                if meters.isFinite { distanceInMeters += meters }
            }
            previous = location
        }
    }
}

/// The positions in a session's log, as they become a route: of a day of them no more is kept than where and when they were.
struct LoggedRoute {
    private var points: [(date: Date, latitude: Double, longitude: Double, isAdded: Bool)] = []

    mutating func take(_ entry: SessionEntry) {
        switch entry.content {
        case .position(let position):
            points.append(
                (entry.date, position.latitudeInDegrees, position.longitudeInDegrees, position.isAdded))
        case .routeDiscarded: points.removeAll { $0.isAdded }
        default: break
        }
    }

    /// Nil without positions.
    var summary: RouteSummary? {
        guard !points.isEmpty else { return nil }
        var summary = RouteSummary(points: points.count, distanceInMeters: 0)
        let isOrdered = zip(points, points.dropFirst()).allSatisfy { $0.date <= $1.date }
        let ordered = isOrdered ? points : points.sorted { $0.date < $1.date }
        summary.add(ordered.lazy.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) })
        return summary
    }
}
