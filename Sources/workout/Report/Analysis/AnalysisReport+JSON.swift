import Analytics
import HealthKit

extension AnalysisReport {
    /// One object. Units are in the names of members; what is not to be had is left out, and `unavailable` says why.
    var json: String {
        var members: [(String, JSONText?)] = [
            ("id", .string(summary.id.uuidString)), ("activity", .string(summary.activity)),
            ("start", .date(summary.start)), ("end", .date(summary.end)),
            ("durationInSeconds", .optional(summary.durationInSeconds)),
            ("averageHeartRateInBeatsPerMinute", .optional(heartRate?.average)),
            ("maximumHeartRateInBeatsPerMinute", .optional(heartRate?.maximum)),
            (
                "zones",
                .array(
                    summary.zones.map { zone in
                        let bounds = bounds(ofZone: zone.zone)
                        return .object([
                            ("zone", .integer(zone.zone)),
                            ("fromBeatsPerMinute", .optional(bounds?.lowerBound)),
                            ("toBeatsPerMinute", .optional(bounds?.upperBound)),
                            ("seconds", .optional(zone.seconds)),
                        ])
                    })
            ),
        ]
        members += [
            ("powerZones", summary.powerZones.map { SummaryJSON.json($0, unit: "Watts") }),
            ("belowPowerZonesInSeconds", summary.powerZones.map { .integer($0.below) }),
            ("paceZones", summary.speedZones.map { SummaryJSON.json($0, unit: "MetersPerSecond") }),
            ("belowPaceZonesInSeconds", summary.speedZones.map { .integer($0.below) }),
        ]
        var missing: [(String, MissingFigure)] = reasonForNoZones.map { [("zones", $0)] } ?? []
        missing += reasonsForNoMotionZones.map { ($0.figure, $0.reason) }
        for section in sections {
            members.append((section.name, .object(section.rows.map { ($0.name, .optional(try? $0.figure.get())) })))
            missing += section.rows.compactMap { row in
                guard case .failure(let reason) = row.figure else { return nil }
                return ("\(section.name).\(row.name)", reason)
            }
        }
        let efforts = curves.map { curve in
            (
                curve.name,
                JSONText.array(
                    curve.efforts.map {
                        .object([
                            ("seconds", .integer($0.seconds)), ("mean", .optional($0.mean)),
                            ("startInActiveSeconds", .integer($0.start)),
                        ])
                    })
            )
        }
        members.append(("efforts", .object(efforts)))
        members += distanceReport.json
        missing += curves.filter(\.efforts.isEmpty).map { ("efforts.\($0.name)", .notMeasured($0.measure)) }
        members.append(("savedFigures", savedJSON))
        missing += unsaved
        members.append(("unavailable", Self.json(missing)))
        return JSONText.object(members).text
    }

    static func json(_ missing: [(String, MissingFigure)]) -> JSONText {
        .array(
            missing.map { name, reason in
                .object([
                    ("figure", .string(name)), ("reason", .string(reason.code)), ("sentence", .string(reason.sentence)),
                ])
            })
    }
}
