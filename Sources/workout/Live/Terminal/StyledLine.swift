import HealthKit

/// One line of text with its styles, measured in terminal columns.
struct StyledLine: Sendable, Equatable, ExpressibleByStringInterpolation {
    private(set) var runs: [Run] = []
    private(set) var width = 0

    struct Run: Sendable, Equatable {
        var text: String
        var style: TextStyle
    }

    init() {}

    /// Leaves out unprintable characters: see ``DisplayWidth/printable(_:)``.
    init(_ text: String, _ style: TextStyle = .plain) {
        let printable = DisplayWidth.printable(text)
        guard !printable.isEmpty else { return }
        runs = [Run(text: printable, style: style)]
        width = DisplayWidth.of(printable)
    }

    init(stringLiteral value: String) {
        self.init(value)
    }

    static func + (a: StyledLine, b: StyledLine) -> StyledLine {
        var sum = a
        sum += b
        return sum
    }

    static func += (a: inout StyledLine, b: StyledLine) {
        a.runs += b.runs
        a.width += b.width
    }

    static func spaces(_ count: Int) -> StyledLine {
        StyledLine(String(repeating: " ", count: max(0, count)))
    }

    /// Returns the line, at most `columns` wide. If text is cut off, the last column shows an ellipsis.
    func clipped(to columns: Int, ellipsis: String = "…") -> StyledLine {
        guard width > columns else { return self }
        let mark = DisplayWidth.of(ellipsis)
        guard columns >= mark else { return StyledLine() }
        var result = StyledLine()
        for run in runs {
            var kept = ""
            var room = columns - mark - result.width
            for character in run.text {
                let next = DisplayWidth.of(character)
                guard next <= room else {
                    return result + StyledLine(kept + ellipsis, run.style)
                }
                room -= next
                kept.append(character)
            }
            result += StyledLine(kept, run.style)
        }
        return result
    }

    /// Returns the line, exactly `columns` wide: clipped, or filled with spaces.
    func padded(to columns: Int, ellipsis: String = "…") -> StyledLine {
        let clipped = clipped(to: columns, ellipsis: ellipsis)
        return clipped + .spaces(columns - clipped.width)
    }

    /// Returns `left` at the left edge and `right` at the right one. If both do not fit, `left` is clipped first.
    static func spread(_ left: StyledLine, _ right: StyledLine, columns: Int, ellipsis: String = "…") -> StyledLine {
        let right = right.clipped(to: columns, ellipsis: ellipsis)
        let room = columns - right.width
        guard room > 1 else { return right }
        return left.clipped(to: room - 1, ellipsis: ellipsis).padded(to: room) + right
    }

    /// Puts as many pieces on a line as fit, side by side with a gap. A piece wider than a line gets a line of its own.
    static func packed(_ pieces: [StyledLine], columns: Int, gap: Int = 3, indent: Int = 0) -> [StyledLine] {
        var lines: [StyledLine] = []
        for piece in pieces {
            if let last = lines.last, last.width + gap + piece.width <= columns {
                lines[lines.count - 1] = last + .spaces(gap) + piece
            } else {
                lines.append(.spaces(indent) + piece)
            }
        }
        return lines
    }

    /// Breaks the text between words. A word longer than a line is broken where the line ends.
    static func wrapped(
        _ text: String, columns: Int, first: String = "", indent: String = "", _ style: TextStyle = .plain
    ) -> [StyledLine] {
        guard columns > DisplayWidth.of(indent), columns > DisplayWidth.of(first) else { return [] }
        var lines: [String] = []
        var line = first
        var isEmpty = true
        func end() {
            lines.append(line)
            line = indent
            isEmpty = true
        }
        for word in DisplayWidth.printable(text).split(separator: " ", omittingEmptySubsequences: false) {
            if !isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) > columns { end() }
            if !isEmpty { line += " " }
            for character in word {
                if !isEmpty, DisplayWidth.of(line) + DisplayWidth.of(character) > columns { end() }
                line.append(character)
                isEmpty = false
            }
            isEmpty = false
        }
        return (lines + [line]).map { StyledLine($0, style) }
    }

    /// Returns the text with its escape sequences, ending in the default style. Leaves out trailing spaces, unless
    /// something follows.
    func text(_ colour: TerminalCapability.Colour, keepsSpaces: Bool = false) -> String {
        var result = ""
        for run in runs {
            guard let codes = run.style.codes(colour), run.text.contains(where: { $0 != " " }) else {
                result += run.text
                continue
            }
            result += "\u{1B}[\(codes)m\(run.text)\u{1B}[0m"
        }
        while !keepsSpaces, result.last == " " { result.removeLast() }
        return result
    }

    /// Removes everything harmful from a line of ``text(_:)`` except its own escape sequences (SGR of `TextStyle`).
    static func withOwnSequences(_ line: String) -> String {
        guard line.utf8.contains(0x1B) else { return PrintableText.of(line) }
        var result = ""
        var rest = line[...]
        while let sequence = rest.firstMatch(of: #/\x1B\[[0-9]{1,3}(;[0-9]{1,3}){0,4}m/#) {
            result += PrintableText.of(String(rest[..<sequence.range.lowerBound])) + rest[sequence.range]
            rest = rest[sequence.range.upperBound...]
        }
        return result + PrintableText.of(String(rest))
    }
}
