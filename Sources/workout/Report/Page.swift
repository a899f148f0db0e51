import Foundation
import HealthKit
import Reports

/// What reports are written on: how wide it is, what it can show, and where the reader's clock is.
struct Page: Sendable {
    /// No line is longer.
    var columns = 80
    var capability = TerminalCapability.plain
    /// Found out when a time is shown: it takes the tables of all zones, and JSON shows none.
    var timeZone = TimeZone.autoupdatingCurrent

    /// The same page with the clock of the place where a workout was, if that is known.
    func at(_ place: TimeZone?) -> Page {
        var page = self
        if let place { page.timeZone = place }
        return page
    }

    var ellipsis: String { capability.unicode ? "…" : "~" }
    var dash: String { capability.unicode ? "–" : "-" }

    /// Standard output: the terminal, or a pipe with as many columns as the report likes.
    static func standard(columnsInPipe: Int) -> Page {
        let terminal = Terminal.standard()
        return Page(
            columns: terminal?.size.columns ?? columnsInPipe,
            capability: terminal?.capability
                ?? TerminalCapability(environment: ProcessInfo.processInfo.environment, isTerminal: false))
    }

    // MARK: Dates

    /// `Sat 21 Nov 2026`, in the reader's language, as the next four.
    func day(_ date: Date) -> String { text(.day, date) }

    /// `2026-11-21`, `21.11.2026`: of one width, for tables.
    func shortDay(_ date: Date) -> String { text(.shortDay, date) }

    /// `11-21`, `21.11.`.
    func dayOfYear(_ date: Date) -> String { text(.dayOfYear, date) }

    /// `November 2026`.
    func month(_ date: Date) -> String { text(.month, date) }

    /// `2026-11`, `11.2026`.
    func shortMonth(_ date: Date) -> String { text(.shortMonth, date) }

    private func text(_ pattern: Language.DatePattern, _ date: Date) -> String {
        Language.current.date(pattern, of: date, in: timeZone)
    }

    /// `09:02:11`.
    func clock(_ date: Date) -> String {
        let parts = components(date)
        return String(format: "%02d:%02d:%02d", parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
    }

    /// `2026-11-21 09:02`, of one width, for tables; with the zone where the heading does not say it.
    func minute(_ date: Date, showsZone: Bool = false) -> String {
        "\(shortDay(date)) \(clock(date).prefix(5))" + (showsZone ? " " + zoneName(date) : "")
    }

    /// `2026-11-21 09:02:11`, as ``minute(_:showsZone:)``.
    func second(_ date: Date, showsZone: Bool = false) -> String {
        "\(shortDay(date)) \(clock(date))" + (showsZone ? " " + zoneName(date) : "")
    }

    /// `2026-11-21` in every language: for names of files and addresses.
    func sortableDay(_ date: Date) -> String {
        let parts = components(date)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }

    /// `UTC`, `UTC+1`, `UTC-3:30`: abbreviations such as CST mean several zones.
    func zoneName(_ date: Date) -> String {
        let minutes = timeZone.secondsFromGMT(for: date) / 60
        guard minutes != 0 else { return "UTC" }
        let rest = abs(minutes) % 60
        return "UTC\(minutes < 0 ? "-" : "+")\(abs(minutes) / 60)" + (rest == 0 ? "" : String(format: ":%02d", rest))
    }

    /// The zone of all the dates; nil if the clocks were changed between them, or if the places have different zones.
    func zoneName(ofAll dates: some Sequence<(start: Date, place: TimeZone?)>) -> String? {
        let names = Set(dates.map { at($0.place).zoneName($0.start) })
        return names.count > 1 ? nil : names.first ?? zoneName(Date())
    }

    private func components(_ date: Date) -> DateComponents {
        Calendar.gregorian(timeZone)
            .dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: date)
    }

    // MARK: Words

    /// `1 lap`, `2 laps`.
    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
