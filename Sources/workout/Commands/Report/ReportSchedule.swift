import ArgumentParser
import Foundation
import HealthKit

/// The first day of a week.
enum Weekday: String, CaseIterable, ExpressibleByArgument {
    case sunday, monday, tuesday, wednesday, thursday, friday, saturday

    /// As in `Calendar`: 1 for Sunday.
    var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}

/// `--every monday`: a timer of the user's systemd that creates a report of the past week, month or year.
struct ReportSchedule {
    enum Day: String, CaseIterable, ExpressibleByArgument {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday, month

        /// The timer's calendar event (systemd.time(7), "Calendar Events").
        var calendarEvent: String {
            self == .month ? "*-*-01 06:00" : "\(rawValue.prefix(3).capitalized) 06:00"
        }

        /// Nil for the first of a month.
        var weekday: Weekday? { Weekday(rawValue: rawValue) }

        var words: String { self == .month ? "on the first of each month" : "every \(rawValue.capitalized)" }
    }

    /// The first line of all files that this command writes. Other files are never replaced.
    static let mark = "# Written by workout report --every"

    var span: ReportSpan
    var day: Day
    /// The program and its arguments, without `--every`.
    var command: [String]
    var workingDirectory: String
    /// The command's variables. Those that affect the report are written into the unit.
    var variables: [String: String]

    /// The name of the units. A weekly report has the name of the units that come with the command, so that systemd
    /// prefers this one.
    private var name: String { "healthkit-report" + (span == .week ? "" : "-\(span.rawValue)") }

    private static let variableNames = [
        "HEALTHKIT_STORE", "LANG", "LC_ALL", "LC_MEASUREMENT", "LC_MESSAGES", "LC_NUMERIC", "LC_PAPER", "LC_TIME", "TZ",
        "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    ]

    /// Converts the typed arguments into those of the timer. A report created on Monday covers the week until
    /// yesterday, and replaces the one created before.
    /// - Parameter weekStart: The day of the timer, on which the week of a weekly report began.
    static func command(
        _ typed: [String], hasEnd: Bool, replaces: Bool, weekStart: Weekday? = nil
    ) -> [String] {
        var arguments: [String] = []
        var isValue = false
        for argument in typed {
            if isValue {
                isValue = false
            } else if argument == "--every" {
                isValue = true
            } else if !argument.hasPrefix("--every=") {
                arguments.append(argument)
            }
        }
        if let weekStart { arguments += ["--week-start", weekStart.rawValue] }
        return arguments + (hasEnd ? [] : ["--to", "yesterday"]) + (replaces ? [] : ["--force"])
    }

    func files(in folders: DeliveryFolders) throws -> [DeliveryFolders.File] {
        let words = command + [workingDirectory] + variables.filter { Self.variableNames.contains($0.key) }.values
        guard words.allSatisfy(UnitText.canBeWritten), workingDirectory.last?.isWhitespace == false else {
            throw CommandFailure(
                exitCode: .badInput, message: "one of the arguments contains a character that no unit can hold")
        }
        var service = [
            Self.mark, "[Unit]", "Description=Creates the report of the past \(span.rawValue)",
            "Documentation=man:workout-report(1)", "", "[Service]", "Type=oneshot",
            "ExecStart=" + command.map { UnitText.quoted($0, isCommand: true) }.joined(separator: " "),
            "WorkingDirectory=" + workingDirectory.replacingOccurrences(of: "%", with: "%%"),
        ]
        for name in Self.variableNames {
            guard let value = variables[name], !value.isEmpty else { continue }
            service.append("Environment=" + UnitText.quoted("\(name)=\(value)", isCommand: false))
        }
        let timer = [
            Self.mark, "[Unit]", "Description=Creates the report of the past \(span.rawValue) \(day.words)", "",
            "[Timer]", "OnCalendar=\(day.calendarEvent)", "Persistent=true", "", "[Install]", "WantedBy=timers.target",
        ]
        return [("service", service), ("timer", timer)].map { ending, lines in
            DeliveryFolders.File(
                url: folders.units.appendingPathComponent("\(name).\(ending)"),
                text: lines.joined(separator: "\n") + "\n")
        }
    }

    /// Writes the units and prints how to start the timer. Starts nothing.
    func write(in folders: DeliveryFolders) throws {
        for file in try files(in: folders) { try file.install(mark: Self.mark) }
        for line in [
            "To create the report \(day.words) at 06:00 (later if the machine is off then):",
            "  systemctl --user daemon-reload && systemctl --user enable --now \(name).timer",
            "To stop: systemctl --user disable --now \(name).timer",
        ] { print(line) }
    }
}
