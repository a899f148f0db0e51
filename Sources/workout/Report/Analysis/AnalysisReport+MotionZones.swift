import Analytics
import HealthKit
import Reports
import StoredWorkouts

extension AnalysisReport {
    /// Time in zones of power or pace, as rows of text. The terminal and the page show the same ones.
    struct MotionZoneTable {
        var title: String
        var rows: [Row]

        struct Row {
            /// The zone's number. 0 is below zone 1.
            var zone: Int
            var range: String
            var seconds: Double
            /// The share of the time with a value, as a fraction of 1.
            var share: Double
        }
    }

    /// The tables of the zones that the user has defined, if there are values to count.
    var motionZones: [MotionZoneTable] {
        [
            summary.powerZones.map { table(localized("Power zones"), $0) { MetricFormat.power($0) } },
            summary.speedZones.map { table(localized("%1 zones", speedForm.title), $0) { speedForm.text($0) } },
        ].compactMap { $0 }
    }

    private func table(_ title: String, _ zones: SecondsInZone, _ text: (Double) -> String) -> MotionZoneTable {
        let total = max(1, zones.seconds)
        func row(_ zone: Int, _ range: String, _ seconds: Int) -> MotionZoneTable.Row {
            .init(zone: zone, range: range, seconds: Double(seconds), share: Double(seconds) / Double(total))
        }
        let below = zones.below > 0 ? [row(0, localized("below %1", text(zones.lowerBounds[0])), zones.below)] : []
        return MotionZoneTable(
            title: title,
            rows: below
                + zones.zones.map { zone in
                    let lower = text(zone.bounds.lowerBound)
                    let isLast = !zone.bounds.upperBound.isFinite
                    return row(
                        zone.number,
                        isLast
                            ? localized("from %1", lower) : localized("%1 to %2", lower, text(zone.bounds.upperBound)),
                        zone.seconds)
                })
    }

    /// The reasons why there are none, for power and for pace.
    var reasonsForNoMotionZones: [(figure: String, reason: MissingFigure)] {
        func reason(_ name: String, _ zones: Figure<SecondsInZone>) -> [(String, MissingFigure)] {
            guard case .failure(let reason) = zones else { return [] }
            return [(name, reason)]
        }
        return reason("powerZones", analysis.timeInPowerZones) + reason("paceZones", analysis.timeInSpeedZones)
    }
}
