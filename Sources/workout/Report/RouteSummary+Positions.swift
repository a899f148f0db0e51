import CoreLocation
import Foundation
import HealthKit
import Recordings

extension RouteSummary {
    /// Nil without positions. Each track is in order of time; between two there is no way.
    init?(tracks: [[(date: Date, position: PositionReading)]]) {
        self.init(points: 0, distanceInMeters: 0)
        for track in tracks {
            var previous: CLLocation?
            for point in track {
                let location = CLLocation(point.position, at: point.date)
                if let previous {
                    let meters = location.distance(from: previous)
                    if meters.isFinite { distanceInMeters += meters }
                }
                previous = location
            }
            points += track.count
        }
        if points == 0 { return nil }
    }

    /// The positions in a session's log, as they become a route.
    init?(_ log: [SessionEntry]) {
        var positions: [(date: Date, position: PositionReading)] = []
        for entry in CountedEntries(log) {
            switch entry.content {
            case .position(let position): positions.append((entry.date, position))
            case .routeDiscarded: positions.removeAll { $0.position.isAdded }
            default: break
            }
        }
        self.init(tracks: [positions.sorted { $0.date < $1.date }])
    }
}
