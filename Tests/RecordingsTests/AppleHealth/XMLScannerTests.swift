import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Forms of XML in exports, and possible faults.
struct XMLScannerTests {
    @Test(
        arguments: [
            ("\u{FEFF}", "", ""), ("<?xml version='1.0'?>\r\n", "", ""), ("<!-- a <Record/> > -- > -->", "", ""),
            ("<!DOCTYPE HealthData>", "", ""), ("<!DOCTYPE HealthData SYSTEM \"x.dtd\">", "", ""),
            ("<!DOCTYPE HealthData [\n<!ATTLIST A\n<!ELEMENT B EMPTY>\n>\n]\n>", "", ""),
            ("", "<!-- between -->", "<![CDATA[ <Record> ]]>"), ("", "<?target?>", ""),
        ])
    func `text before and between elements is skipped`(
        before: String, between: String, after: String
    ) throws {
        let xml =
            "\(before)<HealthData>\(between)\(SmallExport.step)\(between)\(SmallExport.record)\(after)</HealthData>"
        for piece in [1, 3, 1000] {
            let content = try HealthExportContent(xml: Array(xml.utf8), pieceSize: piece, capacity: 1000)
            #expect(content.records.count == 2)
            #expect(content.summary.warnings.isEmpty)
            #expect(content.summary.isComplete)
        }
    }

    @Test func `an unterminated document type ends at the first tag`() throws {
        for start in ["<!DOCTYPE HealthData [ <!ELEMENT A EMPTY> ", "<!DOCTYPE HealthData [ <!-- no end "] {
            let content = try HealthExportContent(
                xml: Array("\(start)<HealthData>\(SmallExport.step)</HealthData>".utf8))
            #expect(content.records.count == 1)
            #expect(content.summary.warnings.map(\.byte) == [start.utf8.count])
        }
    }

    @Test func `line ends, tabs, single quotes and spaces in tags do not matter`() throws {
        let odd = """
            <Record\r\n\ttype = 'HKQuantityTypeIdentifierStepCount'\r\n sourceName='Kim&apos;s "Phone"'\n\
            unit="count" startDate="2024-01-01 01:00:00 +0200"\tendDate="2024-01-01 01:05:00 +0200"\rvalue="412" ></Record >
            """
        let content = try HealthExportContent(odd)
        #expect(content.records.first?.source.name == "Kim's \"Phone\"")
        #expect(content.records.first?.value == .number(412))
        #expect(content.summary.warnings.isEmpty)
    }

    @Test(
        arguments: [
            ("a&amp;b&lt;&gt;&quot;&apos;", "a&b<>\"'"), ("&#65;&#x42;&#x1F3C3;", "AB🏃"),
            ("R&B &unknown; &#xD800;", "R&B &unknown; &#xD800;"),
            ("two\r\nlines\tand", "two lines and"), ("Kim’s Apple\u{A0}Watch 心拍", "Kim’s Apple\u{A0}Watch 心拍"),
            ("&", "&"),
            ("&;", "&;"), ("", ""),
        ])
    func `references are resolved`(written: String, meant: String) throws {
        let content = try HealthExportContent(
            SmallExport.record.replacingOccurrences(of: "value=\"1\"", with: "value=\"\(written)\""))
        #expect(content.records.first?.metadata["HKMetadataKeyHeartRateMotionContext"] == meant)
    }

    @Test func `a control character that XML forbids is kept and reported once`() throws {
        let odd = SmallExport.record.replacingOccurrences(of: "value=\"1\"", with: "value=\"after\u{B}lunch\"")
        let content = try HealthExportContent(odd + odd)
        #expect(
            content.records.map { $0.metadata["HKMetadataKeyHeartRateMotionContext"] } == [
                "after\u{B}lunch", "after\u{B}lunch",
            ])
        #expect(content.summary.warnings.count == 1)
    }

    @Test func `bytes that are not UTF-8 do not stop the scanner`() throws {
        var xml = Array("<HealthData>\(SmallExport.step)</HealthData>".utf8)
        let place = try #require(xml.firstIndex(of: UInt8(ascii: "P")))
        xml[place] = 0xFF
        #expect(try HealthExportContent(xml: xml).records.first?.source.name == "\u{FFFD}hone")
    }

    @Test func `damage is reported with its byte and costs one element`() throws {
        let damaged = SmallExport.step.replacingOccurrences(of: "value=\"412\"", with: "value=\"412")
        let start = "<HealthData>\n" + SmallExport.step + "\n"
        let content = try HealthExportContent(
            xml: Array("\(start)\(damaged)\n\(SmallExport.record)\(SmallExport.step)</HealthData>".utf8))
        #expect(content.records.count == 3)
        #expect(content.summary.warnings.map(\.byte) == [start.utf8.count])
    }

    @Test func `a tag that is too long costs only that tag`() throws {
        let long = "<Record type=\"\(String(repeating: "x", count: 3000))\" startDate=\"\" endDate=\"\"/>"
        let xml = "<HealthData>\(SmallExport.step)\(long)\(SmallExport.step)</HealthData>"
        let content = try HealthExportContent(xml: Array(xml.utf8), capacity: 1024)
        #expect(content.records.count == 2)
        #expect(content.summary.warnings.count == 1)
        #expect(content.summary.isComplete)
    }

    @Test(arguments: [1, 2, 7, 64, 1000])
    func `the split into pieces does not matter`(size: Int) throws {
        let xml = Array(SmallExport.xml.utf8)
        let whole = try HealthExportContent(xml: xml)
        let pieces = try HealthExportContent(xml: xml, pieceSize: size, capacity: 700)
        #expect(pieces.elements == whole.elements)
        #expect(pieces.summary == whole.summary)
    }

    @Test func `depth affects neither memory nor what follows`() throws {
        let deep = String(repeating: "<Deep>", count: 5000)
        let content = try HealthExportContent(deep + SmallExport.step)
        #expect(content.records.count == 1)
    }
}
