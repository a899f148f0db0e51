package import SessionLog

/// The list of activities in a takeout of Strava: `activities.csv`, with one row per activity and the name of its file.
///
/// Only data that the files often lack is read: the activity, and what its owner wrote about it. Columns are recognised
/// by their English names.
package struct ActivityIndex: Sendable, Equatable {
    package struct Activity: Sendable, Equatable {
        /// A case of `HKWorkoutActivityType`. Nil if the activity is unknown.
        package var activity: String?
        /// The owner's title, notes and other labels.
        package var labels = WorkoutLabels()
    }

    /// The activities by the names of files in the list: `activities/123.gpx.gz`.
    package private(set) var activities: [String: Activity] = [:]

    package static let fileName = "activities.csv"
    private static let megabytes = 256

    /// Returns nil if the table is not such a list.
    package init?(_ source: RecordingSource) throws(RecordingError) {
        guard Self.isHeader(try source.start().bytes) else { return nil }
        self.init(try source.all(atMost: Self.megabytes, which: "no list of activities"))
    }

    init?(_ bytes: [UInt8]) {
        var rows = QuotedRows(bytes)
        guard let header = rows.next(), let file = header.firstIndex(of: "Filename"),
            let type = header.firstIndex(of: "Activity Type")
        else { return nil }
        let texts = [
            WorkoutLabels.titleKey: "Activity Name", WorkoutLabels.notesKey: "Activity Description",
            WorkoutLabels.gearKey: "Activity Gear",
        ].compactMapValues { header.firstIndex(of: $0) }
        while let row = rows.next() {
            guard row.indices.contains(file), row.indices.contains(type), !row[file].isEmpty else { continue }
            let labels = WorkoutLabels { key in
                texts[key].flatMap { row.indices.contains($0) ? row[$0].replacing("\r\n", with: "\n") : nil }
            }
            activities[row[file]] = Activity(activity: SportName.activity(row[type]), labels: labels)
        }
    }

    private static func isHeader(_ start: [UInt8]) -> Bool {
        var rows = QuotedRows(start)
        return rows.next().map { $0.contains("Activity Type") && $0.contains("Filename") } ?? false
    }
}

/// The rows of a table whose quoted fields may contain commas and line ends (RFC 4180).
struct QuotedRows {
    private let bytes: [UInt8]
    private var at: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Returns the fields of each row that is not empty, by the names in the first row.
    static func named(_ bytes: [UInt8]) -> [[String: String]] {
        var rows = QuotedRows(bytes)
        let names = rows.next() ?? []
        var all: [[String: String]] = []
        while let row = rows.next() {
            guard row.contains(where: { !$0.isEmpty }) else { continue }
            all.append(Dictionary(zip(names, row)) { first, _ in first })
        }
        return all
    }

    /// Returns nil at the end.
    mutating func next() -> [String]? {
        guard at < bytes.count else { return nil }
        var row: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    field.append(byte)
                } else if at < bytes.count, bytes[at] == byte {
                    field.append(byte)
                    at += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\""), field.isEmpty {
                isQuoted = true
            } else if byte == UInt8(ascii: ",") {
                row.append(String(decoding: field, as: UTF8.self))
                field = []
            } else if byte == 0x0A {
                break
            } else {
                field.append(byte)
            }
        }
        if field.last == 0x0D { field.removeLast() }
        row.append(String(decoding: field, as: UTF8.self))
        return row
    }
}
