import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// The report of an import: in full for one file; for several files, or one with many workouts, a line for each and a last one
/// for all.
struct ImportListing {
    /// The most workouts of one file that are shown in full.
    private static let mostInFull = 5

    let isOfSeveral: Bool
    let json: Bool
    /// The number of workouts in the file that is being imported.
    var workouts = 1
    private(set) var added = 0
    private(set) var known = 0
    /// The number of recordings not stored because the same workout is.
    private(set) var same = 0
    private(set) var replaced = 0
    private var unreadable = 0
    private var exports = 0
    private var others = SkippedFiles()
    private var warnings = WarningKinds()

    init(isOfSeveral: Bool, json: Bool) {
        self.isOfSeveral = isOfSeveral
        self.json = json
    }

    /// Whether each workout has a line instead of its summary.
    var isOfLines: Bool { !json && (isOfSeveral || workouts > Self.mostInFull) }

    /// - Parameters:
    ///   - replaced: The poorer copies of the workout that it replaced.
    ///   - recorded: The same workout as recorded here, which stays.
    mutating func isAdded(
        _ workout: WorkoutSummary, _ recording: FileSummary, of file: String, replacing replaced: [UUID] = [],
        beside recorded: UUID? = nil
    ) {
        added += 1
        self.replaced += replaced.count
        let notes =
            replaced.map { localized("replaced %1, a less complete recording of the same workout", $0.uuidString) }
            + (recorded.map { [localized("kept %1, the same workout recorded on this machine", $0.uuidString)] } ?? [])
        guard isOfLines else {
            SummaryOutput(json: json).print(workout, recording)
            if !json { for note in notes { print("\(file): \(note)") } }
            return
        }
        warnings.add(recording.recording.warnings.map(\.message))
        let line = Self.line(workout, recording, of: file, .standard(columnsInPipe: .max))
        let leftOut = recording.recording.leftOut
        print(
            ([line] + notes
                + (leftOut.isEmpty
                    ? [] : [localized("left out: %1", leftOut.map(Language.current.message).joined(separator: ", "))]))
                .joined(
                    separator: ", "))
    }

    mutating func isKnown(_ id: UUID, of file: String, replacing replaced: [UUID] = []) {
        known += 1
        self.replaced += replaced.count
        let notes = replaced.map {
            "; " + localized("removed %1, a less complete recording of the same workout", $0.uuidString)
        }
        .joined()
        guard json else { return print("\(file): " + localized("already stored as %1", "\(id)") + notes) }
        print(
            JSONText.object([
                ("source", .string(file)), ("added", .integer(0)), ("known", .integer(1)),
                ("id", .string(id.uuidString)),
            ]).text)
    }

    /// - Parameters:
    ///   - kinds: The kinds of readings that the stored one has and the file does not.
    ///   - others: The kinds that the file has and the stored one does not.
    mutating func isSameRide(_ file: String, as id: UUID, with kinds: [String], without others: [String]) {
        same += 1
        let more =
            kinds.isEmpty
            ? "an equally complete recording" : "a more complete recording (with \(kinds.joined(separator: ", ")))"
        guard json else {
            print("\(file): duplicate skipped; the same workout is stored as \(id.uuidString), \(more)")
            if !others.isEmpty {
                let list = others.joined(separator: ", ")
                print("\(file): the stored workout has no \(list); keep both with --keep-duplicates")
            }
            return
        }
        print(
            JSONText.object([
                ("source", .string(file)), ("added", .integer(0)), ("sameRide", .string(id.uuidString)),
            ]).text)
    }

    /// Counts a file that was found and is not a workout.
    mutating func isNoWorkout(_ kind: SkippedFiles.Kind) { others.add(kind) }

    mutating func isTaken(_ report: ImportReport) {
        exports += 1
        if json { return print(report.json.text) }
        let page = Page.standard(columnsInPipe: .max)
        CommandOutput.standard.print(styled: isOfSeveral ? report.shortLines(page) : report.lines(page))
    }

    mutating func isRefused(_ failure: CommandFailure) {
        unreadable += 1
        failure.report()
    }

    func end() {
        guard isOfSeveral || isOfLines else { return }
        if json { return print(summary.text) }
        for sentence in warnings.sentences { CommandOutput.error.print("warning: \(sentence)") }
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
        return "\(file): \(parts.joined(separator: "  "))  " + localized("stored as %1", workout.id.uuidString)
    }

    /// `46 recordings: 44 imported, 1 already stored, 1 unreadable`.
    var sentence: String {
        let recordings = added + known + same + unreadable
        var parts = ["\(Page.counted(recordings, "recording")): " + localized("%1 imported", "\(added)")]
        if known > 0 { parts.append(localized("%1 already stored", "\(known)")) }
        if same > 0 { parts.append(localized("%1 skipped", Page.counted(same, "duplicate"))) }
        if replaced > 0 {
            parts.append(
                replaced == 1
                    ? localized("1 replaced by a more complete file")
                    : localized("%1 replaced by more complete files", "\(replaced)"))
        }
        if unreadable > 0 { parts.append(localized("%1 unreadable", "\(unreadable)")) }
        let health = exports > 0 ? "; \(Page.counted(exports, "Apple Health export"))" : ""
        return parts.joined(separator: ", ") + health
    }
}

/// The warnings of several files: one line for each kind, however many files have it.
struct WarningKinds {
    private var kinds: [(kind: String, example: String, files: Int)] = []

    /// Adds the warnings of one file. Warnings that differ in numbers only are of the same kind.
    mutating func add(_ messages: [String]) {
        var seen: Set<String> = []
        for message in messages {
            let kind = message.replacing(#/[0-9]+([.,:][0-9]+)*/#, with: "0")
            guard seen.insert(kind).inserted else { continue }
            if let index = kinds.firstIndex(where: { $0.kind == kind }) {
                kinds[index].files += 1
            } else {
                kinds.append((kind, message, 1))
            }
        }
    }

    /// `3 files: the last lap has no end`, the most frequent kind first.
    var sentences: [String] {
        kinds.enumerated().sorted { ($1.element.files, $0.offset) < ($0.element.files, $1.offset) }.map { _, kind in
            "\(Page.counted(kind.files, "file")): \(Language.current.message(kind.example))"
                + (kind.files > 1 ? " " + localized("(and the like)") : "")
        }
    }
}
