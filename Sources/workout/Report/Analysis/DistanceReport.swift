import Analytics
import HealthKit
import Reports
import StoredWorkouts

/// How a distance was covered, for people and for programs: splits, ascent, moving time and best efforts.
struct DistanceReport {
    var analysis: DistanceAnalysis
    /// The efforts that are the best of all history. Nil if that is not known.
    var records: Set<BestEffort.Key>?

    /// The legs with a distance, each in the units of its sport.
    private var legs: [DistanceAnalysis.Leg] { analysis.legs.filter { $0.distance.totalInMeters > 0 } }

    // MARK: For people

    /// Returns the report section by section. Leaves out what the sport or the sensors do not have.
    func lines(_ page: Page) -> [String] {
        var lines: [String] = []
        func add(_ title: String, _ rows: [String]) {
            lines += ["", StyledLine(title, .bold).text(page.capability.colour)] + rows
        }
        for (title, table) in splits(page) { add(title, table.lines(page)) }
        if !facts.isEmpty {
            let rows = facts.map { StyledLine("  \($0.label)", .dim).padded(to: 17) + StyledLine($0.text) }
            add(localized("Climb and moving time"), rows.map { $0.text(page.capability.colour) })
        }
        for (title, table) in efforts { add(title, table.lines(page)) }
        return lines
    }

    /// Returns the title of a leg's table, which names the sport if there are several legs.
    private func title(_ title: String, _ leg: DistanceAnalysis.Leg) -> String {
        analysis.legs.count > 1 ? "\(title): \(ActivityTitle.inSentence(leg.activity))" : title
    }

    /// Returns a table for each leg with more than one split.
    func splits(_ page: Page) -> [(title: String, table: ColumnTable)] {
        legs.compactMap { leg in splits(of: leg, page).map { (title(localized("Splits"), leg), $0) } }
    }

