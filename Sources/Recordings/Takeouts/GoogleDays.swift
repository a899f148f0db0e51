import Foundation

/// The readings of days in a takeout of Google: tables such as `heart_rate_2026-03-01.csv` with a time in UTC, values, and
/// a device in the column `data source`. A table goes on until the next one begins.
final class GoogleDays: Sendable {
    struct Row: Equatable {
        /// The time in seconds since 2001.
        var time: Double
        /// NaN for values that are missing.
        var values: [Double]
    }

    private let tables: [(day: String, source: RecordingSource)]
    private let columns: [String]
    private let latest = LatestValues<String, [(device: String, row: Row)]>(2)

    private static let megabytes = 256

    /// Returns nil if there are no such tables.
    /// - Parameters:
    ///   - prefix: The start of the names of tables: `heart_rate_`.
    ///   - columns: The names of the columns with values. The first must have one.
    init?(_ files: some Sequence<(name: String, source: RecordingSource)>, prefix: String, columns: [String]) {
        // Some takeouts repeat a table in a folder with a friendlier name.
        var tables: [String: RecordingSource] = [:]
        for (name, source) in files {
            guard let last = name.split(separator: "/").last, last.hasPrefix(prefix),
                case let day = last.dropFirst(prefix.count), day.wholeMatch(of: #/\d{4}-\d\d-\d\d\.csv/#) != nil
            else { continue }
            tables[String(day.prefix(10))] = source
        }
        self.tables = tables.map { (day: $0, source: $1) }.sorted { $0.day < $1.day }
        self.columns = columns
        guard !tables.isEmpty else { return nil }
    }

    /// Returns the rows from `start` to `end` of one device, which has the most. Those of two devices would repeat each other.
    func rows(from start: Date, to end: Date) -> [Row] {
        let (first, last) = (String(start.ISO8601Format().prefix(10)), String(end.ISO8601Format().prefix(10)))
        guard start <= end, let past = tables.lastIndex(where: { $0.day <= last }) else { return [] }
        let begin = tables.lastIndex { $0.day <= first } ?? 0
        let span = start.timeIntervalSinceReferenceDate...end.timeIntervalSinceReferenceDate
        var found: [String: [Row]] = [:]
        for (device, row) in tables[begin...past].flatMap(rows(of:)) where span.contains(row.time) {
            found[device, default: []].append(row)
        }
        let most = found.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        return most?.value.sorted { $0.time < $1.time } ?? []
    }

    /// A table that cannot be read has no rows, and is no fault of a workout.
    private func rows(of table: (day: String, source: RecordingSource)) -> [(device: String, row: Row)] {
        latest.value(of: table.day) {
            (try? table.source.all(atMost: Self.megabytes, which: "no table of readings")).map(parse) ?? []
        }
    }

    private func parse(_ bytes: [UInt8]) -> [(device: String, row: Row)] {
        var table = QuotedRows(bytes)
        let header = table.next() ?? []
        let places = columns.map { header.firstIndex(of: $0) }
        guard let time = header.firstIndex(of: "timestamp"), let required = places.first ?? nil else { return [] }
        let device = header.firstIndex(of: "data source")
        var rows: [(device: String, row: Row)] = []
        while let fields = table.next() {
            func field(_ place: Int?) -> String? { place.flatMap { fields.indices.contains($0) ? fields[$0] : nil } }
            guard let moment = field(time)?.tableMoment(), field(required).flatMap(Double.init) != nil else { continue }
            let values = places.map { field($0).flatMap(Double.init) ?? .nan }
            rows.append((field(device) ?? "", Row(time: moment.seconds, values: values)))
        }
        return rows
    }
}
