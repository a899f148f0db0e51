import Testing

@testable import workout

@Suite struct KeyDecoderTests {
    @Test(arguments: [
        ("p", [Key.character("p")]), ("é", [.character("é")]), ("🏃", [.character("🏃")]), ("\u{3}", [.control("c")]),
        ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{1B}[A", [.up]),
        ("\u{1B}OB", [.down]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}[3~", []),
        ("\u{1B}q", [.escape, .character("q")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("pl", [.character("p"), .character("l")]), ("\0", []),
    ])
    func `bytes become keys, however they are split`(bytes: String, keys: [Key]) {
        var whole = KeyDecoder()
        #expect(whole.feed(Array(bytes.utf8)) == keys)
        var single = KeyDecoder()
        #expect(bytes.utf8.flatMap { single.feed([$0]) } == keys)
    }

    @Test func `invalid UTF-8 does not swallow the next key`() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0xC3, UInt8(ascii: "q")]) == [.character("q")])
        #expect(decoder.feed([0xFF, 0x80, UInt8(ascii: "q")]) == [.character("q")])
        #expect(decoder.feed([0xE0, 0x80, 0x80, UInt8(ascii: "q")]) == [.character("q")])
    }
}
