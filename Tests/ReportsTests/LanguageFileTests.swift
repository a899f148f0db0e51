import Foundation
import Testing

@testable import Reports

/// Languages that a user adds as a file.
@Suite struct LanguageFileTests {
    /// German under another name, with changed lines.
    private static func catalogue(_ change: (inout [String]) -> Void = { _ in }) -> String {
        let german = String(decoding: PackageResources.de_txt, as: UTF8.self)
        var lines = german.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        change(&lines)
        return lines.joined(separator: "\n")
    }

    private static func problems(_ change: (inout [String]) -> Void) -> [String] {
        LanguageFile(tag: "xx", path: "/xx.txt", catalogue: catalogue(change)).problems
    }

    @Test func `a complete file has no problems`() {
        #expect(Self.problems { _ in }.isEmpty)
    }

    @Test func `a missing text is named, and stays English`() throws {
        let catalogue = Self.catalogue { $0.removeAll { $0.hasPrefix("Laps = ") || $0.hasPrefix("Zones = ") } }
        let file = LanguageFile(tag: "xx", path: "/xx.txt", catalogue: catalogue)
        let problem = try #require(file.problems.first)
        #expect(file.problems.count == 1 && problem.hasPrefix("2 of ") && problem.contains("\"Laps\""))
        #expect(file.language.text("Laps") == "Laps" && file.language.text("Route") == "Strecke")
    }

    @Test(
        arguments: [
            ("Lapps = Runden", "\"Lapps\" is not an English text of this version"),
            ("no translation", "has no \" = \""),
            ("Lap = %1 Runde", "does not have the same %1"),
        ])
    func `a wrong line is named by its number`(line: String, problem: String) {
        let problems = Self.problems { $0.insert(line, at: 3) }
        #expect(problems.count == 1 && problems.first?.hasPrefix("line 4") == true, "\(problems)")
        #expect(problems.first?.contains(problem) == true, "\(problems)")
    }

    @Test func `missing names and patterns are named`() {
        let problems = Self.problems { lines in
            lines.removeAll { $0.hasPrefix("@day = ") }
            if let index = lines.firstIndex(where: { $0.hasPrefix("@months = ") }) { lines[index] = "@months = Januar" }
        }
        #expect(problems == ["\"@day\" is missing", "\"@months\" has 1 names instead of 12"])
    }

    @Test func `the user's folder comes before the system's`() {
        let user = LanguageFile.folders(environment: ["XDG_DATA_HOME": "/d", "HOME": "/h", "XDG_DATA_DIRS": "/a:b:/c"])
        #expect(user.map(\.path) == ["/d", "/a", "/c"].map { $0 + "/healthkit/languages" })
        let home = LanguageFile.folders(environment: ["XDG_DATA_HOME": "relative", "HOME": "/h"])
        let expected = ["/h/.local/share", "/usr/local/share", "/usr/share"]
        #expect(home.map(\.path) == expected.map { $0 + "/healthkit/languages" })
    }

    @Test func `the first file of a language counts, and other files are left out`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("languages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, second) = (folder.appendingPathComponent("1"), folder.appendingPathComponent("2"))
        for (place, name, text) in [
            (first, "fr.txt", "Lap = Tour"), (second, "fr.txt", "Lap = Manche"), (second, "it.txt", "Lap = Giro"),
            (first, "README.txt", "Lap = ?"), (first, "../es.txt", "Lap = Vuelta"), (first, "en.txt", "Lap = Round"),
            (second, "de.txt", "Lap = Umlauf"),
        ] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: place.appendingPathComponent(name))
        }
        let files = LanguageFile.all(in: [folder.appendingPathComponent("none"), first, second])
        #expect(files.map(\.tag) == ["de", "en", "fr", "it"])
        let languages = Language.including(files)
        #expect(languages.map(\.tag) == ["en", "de", "fr", "it"])
        #expect(languages.map { $0.text("Lap") } == ["Lap", "Umlauf", "Tour", "Giro"])
    }
}
