import Foundation
import HealthKit
import Recordings

/// What an import says of its files: a report of one; of several a line each, and a last one of them all.
struct ImportListing {
    let isOfSeveral: Bool
    let json: Bool
    private(set) var added = 0
    private(set) var known = 0
    /// Not stored, as the same ride is.
    private(set) var same = 0
    private(set) var replaced = 0
    private var unreadable = 0
    private var exports = 0
    private var others = OtherFiles()

    init(isOfSeveral: Bool, json: Bool) {
        self.isOfSeveral = isOfSeveral
        self.json = json
    }

    /// - Parameters:
    ///   - replaced: Workouts of the same ride that it took the place of.
    ///   - recorded: One of the same ride that was recorded here, and stays.
    mutating func isAdded(
        _ workout: WorkoutSummary, _ recording: FileSummary, of file: String, replacing replaced: [UUID] = [],
        beside recorded: UUID? = nil
    ) {
        added += 1
        self.replaced += replaced.count
        let notes =
            replaced.map { "in place of \($0.uuidString), the same ride with less in it" }
            + (recorded.map { ["beside \($0.uuidString), the same ride as it was recorded here"] } ?? [])
        guard isOfSeveral, !json else {
            SummaryOutput(json: json).print(workout, recording)
            if !json { for note in notes { print("\(file): stored \(note)") } }
            return
        }
        let line = Self.line(workout, recording, of: file, .standard(columnsInPipe: .max))
        print(([line] + notes).joined(separator: ", "))
    }

    mutating func isKnown(_ id: UUID, of file: String, replacing replaced: [UUID] = []) {
        known += 1
        self.replaced += replaced.count
        let notes = replaced.map { "; \($0.uuidString), the same ride with less in it, was removed" }.joined()
        guard json else { return print("\(file): the workout \(id) is in the store already; nothing added\(notes)") }
        print(
            JSONText.object([
                ("source", .string(file)), ("added", .integer(0)), ("known", .integer(1)),
                ("id", .string(id.uuidString)),
            ]).text)
    }

    /// - Parameter kinds: What the stored one has that the file has not.
    mutating func isSameRide(_ file: String, as id: UUID, with kinds: [String]) {
        same += 1
        let more = kinds.isEmpty ? "no less in it" : "more in it (\(kinds.joined(separator: ", ")))"
        guard json else {
            return print("\(file): the same ride is stored as \(id.uuidString), with \(more); nothing added")
        }
        print(
            JSONText.object([
                ("source", .string(file)), ("added", .integer(0)), ("sameRide", .string(id.uuidString)),
            ]).text)
    }

    /// A file that was found, and is something else.
    mutating func isNoWorkout(_ kind: OtherFiles.Kind) { others.add(kind) }

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

    func end() {
        guard isOfSeveral else { return }
        if json { return print(summary.text) }
        if let others = others.sentence { print(others) }
        print(sentence)
    }

    private var summary: JSONText {
        .object([
            (
                "summary",
                .object([
                    ("stored", .integer(added)), ("known", .integer(known)), ("sameRide", .integer(same)),
                    ("replaced", .integer(replaced)), ("unreadable", .integer(unreadable)),
                    ("exports", .integer(exports)), ("noWorkout", .integer(others.count)),
                ])
            )
        ])
    }

    static func line(_ workout: WorkoutSummary, _ recording: FileSummary, of file: String, _ page: Page) -> String {
        let warnings = recording.recording.warnings.count
        let parts =
            [page.minute(workout.start, showsZone: true), ActivityTitle.of(workout.activity)]
            + [MetricFormat.time(workout.durationInSeconds)] + (warnings > 0 ? [Page.counted(warnings, "warning")] : [])
        return "\(file): \(parts.joined(separator: "  "))  stored as \(workout.id.uuidString)"
    }

    /// `46 recordings: 44 stored, 1 there already, 1 not readable`.
    var sentence: String {
        let recordings = added + known + same + unreadable
        var parts = ["\(Page.counted(recordings, "recording")): \(added) stored, \(known) there already"]
        if same > 0 { parts.append("\(same) of rides that are stored from another file") }
        if replaced > 0 { parts.append("\(replaced) replaced by what has more in it") }
        if unreadable > 0 { parts.append("\(unreadable) not readable") }
        if exports > 0 { parts.append("and \(Page.counted(exports, "export")) of the Health app") }
        return parts.joined(separator: ", ")
    }
}
