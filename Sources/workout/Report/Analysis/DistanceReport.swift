import Analytics
import HealthKit

/// How a distance was covered, for people and for programs: splits, ascent, moving time and best efforts.
struct DistanceReport {
    var analysis: DistanceAnalysis
    /// A case name of `HKWorkoutActivityType`.
    var activity: String

    private var form: SpeedForm { SpeedForm(activity) }

    // MARK: For people

    /// Section by section; what the sport or the sensors have none of is left out.
    func lines(_ page: Page) -> [String] {
        var lines: [String] = []
        func add(_ title: String, _ rows: [String]) {
            lines += ["", StyledLine(title, .bold).text(page.capability.colour)] + rows
        }
        if let splits = splits(page) { add("Splits", splits.lines(page)) }
        if !facts.isEmpty {
            let rows = facts.map { StyledLine("  \($0.label)", .dim).padded(to: 17) + StyledLine($0.text) }
            add("Climb and time", rows.map { $0.text(page.capability.colour) })
        }
        if let efforts { add("Best efforts by distance", efforts.lines(page)) }
        return lines
    }

    /// Nil if there is no more than one.
    func splits(_ page: Page) -> ColumnTable? {
        let splits = analysis.splits(ofMeters: form.metersOfUnit)
        guard splits.count > 1 else { return nil }
        // A grade-adjusted pace is one of running: its formula is.
        let optional: [(title: String, text: (DistanceAnalysis.Split) -> String?)] = [
            ("avg bpm", { $0.averageHeartRate.map { MetricFormat.fixed($0, 0) } }),
            ("up", { $0.stretch.climb.map { Self.height($0.ascent) } }),
            ("down", { $0.stretch.climb.map { Self.height($0.descent) } }),
            ("on the level", { activity == "running" ? $0.gradeAdjustedSpeed.map(form.text) : nil }),
        ].filter { column in splits.contains { column.1($0) != nil } }
        var table = ColumnTable(
            columns: [
                .init(title: "  split"), .init(title: "time", isNumber: true), .init(title: form.name, isNumber: true),
            ]
                + optional.map { .init(title: $0.title, isNumber: true) })
        for split in splits {
            let isRest = split.stretch.meters < form.metersOfUnit * (1 - 1e-6)
            table.rows.append(
                .values(
                    [
                        "  " + (isRest ? MetricFormat.distance(split.stretch.meters) : "\(split.number)"),
                        MetricFormat.time(split.activeSeconds),
                        form.text(of: split.stretch.meters, in: split.activeSeconds),
                    ] + optional.map { $0.text(split) ?? page.dash }))
        }
        return table
    }

    /// Ascent and descent, and how long somebody moved; empty without a distance.
    var facts: [(label: String, text: String)] {
        var facts: [(String, String)] = []
        if let climb = analysis.altitude.climb() {
            facts.append(("ascent", Self.height(climb.ascent)))
            facts.append(("descent", Self.height(climb.descent)))
        }
        if let end = analysis.endInSeconds, analysis.distance.totalInMeters > 0 {
            facts.append(
                ("moving", "\(MetricFormat.time(analysis.distance.movingSeconds)) of \(MetricFormat.time(end))"))
        }
        return facts
    }

    /// Nil if the workout is shorter than the shortest distance, or its sport compares none.
    var efforts: ColumnTable? {
        let efforts = analysis.efforts(in: activity)
        guard !efforts.isEmpty else { return nil }
        var table = ColumnTable(
            columns: [
                .init(title: "  distance"), .init(title: "time", isNumber: true),
                .init(title: form.name, isNumber: true), .init(title: "after", isNumber: true),
            ])
        for effort in efforts {
            table.rows.append(
                .values([
                    "  " + Self.name(ofMeters: effort.meters), MetricFormat.time(effort.seconds),
                    form.text(of: effort.meters, in: effort.seconds), MetricFormat.time(effort.start),
                ]))
        }
        return table
    }

    /// Races have their names in all units.
    static func name(ofMeters meters: Double) -> String {
        switch meters {
        case 1_609.344: "1 mile"
        case 21_097.5: "half marathon"
        case 42_195: "marathon"
        case ..<5000: MetricFormat.short(meters) + " m"
        default: MetricFormat.short(meters / 1000) + " km"
        }
    }

    private static func height(_ meters: Double) -> String {
        switch DistanceUnits.current {
        case .metric: MetricFormat.fixed(meters, 0) + " m"
        case .imperial: MetricFormat.fixed(meters / DistanceUnits.metersPerFoot, 0) + " ft"
        }
    }

    // MARK: For programs

    /// Splits are those of a kilometre, in the water of a hundred metres.
    var json: [(String, JSONText?)] {
        let climb = analysis.altitude.climb()
        let splits = analysis.splits(ofMeters: form == .swimPace ? 100 : 1000)
        return [
            ("elapsedInSeconds", .optional(analysis.endInSeconds)),
            (
                "movingInSeconds",
                .optional(analysis.distance.totalInMeters > 0 ? analysis.distance.movingSeconds : nil)
            ),
            ("ascentInMeters", .optional(climb?.ascent)), ("descentInMeters", .optional(climb?.descent)),
            (
                "splits",
                .array(
                    splits.map { split in
                        .object([
                            ("meters", .optional(split.stretch.meters)),
                            ("startInSeconds", .optional(split.stretch.start)),
                            ("elapsedInSeconds", .optional(split.stretch.elapsedSeconds)),
                            ("activeInSeconds", .optional(split.activeSeconds)),
                            ("averageHeartRateInBeatsPerMinute", .optional(split.averageHeartRate)),
                            ("ascentInMeters", .optional(split.stretch.climb?.ascent)),
                            ("descentInMeters", .optional(split.stretch.climb?.descent)),
                            (
                                "gradeAdjustedSpeedInMetersPerSecond",
                                .optional(activity == "running" ? split.gradeAdjustedSpeed : nil)
                            ),
                        ])
                    })
            ),
            (
                "distanceEfforts",
                .array(
                    analysis.efforts(in: activity).map {
                        .object([
                            ("meters", .optional($0.meters)), ("seconds", .optional($0.seconds)),
                            ("startInSeconds", .optional($0.start)),
                        ])
                    })
            ),
        ]
    }
}

extension DistanceRecords {
    /// A table for each sport, with the day and the workout.
    func lines(_ page: Page) -> [String] {
        bySport.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.flatMap { sport, records in
            let form = SpeedForm(sport)
            var table = ColumnTable(
                columns: [
                    .init(title: "  distance"), .init(title: "time", isNumber: true),
                    .init(title: form.name, isNumber: true), .init(title: "day"), .init(title: "workout"),
                ])
            for record in records {
                let effort = record.effort
                table.rows.append(
                    .values([
                        "  " + DistanceReport.name(ofMeters: effort.meters), MetricFormat.time(effort.seconds),
                        form.text(of: effort.meters, in: effort.seconds), page.sortableDay(record.date),
                        String(record.workout.uuid.uuidString.prefix(8)),
                    ]))
            }
            let title = "Best efforts by distance: \(ActivityTitle.of(sport).lowercased())"
            return ["", StyledLine(title, .bold).text(page.capability.colour)] + table.lines(page)
        }
    }

    var json: JSONText {
        .object(
            bySport.sorted { $0.key < $1.key }.map { sport, records in
                (
                    sport,
                    .array(
                        records.map {
                            .object([
                                ("meters", .optional($0.effort.meters)), ("seconds", .optional($0.effort.seconds)),
                                ("date", .date($0.date)), ("workout", .string($0.workout.uuid.uuidString)),
                            ])
                        })
                )
            })
    }
}
