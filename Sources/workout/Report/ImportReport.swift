import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// The result of an import, for people and for programs.
struct ImportReport {
    var file: String
    var summary: HealthImportSummary
    /// The number of less complete recordings that workouts of the export replaced.
    var replaced = 0
    var seconds: Double

    var json: JSONText {
        .object([
            ("source", .string(file)), ("added", .integer(summary.added)), ("known", .integer(summary.known)),
            ("skipped", .integer(summary.skippedCount)),
            ("interrupted", summary.wasInterrupted ? .boolean(true) : nil),
            ("seconds", .number((seconds * 1000).rounded() / 1000)),
            ("exportDate", summary.file.exportDate.flatMap { JSONText.date($0) }),
            ("locale", summary.file.locale.map { .string($0) }),
            (
                "types",
                .object(
                    types.map { type, count in
                        (type, .object([("added", .integer(count.added)), ("known", .integer(count.known))]))
                    })
            ),
            ("activitySummaries", .integer(summary.activityDays)),
            ("sameRide", .integer(summary.copies)), ("replaced", .integer(replaced)),
            ("workoutsWithSamples", .integer(summary.workoutsWithSamples)),
            ("profile", .array(summary.profile.map { .string($0) })),
            ("sources", .object(sources.map { ($0, .integer($1)) })),
            (
                "skips",
                .array(
                    skips.map { skip, count in
                        .object([
                            ("what", .string(skip.what)), ("reason", .string(skip.reason)), ("count", .integer(count)),
                        ])
                    })
            ),
            (
                "warnings",
                .array(
                    summary.file.warnings.map {
                        .object([("byte", .integer($0.byte)), ("message", .string($0.message))])
                    })
            ),
        ])
    }

    func lines(_ page: Page) -> [String] {
        var rows = types.map { (Self.name($0.key), $0.value.added, Int?.some($0.value.known)) }
        if summary.activityDays > 0 { rows.append(("activitySummary", summary.activityDays, nil)) }
        let width = rows.map(\.0.count).max() ?? 4
        let counts = "\(summary.added) added, \(summary.known) already stored, \(summary.skippedCount) skipped"
        var lines = [StyledLine("\(file): \(counts)", .bold)]
        if summary.wasInterrupted {
            lines.append("stopped before the end of the file; import it again to add the rest")
        }
        if !rows.isEmpty { lines += ["", "  \(pad("type", width))\(lead("added", 10))\(lead("known", 10))"] }
        for (name, added, known) in rows {
            lines.append("  \(pad(name, width))\(lead("\(added)", 10))\(known.map { lead("\($0)", 10) } ?? "")")
        }
        if !aboutWorkouts.isEmpty { lines += [""] + aboutWorkouts.map { StyledLine($0) } }
        if !summary.profile.isEmpty { lines += ["", "profile: \(summary.profile.joined(separator: ", "))"] }
        lines += section("sources", sources.map { "  \(lead("\($1)", 9))  \($0)" })
        lines += section(
            "skipped, or kept in part", skips.map { "  \(lead("\($1)", 9))  \(Self.name($0.what)): \($0.reason)" })
        lines += section("warnings", summary.file.warnings.map { "  byte \($0.byte): \($0.message)" })
        return lines.map { $0.text(page.capability.colour) }
    }

    /// Returns the lines of one of several exports: the counts, and what was added to workouts and to the profile.
    func shortLines(_ page: Page) -> [String] {
        let profile = summary.profile.isEmpty ? [] : ["  profile: \(summary.profile.joined(separator: ", "))"]
        return Array(lines(page).prefix(1)) + aboutWorkouts.map { "  \($0)" } + profile
    }

    private var aboutWorkouts: [String] {
        func workouts(_ count: Int) -> String { Page.counted(count, "workout") }
        var lines: [String] = []
        if summary.workoutsWithSamples > 0 {
            lines.append(localized("%1: samples found by source and time", workouts(summary.workoutsWithSamples)))
        }
        if summary.copies > 0 {
            lines.append(
                localized(
                    "%1: left out, because the store has a recording that is as complete", workouts(summary.copies)))
        }
        if replaced > 0 {
            lines.append(
                localized("%1: removed, because the export has a more complete recording", workouts(replaced)))
        }
        return lines
    }

    private func section(_ title: String, _ lines: [StyledLine]) -> [StyledLine] {
        lines.isEmpty ? [] : ["", StyledLine(title, .bold)] + lines
    }

    private var types: [(key: String, value: ImportCount)] {
        summary.types.sorted { Self.name($0.key) < Self.name($1.key) }
    }

    private var sources: [(key: String, value: Int)] {
        summary.sources.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }

    private var skips: [(key: HealthImportSummary.Skip, value: Int)] {
        summary.skipped.sorted { ($0.key.what, $0.key.reason) < ($1.key.what, $1.key.reason) }
    }

    private static func name(_ identifier: String) -> String {
        TypeCatalogue.objectType(identifier: identifier)?.swiftName ?? identifier
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func lead(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

/// The progress of an import on a terminal. Prints nothing in a pipe.
struct ImportProgress {
    private let isTerminal = isatty(STDERR_FILENO) == 1

    func show(_ progress: HealthExportProgress) {
        guard isTerminal else { return }
        let percent = Int(progress.fraction * 100)
        let filled = Int(progress.fraction * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        write("\r\(bar) \(percent) %, \(progress.bytesRead / 1_000_000) MB")
    }

    /// Shows which of many files is read.
    func show(done: Int, of total: Int, _ name: String) {
        guard isTerminal else { return }
        let room = max(10, Page.standard(columnsInPipe: 80).columns - 20)
        let short = name.count > room ? "…" + name.suffix(room - 1) : name
        write("\r\u{1B}[K\(done + 1) of \(total)  \(PrintableText.of(short))")
    }

    func show(_ sentence: String) { if isTerminal { write("\r\u{1B}[K\(sentence)") } }

    func clear() {
        if isTerminal { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { CommandOutput.error.write(text.utf8) }
}
