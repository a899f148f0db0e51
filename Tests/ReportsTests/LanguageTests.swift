import Foundation
import Testing

@testable import Reports

@Suite struct LanguageTests {
    private static let german = Language.named("de") ?? .english

    @Test(
        arguments: [
            (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "de_AT"], "de"), (["LANG": "C.UTF-8"], "en"), ([:], "en"),
            (["LANG": "de_DE", "LC_ALL": "en_GB.UTF-8"], "en"), (["LANG": "en_US", "LC_MESSAGES": "de_DE"], "de"),
            (["LANG": "xx_YY"], "en"), (["LC_ALL": "", "LANG": "de"], "de"),
        ])
    func `the locale selects the language`(variables: [String: String], tag: String) {
        #expect(Language.of(locale: variables).tag == tag)
    }

    @Test(
        arguments: [
            (["LANG": "en_US.UTF-8"], 1), (["LANG": "en_GB"], 2), (["LANG": "ar_EG"], 7), ([:], 2), (["LANG": "C"], 2),
            (["LANG": "de_DE", "LC_TIME": "en_US"], 1), (["LC_ALL": "pt_BR.UTF-8"], 1),
        ])
    func `the country decides when weeks begin`(variables: [String: String], weekday: Int) {
        #expect(Language.of(locale: variables).firstWeekday == weekday)
    }

    @Test(
        arguments: [
            ("de", "de"), ("de-CH,de;q=0.9,en;q=0.8", "de"), ("fr, de;q=0.5, en;q=0.7", "en"),
            ("en;q=0, de;q=0.1", "de"),
            ("fr", nil), ("", nil), (";;q=,", nil), ("*", nil), ("de;q=nonsense", nil),
        ] as [(String, String?)])
    func `a browser's languages are tried in its order`(header: String, tag: String?) {
        #expect(Language.of(acceptLanguage: header)?.tag == tag)
    }

    @Test func `only device names of this project are translated`() {
        Language.$ofTask.withValue(Self.german) {
            #expect(localizedDevice("Simulated strap") == "simulierter Pulsgurt")
            #expect(localizedDevice("heart rate strap") == "Pulsgurt")
            #expect(localizedDevice("Distance") == "Distance")
        }
    }

    @Test func `a week begins on the day of the reader's country`() throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        // 25 November 2026 is a Wednesday.
        let day = Date(timeIntervalSince1970: 1_795_608_000)
        for (variables, start) in [("de_DE", 23.0), ("en_US", 22), ("ar_EG", 21)] {
            let language = Language.of(locale: ["LANG": variables])
            let week = Language.$ofTask.withValue(language) {
                Calendar.reader(zone).dateInterval(of: .weekOfYear, for: day)
            }
            #expect(language.date(.shortDay, of: try #require(week).start, in: zone).contains("\(Int(start))"))
        }
    }

    @Test func `dates and numbers follow the language`() {
        let english = DatePatterns(.english)
        #expect(english.texts == ["Sat 21 Nov 2026", "2026-11-21", "11-21", "November 2026", "2026-11"])
        let german = DatePatterns(Self.german)
        #expect(german.texts == ["Sa. 21. Nov. 2026", "21.11.2026", "21.11.", "November 2026", "11/2026"])
        #expect(Self.german.number("-1.25") == "-1,25" && Language.english.number("1.25") == "1.25")
    }

    @Test(
        arguments: [
            ("12345.6", "12,345.6", "12.345,6"), ("-1234567", "-1,234,567", "-1.234.567"),
            ("1234.5", "1234.5", "1234,5"),
            ("100000", "100,000", "100.000"), ("0.12345", "0.12345", "0,12345"), ("--", "--", "--"),
            ("1e21", "1e21", "1e21"),
            ("", "", ""),
        ])
    func `large numbers have thousands separators`(text: String, english: String, german: String) {
        #expect(Language.english.number(text) == english && Self.german.number(text) == german)
    }

    @Test(
        arguments: [
            (["LANG": "de_CH.UTF-8"], "12’345.6"), (["LANG": "de_DE", "LC_NUMERIC": "de_CH"], "12’345.6"),
            (["LANG": "de_AT"], "12.345,6"), (["LANG": "en_US", "LC_NUMERIC": "de_DE"], "12.345,6"),
        ])
    func `a country has its own separators`(variables: [String: String], expected: String) {
        #expect(Language.of(locale: variables).number("12345.6") == expected)
    }

    @Test(
        arguments: [
            (["LANG": "en_US.UTF-8"], "9:02 AM", "12:30:05 AM", "03:07 PM", "Sat, Nov 21, 2026", "11/21/2026"),
            (["LANG": "en_GB"], "09:02", "00:30:05", "15:07", "Sat 21 Nov 2026", "21/11/2026"),
            (["LANG": "C"], "09:02", "00:30:05", "15:07", "Sat 21 Nov 2026", "2026-11-21"),
            (["LANG": "en_US", "LC_TIME": "de_DE"], "09:02", "00:30:05", "15:07", "Sat 21 Nov 2026", "21.11.2026"),
            (["LANG": "de_DE"], "09:02", "00:30:05", "15:07", "Sa. 21. Nov. 2026", "21.11.2026"),
            (["LANG": "en_CA"], "9:02 AM", "12:30:05 AM", "03:07 PM", "Sat 21 Nov 2026", "2026-11-21"),
        ])
    func `dates and clocks follow the country`(
        variables: [String: String], morning: String, night: String, padded: String, day: String, shortDay: String
    ) {
        let language = Language.of(locale: variables)
        #expect(language.clock(hour: 9, minute: 2) == morning)
        #expect(language.clock(hour: 0, minute: 30, second: 5) == night)
        #expect(language.clock(hour: 15, minute: 7, isOfOneWidth: true) == padded)
        let texts = DatePatterns(language).texts
        #expect(texts[0] == day && texts[1] == shortDay)
    }

    @Test func `a long heading breaks at its hyphens`() {
        let page = Language.$ofTask.withValue(Self.german) {
            var table = DataTable(columns: [localized("Time"), localized("Speed")])
            table.rows = [[.init("1"), .init("2")]]
            return table.markup.text
        }
        #expect(page.contains(">Geschwin&shy;dig&shy;keit</th>") && page.contains(">Zeit</th>"))
    }

    @Test func `noon is 12 PM`() {
        let language = Language.of(locale: ["LANG": "en_US"])
        #expect(language.clock(hour: 12, minute: 0) == "12:00 PM" && language.clock(hour: 23, minute: 59) == "11:59 PM")
    }

    @Test func `days of a week come in the order of the week`() {
        var language = Language.english
        #expect(language.weekdays.first == "Mon" && language.weekdays.last == "Sun")
        language.firstWeekday = 1
        #expect(language.weekdays.first == "Sun" && language.weekdays.last == "Sat")
    }

    @Test func `a noun follows its number`() {
        #expect([0, 1, 2].map { Language.english.counted($0, "lap") } == ["0 laps", "1 lap", "2 laps"])
        #expect([0, 1, 2].map { Self.german.counted($0, "lap") } == ["0 Runden", "1 Runde", "2 Runden"])
    }

    @Test(
        arguments: [
            ("none", "abc", [0: "a", 1: "a", 5: "a"]), ("zero-one", "abc", [0: "a", 1: "a", 2: "b"]),
            ("czech", "abc", [1: "a", 3: "b", 5: "c", 22: "c", 0: "c"]),
            ("polish", "abc", [1: "a", 3: "b", 5: "c", 13: "c", 22: "b", 21: "c"]),
            ("slavic", "abc", [1: "a", 21: "a", 11: "c", 3: "b", 13: "c", 104: "b", 0: "c"]),
        ])
    func `languages with other plurals have their forms`(rule: String, forms: String, expected: [Int: String]) {
        let list = forms.map(String.init).joined(separator: " | ")
        let language = Language(tag: "xx", catalogue: "@plural = \(rule)\n%1 laps = \(list)\n")
        for (count, form) in expected { #expect(language.counted(count, "lap") == form, "\(count)") }
    }

    @Test func `a missing form is the last one`() {
        let language = Language(tag: "xx", catalogue: "@plural = slavic\n%1 laps = %1 one | %1 many\n")
        #expect(language.counted(5, "lap") == "5 many")
    }

    @Test(
        arguments: [
            ("%1 of %2", ["a", "b"], "a of b"), ("%2 %1", ["a", "b"], "b a"), ("%1 % of %1", ["9"], "9 % of 9"),
            ("100 %", [], "100 %"), ("%3", ["a"], "%3"), ("%1%", ["5"], "5%"), ("%%1", ["5"], "%5"),
        ])
    func `values replace their placeholders`(text: String, values: [String], expected: String) {
        #expect(Language.english.text(text, values) == expected)
    }

    @Test func `a value that looks like a placeholder stays a value`() {
        #expect(Language.english.text("%1 and %2", ["%2", "b"]) == "%2 and b")
    }

    @Test func `an untranslated text stays English, and comments are ignored`() {
        let language = Language(tag: "xx", catalogue: "# Lap = no\nLap = Tour\nbroken line\nA = B = C")
        #expect(language.text("Lap") == "Tour" && language.text("Route") == "Route" && language.text("A") == "B = C")
        #expect(language.words.count == 2)
    }

    @Test func `a page declares its language, and a script gets the texts it needs`() {
        let page = Language.$ofTask.withValue(Self.german) {
            var document = ReportDocument(title: "Lauf")
            document.section(
                localized("Laps"), "laps",
                {
                    var text = Markup(); text.text("1"); return text
                }())
            return String(decoding: document.bytes, as: UTF8.self)
        }
        #expect(page.contains("<html lang=\"de\" data-decimal=\",\" data-group=\".\" data-day=\"{dd}.{mm}.{year}\""))
        #expect(page.contains("data-zoom=\"Vergrößern|Verkleinern|Alles zeigen\"") && page.contains("<h2>Runden</h2>"))
    }
}

/// One day in all patterns.
private struct DatePatterns {
    var texts: [String]

    init(_ language: Language) {
        texts = Language.DatePattern.allCases.map { language.date($0, year: 2026, month: 11, day: 21, weekday: 7) }
    }
}
