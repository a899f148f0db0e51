import Foundation

@testable import Recordings
@testable import SessionLog

/// Reads a text as a file with it is read.
enum TableTexts {
    static let berlin = TimeZone(identifier: "Europe/Berlin")!

    static func read(
        _ text: String, _ options: TableOptions = TableOptions(zone: .gmt)
    ) throws(RecordingError) -> Recording {
        try read(Array(text.utf8), options)
    }

    static func read(
        _ bytes: [UInt8], _ options: TableOptions = TableOptions(zone: .gmt)
    ) throws(RecordingError) -> Recording {
        try RecordingFile.readAll(
            RecordingSource(path: "table", bytes: bytes), formats: RecordingFile.formats(options))[0]
    }

    static func date(_ text: String) -> Date { try! Date(text, strategy: .iso8601) }
}

extension Recording {
    /// To six decimals, because rounding by a conversion of units is not tested here.
    func values(_ type: String) -> [Double] { readings(type).map { ($0.value * 1e6).rounded() / 1e6 } }

    /// The times of readings, in seconds since the start.
    func seconds(_ type: String) -> [Double] {
        let start = start ?? .distantPast
        return readings(type).map { $0.end.timeIntervalSince(start) }
    }

    var positions: [PositionReading] {
        entries.compactMap { if case .position(let position) = $0.content { position } else { nil } }
    }

    var timeZone: String? {
        entries.lazy.compactMap { entry -> String? in
            guard case .metadata(let metadata) = entry.content, case .string(let name)? = metadata["HKTimeZone"] else {
                return nil
            }
            return name
        }.first
    }

    /// The file's warnings, except those about a missing day, time zone or activity.
    var complaints: [String] {
        file.warnings.map(\.message).filter {
            !$0.contains("no time zone") && !$0.contains("has no date") && !$0.contains("not kept")
        }
    }
}
