import CoreLocation
package import Recordings

extension RouteSummary {
    /// Nil without positions. Each track is in order of time; between two there is no way.
    package init?(tracks: [[(date: Date, position: PositionReading)]], pauses: [WorkoutSummary.Pause]) {
        self.init(points: 0, distanceInMeters: 0)
        for track in tracks {
            add(track.lazy.map { (date: $0.date, place: CLLocation($0.position, at: $0.date)) }, pauses)
            points += track.count
        }
        if points == 0 { return nil }
    }

    /// - Parameter pauses: In order of time. Who went elsewhere in a pause did not go there in the workout: the way from
    ///   the last position before a pause to the first behind it does not count.
    fileprivate mutating func add(
        _ track: some Sequence<(date: Date, place: CLLocation)>, _ pauses: [WorkoutSummary.Pause]
    ) {
        var rest = pauses[...]
        var previous: (date: Date, place: CLLocation)?
        for next in track {
            if let previous {
                rest = rest.drop { $0.start < previous.date }
                let spansPause = rest.first.map { $0.end <= next.date } ?? false
                let meters = next.place.distance(from: previous.place)
                if meters.isFinite, !spansPause { distanceInMeters += meters }
            }
            previous = next
        }
    }
}

/// The positions in a session's log, as they become a route: of a day of them no more is kept than where and when they were.
package struct LoggedRoute {
    private var points: [(date: Date, latitude: Double, longitude: Double, isAdded: Bool)] = []

    package mutating func take(_ entry: SessionEntry) {
        switch entry.content {
        case .position(let position):
            points.append(
                (entry.date, position.latitudeInDegrees, position.longitudeInDegrees, position.isAdded))
        case .routeDiscarded: points.removeAll { $0.isAdded }
        default: break
        }
    }

    /// Nil without positions.
    package func summary(pauses: [WorkoutSummary.Pause]) -> RouteSummary? {
        guard !points.isEmpty else { return nil }
        var summary = RouteSummary(points: points.count, distanceInMeters: 0)
        let isOrdered = zip(points, points.dropFirst()).allSatisfy { $0.date <= $1.date }
        let ordered = isOrdered ? points : points.sorted { $0.date < $1.date }
        summary.add(
            ordered.lazy.map { (date: $0.date, place: CLLocation(latitude: $0.latitude, longitude: $0.longitude)) },
            pauses)
        return summary
    }
}
