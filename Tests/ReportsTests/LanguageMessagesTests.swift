import Testing

@testable import Reports

/// Messages of all modules, which are English until they reach the reader.
@Suite struct LanguageMessagesTests {
    private static let german = Language.named("de") ?? .english

    @Test(
        arguments: [
            ("the connection was lost", "die Verbindung ging verloren"),
            (
                "error: no workout 8F3A; 'workout list' lists all",
                "Fehler: kein Training 8F3A; „workout list“ zeigt alle"
            ),
            (
                "warning: Polar H10: battery 12 %: replace it soon",
                "Warnung: Polar H10: Akku 12 %: bald ersetzen"
            ),
            (
                "notice: ride.fit: nothing to undo; changes are kept for 30 days",
                "Hinweis: ride.fit: nichts zurückzunehmen; Änderungen bleiben 30 Tage erhalten"
            ),
            ("1 sample", "1 Messwert"), ("1,234 samples", "1234 Messwerte"), ("12 laps", "12 Runden"),
            ("Delete? [y/N] ", "Löschen? [j/N] "),
            (
                "it runs /usr/bin/workout, which cannot be run",
                "er führt /usr/bin/workout aus; das lässt sich nicht ausführen"
            ),
            ("something that no catalogue has", "something that no catalogue has"), ("", ""), (" ", " "), (": ", ": "),
        ])
    func `a message is shown in the reader's language`(english: String, german: String) {
        #expect(Self.german.message(english) == german)
        #expect(Language.english.message(english) == english)
    }

    @Test func `one-word names stay, even if the catalogue has them`() {
        #expect(Self.german.message("Undone: rest") == "Zurückgenommen: rest")
        #expect(Self.german.message("cannot write workout: %1") == "workout lässt sich nicht schreiben: %1")
    }

    @Test func `every text with values is found by its message`() {
        var count = 0
        for (english, text) in Self.german.words where !text.contains(" | ") {
            guard let template = MessageTemplate(english) else { continue }
            count += 1
            let values = (1...9).map { "v\($0)" }
            let message = Language.english.text(english, values)
            #expect(
                template.values(in: Array(message.utf8))?.joined() == values.prefix(template.count).joined(),
                "\(english)")
            let translated = Self.german.message(message)
            #expect(translated == Self.german.text(english, values), "\(english)")
        }
        #expect(count > 250)
    }

    @Test func `truncated messages and any text never trap`() {
        let message = "error: cannot write /tmp/a file: no space; 3 files: %1 %% %9 of %0: "
        for end in message.indices { _ = Self.german.message(String(message[..<end])) }
        var generator = SystemRandomNumberGenerator()
        let pieces = ["%", "1", ": ", "; ", ". ", " ", "and ", "from ", "v", "ü", "lists all", "error: ", "'"]
        for _ in 0..<500 {
            let text = (0..<8).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            _ = Self.german.message(text)
        }
    }

    @Test(
        arguments: [
            ("US", "11/21/2026", "11/21", "11/2026", "9:02 PM", "12,345.6", 1),
            ("GB", "21/11/2026", "21/11", "11/2026", "21:02", "12,345.6", 2),
            ("CA", "2026-11-21", "11-21", "2026-11", "9:02 PM", "12,345.6", 1),
            ("AU", "21/11/2026", "21/11", "11/2026", "9:02 PM", "12,345.6", 2),
            ("IN", "21/11/2026", "21/11", "11/2026", "9:02 PM", "12,345.6", 1),
            ("ZA", "2026/11/21", "11/21", "11/2026", "21:02", "12\u{A0}345,6", 1),
            ("DE", "21.11.2026", "21.11.", "11/2026", "21:02", "12.345,6", 2),
            ("CH", "21.11.2026", "21.11.", "11/2026", "21:02", "12’345.6", 2),
            ("FR", "21/11/2026", "21/11", "11/2026", "21:02", "12\u{202F}345,6", 2),
            ("NL", "21-11-2026", "21-11", "11-2026", "21:02", "12.345,6", 2),
            ("SE", "2026-11-21", "21/11", "2026-11", "21:02", "12\u{A0}345,6", 2),
            ("PL", "21.11.2026", "21.11", "11.2026", "21:02", "12\u{A0}345,6", 2),
            ("HU", "2026. 11. 21.", "11. 21.", "2026. 11.", "21:02", "12\u{A0}345,6", 2),
            ("BR", "21/11/2026", "21/11", "11/2026", "21:02", "12.345,6", 1),
            ("MX", "21/11/2026", "21/11", "11/2026", "9:02 PM", "12,345.6", 1),
            ("JP", "2026/11/21", "11/21", "2026/11", "21:02", "12,345.6", 1),
            ("EG", "21/11/2026", "21/11", "11/2026", "9:02 PM", "12,345.6", 7),
            ("MV", "2026-11-21", "11-21", "2026-11", "21:02", "12,345.6", 6),
        ])
    func `dates, clocks, numbers and weeks follow CLDR for the country`(
        country: String, day: String, dayOfYear: String, month: String, clock: String, number: String, weekday: Int
    ) {
        let language = Language.of(locale: ["LANG": "en_\(country).UTF-8"])
        func date(_ pattern: Language.DatePattern) -> String { language.date(pattern, year: 2026, month: 11, day: 21) }
        #expect(date(.shortDay) == day)
        #expect(date(.dayOfYear) == dayOfYear)
        #expect(date(.shortMonth) == month)
        #expect(language.clock(hour: 21, minute: 2) == clock)
        #expect(language.number("12345.6") == number)
        #expect(language.firstWeekday == weekday)
    }
}
