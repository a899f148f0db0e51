import Foundation
import HealthKit
import Recordings

/// What an import says of its files: a report of one; of several a line each, and a last one of them all.
struct ImportListing {
    let isOfSeveral: Bool
    let json: Bool
    private(set) var added = 0
    private(set) var known = 0
    private var unreadable = 0
    private var exports = 0

    init(files: Int, json: Bool) {
        isOfSeveral = files > 1
        self.json = json
    }

    mutating func isAdded(_ workout: WorkoutSummary, _ recording: FileSummary, of file: String) {
        added += 1
        guard isOfSeveral, !json else { return SummaryOutput(json: json).print(workout, recording) }
        print(Self.line(workout, recording, of: file, .standard(columnsInPipe: .max)))
    }

    mutating func isKnown(_ id: UUID, of file: String) {
        known += 1
        guard json else { return print("\(file): the workout \(id) is in the store already; nothing added") }
        print(
            JSONText.object([
                ("source", .string(file)), ("added", .integer(0)), ("known", .integer(1)),
                ("id", .string(id.uuidString)),
            ]).text)
    }

    mutating func isTaken(_ report: ImportReport) {
        exports += 1
        if json { return print(report.json.text) }
        let lines = report.lines(.standard(columnsInPipe: .max))
        CommandOutput.standard.print(styled: isOfSeveral ? Array(lines.prefix(1)) : lines)
    }

    mutating func isRefused(_ failure: CommandFailure) {
        unreadable += 1
        failure.report()
    }

    func end() { if isOfSeveral, !json { print(sentence) } }

    static func line(_ workout: WorkoutSummary, _ recording: FileSummary, of file: String, _ page: Page) -> String {
        let warnings = recording.recording.warnings.count
        let parts =
            [page.minute(workout.start, showsZone: true), ActivityTitle.of(workout.activity)]
            + [MetricFormat.time(workout.durationInSeconds)] + (warnings > 0 ? [Page.counted(warnings, "warning")] : [])
        return "\(file): \(parts.joined(separator: "  "))  stored as \(workout.id.uuidString)"
    }

    /// `46 recordings: 44 stored, 1 there already, 1 not readable`.
    var sentence: String {
        let recordings = added + known + unreadable
        var parts = ["\(Page.counted(recordings, "recording")): \(added) stored, \(known) there already"]
        if unreadable > 0 { parts.append("\(unreadable) not readable") }
        if exports > 0 { parts.append("and \(Page.counted(exports, "export")) of the Health app") }
        return parts.joined(separator: ", ")
    }
}
