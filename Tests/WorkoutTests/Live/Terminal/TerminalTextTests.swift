import Testing

@testable import workout

@Suite struct DisplayWidthTests {
    @Test(arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("跑步", 4), ("🏃", 2), ("█▁", 2), ("", 0), ("\u{1B}", 0)])
    func `width is counted in columns`(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [
        ("\u{1B}[31mred", "[31mred"), ("a\nb\tc", "a b c"), ("\u{202E}abc", "abc"), ("❤\u{FE0F}", "❤"),
        ("\u{9B}31m", "31m"), ("plain", "plain"),
    ])
    func `terminal control characters are removed`(text: String, printable: String) {
        #expect(DisplayWidth.printable(text) == printable)
    }
}

@Suite struct StyledLineTests {
    @Test func `a line that is too long ends in an ellipsis`() {
        #expect(StyledLine("heart rate").clipped(to: 6).text(.none) == "heart…")
        #expect(StyledLine("heart").clipped(to: 5).text(.none) == "heart")
    }

    @Test func `half of a wide character is never drawn`() {
        #expect(StyledLine("跑步传感器").clipped(to: 6).text(.none) == "跑步…")
        #expect(StyledLine("跑步传感器").clipped(to: 0).text(.none) == "")
    }

    @Test func `styles end with their text`() {
        let line = StyledLine("a", .bold) + "b" + StyledLine("c", .colour(.red))
        #expect(line.text(.basic) == "\u{1B}[1ma\u{1B}[0mb\u{1B}[31mc\u{1B}[0m")
        #expect(line.text(.palette) == "\u{1B}[1ma\u{1B}[0mb\u{1B}[38;5;203mc\u{1B}[0m")
        #expect(line.text(.none) == "abc")
    }

    @Test func `left and right are spread over the line`() {
        #expect(StyledLine.spread("left", "right", columns: 12).text(.none) == "left   right")
        #expect(StyledLine.spread("leftover", "right", columns: 10).text(.none) == "lef… right")
    }
}

@Suite struct FrameDiffTests {
    @Test func `only changed lines are drawn`() {
        #expect(
            FrameDiff.bytes(from: ["a", "b", "c"], to: ["a", "x", "c"])
                == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2Kx\u{1B}[?2026l")
    }

    @Test func `nothing is drawn if nothing changed`() {
        #expect(FrameDiff.bytes(from: ["a"], to: ["a"]) == "")
    }

    @Test func `an unknown screen is cleared first`() {
        #expect(
            FrameDiff.bytes(from: nil, to: ["", "b"])
                == "\u{1B}[?2026h\u{1B}[0m\u{1B}[2J\u{1B}[2;1H\u{1B}[2Kb\u{1B}[?2026l")
    }

    @Test func `a shorter frame erases the rows below it`() {
        #expect(FrameDiff.bytes(from: ["a", "b"], to: ["a"]) == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[2K\u{1B}[?2026l")
    }
}

@Suite struct TerminalCapabilityTests {
    typealias Colour = TerminalCapability.Colour

    @Test(arguments: [
        (["TERM": "xterm-256color"], Colour.palette), (["TERM": "xterm"], .basic),
        (["TERM": "xterm", "COLORTERM": "truecolor"], .palette), (["TERM": "dumb"], .none), ([:], .none),
        (["TERM": "xterm-256color", "NO_COLOR": "1"], .none), (["TERM": "xterm", "NO_COLOR": ""], .basic),
    ])
    func `the environment decides the number of colours`(environment: [String: String], colour: Colour) {
        #expect(TerminalCapability(environment: environment, isTerminal: true).colour == colour)
        #expect(TerminalCapability(environment: environment, isTerminal: false).colour == .none)
    }

    @Test(arguments: [
        ([:], true), (["LANG": "en_GB.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
        (["LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"], false), (["LANG": "de_DE.UTF-8", "LC_ALL": ""], true),
    ])
    func `a locale without UTF-8 means ASCII`(environment: [String: String], unicode: Bool) {
        #expect(TerminalCapability(environment: environment, isTerminal: true).unicode == unicode)
    }
}
