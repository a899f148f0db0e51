import Foundation

/// A language that somebody added: a catalogue in a folder of this machine, such as `~/.local/share/healthkit/languages/fr.txt`.
package struct LanguageFile: Sendable {
    /// The name of the file without `.txt`: a language tag of two or three letters.
    package let tag: String
    package let path: String
    package let language: Language
    private let catalogue: String

    /// The problems of the file. Missing texts stay English.
    package var problems: [String] { Self.problems(of: language, catalogue) }

    /// The files of this machine.
    package static let installed = all(in: folders)

    /// `healthkit/languages` below the user's data and the system's (XDG Base Directory Specification), the first file of a language first.
    static let folders = folders(environment: ProcessInfo.processInfo.environment)

    static func folders(environment: [String: String]) -> [URL] {
        func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let user = absolute(environment["XDG_DATA_HOME"]) ?? absolute(environment["HOME"]).map { $0 + "/.local/share" }
        let system = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        return ([user] + system.split(separator: ":").map { absolute(String($0)) }).compactMap { $0 }
            .map { URL(fileURLWithPath: $0).appendingPathComponent("healthkit/languages") }
    }

    /// The size limit of a catalogue.
    private static let mostBytes = 1 << 20

    /// Returns the files in the order of their tags, without files of other names and files that cannot be read.
    static func all(in folders: [URL]) -> [LanguageFile] {
        var files: [String: LanguageFile] = [:]
        for folder in folders {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            where name.wholeMatch(of: #/[a-z]{2,3}\.txt/#) != nil {
                let tag = String(name.dropLast(4))
                let url = folder.appendingPathComponent(name)
                guard files[tag] == nil, let text = text(url) else { continue }
                files[tag] = LanguageFile(tag: tag, path: url.path, catalogue: text)
            }
        }
        return files.values.sorted { $0.tag < $1.tag }
    }

    private static func text(_ url: URL) -> String? {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? file.close() }
        guard let bytes = try? file.read(upToCount: mostBytes + 1), bytes.count <= mostBytes else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    init(tag: String, path: String, catalogue: String) {
        self.tag = tag
        self.path = path
        self.catalogue = catalogue
        language = Language(tag: tag, catalogue: catalogue)
    }

    // MARK: Problems

    /// Compares a catalogue with German, which is complete.
    private static func problems(of language: Language, _ catalogue: String) -> [String] {
        let complete = Language.included.last ?? .english
        let texts = complete.words
        var problems: [String] = []
        for line in Language.lines(catalogue) {
            guard let (key, text) = line.entry else {
                problems.append("line \(line.number) has no \" = \" between an English text and its translation")
                continue
            }
            guard !key.hasPrefix("@") else { continue }
            guard texts[key] != nil else {
                problems.append("line \(line.number): \"\(key)\" is not an English text of this version")
                continue
            }
            let places = text.components(separatedBy: " | ").map(places)
            if places.contains(where: { $0 != Self.places(key) }) {
                problems.append("line \(line.number): the translation of \"\(key)\" does not have the same %1, %2 …")
            }
        }
        let missing = texts.keys.filter { language.words[$0] == nil }.sorted()
        if let first = missing.first {
            problems.append(
                "\(missing.count) of \(texts.count) texts are missing and stay English, such as \"\(first)\"")
        }
        let counts = ["@weekdays": 7, "@short months": 12, "@months": 12]
        for name in Language.english.entries.keys.sorted() where isRequired(name) {
            let found = language.entries[name]?.split(separator: " ").count ?? 0
            if found == 0 {
                problems.append("\"\(name)\" is missing")
            } else if let count = counts[name], found != count {
                problems.append("\"\(name)\" has \(found) names instead of \(count)")
            }
        }
        return problems
    }

    /// Whether each file must have an entry. Group marks, halves of a day and patterns of countries are optional.
    private static func isRequired(_ name: String) -> Bool {
        name.hasPrefix("@") && !["@am", "@pm", "@group mark"].contains(name) && name.last?.isUppercase == false
    }

    private static func places(_ text: String) -> Set<String> { Set(text.matches(of: #/%[1-9]/#).map { String($0.0) }) }
}