    private func splits(of leg: DistanceAnalysis.Leg, _ page: Page) -> ColumnTable? {
        let form = SpeedForm(leg.activity)
        let length = form.metersOfUnit
        let splits = analysis.splits(of: leg, meters: length)
        guard splits.count > 1 else { return nil }
        // The formula of the grade-adjusted pace is for running.
        let optional: [(title: String, text: (DistanceAnalysis.Split) -> String?)] = [
            (localized("avg bpm"), { $0.averageHeartRate.map { MetricFormat.fixed($0, 0) } }),
            (localized("up"), { $0.stretch.climb.map { MetricFormat.height($0.ascent) } }),
            (localized("down"), { $0.stretch.climb.map { MetricFormat.height($0.descent) } }),
            (localized("on the level"), { leg.activity == "running" ? $0.gradeAdjustedSpeed.map(form.text) : nil }),
        ].filter { column in splits.contains { column.1($0) != nil } }
        var table = ColumnTable(
            columns: [
                .init(title: "  " + localized("split")), .init(title: localized("time"), isNumber: true),
                .init(title: form.name, isNumber: true),
            ]
                + optional.map { .init(title: $0.title, isNumber: true) })
        for split in splits {
            let isRest = split.stretch.meters < length * (1 - 1e-6)
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

    /// Ascent, descent and moving time. Empty without a distance.
    var facts: [(label: String, text: String)] {
        var facts: [(String, String)] = []
        if let climb = analysis.altitude.climb() {
            facts.append((localized("ascent"), MetricFormat.height(climb.ascent)))
            facts.append((localized("descent"), MetricFormat.height(climb.descent)))
        }
        if analysis.endInSeconds != nil, analysis.distance.totalInMeters > 0 {
            facts.append((localized("moving time"), MetricFormat.time(analysis.movingSeconds)))
        }
        return facts
    }

    /// A table for each leg that is at least as long as the shortest distance compared in its sport.
    var efforts: [(title: String, table: ColumnTable)] {
        legs.compactMap { leg in efforts(of: leg).map { (title(localized("Best efforts by distance"), leg), $0) } }
    }

    private func efforts(of leg: DistanceAnalysis.Leg) -> ColumnTable? {
        let efforts = leg.efforts
        guard !efforts.isEmpty else { return nil }
        let form = SpeedForm(leg.activity)
        func isRecord(_ effort: DistanceCourse.Effort) -> Bool {
            records?.contains(BestEffort.Key(leg.activity, .distance, effort.meters)) == true
        }
        let hasRecords = efforts.contains(where: isRecord)
        var table = ColumnTable(
            columns: [
                .init(title: "  " + localized("distance")), .init(title: localized("time"), isNumber: true),
                .init(title: form.name, isNumber: true), .init(title: localized("after"), isNumber: true),
            ] + (hasRecords ? [.init(title: "")] : []))
        for effort in efforts {
            table.rows.append(
                .values(
                    [
                        "  " + Self.name(ofMeters: effort.meters), MetricFormat.time(effort.seconds),
                        form.text(of: effort.meters, in: effort.seconds), MetricFormat.time(effort.start),
                    ] + (hasRecords ? [isRecord(effort) ? localized("record") : ""] : [])))
        }
        return table
    }

    /// Returns the name of a distance. Races have the same name in all units.
    static func name(ofMeters meters: Double) -> String {
        switch meters {
        case 1_609.344: localized("1 mile")
        case 21_097.5: localized("half marathon")
        case 42_195: localized("marathon")
        case ..<5000: MetricFormat.short(meters) + " m"
        default: MetricFormat.short(meters / 1000) + " km"
        }
    }

    // MARK: For programs

    /// The JSON members. Splits are of a kilometre, in the water of a hundred metres. If there are several legs, each
    /// split names its own.
    var json: [(String, JSONText?)] {
        let climb = analysis.altitude.climb()
        let isMultisport = analysis.legs.count > 1
        func activity(_ leg: DistanceAnalysis.Leg) -> (String, JSONText?) {
            ("activity", isMultisport ? .string(leg.activity) : nil)
        }
        let splits = legs.flatMap { leg in
            analysis.splits(of: leg, meters: SpeedForm(leg.activity) == .swimPace ? 100 : 1000).map { split in
                JSONText.object([
                    activity(leg), ("meters", .optional(split.stretch.meters)),
                    ("startInSeconds", .optional(split.stretch.start)),
                    ("elapsedInSeconds", .optional(split.stretch.elapsedSeconds)),
                    ("activeInSeconds", .optional(split.activeSeconds)),
                    ("averageHeartRateInBeatsPerMinute", .optional(split.averageHeartRate)),
                    ("ascentInMeters", .optional(split.stretch.climb?.ascent)),
                    ("descentInMeters", .optional(split.stretch.climb?.descent)),
                    (
                        "gradeAdjustedSpeedInMetersPerSecond",
                        .optional(leg.activity == "running" ? split.gradeAdjustedSpeed : nil)
                    ),
                ])
            }
        }
        let efforts = legs.flatMap { leg in
            leg.efforts.map { effort in
                JSONText.object([
                    activity(leg), ("meters", .optional(effort.meters)), ("seconds", .optional(effort.seconds)),
                    ("startInSeconds", .optional(effort.start)),
                    (
                        "isRecord",
                        records.map { .boolean($0.contains(BestEffort.Key(leg.activity, .distance, effort.meters))) }
                    ),
                ])
            }
        }
        return [
            ("elapsedInSeconds", .optional(analysis.endInSeconds)),
            (
                "movingInSeconds",
                .optional(analysis.distance.totalInMeters > 0 ? analysis.movingSeconds : nil)
            ),
            ("ascentInMeters", .optional(climb?.ascent)), ("descentInMeters", .optional(climb?.descent)),
            ("splits", .array(splits)), ("distanceEfforts", .array(efforts)),
        ]
    }
}

extension DistanceReport {
    /// Creates the report of a stored workout, with the records that it holds.
    init(_ workout: HKWorkout, in database: any HealthDatabase) throws {
        let records = try BestEfforts(in: database).records(heldBy: workout.uuid)
        self.init(
            analysis: try DistanceAnalysis(workout, in: database), records: Set(records.map(\.key)))
    }
}
