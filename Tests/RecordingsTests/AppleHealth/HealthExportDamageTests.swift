import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Every input gives elements, warnings and an end.
struct HealthExportDamageTests {
    @Test func `an export truncated anywhere gives its complete elements`() throws {
        let xml = Array(SmallExport.xml.utf8)
        let whole = try HealthExportContent(xml: xml).elements
        for length in stride(from: 0, to: xml.count - 3, by: 3) {
            let content = try HealthExportContent(xml: Array(xml[..<length]), capacity: 2048)
            #expect(whole.starts(with: content.elements))
            #expect(!content.summary.warnings.isEmpty)
        }
    }

    @Test(arguments: [
        UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "!"), 0, 0x20, 0xFF,
    ])
    func `one wrong byte costs at most one record and what resembles one`(wrong: UInt8) throws {
        let body = (0..<2).map { _ in SmallExport.record + "\n" + SmallExport.step + "\n" }.joined()
        let start =
            "<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: 14 -->\n<!ELEMENT A EMPTY>\n]>\n<HealthData>\n"
        let xml = Array("\(start)\(body)</HealthData>".utf8)
        for place in xml.indices where xml[place] != wrong {
            var damaged = xml
            damaged[place] = wrong
            let content = try HealthExportContent(xml: damaged, capacity: 4096)
            #expect(content.records.count >= 3, "byte \(place)")
            #expect(content.records.count <= 4, "byte \(place)")
        }
    }

    @Test func `an export with wrong, lost and repeated bytes is read to its end`() throws {
        let xml = Array(SmallExport.xml.utf8)
        var random = SeededGenerator(seed: 7)
        let marks = Array("<>/\"'=!-[]& \n?x\0".utf8)
        for _ in 0..<400 {
            var bytes = xml
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = marks.randomElement(using: &random) ?? 0
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                case 2: bytes.insert(contentsOf: marks.shuffled(using: &random).prefix(3), at: place)
                default:
                    let end = min(bytes.count, place + Int.random(in: 1...300, using: &random))
                    bytes.insert(contentsOf: Array(bytes[place..<end]), at: bytes.count / 2)
                }
            }
            let content = try HealthExportContent(
                xml: bytes, pieceSize: Int.random(in: 1...900, using: &random), capacity: 1024)
            #expect(content.summary.warnings.count <= RecordingWarnings<String>.limit + 1)
        }
    }

    @Test func `random bytes are read to their end`() throws {
        var random = SeededGenerator(seed: 9)
        let words = [
            "<", ">", "/>", "</", "<Record ", "<Workout>", "</HealthData>", "<!--", "-->", "<!DOCTYPE x [", "]>",
            "<![CDATA[",
            "type=\"", "'", "=", " ", "&#x", "<?", "?>", "<MetadataEntry key='a' value='b'/>", "\u{B}", "é",
        ].map { Array($0.utf8) }
        for round in 0..<800 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                if round % 2 == 0 {
                    bytes += words.randomElement(using: &random) ?? []
                } else {
                    bytes.append(UInt8.random(in: 0...255, using: &random))
                }
            }
            let content = try HealthExportContent(xml: bytes, pieceSize: 5, capacity: 64)
            #expect(content.summary.warnings.allSatisfy { 0...bytes.count ~= $0.byte })
            var stream = bytes
            stream.append(0)
            _ = try HealthRouteFile.read(MemoryStream(stream, pieceSize: 5), capacity: 64)
        }
    }

    @Test(arguments: [
        "<", "<!--", "<a b=\"", "<a b='", "<!DOCTYPE [", "<a ", "</", "<Record ", "<?", "<![CDATA[", "&",
        "<Correlation>",
    ])
    func `a hundred thousand beginnings do not take long`(text: String) throws {
        let bytes = Array(String(repeating: text, count: 100_000 / text.utf8.count).utf8)
        // The processor time of this thread, which doesn't depend on other work. Quadratic work would take much
        // longer.
        let start = Self.processorSeconds()
        _ = try HealthExportContent(xml: bytes)
        #expect(Self.processorSeconds() - start < 20)
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
