import Foundation
import HealthKit
import Reports

/// The page that reports are laid out for: its width, its capabilities, and the reader's time zone.
struct Page: Sendable {
    /// The maximum length of a line.
    var columns = 80
    var capability = TerminalCapability.plain
    /// The reader's time zone. It is determined when a time is shown, because that loads the tables of all zones, and
    /// JSON shows none.
    var timeZone = TimeZone.autoupdatingCurrent

    /// Returns the same page in the time zone of the workout's place, if that is known.
    func at(_ place: TimeZone?) -> Page {
        var page = self
        if let place { page.timeZone = place }
        return page
    }

    var ellipsis: String { capability.unicode ? "…" : "~" }
    var dash: String { capability.unicode ? "–" : "-" }

    /// Returns the page of standard output: that of the terminal, or in a pipe one of the given width.
    static func standard(columnsInPipe: Int) -> Page {
        let terminal = Terminal.standard()
        return Page(
            columns: terminal?.size.columns ?? columnsInPipe,
            capability: terminal?.capability
                ?? TerminalCapability(environment: ProcessInfo.processInfo.environment, isTerminal: false))
    }

    // MARK: Dates

    /// Returns `Sat 21 Nov 2026`, in the reader's language as in the next four.
    func day(_ date: Date) -> String { text(.day, date) }

    /// Returns `2026-11-21` or `21.11.2026`, which have a constant width for tables.
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

    /// `09:02:11`; `9:02:11 AM` in countries with a clock of twelve hours.
    func clock(_ date: Date) -> String { clock(date, hasSeconds: true, isOfOneWidth: false) }

    private func clock(_ date: Date, hasSeconds: Bool, isOfOneWidth: Bool) -> String {
        let parts = components(date)
        return Language.current.clock(
            hour: parts.hour ?? 0, minute: parts.minute ?? 0, second: hasSeconds ? parts.second ?? 0 : nil,
            isOfOneWidth: isOfOneWidth)
    }

    /// Returns `2026-11-21 09:02`, of constant width for tables. Adds the zone if the heading does not state it.
    func minute(_ date: Date, showsZone: Bool = false) -> String {
        "\(shortDay(date)) \(clock(date, hasSeconds: false, isOfOneWidth: true))"
            + (showsZone ? " " + zoneName(date) : "")
    }

    /// Returns `2026-11-21 09:02:11`, otherwise as ``minute(_:showsZone:)``.
    func second(_ date: Date, showsZone: Bool = false) -> String {
        "\(shortDay(date)) \(clock(date, hasSeconds: true, isOfOneWidth: true))"
            + (showsZone ? " " + zoneName(date) : "")
    }

    /// Returns `2026-11-21` in every language, for names of files and addresses.
    func sortableDay(_ date: Date) -> String {
        let parts = components(date)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }

    /// Returns `UTC`, `UTC+1` or `UTC-3:30`, since abbreviations such as CST stand for several zones.
    func zoneName(_ date: Date) -> String {
        let minutes = timeZone.secondsFromGMT(for: date) / 60
        guard minutes != 0 else { return "UTC" }
        let rest = abs(minutes) % 60
        return "UTC\(minutes < 0 ? "-" : "+")\(abs(minutes) / 60)" + (rest == 0 ? "" : String(format: ":%02d", rest))
    }

    /// Returns the zone of all the dates. Returns nil if the clocks were changed between them, or if the places have
    /// different zones.
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
    static func counted(_ count: Int, _ noun: String) -> String { localizedCount(count, noun) }
}
