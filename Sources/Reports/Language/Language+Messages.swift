import Synchronization

/// Translates finished messages.
///
/// Errors, warnings and events come from every module, which know nothing of languages. They are English until they
/// reach the reader, and are translated there, by the entry of the catalogue with the same words.
extension Language {
    /// Returns the translation of an English message with its values, or the message itself if there is none.
    ///
    /// Values that are messages themselves are translated too, and so are both sides of `file.fit: no workout`. A value
    /// of one word stays: it is a name, a file or a number.
    package func message(_ english: String) -> String {
        if tag == Self.english.tag { return english }
        let before = english.prefix { $0 == " " }
        let after = english.reversed().prefix { $0 == " " }
        let words = english.dropFirst(before.count).dropLast(after.count)
        for kind in ["error", "warning", "notice"] where words.hasPrefix(kind + ": ") {
            return before + text(kind) + ": " + message(String(words.dropFirst(kind.count + 2))) + String(after)
        }
        return translation(of: String(words), depth: 0).map { before + $0 + String(after) } ?? english
    }

    private static let mostDepth = 4

    private func translation(of english: String, depth: Int) -> String? {
        if let exact = entries[english] { return exact }
        guard depth < Self.mostDepth, english.contains(" ") else { return nil }
        if let counted = translationOfCount(english) { return counted }
        let bytes = Array(english.utf8)
        for template in templates {
            guard let values = template.values(in: bytes) else { continue }
            return text(template.english, values.map { translationOfValue($0, depth: depth + 1) })
        }
        return translationOfParts(english, depth: depth + 1)
    }

    private func translationOfValue(_ english: String, depth: Int) -> String {
        guard let space = english.firstIndex(of: " "), depth < Self.mostDepth else { return english }
        // Some values are sentences that go on: `; once it is back, …`
        if space == english.startIndex { return " " + translationOfValue(String(english.dropFirst()), depth: depth) }
        return translation(of: english, depth: depth) ?? english
    }

    /// Translates `3 laps`.
    private func translationOfCount(_ english: String) -> String? {
        let parts = english.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0].filter { $0 != "," }) else { return nil }
        let noun = count == 1 ? parts[1] : parts[1].hasSuffix("s") ? parts[1].dropLast() : parts[1]
        return entries["%1 \(noun)s"] == nil ? nil : counted(count, String(noun))
    }

    /// Translates what stands before and after a colon, or sentences one by one.
    private func translationOfParts(_ english: String, depth: Int) -> String? {
        for mark in [": ", "; ", ". ", "? "] {
            guard let place = english.firstRange(of: mark) else { continue }
            let isSentence = mark == ". " || mark == "? "
            let before = String(english[..<place.lowerBound]) + (isSentence ? mark.dropLast() : "")
            let after = String(english[place.upperBound...])
            let translations = [translation(of: before, depth: depth), translation(of: after, depth: depth)]
            guard translations.contains(where: { $0 != nil }) else { continue }
            return (translations[0] ?? before) + (isSentence ? " " : mark) + (translations[1] ?? after)
        }
        return nil
    }

    // MARK: Templates

    /// The entries with values, those with the most words first.
    private var templates: [MessageTemplate] {
        Self.known.withLock { known in
            if let templates = known[tag] { return templates }
            let templates = entries.filter { !$0.value.contains(" | ") }.keys.compactMap(MessageTemplate.init)
                .sorted { ($1.length, $0.english) < ($0.length, $1.english) }
            known[tag] = templates
            return templates
        }
    }

    private static let known = Mutex<[String: [MessageTemplate]]>([:])
}

/// An English text of a catalogue with places for values: `cannot write %1: %2`.
struct MessageTemplate: Sendable {
    let english: String
    private let words: [[UInt8]]
    private let places: [Int]
    /// The number of bytes that are not values.
    let length: Int
    /// The number of values.
    var count: Int { places.count }

    /// The least number of letters of a template. Shorter ones would match anything.
    private static let fewestLetters = 4

    /// Returns nil if the text has no place, names one twice, or has hardly any words.
    init?(_ english: String) {
        var words: [[UInt8]] = [[]]
        var places: [Int] = []
        var isPlace = false
        for byte in english.utf8 {
            if isPlace, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) {
                words[words.count - 1].removeLast()
                places.append(Int(byte - UInt8(ascii: "1")))
                words.append([])
                isPlace = false
            } else {
                isPlace = byte == UInt8(ascii: "%")
                words[words.count - 1].append(byte)
            }
        }
        let letters = words.joined().count { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
        guard !english.hasPrefix("@"), !places.isEmpty, Set(places) == Set(0..<places.count),
            letters >= Self.fewestLetters
        else { return nil }
        (self.english, self.words, self.places) = (english, words, places)
        length = words.reduce(0) { $0 + $1.count }
    }

    /// Returns the values in the order of their numbers, or nil if the message has other words.
    ///
    /// A value may be empty. Of values that follow one another without a word between them, the last gets everything.
    /// - Parameter bytes: The message in UTF-8.
    func values(in bytes: [UInt8]) -> [String]? {
        let last = words[words.count - 1]
        guard bytes.count >= length, bytes.first == words[0].first || words[0].isEmpty, bytes.starts(with: words[0]),
            bytes.suffix(last.count).elementsEqual(last)
        else { return nil }
        var values = [String](repeating: "", count: places.count)
        var position = words[0].count
        for (index, place) in places.enumerated() {
            let next = words[index + 1]
            let isLast = index == places.count - 1
            if next.isEmpty, !isLast { continue }
            let end = isLast ? bytes.count - next.count : Self.place(of: next, in: bytes, from: position)
            guard let end, end >= position else { return nil }
            values[place] = String(decoding: bytes[position..<end], as: UTF8.self)
            position = end + next.count
        }
        return values
    }

    /// Returns where the words begin.
    private static func place(of words: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard start + words.count <= bytes.count else { return nil }
        return (start...bytes.count - words.count).first {
            bytes[$0] == words[0] && bytes[$0..<$0 + words.count].elementsEqual(words)
        }
    }
}
