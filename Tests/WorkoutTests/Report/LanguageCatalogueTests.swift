import ArgumentParser
import Foundation
import HealthKit
import Recordings
import Reports
import StoredWorkouts
import Testing

@testable import workout

/// The catalogues contain every text that people read on pages.
@Suite struct LanguageCatalogueTests {
    private let runs = StoredRuns()

    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    private static func files(_ folders: [String], _ endings: Set<String>) throws -> [(name: String, text: String)] {
        try folders.flatMap { folder -> [(String, String)] in
            let all = try #require(
                FileManager.default.enumerator(
                    at: sources.appendingPathComponent(folder), includingPropertiesForKeys: nil))
            return try all.compactMap { $0 as? URL }.filter { endings.contains($0.pathExtension) }
                .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
        }
    }

    /// English texts in code, with their file.
    private static func keys() throws -> [String: String] {
        var keys: [String: String] = [:]
        func add(_ text: some StringProtocol, _ file: String) {
            keys[text.replacingOccurrences(of: "\\\"", with: "\"")] = file
        }
        for (name, text) in try files(["Reports", "workout"], ["swift"]) where name != "Language.swift" {
            for match in text.matches(of: #/(?:localized|language\.text)\(\s*"((?:[^"\\]|\\.)*)"/#) {
                add(match.1, name)
            }
            for match in text.matches(of: #/localized\([^"]*?\? "([^"]*)"\s*: (?:[^"]*\? )?"([^"]*)"/#) {
                add(match.1, name)
                add(match.2, name)
            }
            for match in text.matches(of: #/(?:localizedCount|Page\.counted|[^.]counted)\([^"{}]*?, *"([^"\\]*)"/#) {
                add("%1 \(match.1)s", name)
            }
            for list in text.matches(of: #/\[([^\[\]]*)\]\s*\.map \{[^}]*localized\(\$0\)/#) {
                for match in list.1.matches(of: #/"([^"\\]+)"/#) { add(match.1, name) }
            }
        }
        for (name, text) in try files(["workout/Serve/Pages"], ["js", "html"]) {
            for match in text.matches(of: #/\btr\([^"()]*"([^"]*)"(?: : "([^"]*)")?/#) {
                add(match.1, name)
                if let other = match.2 { add(other, name) }
            }
            for match in text.matches(of: #/\{\{([^}]*)\}\}/#) { add(match.1, name) }
        }
        return keys.filter { $0.key.contains(where: \.isLetter) }
    }

    private static var activities: [String] {
        let all: [UInt] = Array(1...84) + [3000]
        return all.compactMap { HKWorkoutActivityType(rawValue: $0) }
            .map { type in Language.$ofTask.withValue(.english) { ActivityTitle.of(type.caseName) } }
    }

    /// Texts that code looks up by a value.
    private static let named: [String] = [
        "distance", "pace", "speed", "power", "cadence", "energy", "elapsed", "not started", "connecting", "ready",
        "running", "paused", "stopped", "ended", "connected", "away", "gone", "north", "north-east", "east",
        "south-east", "south", "south-west", "west", "north-west", "Morning %1", "Afternoon %1", "Evening %1",
        "Night %1", "Indoor %1", "Outdoor %1", "Live", "Board", "Workouts", "This week", "This month", "This year",
        "All time", "Text", "Tag", "Activity", "From", "To", "At least", "At most", "Longer than", "Shorter than",
        "Device", "min", "avg", "max", "slowest", "fastest", "Active energy", "Resting energy", "Weight", "Cadence",
        "Power", "Speed", "Stride length", "Ground contact time", "Vertical oscillation", "Steps", "Strokes",
        "Blood oxygen", "Heart-rate variability (SDNN)", "Effort", "recovery", "effort",
    ]

    @Test func `every text of the code has a translation in every language`() throws {
        let keys = try Self.keys()
        #expect(keys.count > 330)
        for language in Language.all.dropFirst() {
            let words = language.words
            for (key, file) in keys.sorted(by: { $0.key < $1.key }) {
                #expect(words[key] != nil, "\(language.tag) lacks '\(key)' of \(file)")
            }
            for key in Self.named + Self.activities + TrainingGoal.Measure.allCases.map(\.rawValue) {
                #expect(words[key] != nil, "\(language.tag) lacks '\(key)'")
            }
        }
    }

    @Test func `a translation has the placeholders of its text, and nothing is empty`() {
        for language in Language.all.dropFirst() {
            for (english, text) in language.words {
                #expect(!text.trimmingCharacters(in: .whitespaces).isEmpty, "\(english)")
                for form in text.components(separatedBy: " | ") {
                    for place in ["%1", "%2", "%3"] {
                        #expect(form.contains(place) == english.contains(place), "\(language.tag): \(english)")
                    }
                }
            }
        }
    }

    /// The code before a page's text.
    private static var places: Regex<(Substring, Substring)> {
        #/(?:text: |reason\(|section\(\s*|columns: \[|caption: |title: |label: |"aria-label": |TimeTrack\(\s*|Number\(\s*)"((?:[^"\\]|\\.)*)"/#
    }

    /// Whether two letters follow each other outside of values, which begin with a backslash and a parenthesis.
    private static func hasWord(_ literal: Substring) -> Bool {
        var (depth, letters) = (0, 0)
        var previous: Character = " "
        for character in literal {
            if character == "(", depth > 0 || previous == "\\" { depth += 1 }
            letters = depth == 0 && character.isLetter ? letters + 1 : 0
            if letters == 2 { return true }
            if character == ")", depth > 0 { depth -= 1 }
            previous = character
        }
        return false
    }

    @Test func `every text of a page is in the catalogue`() throws {
        let files =
            try Self.files(["Reports/Charts", "Reports/Maps", "Reports/Markup", "workout/Report/Pages"], ["swift"])
            + Self.files(["workout/Serve"], ["swift"]).filter { $0.name == "HistoryPage.swift" }
        #expect(files.count > 20)
        for (name, text) in files {
            let code = text.split(separator: "\n").filter { !$0.contains(#/^\s*\/\//#) }.joined(separator: "\n")
            for match in code.matches(of: Self.places) {
                #expect(!Self.hasWord(match.1), "\(name): \"\(match.1)\"")
            }
        }
        for (name, text) in try Self.files(["workout/Serve/Pages"], ["html"]) {
            for match in text.matches(of: #/>([^<>{}]*[A-Za-z]{3,}[^<>{}]*)</#) where match.1 != "bpm" {
                let isCode = text[..<match.range.lowerBound].hasSuffix("<code")
                #expect(isCode, "\(name): \(match.1)")
            }
        }
    }

    // MARK: Messages

    /// Files whose texts are for programs or maintainers, or are checked as pages.
    private static let foreign = [
        "Licenses.swift", "MailMessage.swift", "SessionMetrics.swift", "ServeSite.swift", "HistoryPage.swift",
        "OpenAPI.swift", "ReportSpan.swift", "Version.swift", "icu-data.swift",
    ]
    /// Code before a text that is help, which is English, or that is already in the catalogue.
    private static var help: Regex<(Substring, Substring)> {
        #/(help:|ArgumentHelp\(|abstract:|discussion:|valueName:|localized\(|localizedCount\([^"]*,|name: "[^"]*", subcommands:|CommandGroup\( ?name:|message: why) ?$/#
    }
    /// Commands to type, and lines of units and of HTML.
    private static var commands: Regex<(Substring, Substring, Substring?)> {
        #/^(workout |sudo |echo '|systemctl |bluetoothctl |apt |# |Description=|Documentation=|<|\/|RR %1|SDNN|RMSSD|%1(  %2)*$|curl |xdg-open|unblock |unknown command|The address of a sensor)/#
    }

    @Test func `every message goes through the catalogue`() throws {
        let german = try #require(Language.named("de"))
        let files = try Self.files(["workout"], ["swift"]).filter { !Self.foreign.contains($0.name) }
        var count = 0
        for (name, source) in files {
            for text in SourceTexts(source).texts where text.context.firstMatch(of: Self.help) == nil {
                let english = Self.message(text.text)
                guard Self.isSentence(english), english.firstMatch(of: Self.commands) == nil else { continue }
                count += 1
                let filled = Language.english.text(english, (1...9).map { "v\($0)" })
                #expect(
                    german.words[english] != nil || german.message(filled) != filled,
                    "\(name): '\(english)' is not in German")
            }
        }
        #expect(count > 200)
    }

    /// A text as in the catalogue: without its kind and surrounding blanks.
    private static func message(_ text: String) -> String {
        var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        for kind in ["error: ", "warning: ", "notice: "] where text.hasPrefix(kind) { text.removeFirst(kind.count) }
        return text
    }

    /// Whether there are five words, two of them in a row: shorter texts are often part of a longer one.
    private static func isSentence(_ text: String) -> Bool {
        text.split(separator: " ").count >= 5
            && text.firstMatch(of: #/[A-Za-z]{2,}[,;:]? +[%a-z'(]+[a-z0-9]/#) != nil && !text.contains("u{1B}")
    }

    @Test func `a German page has no English text that has a translation`() async throws {
        let german = try #require(Language.named("de"))
        let id = try await runs.replay("intervals").id.uuidString
        let other = try await runs.replay("easy-run").id.uuidString
        for arguments in [[id], [id, other], ["--all"]] {
            let page = try await Language.$ofTask.withValue(german) {
                let report = try await Report.parse(arguments).report(runs.environment, StoredRuns.utc)
                return String(decoding: report.document.bytes, as: UTF8.self)
            }
            #expect(page.contains("<html lang=\"de\"") && page.contains("Dauer"))
            let words = german.words
            let texts =
                page.matches(of: #/>([^<>]+)</#).map { String($0.1) }
                + page.matches(of: #/aria-label="([^"]+)"/#).map { String($0.1) }
            #expect(texts.count > 100)
            for text in texts where words[text].map({ $0 != text }) == true {
                // Some English words are also German ones.
                #expect(words.values.contains(text), "'\(text)' is not translated")
            }
            #expect(page.firstMatch(of: #/>\d+\.\d+ (km|%|ms|h)</#) == nil, "a decimal point in a German page")
        }
    }

    @Test func `the terminal shows German tables, and JSON is unchanged`() async throws {
        let german = try #require(Language.named("de"))
        _ = try await runs.replay("intervals")
        let list = try Language.$ofTask.withValue(german) { try List.parse([]).lines(runs.database, StoredRuns.utc) }
        #expect(list.first?.contains("Beginn") == true && list.first?.contains("Distanz") == true)
        #expect(list[1].contains(" km") && list[1].contains(","))
        #expect(try List.parse(["--json"]).isForPrograms && (try Show.parse(["8F3A", "--json"])).isForPrograms)
        #expect(try Analyze.parse(["--json"]).isForPrograms && !(try Report.parse(["8F3A", "--json"])).isForPrograms)
    }

    @Test(arguments: ["de", "de_AT", "en"])
    func `a command takes a language`(name: String) throws {
        #expect(try List.parse(["--language", name]).reader.language?.tag == String(name.prefix(2)))
    }

    @Test func `a language without a catalogue is rejected`() {
        #expect(throws: (any Error).self) { try List.parse(["--language", "xx"]) }
    }
}
