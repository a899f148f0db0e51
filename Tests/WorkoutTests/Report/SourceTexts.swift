/// The texts of a Swift file: its literals, with `%1`, `%2` … for values, joined across `+`.
///
/// Reads the Swift that this project uses: no raw strings, no nested comments.
struct SourceTexts {
    struct Text {
        /// With placeholders for values.
        var text: String
        /// The code before it, without line breaks.
        var context: String
    }

    private let code: [Character]
    private(set) var texts: [Text] = []

    init(_ source: String) {
        code = Array(source)
        var index = 0
        while index < code.count { index = next(from: index) }
    }

    /// Reads the element at the index, and returns the index after it.
    private mutating func next(from index: Int) -> Int {
        if starts("//", at: index) { return code[index...].firstIndex(of: "\n") ?? code.count }
        if starts("#/", at: index) { return end(of: "/#", from: index + 2) }
        if starts("#\"", at: index) { return end(of: "\"#", from: index + 2) }
        if starts("\"\"\"", at: index) { return end(of: "\"\"\"", from: index + 3) }
        guard code[index] == "\"" else { return index + 1 }
        let before = String(code[max(0, index - 100)..<index]).split(whereSeparator: \.isWhitespace)
        var places = 0
        let (text, end) = expression(from: index, &places)
        texts.append(Text(text: text, context: before.joined(separator: " ")))
        return end
    }

    /// A literal and everything added to it.
    private mutating func expression(from index: Int, _ places: inout Int) -> (String, Int) {
        var (text, end) = literal(from: index, &places)
        while let operand = operand(after: end) {
            if code[operand] == "\"", !starts("\"\"\"", at: operand) {
                let (more, behind) = literal(from: operand, &places)
                text += more
                end = behind
            } else {
                let behind = self.end(ofOperandFrom: operand)
                guard behind > operand else { break }
                places += 1
                text += "%\(places)"
                read(operand..<behind)
                end = behind
            }
        }
        return (text, end)
    }

    private func operand(after index: Int) -> Int? {
        guard let plus = code[index...].firstIndex(where: { !$0.isWhitespace }), code[plus] == "+",
            plus + 1 < code.count, code[plus + 1].isWhitespace
        else { return nil }
        return code[(plus + 1)...].firstIndex { !$0.isWhitespace }
    }

    /// A literal on one line, with placeholders for its values. The texts of values are read, too.
    private mutating func literal(from index: Int, _ places: inout Int) -> (String, Int) {
        var text = ""
        var index = index + 1
        while index < code.count, code[index] != "\"" {
            if code[index] == "\\", index + 1 < code.count {
                if code[index + 1] == "(" {
                    let close = self.close(of: index + 1)
                    places += 1
                    text += "%\(places)"
                    read(index + 2..<close)
                    index = close + 1
                    continue
                }
                text.append(code[index + 1] == "n" ? "\n" : code[index + 1])
                index += 2
                continue
            }
            text.append(code[index])
            index += 1
        }
        return (text, index + 1)
    }

    private mutating func read(_ range: Range<Int>) {
        var index = range.lowerBound
        while index < range.upperBound { index = next(from: index) }
    }

    /// The index after an operand: at a comma, a closing bracket, an operator or the end of its line.
    private func end(ofOperandFrom start: Int) -> Int {
        var index = start
        while index < code.count {
            switch code[index] {
            case "\"": index = skip(literalAt: index)
            case "(", "[", "{": index = close(of: index) + 1
            case ")", "]", "}", ",", "+", "?", ":": return index
            case "\n":
                guard let next = code[index...].firstIndex(where: { !$0.isWhitespace }),
                    ["+", ".", "?", ":"].contains(code[next])
                else { return index }
                index = next
                if code[index] != "." { return index }
            default: index += 1
            }
        }
        return index
    }

    /// The index of the bracket that closes the one at the index.
    private func close(of start: Int) -> Int {
        var depth = 0
        var index = start
        while index < code.count {
            switch code[index] {
            case "\"":
                index = skip(literalAt: index)
                continue
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return code.count - 1
    }

    private func skip(literalAt start: Int) -> Int {
        var index = start + 1
        while index < code.count, code[index] != "\"" {
            if code[index] == "\\", index + 1 < code.count, code[index + 1] == "(" {
                index = close(of: index + 1) + 1
            } else {
                index += code[index] == "\\" ? 2 : 1
            }
        }
        return index + 1
    }

    private func starts(_ text: String, at index: Int) -> Bool { code[index...].starts(with: text) }

    private func end(of mark: String, from start: Int) -> Int {
        var index = start
        while index < code.count, !starts(mark, at: index) { index += 1 }
        return index + mark.count
    }
}
