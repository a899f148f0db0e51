import Foundation
import Testing

@testable import Reports

@Suite struct MarkupTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "</style><b>",
        "&lt;script&gt;", "]]><!--", "a\u{202E}b\u{0}c\u{1B}[2J",
    ]

    @Test(arguments: hostile)
    func `user text becomes neither an element nor an attribute`(name: String) throws {
        var page = Markup()
        page.element("p", ["title": name], text: name)
        // The markup is only that of this test.
        let pattern = #/<p title="([^"<>]*)">([^<>]*)</p>/#
        let match = try #require(page.text.wholeMatch(of: pattern), "\(page.text)")
        for part in [match.1, match.2] { #expect(!part.contains("'")) }
        let read = String(match.2).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        let harmful: Set<Unicode.Scalar> = ["\u{202E}", "\u{0}", "\u{1B}"]
        #expect(Array(read.unicodeScalars) == name.unicodeScalars.filter { !harmful.contains($0) })
    }

    @Test func `an attribute without a value is left out`() {
        var page = Markup()
        page.void("input", ["type": "radio", "checked": nil, "name": ""])
        #expect(page.text == "<input type=\"radio\" name=\"\">")
    }

    @Test(arguments: hostile)
    func `a document has its title's text and only its own scripts`(title: String) {
        var document = ReportDocument(title: title)
        document.section(
            title, "part",
            {
                var content = Markup(); content.text(title); return content
            }())
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(text.components(separatedBy: "<script").count == 2)
        #expect(text.components(separatedBy: "<b>").count == 1)
        #expect(!text.contains("<img"))
        // The page makes no requests to other machines.
        #expect(!text.replacing("http://www.w3.org/2000/svg", with: "").contains("://"))
    }

    @Test func `an empty section is left out`() {
        var document = ReportDocument(title: "x")
        document.section("Laps", "laps", Markup())
        #expect(!String(decoding: document.bytes, as: UTF8.self).contains("Laps"))
    }

    @Test func `a path has whole numbers and no line to its start`() {
        var path = PathData()
        path.polyline([(x: 0.4, y: -12.6), (x: 0.1, y: -13.4), (x: 10, y: 5)])
        path.polyline([(x: 3, y: 4)])
        path.move(.nan, .infinity)
        #expect(path.text == "M0-13L10 5M3 4h1M0 0")
    }
}
