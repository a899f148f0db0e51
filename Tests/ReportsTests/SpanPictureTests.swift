import Foundation
import Testing

@testable import Reports

@Suite struct SpanPictureTests {
    @Test func `parts of a bar are stacked, and kinds have names`() throws {
        let bars = StackedBars(
            [.init("May", [1, 3]), .init("", [0, 2]), .init("July", [4, 0])],
            kinds: [("Running", "z2"), ("<b>", "z3")]
        ) { "\(Int($0)) h" }
        let markup = try #require(bars.markup(label: "Hours"))
        #expect(MarkupReader(markup.text).isWellFormed)
        // The second kind in the first bar begins where the first one ends, at a quarter of the picture.
        let paths = markup.text.matches(of: #/<path class="(z\d)" d="([^"]*)"/#).map { ($0.1, $0.2) }
        #expect(paths.map(\.0) == ["z2", "z3"])
        #expect(paths[0].1.hasPrefix("M80 1000L80 750L587 750L587 1000Z"))
        #expect(paths[1].1.hasPrefix("M80 750L80 0L587 0L587 750Z"))
        #expect(markup.text.contains("Running") && markup.text.contains("&lt;b&gt;"))
        #expect(markup.text.contains(">May<") && markup.text.contains(">July<"))
    }

    @Test(arguments: [[], [[0.0, 0]], [[.nan, 1]], [[.infinity, 1]]] as [[[Double]]])
    func `without an amount there are no bars`(amounts: [[Double]]) {
        let bars = StackedBars(amounts.map { .init("", $0) }, kinds: [("A", "z1"), ("B", "z2")]) { "\($0)" }
        #expect(bars.markup(label: "") == nil)
    }

    @Test func `a calendar begins in the row of its first day, from Monday to Sunday`() {
        // From a Saturday on: the third day is a Monday, in the next column.
        let days = (0..<9).map { index in
            CalendarPicture.Day(
                level: index == 2 ? 3 : index == 8 ? 9 : 0, title: "\"day\" \(index)", month: index == 1 ? "Nov" : nil)
        }
        let text = CalendarPicture(days, firstRow: 5).markup(label: "2026: 2 days").text
        #expect(MarkupReader(text).isWellFormed)
        #expect(text.contains("<rect class=\"d3\" x=\"12\" y=\"12\""))
        #expect(text.contains("<rect class=\"d4\" x=\"12\" y=\"84\""))
        #expect(text.contains("<title>&quot;day&quot; 2</title>"))
        #expect(text.contains("<summary>Show as a table</summary>"))
        #expect(text.contains(">Nov</text>") && text.contains("aria-label=\"2026: 2 days\""))
    }

    @Test func `behind a calendar is a table of the active weeks`() {
        let days = (0..<23).map { index in
            let isDone = index == 0 || index == 17
            return CalendarPicture.Day(
                level: isDone ? 2 : 0, title: "", date: "day \(index)", amount: isDone ? "1:0\(index)" : "0:00")
        }
        // The first day is a Saturday.
        let text = CalendarPicture(days, firstRow: 5).markup(label: "").text
        #expect(MarkupReader(text).isWellFormed)
        let rows = text.components(separatedBy: "<tr>").filter { $0.contains("<td>") }
        #expect(rows.count == 2)
        #expect(rows[0].contains("<td>day 0</td><td></td><td></td><td></td><td></td><td></td><td>1:00</td><td></td>"))
        #expect(rows[1].contains("<td>day 16</td><td></td><td>1:017</td><td></td>"))
    }

    @Test func `a sortable table has numbers to sort by, and cells without one are unordered`() {
        var table = DataTable(columns: ["lap", "time"], isSortable: true)
        table.rows = [
            [.init("1", order: 0), .init("4:30", order: 270)], [.init("2", order: 1), .init("", order: nil)],
        ]
        table.rows.append([.init("3", order: .nan), .init(bar: 7, "band z1")])
        let text = table.markup.text
        #expect(MarkupReader(text).isWellFormed)
        #expect(text.contains("<table class=\"sortable\">") && text.contains("<td data-order=\"270.0\">4:30</td>"))
        #expect(text.contains("<td></td>") && text.contains("<td>3</td>"))
        #expect(text.contains("style=\"width:100%\""))
    }
}
