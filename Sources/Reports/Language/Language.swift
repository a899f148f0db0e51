package import Foundation
import HealthData
import Synchronization

/// The words, numbers and dates of one language, from its catalogue: a text file such as `Languages/de.txt`.
///
/// The English text in the code is the key of its translation. Output for programs (JSON, CSV, file names) is never
/// translated.
package struct Language: Sendable {
    /// The language tag, as in HTML: `de`.
    package let tag: String
    /// The first day of the week, as in `Calendar`: 1 for Sunday.
    package var firstWeekday = 2
    /// The country whose dates and clock are used, such as `US`; nil for those of the language.
    package var region: String?
    /// The country whose numbers are used; nil for those of the language.
    package var numberRegion: String?
    let entries: [String: String]
    private let pluralRule: PluralRule

    /// The rule for the form of a noun after a number, from CLDR's rules of cardinal numbers (Unicode Technical
    /// Standard 35).
    private enum PluralRule: String {
        /// One form: Japanese, Turkish after a number.
        case none
        /// 1 and others: German, English, Spanish.
        case one
        /// 0 and 1, and others: French.
        case zeroOne = "zero-one"
        /// 1, 2 to 4, and others: Czech, Slovak.
        case czech
        /// 1, 2 to 4 (not 12 to 14), and others: Polish.
        case polish
        /// 1 (not 11), 2 to 4 (not 12 to 14), and others by the last digits: Russian, Ukrainian, Croatian.
        case slavic

        func form(_ count: Int) -> Int {
            let count = abs(count)
            let (unit, ten) = (count % 10, count % 100)
            let isFew = (2...4).contains(unit) && !(12...14).contains(ten)
            return switch self {
            case .none: 0
            case .one: count == 1 ? 0 : 1
            case .zeroOne: count <= 1 ? 0 : 1
            case .czech: count == 1 ? 0 : (2...4).contains(count) ? 1 : 2
            case .polish: count == 1 ? 0 : isFew ? 1 : 2
            case .slavic: unit == 1 && ten != 11 ? 0 : isFew ? 1 : 2
            }
        }
    }

    // MARK: The catalogue

    /// - Parameter catalogue: A line for each entry, `English text = text`. Lines that begin with `#` are comments.
    ///   Names that begin with `@` are not texts but marks of numbers, names of days and months, and patterns of dates.
    ///   Countries after such a name have a pattern of their own: `@short day US = {mm}/{dd}/{year}`.
    package init(tag: String, catalogue: String) {
        self.tag = tag
        var entries: [String: String] = [:]
        for (key, text) in Self.lines(catalogue).compactMap(\.entry) {
            let words = key.split(separator: " ")
            let regions = key.hasPrefix("@") ? words.reversed().prefix { Self.isRegion($0) } : []
            let name = words.dropLast(regions.count).joined(separator: " ")
            if regions.isEmpty { entries[key] = text }
            for region in regions { entries["\(name) \(region)"] = text }
        }
        self.entries = entries
        pluralRule = entries["@plural"].flatMap(PluralRule.init) ?? .one
    }

    private static func isRegion(_ word: some StringProtocol) -> Bool {
        word.utf8.count == 2 && word.utf8.allSatisfy { (65...90).contains($0) }
    }

    /// Returns the lines that are not comments, with their numbers. A line without ` = ` has no entry.
    static func lines(_ catalogue: String) -> [(number: Int, entry: (key: String, text: String)?)] {
        catalogue.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap {
            index, line in
            guard !line.hasPrefix("#"), line.contains(where: { !$0.isWhitespace }) else { return nil }
            let entry = line.firstRange(of: " = ").map {
                (String(line[..<$0.lowerBound]), String(line[$0.upperBound...]))
            }
            return (index + 1, entry)
        }
    }

    /// Returns an entry whose name begins with `@`: that of the country in this language or in every one, or else that of
    /// the language.
    func pattern(_ name: String, in region: String?) -> String? {
        region.flatMap { entries["\(name) \($0)"] ?? Self.countries["\(name) \($0)"] } ?? entries[name]
    }

    /// Patterns of countries by their names and the country: `@short day US`.
    private static let countries = Language(tag: "", catalogue: text(PackageResources.countries_txt)).entries

    package static let english = Language(tag: "en", catalogue: text(PackageResources.en_txt))

    /// The languages of the command, English first.
    package static let included = [english, Language(tag: "de", catalogue: text(PackageResources.de_txt))]

    /// The languages of the command and of this machine's files (``LanguageFile``).
    package static let all = including(LanguageFile.installed)

    /// Adds languages from files. A file replaces a language of the command, except English: its texts are in the code.
    static func including(_ files: [LanguageFile]) -> [Language] {
        let own = files.filter { $0.tag != english.tag }.map(\.language)
        return included.filter { language in !own.contains { $0.tag == language.tag } } + own
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// All texts by the English ones, for the scripts of pages.
    package var words: [String: String] { entries.filter { !$0.key.hasPrefix("@") } }

    // MARK: Which

    /// The language of the task, or else of the command.
    package static var current: Language { ofTask ?? ofCommand.withLock { $0 } }

    @TaskLocal package static var ofTask: Language?

    private static let ofCommand = Mutex(english)

    /// Makes this the language of every task that has none of its own.
    package static func use(_ language: Language) { ofCommand.withLock { $0 = language } }

    /// Returns the language of a locale in the system's variables (locale(7)): `LC_ALL`, `LC_MESSAGES` and `LANG` name
    /// the language, `LC_TIME` the country of weeks, dates and clocks, `LC_NUMERIC` that of numbers. Returns English if
    /// there is no catalogue.
    package static func of(locale environment: [String: String]) -> Language {
        func first(_ names: [String]) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        var language = named(first(["LC_ALL", "LC_MESSAGES", "LANG"]) ?? "") ?? english
        language.useCountry(ofTimes: first(["LC_ALL", "LC_TIME", "LANG"]) ?? "")
        language.numberRegion = region(first(["LC_ALL", "LC_NUMERIC", "LANG"]) ?? "")
        return language
    }

    /// Returns the language that a browser prefers (RFC 9110, section 12.5.4), or nil if there is no catalogue for any
    /// that it names.
    package static func of(acceptLanguage header: String) -> Language? {
        let ranges = header.split(separator: ",").compactMap { range -> (name: String, weight: Double)? in
            let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = parts.first else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return (name, weight ?? 1)
        }
        for range in ranges.enumerated().sorted(by: { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) })
        where range.element.weight > 0 {
            guard var language = named(range.element.name) else { continue }
            language.useCountry(ofTimes: range.element.name)
            language.numberRegion = language.region
            return language
        }
        return nil
    }

    /// Returns the language of `de`, `de-AT` or `de_CH.UTF-8`, or nil if it has no catalogue.
    package static func named(_ locale: String) -> Language? {
        let tag = locale.prefix { $0.isLetter }.lowercased()
        return all.first { $0.tag == tag }
    }

    private mutating func useCountry(ofTimes locale: String) {
        region = Self.region(locale)
        firstWeekday = Self.firstWeekday(region: region)
    }

    private static func region(_ locale: String) -> String? {
        locale.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }.dropFirst()
            .first { $0.count == 2 && $0.allSatisfy(\.isLetter) }?.uppercased()
    }

    /// Returns 1 for Sunday, 2 for Monday, 6 for Friday, 7 for Saturday.
    private static func firstWeekday(region: String?) -> Int {
        switch region.flatMap({ countries["@first weekday \($0)"] }) {
        case "sunday": 1
        case "friday": 6
        case "saturday": 7
        default: 2
        }
    }

    // MARK: Texts

    /// Returns the translation of a text.
    /// - Parameter values: The values for `%1`, `%2` and so on.
    package func text(_ english: String, _ values: [String] = []) -> String {
        Self.filled(entries[english] ?? english, values)
    }

    /// Returns a number and its noun: `1 lap`, `2 laps`. The noun is passed in the English singular.
    package func counted(_ count: Int, _ noun: String) -> String {
        guard let forms = entries["%1 \(noun)s"]?.components(separatedBy: " | "), let last = forms.last else {
            return "\(number("\(count)")) \(noun)\(count == 1 ? "" : "s")"
        }
        let form = pluralRule.form(count)
        return Self.filled(forms.indices.contains(form) ? forms[form] : last, [number("\(count)")])
    }

    /// Returns a title for use within a sentence: in lower case, unless the language capitalises nouns.
    package func inSentence(_ title: String) -> String {
        entries["@titles in sentences"] == "lower case" ? title.lowercased() : title
    }

    private static func filled(_ text: String, _ values: [String]) -> String {
        guard !values.isEmpty else { return text }
        var filled = ""
        var isPlace = false
        for character in text {
            if isPlace, let number = character.wholeNumberValue, values.indices.contains(number - 1) {
                filled += values[number - 1]
                isPlace = false
            } else {
                if isPlace { filled.append("%") }
                isPlace = character == "%"
                if !isPlace { filled.append(character) }
            }
        }
        return isPlace ? filled + "%" : filled
    }
}

/// Returns a text in the current language.
/// - Parameters:
///   - english: The key of its translation. It is a literal in code, so that a test finds texts without a translation.
///   - values: The values for `%1`, `%2` and so on.
package func localized(_ english: String, _ values: String...) -> String { Language.current.text(english, values) }

/// Returns `1 lap` or `2 laps`, in the current language.
package func localizedCount(_ count: Int, _ noun: String) -> String { Language.current.counted(count, noun) }

extension Calendar {
    /// Returns the Gregorian calendar in a time zone, with the weeks of the reader's country.
    package static func reader(_ timeZone: TimeZone) -> Calendar {
        var calendar = gregorian(timeZone)
        calendar.firstWeekday = Language.current.firstWeekday
        return calendar
    }
}

/// Returns the name of a device in the current language, if this project gave it that name because it has none. Other names are their
/// owners' and stay.
package func localizedDevice(_ name: String) -> String {
    switch name {
    case "FIT recorder": localized("FIT recorder")
    case "heart rate strap": localized("heart rate strap")
    case "Simulated motion sensor": localized("Simulated motion sensor")
    case "Simulated strap": localized("Simulated strap")
    default: name
    }
}
