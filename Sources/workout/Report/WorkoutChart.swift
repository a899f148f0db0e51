import Analytics
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts

/// The charts of `workout show` for a stored workout: heart rate with laps, elevation and route.
struct WorkoutChart: Sendable {
    private var heartRates = HeartRateTimeline()
    private var altitudes: [(seconds: Double, meters: Double)] = []
    private var tracks: [[RouteSketch.Position]] = []
    private let lapStarts: [Double]
    private let seconds: Double
    private let zones: HeartRateZones?

    /// - Parameter entries: The entries of the same workout, from its start on.
    init(_ summary: WorkoutSummary, _ entries: some Sequence<SessionEntry>, zones: HeartRateZones?) {
        self.zones = zones
        seconds = summary.elapsedInSeconds
        lapStarts = summary.laps.map { $0.start.timeIntervalSince(summary.start) }
        var isApart = true
        for entry in entries {
            heartRates.take(entry)
            switch entry.content {
            // The way covered during a pause does not belong to the workout.
            case .state: isApart = true
            case .position(let position):
                if isApart { tracks.append([]) }
                isApart = false
                tracks[tracks.count - 1].append(
                    RouteSketch.Position(
                        latitude: position.latitudeInDegrees, longitude: position.longitudeInDegrees))
                if let meters = position.altitudeInMeters {
                    altitudes.append((entry.date.timeIntervalSince(summary.start), meters))
                }
            default: break
            }
        }
    }

    /// Returns the charts for which there is data.
    func lines(_ page: Page) -> [StyledLine] {
        let columns = page.columns - HeartRateCurve.labelColumns - 2
        guard columns >= 10, seconds > 0, seconds.isFinite else { return [] }
        var lines: [StyledLine] = []
        func add(_ title: String, _ section: [StyledLine]) {
            guard section.contains(where: { $0.width > 0 }) else { return }
            lines += [StyledLine(), StyledLine(title, .bold)] + section.map { "  " + $0 }
        }
        if !heartRates.isEmpty {
            let curve = HeartRateCurve(
                values: heartRates.means(columns, from: 0, to: seconds), zones: zones, span: 0...seconds,
                lapStarts: lapStarts, capability: page.capability)
            add(localized("Heart rate, bpm"), curve.lines(rows: 9))
        }
        add(localized("Elevation, m"), elevation(page, columns: columns))
        let sketch = RouteSketch.lines(
            tracks, columns: min(columns, 60), rows: 12, unicode: page.capability.unicode)
        add(localized("Route, north up"), sketch.map { StyledLine($0, .colour(.cyan)) })
        return lines
    }

    private func elevation(_ page: Page, columns: Int) -> [StyledLine] {
        var sums = Array(repeating: (sum: 0.0, count: 0.0), count: columns)
        for (second, meters) in altitudes where second >= 0 && second <= seconds && meters.isFinite {
            let column = min(columns - 1, Int(second / seconds * Double(columns)))
            sums[column].sum += meters
            sums[column].count += 1
        }
        var last: Double?
        var values: [Double?] = sums.map { $0.count > 0 ? $0.sum / $0.count : nil }
        // If positions are further apart than columns, the columns between keep the last elevation.
        for index in values.indices {
            if let value = values[index] { last = value } else if index > 0 { values[index] = last }
        }
        guard let range = Sparkline.range(of: values, atLeast: 20) else { return [] }
        let rows = Sparkline.rows(
            values, range: range, columns: columns, rows: 4, unicode: page.capability.unicode)
        return rows.enumerated().map { index, row in
            let label = index == 0 ? range.upperBound : index == rows.count - 1 ? range.lowerBound : nil
            return StyledLine(row, .colour(.grey))
                + (label.map { StyledLine(" " + MetricFormat.fixed($0, 0), .dim) } ?? StyledLine())
        }
    }
}
