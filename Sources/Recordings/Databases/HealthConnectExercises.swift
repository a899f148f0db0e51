import Analytics

/// The exercises of an export of Health Connect, with the readings of their time. Readings belong to apps, not to
/// exercises, so each table is read once and its rows are given to the exercises during which they were measured.
struct HealthConnectExercises {
    /// In order of time.
    private(set) var all: [HealthConnectExercise] = []
    private var longest = 0.0

    init(_ database: SQLiteReader) throws(RecordingError) {
        let apps = try Self.apps(database)
        let table = HealthConnectExercise.table
        let optional = try database.columns(of: table).intersection([
            "uuid", "title", "notes", "start_zone_offset", HealthConnectExercise.effort,
        ])
        func column(_ name: String) -> String { optional.contains(name) ? name : "NULL" }
        try database.forEach(
            """
            SELECT row_id, start_time, end_time, exercise_type, app_info_id, \(column("uuid")), \(column("title")),
                \(column("notes")), \(column("start_zone_offset")), \(column(HealthConnectExercise.effort))
                FROM \(table) ORDER BY start_time, row_id
            """
        ) { row in
            let exercise = HealthConnectExercise(
                row: row.integer(0), start: TrackPoint.time(unixMilliseconds: row.number(1)),
                end: TrackPoint.time(unixMilliseconds: row.number(2)),
                type: row.integer(3), app: row.integer(4), appName: apps[row.integer(4)], id: row.bytes(5),
                offset: row.number(8), effort: row.number(9),
                title: row.text(6), notes: row.text(7))
            if exercise.isPlausible { all.append(exercise) }
        }
        longest = all.map { $0.end - $0.start }.max() ?? 0
        guard !all.isEmpty else { return }
        for series in HealthConnectExercise.Series.allCases { try read(series, database) }
        for sum in HealthConnectExercise.Sum.allCases { try read(sum, database) }
        try readParts(database)
    }

    /// The names of apps by their numbers.
    private static func apps(_ database: SQLiteReader) throws(RecordingError) -> [Int64: String] {
        let table = "application_info_table"
        guard try database.has(["row_id", "app_name", "package_name"], in: table) else { return [:] }
        var names: [Int64: String] = [:]
        try database.forEach("SELECT row_id, app_name, package_name FROM \(table)") { row in
            names[row.integer(0)] = row.text(1) ?? row.text(2)
        }
        return names
    }

    private mutating func read(
        _ series: HealthConnectExercise.Series, _ database: SQLiteReader
    ) throws(RecordingError) {
        let (parent, child, value) = series.tables
        guard try database.has(["row_id", "app_info_id"], in: parent),
            try database.has(["parent_key", "epoch_millis", value], in: child)
        else { return }
        try database.forEach(
            """
            SELECT app_info_id, epoch_millis, \(value) FROM \(child) JOIN \(parent) ON \(parent).row_id = parent_key
            """
        ) { row in
            let reading = TimedReading(
                time: TrackPoint.time(unixMilliseconds: row.number(1)), value: row.number(2))
            guard reading.value >= 0 else { return }
            for index in indices(from: reading.time, to: reading.time) {
                all[index].readings[series, default: [:]][row.integer(0), default: []].append(reading)
            }
        }
    }

    private mutating func read(_ sum: HealthConnectExercise.Sum, _ database: SQLiteReader) throws(RecordingError) {
        let (table, value) = sum.table
        guard try database.has(["app_info_id", "start_time", "end_time", value], in: table) else { return }
        try database.forEach("SELECT app_info_id, start_time, end_time, \(value) FROM \(table)") { row in
            let (start, end) = (
                TrackPoint.time(unixMilliseconds: row.number(1)), TrackPoint.time(unixMilliseconds: row.number(2))
            )
            guard case let total = row.number(3), total > 0, total < 1e9, end >= start else { return }
            for index in indices(from: start, to: end) {
                let (from, to) = (max(start, all[index].start), min(end, all[index].end))
                let share = end > start ? (to - from) / (end - start) : 1
                // Sums of hours and days tell little about an exercise in them.
                guard share >= 0.5 else { continue }
                all[index].sums[sum, default: [:]][row.integer(0), default: []]
                    .append(.init(start: from, end: to, value: total * share))
            }
        }
    }

    /// Reads what belongs to exercises itself: routes, laps and pauses.
    private mutating func readParts(_ database: SQLiteReader) throws(RecordingError) {
        let places = Dictionary(all.indices.map { (all[$0].row, $0) }) { first, _ in first }
        func forEach(
            _ table: String, _ columns: [String], _ body: (Int, SQLiteReader.Row) -> Void
        ) throws(RecordingError) {
            guard try database.has(Set(columns + ["parent_key"]), in: table) else { return }
            let names = columns.joined(separator: ", ")
            try database.forEach("SELECT parent_key, \(names) FROM \(table) ORDER BY parent_key, \(columns[0])") {
                row in
                if let index = places[row.integer(0)] { body(index, row) }
            }
        }
        try forEach(
            "exercise_route_table",
            ["timestamp_millis", "latitude", "longitude", "altitude", "horizontal_accuracy", "vertical_accuracy"]
        ) { index, row in
            // An unknown value may be the smallest number above 0.
            func known(_ column: Int32) -> Double {
                let value = row.number(column)
                return value > 0 && value < 1e-300 ? .nan : value
            }
            let place = HealthConnectExercise.Place(
                time: TrackPoint.time(unixMilliseconds: row.number(1)), latitude: row.number(2),
                longitude: row.number(3), altitude: known(4),
                horizontalAccuracy: known(5), verticalAccuracy: known(6))
            if place.time.magnitude < .infinity { all[index].route.append(place) }
        }
        func span(_ row: SQLiteReader.Row) -> ClosedRange<Double>? {
            let (start, end) = (
                TrackPoint.time(unixMilliseconds: row.number(1)), TrackPoint.time(unixMilliseconds: row.number(2))
            )
            return end > start ? start...end : nil
        }
        try forEach("exercise_laps_table", ["lap_start_time", "lap_end_time", "lap_length"]) { index, row in
            if let span = span(row) { all[index].laps.append(.init(span: span, meters: row.number(3))) }
        }
        try forEach("exercise_segments_table", ["segment_start_time", "segment_end_time", "segment_type"]) {
            index, row in
            guard row.integer(3) == HealthConnectExercise.pause, let span = span(row),
                all[index].pauses.last.map({ $0.end <= span.lowerBound }) ?? true,
                all[index].start <= span.lowerBound, span.upperBound <= all[index].end
            else { return }
            all[index].pauses.append(TimeSpan(start: span.lowerBound, end: span.upperBound))
        }
    }

    /// Returns the exercises that have more than a moment in common with a time, or contain the moment.
    private func indices(from start: Double, to end: Double) -> [Int] {
        var next = all.partitioningIndex { $0.start > end }
        var found: [Int] = []
        while next > 0, all[next - 1].start + longest >= start {
            next -= 1
            let (from, to) = (max(start, all[next].start), min(end, all[next].end))
            if to > from || to == from && start == end { found.append(next) }
        }
        return found
    }
}
