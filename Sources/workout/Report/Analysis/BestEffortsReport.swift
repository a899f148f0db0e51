import HealthKit
import Reports
import StoredWorkouts

/// Best efforts over many workouts, for people and for programs.
extension BestEfforts {
    /// Returns a table for each sport and measure, with the day and the workout.
    func tables(_ page: Page) -> [(title: String, table: ColumnTable)] {
        bySport(.distance).map {
            (localized("Best efforts by distance: %1", Self.name(of: $0.activity)), distances($0, page))
        }
            + bySport(.power).map {
                (localized("Power curve: %1", Self.name(of: $0.activity)), means($0, localized("power"), page))
            }
            + bySport(.speed).map { sport in
                let form = SpeedForm(sport.activity)
                return (
                    localized("Best %1 by time: %2", form.name, Self.name(of: sport.activity)),
                    means(sport, form.name, page)
                )
            }
    }

    func lines(_ page: Page) -> [String] {
        tables(page).flatMap { title, table in
            ["", StyledLine(title, .bold).text(page.capability.colour)] + table.lines(page)
        }
    }

    private static func name(of activity: String) -> String { ActivityTitle.inSentence(activity) }

    private func distances(_ sport: Sport, _ page: Page) -> ColumnTable {
        let form = SpeedForm(sport.activity)
        var table = ColumnTable(
            columns: [
                .init(title: "  " + localized("distance")), .init(title: localized("time"), isNumber: true),
                .init(title: form.name, isNumber: true), .init(title: localized("day")),
                .init(title: localized("workout")),
            ])
        table.rows = sport.records.map { record in
            let (meters, seconds) = (record.effort.key.length, record.effort.value)
            return .values([
                "  " + record.effort.lengthText, MetricFormat.time(seconds), form.text(of: meters, in: seconds),
                page.shortDay(record.date), String(record.workout.uuid.uuidString.prefix(8)),
            ])
        }
        return table
    }

    private func means(
        _ sport: Sport, _ title: String, _ page: Page
    ) -> ColumnTable {
        var table = ColumnTable(
            columns: [
                .init(title: "  " + localized("time")), .init(title: title, isNumber: true),
                .init(title: localized("day")),
                .init(title: localized("workout")),
            ])
        table.rows = sport.records.map { record in
            .values([
                "  " + record.effort.lengthText, record.effort.valueText, page.shortDay(record.date),
                String(record.workout.uuid.uuidString.prefix(8)),
            ])
        }
        return table
    }

    // MARK: For programs

    var distanceJSON: JSONText {
        .object(
            bySport(.distance).map { sport in
                (
                    sport.activity,
                    .array(
                        sport.records.map {
                            .object([
                                ("meters", .optional($0.effort.key.length)), ("seconds", .optional($0.effort.value)),
                                ("date", .date($0.date)), ("workout", .string($0.workout.uuid.uuidString)),
                            ])
                        })
                )
            })
    }

    var timeJSON: JSONText {
        func array(_ sport: Sport, _ name: String) -> JSONText {
            .array(
                sport.records.map {
                    .object([
                        ("seconds", .optional($0.effort.key.length)), (name, .optional($0.effort.value)),
                        ("date", .date($0.date)), ("workout", .string($0.workout.uuid.uuidString)),
                    ])
                })
        }
        let powers = bySport(.power).map { ($0.activity, Optional(array($0, "averageInWatts"))) }
        let speeds = bySport(.speed).map { ($0.activity, Optional(array($0, "averageInMetersPerSecond"))) }
        return .object([("power", .object(powers)), ("speed", .object(speeds))])
    }
}

extension BestEffort {
    /// The length: `5 km`, `half marathon`, or `20:00` for a mean.
    var lengthText: String {
        key.measure == .distance ? DistanceReport.name(ofMeters: key.length) : MetricFormat.shortTime(key.length)
    }

    /// The value: `0:19:58`, `251 W`, `4:12 /km`.
    var valueText: String {
        switch key.measure {
        case .distance: MetricFormat.time(value)
        case .power: MetricFormat.power(value)
        case .speed: SpeedForm(key.activity).text(value)
        }
    }
}

extension BestEffort {
    var json: JSONText {
        let member: (String, JSONText?) =
            switch key.measure {
            case .distance: ("seconds", .optional(value))
            case .power: ("averageInWatts", .optional(value))
            case .speed: ("averageInMetersPerSecond", .optional(value))
            }
        return .object([
            ("activity", .string(key.activity)),
            (key.measure == .distance ? "meters" : "seconds", .optional(key.length)), member,
        ])
    }
}

extension [BestEffort] {
    /// The records in the space of a list: the longest distance, or else the longest time, and how many more there are.
    /// Empty without records.
    ///
    /// Leaves out the mean speed over a time, which adds little to a distance.
    var recordText: String {
        let records = filter { $0.key.measure != .speed }
        let distances = records.filter { $0.key.measure == .distance }
        guard let first = distances.last ?? records.last else { return "" }
        return first.lengthText + (first.key.measure == .power ? " " + localized("power") : "")
            + (records.count > 1 ? " +\(records.count - 1)" : "")
    }
}
