import Analytics
import Foundation
import MadeEntries
import Testing

@testable import SessionLog

struct SessionLogDecoderTests {
    private static func sample(count: Int = 28, seed: UInt64 = 11) throws -> (entries: [SessionEntry], bytes: [UInt8]) {
        var random = RandomEntries(seed: seed)
        let entries = (0..<count).map { random.entry(ofKind: $0 % RandomEntries.kinds) }
        return (entries, try logBytes(entries))
    }

    @Test func `single bytes give the same as all at once`() throws {
        let (entries, bytes) = try Self.sample()
        var decoder = SessionLogDecoder()
        var found: [SessionEntry] = []
        for byte in bytes { try decoder.decode([byte], into: &found) }
        try decoder.finish(into: &found)
        #expect(found == entries)
        #expect(decoder.warnings.isEmpty)
    }

    @Test func `bytes split anywhere give the same as all at once, including damage and positions`() throws {
        var (_, bytes) = try Self.sample()
        bytes.insert(contentsOf: Array("garbage\r\n\r\n{\"at\":0,\"new\":1}\n".utf8), at: 0)
        bytes.append(contentsOf: Array("{\"at\":".utf8))
        let whole = try decoded(bytes)
        #expect(whole.warnings.count == 3)
        var random = SeededGenerator(seed: 12)
        for _ in 0..<50 {
            var decoder = SessionLogDecoder()
            var found: [SessionEntry] = []
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + Int.random(in: 1...200, using: &random))
                try decoder.decode(Array(bytes[start..<end]), into: &found)
                start = end
            }
            try decoder.finish(into: &found)
            #expect(found == whole.entries)
            #expect(decoder.warnings == whole.warnings)
        }
    }

    @Test func `every prefix of a log gives its complete lines and one warning for the rest`() throws {
        let (entries, bytes) = try Self.sample(count: 14)
        var lineStart = 0
        var whole = 0
        for end in 0...bytes.count {
            if end > 0, bytes[end - 1] == 0x0A {
                lineStart = end
                whole += 1
            }
            let (found, warnings) = try decoded(Array(bytes[..<end]))
            if end < bytes.count, bytes[end] == 0x0A {
                #expect(found == Array(entries[...whole]), "the last line lacks only its line feed")
                #expect(warnings.isEmpty)
            } else {
                #expect(found == Array(entries[..<whole]))
                #expect(warnings.map(\.byte) == (end == lineStart ? [] : [lineStart]))
                #expect(warnings.allSatisfy { $0.message.contains("cut off after byte \(end)") })
            }
        }
    }

    @Test func `mutated logs never trap, and their results are bounded`() throws {
        let (_, bytes) = try Self.sample(count: 42, seed: 13)
        let lines = bytes.filter { $0 == 0x0A }.count
        var random = SeededGenerator(seed: 14)
        let structure = Array("{}[]\":,\\u0eE+-.truefalsenull\n\r ".utf8)
        for _ in 0..<400 {
            var mutated = bytes
            var added = 0
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<mutated.count, using: &random)
                let byte =
                    Bool.random(using: &random)
                    ? structure[Int.random(in: 0..<structure.count, using: &random)]
                    : UInt8.random(in: 0...255, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mutated[place] = byte
                case 1:
                    mutated.insert(byte, at: place)
                    added += 1
                case 2: mutated.remove(at: place)
                default:
                    let end = min(mutated.count, place + Int.random(in: 0..<60, using: &random))
                    let slice = Array(mutated[place..<end])
                    mutated.insert(contentsOf: slice, at: Int.random(in: 0..<mutated.count, using: &random))
                    added += slice.count
                }
            }
            var decoder = SessionLogDecoder()
            var found: [SessionEntry] = []
            do {
                try decoder.decode(mutated, into: &found)
                try decoder.finish(into: &found)
            } catch { #expect("\(error)".contains("version")) }
            #expect(found.count <= lines + 12 + added)
            #expect(decoder.warnings.count <= SessionLogDecoder.maximumWarnings)
            #expect(decoder.warnings.allSatisfy { (0..<mutated.count).contains($0.byte) })
            // Whatever was read can be written and read again.
            #expect(try decoded(logBytes(found)).entries == found)
        }
    }

    @Test func `a garbage line is left out with its position, and reading continues`() throws {
        let good = "{\"at\":\"2026-01-02T03:04:05.000Z\",\"state\":\"running\"}\n"
        let (entries, warnings) = try decoded(good + "{\"at\":\"2026-01-02T03:04:05Z\",\"state\":}\n" + good)
        #expect(entries.count == 2)
        let byte = good.utf8.count
        #expect(
            warnings == [
                RecordingWarning(
                    byte: byte, message: "line 2 is left out: a JSON value is expected here (byte \(byte + 37))")
            ])
    }

    @Test(arguments: [
        ("{\"at\":0,\"sample\":\"x\",\"unit\":\"m\"}", "“value” is missing"),
        ("{\"at\":0,\"sample\":\"x\",\"value\":\"1\",\"unit\":\"m\"}", "“value” is not a number"),
        ("{\"state\":\"running\"}", "“at” is missing"),
        ("{\"at\":\"yesterday\",\"state\":\"running\"}", "“at” is not an ISO 8601 date"),
        ("{\"at\":1e300,\"state\":\"running\"}", "“at” is not a date of the years 0000 … 9999 (byte 7)"),
        ("{\"at\":\"0000-01-01T00:00:00+01:00\",\"state\":\"running\"}", "“at” is not a date of the years 0000 … 9999"),
        ("{\"at\":\"9999-12-31T23:59:60Z\",\"state\":\"running\"}", "“at” is not a date of the years 0000 … 9999"),
        ("{\"at\":0,\"workoutMetadata\":{\"k\":{\"date\":-1e18}}}", "“date” is not a date of the years 0000 … 9999"),
        ("{\"at\":4,\"sample\":\"x\",\"value\":1,\"unit\":\"m\",\"end\":3}", "“end” is before “start”"),
        ("{\"at\":3,\"sample\":\"x\",\"value\":1,\"unit\":\"m\",\"start\":4}", "“end” is before “start”"),
        ("{\"at\":4,\"event\":\"lap\",\"start\":4,\"end\":3}", "“end” is before “start”"),
        (
            "{\"at\":4,\"category\":\"x\",\"value\":1,\"id\":\"00112233-4455-6677-8899-AABBCCDDEEFF\",\"end\":3}",
            "“end” is before “start”"
        ),
        ("{\"at\":0,\"event\":\"lap\",\"added\":1}", "“added” is not true or false"),
        ("{\"at\":0,\"route\":\"found\"}", "“route” is not a value that this version knows"),
        ("{\"at\":0,\"state\":\"sleeping\"}", "“state” is not a value that this version knows"),
        ("{\"at\":0,\"state\":\"running\",\"rr\":[1]}", "either “state” or “rr”"),
        ("{\"at\":0,\"position\":[1]}", "latitude and longitude"),
        ("{\"at\":0,\"rr\":[1,\"2\"]}", "an array of numbers"),
        ("{\"at\":0,\"notification\":\"2A37\",\"bytes\":\"1\"}", "pairs of hexadecimal digits"),
        ("{\"at\":0,\"notification\":\"12A37\",\"bytes\":\"\"}", "16-bit"),
        ("{\"at\":0,\"remoteData\":\"*\"}", "base64"),
        ("{\"at\":0,\"workoutMetadata\":{\"k\":[1]}}", "a string, number, bool, date or quantity"),
        ("{\"at\":0,\"part\":\"began\",\"id\":\"7\",\"activity\":\"running\"}", "a UUID"),
        ("{\"at\":0,\"category\":\"x\",\"value\":1.5,\"id\":\"00112233-4455-6677-8899-AABBCCDDEEFF\"}", "an integer"),
        ("{\"at\":0,\"log\":0,\"id\":\"00112233-4455-6677-8899-AABBCCDDEEFF\",\"activity\":\"x\"}", "no log version 0"),
        ("{\"at\":0,\"rr\":[1]} {}", "the line should end here"),
        ("{\"at\":0,\"rr\":[1e999]}", "too large"),
        ("[1]", "“{” is expected here"),
        ("{\"at\":0,\"rr\":[1],}", "a key in quotes is expected here"),
        ("{\"x\":" + String(repeating: "[", count: 100), "nested too deeply"),
        ("{\"x\":\"\\q\"}", "no such escape"),
        ("{\"x\":\"\t\"}", "control character"),
        ("{\"at\":0,\"future\":1}", "has nothing that this version knows"),
    ])
    func `an invalid line is left out with a reason`(line: String, reason: String) throws {
        let (entries, warnings) = try decoded("\n" + line + "\n{\"at\":0,\"part\":\"ended\"}\n")
        #expect(entries.map(\.content) == [.activityEnded])
        #expect(warnings.count == 1)
        let warning = try #require(warnings.first)
        #expect(warning.byte == 1)
        #expect(warning.message.hasPrefix("line 2 "))
        #expect(warning.message.contains(reason), "\(warning.message)")
    }

    @Test func `byte order marks, line ends, empty lines, spaces and the order of keys do not matter`() throws {
        let text =
            "\u{FEFF}{\"at\":0,\"state\":\"running\"}\r\n\r\n\n  \n { \"sensor\" : \"a\" , \"rr\" : [ 1 , 2 ] , \"at\" : 1 } \r\n"
            + "{\"new\":{\"a\":[{}]},\"\\u0061t\":2,\"part\":null,\"state\":\"paused\",\"at\":3,\"sensor\":null}"
        let (entries, warnings) = try decoded(text)
        #expect(warnings.isEmpty)
        #expect(
            entries == [
                SessionEntry(Date(timeIntervalSinceReferenceDate: 0), .state(.running)),
                SessionEntry(
                    Date(timeIntervalSinceReferenceDate: 1),
                    .beats(BeatReading(intervalsInMilliseconds: [1, 2], sensor: "a"))),
                SessionEntry(Date(timeIntervalSinceReferenceDate: 3), .state(.paused)),
            ])
    }

    @Test func `escapes are read, and lone surrogates and invalid UTF-8 become replacement characters`() throws {
        let line = #"{"at":0,"workoutMetadata":{"k":"\u0041\n\/\ud83c\udfc3\ud83c!\udfc3"}}"#
        #expect(try decoded(line).entries.map(\.content) == [.metadata(["k": .string("A\n/🏃\u{FFFD}!\u{FFFD}")])])
        let broken = Array("{\"at\":0,\"workoutMetadata\":{\"k\":\"".utf8) + [0xFF] + Array("\"}}".utf8)
        #expect(try decoded(broken).entries.map(\.content) == [.metadata(["k": .string("\u{FFFD}")])])
    }

    @Test func `a newer version is rejected at its line, after the entries before`() throws {
        let first = "{\"at\":0,\"state\":\"running\"}\n"
        let text = first + "{\"at\":0,\"log\":2,\"id\":7}\n" + first
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        let refusal = SessionLogError.newerVersion(2, line: 2, byte: first.utf8.count)
        #expect(throws: refusal) { try decoder.decode(Array(text.utf8), into: &entries) }
        #expect(entries.count == 1)
        #expect(throws: refusal) { try decoder.decode(Array(first.utf8), into: &entries) }
        #expect(throws: refusal) { try decoder.finish(into: &entries) }
        #expect(entries.count == 1)
        #expect(refusal.description.contains("version 2 from line 2 (byte 27) on, this build reads up to 1"))
    }

    @Test func `a line that is too long is left out and not buffered`() throws {
        let good = Array("{\"at\":0,\"state\":\"running\"}\n".utf8)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        try decoder.decode(good, into: &entries)
        for _ in 0..<30 { try decoder.decode(piece, into: &entries) }
        try decoder.decode([0x0A] + good + Array("?\n".utf8), into: &entries)
        try decoder.finish(into: &entries)
        #expect(entries.count == 2)
        #expect(decoder.warnings.map(\.byte) == [27, 27 + 3_000_001 + 27])
        // The same in one piece.
        let whole = good + [UInt8](repeating: 0x78, count: 3_000_000) + [0x0A] + good + Array("?\n".utf8)
        #expect(try decoded(whole).warnings == decoder.warnings)
        #expect(try decoded(whole).entries == entries)
    }

    @Test func `a file of garbage gives a bounded number of warnings`() throws {
        let (entries, warnings) = try decoded(String(repeating: "?\n", count: 5_000))
        #expect(entries.isEmpty)
        #expect(warnings.count == SessionLogDecoder.maximumWarnings)
        #expect(warnings.last?.message == "4901 more lines could not be read")
    }
}
