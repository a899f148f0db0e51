import Foundation
import Testing

@testable import Reports

@Suite struct PlotTests {
    private static let axis = TimeAxis(seconds: 0...100, pauses: [40...50], laps: [30, 80, 400]) { "\(Int($0)) s" }

    private static func trace(_ values: [Double?]) -> Trace {
        var trace = Trace()
        for (second, value) in values.enumerated() {
            if let value { trace.add(value, at: Double(second)) } else { trace.interrupt() }
        }
        return trace
    }

    private static func track(_ trace: Trace) -> TimeTrack {
        TimeTrack("Heart <rate>", unit: "bpm", trace, style: "line heart") { "\(Int($0)) bpm" }
    }

    /// Invalid XML would also be invalid SVG.
    private func expectWellFormed(_ markup: Markup) {
        let parser = MarkupReader(markup.text)
        #expect(parser.isWellFormed, "\(markup.text.prefix(500))")
    }

    @Test func `a track has a name for screen readers and a table of the same values`() throws {
        let markup = try #require(Self.track(Self.trace((0..<100).map { 100 + Double($0) })).markup(Self.axis))
        expectWellFormed(markup)
        #expect(markup.text.contains("role=\"img\" aria-label=\"Heart &lt;rate&gt; over time: 100 bpm to 199 bpm\""))
        #expect(markup.text.contains("<summary>Heart &lt;rate&gt; as a table</summary>"))
        #expect(markup.text.contains("<td>100 bpm</td>"))
    }

    @Test func `pauses are shaded, and laps marked`() throws {
        let text = try #require(Self.track(Self.trace([1, 2, 3])).markup(Self.axis)).text
        #expect(text.contains("class=\"pause\" x=\"40%\" width=\"10%\""))
        #expect(text.contains("class=\"lap\" x1=\"30%\"") && text.contains("class=\"lap\" x1=\"80%\""))
        #expect(text.components(separatedBy: "class=\"lap\"").count == 3)
    }

    @Test func `the pointer shows the values at its position, and nothing in a gap`() throws {
        let values = (0..<100).map { $0 >= 40 && $0 < 50 ? nil : Double($0) }
        let text = try #require(Self.track(Self.trace(values)).markup(Self.axis)).text
        let told = try #require(text.firstMatch(of: #/data-values="([^"]*)"/#)?.1)
            .split(separator: ",", omittingEmptySubsequences: false)
        #expect(told.count == 500)
        #expect(told[100] == "20" && told[210].isEmpty && told[495] == "99")
    }

    @Test func `axis labels are outside the picture, and the unit is in the caption`() throws {
        let text = try #require(Self.track(Self.trace([100, 150, 200])).markup(Self.axis)).text
        let rows = try #require(text.firstRange(of: "<svg class=\"rows\""))
        let plot = try #require(text.firstRange(of: "<svg class=\"plot\""))
        #expect(rows.lowerBound < plot.lowerBound)
        #expect(text[rows.upperBound..<plot.lowerBound].contains(">150</text>"))
        #expect(!text[plot.upperBound...].prefix { $0 != "\n" }.prefix(2000).contains("<text class=\"row\""))
        #expect(text.contains("<span>Heart &lt;rate&gt;, bpm</span>"))
    }

    @Test func `two lines have a legend only if they have names`() throws {
        var track = Self.track(Self.trace([1, 2]))
        track.other = (Self.trace([2, 1]), "line second")
        #expect(!(try #require(track.markup(Self.axis)).text.contains("class=\"key\"")))
        track.names = ("Fitness", "Fatigue")
        let markup = try #require(track.markup(Self.axis))
        expectWellFormed(markup)
        #expect(markup.text.contains("class=\"line second\" d=\"M0 5H10\"></path></svg>Fatigue"))
    }

    @Test func `bars stand on the bottom, and an amount of 0 has none`() throws {
        var track = Self.track(Self.trace([4, 0, 2]))
        (track.barSeconds, track.isFromZero, track.style) = (1, true, "bars")
        let text = try #require(track.markup(Self.axis)).text
        let path = try #require(text.firstMatch(of: #/<path class="bars" d="([^"]*)"/#)?.1)
        #expect(path.count { $0 == "M" } == 2 && path.hasPrefix("M0 1000"))
    }

    @Test func `a card with only reasons becomes a line of the last card, before the footer`() {
        var document = ReportDocument(title: "Run")
        var reasons = Markup()
        reasons.reason("no power was recorded")
        var mixed = Markup()
        mixed.element("p", text: "147")
        mixed.reason("set your sex")
        document.section("Power", "power", reasons)
        document.section("Load", "load", mixed)
        document.footer.element("p", text: "The end")
        let text = String(decoding: document.bytes, as: UTF8.self)
        #expect(!text.contains("id=\"power\"") && text.contains("<section id=\"load\">"))
        let line = "<li><b>Power</b>: No power was recorded.</li></ul></section><footer><p>The end</p></footer>"
        #expect(text.contains(line))
    }

    @Test(arguments: [ReportDocument.Paper.a4, .letter])
    func `a page is printed on the paper of the country`(paper: ReportDocument.Paper) {
        var document = ReportDocument(title: "Run")
        document.paper = paper
        #expect(String(decoding: document.bytes, as: UTF8.self).contains("@page{size:\(paper.rawValue);"))
    }

    @Test func `columns of words are left-aligned, and links lead to a day's row`() {
        var table = DataTable(columns: ["Day", "Activity", "Time"])
        table.rows = [
            [.init("2026-11-24", identity: "day-2026-11-24"), .init("Running"), .init("0:30:00")],
            [.init("2026-11-23"), .init(""), .init("–")],
        ]
        let text = table.markup.text
        #expect(text.contains("<th scope=\"col\" class=\"word\">Activity</th><th scope=\"col\">Time</th>"))
        #expect(text.contains("<tr id=\"day-2026-11-24\"><td>2026-11-24</td><td class=\"word\">Running</td>"))
    }

    @Test func `without values there is no track`() {
        #expect(Self.track(Trace()).markup(Self.axis) == nil)
    }

    @Test func `zones lie behind the line and are clipped`() throws {
        var track = Self.track(Self.trace([110, 150]))
        track.bands = [(90..<100, "band z1"), (100..<120, "band z2"), (120..<Double.infinity, "band z3")]
        let text = try #require(track.markup(Self.axis)).text
        #expect(!text.contains("band z1") && text.contains("band z2") && text.contains("band z3"))
    }

    @Test func `a pace is shown for a speed, and faster is higher`() throws {
        var track = Self.track(Self.trace([2, 4]))
        track.shown = { 1000 / $0 }
        track.form = .minutes
        track.rows = [2, 4].map { 1000 / (1000 / $0) }
        let text = try #require(track.markup(Self.axis)).text
        let path = try #require(text.firstMatch(of: #/<path class="line heart" d="M0 (\d+)L20 (\d+)"/#))
        let (slow, fast) = (try #require(Int(path.1)), try #require(Int(path.2)))
        #expect(slow > fast)
        #expect(text.contains("data-values=\"500,") && text.contains("data-form=\"minutes\""))
    }

    @Test func `values beyond the limits lie at the edge`() throws {
        var track = Self.track(Self.trace([800, 9000, 810]))
        track.limits = 200...2000
        track.points = [Trace.Point(1, 9000)]
        let text = try #require(track.markup(Self.axis)).text
        #expect(text.contains("class=\"dots artefact\" d=\"M20 0h1\""))
        #expect(text.contains("800 bpm to 9000 bpm"))
    }

    @Test(arguments: [0.0, 1, 0.123456, -0.5, 7])
    func `positions are percentages with two decimals`(place: Double) throws {
        let text = Plot.percent(place)
        let number = try #require(Double(text.dropLast()))
        #expect(text.hasSuffix("%") && abs(number - place * 100) < 0.006)
    }

    @Test func `a Poincaré plot and a spectrum are labelled`() throws {
        let pairs = (0..<500).map { (800 + Double($0 % 50), 790 + Double($0 % 60)) }
        let plot = try #require(PoincarePlot(pairs).markup(label: "Pairs") { "\($0)" })
        let spectrum = SpectrumPlot(
            density: [0, 5, 9, 3, 1], binWidthInHertz: 0.1, bands: [(frequencies: 0.1..<0.2, style: "low")])
        let markup = try #require(
            spectrum.markup(label: "Power") {
                "\($0) Hz"
            } power: {
                "\($0)"
            })
        for part in [plot, markup] { expectWellFormed(part) }
        #expect(plot.text.contains("aria-label=\"Pairs\"") && markup.text.contains("class=\"low\""))
        #expect(PoincarePlot([]).markup(label: "", text: { "\($0)" }) == nil)
    }
}

/// Reads markup far enough to check that each element ends, in order.
struct MarkupReader {
    let isWellFormed: Bool
    private static let voids: Set<Substring> = ["input", "meta"]

    init(_ text: String) {
        var open: [Substring] = []
        for match in text.matches(of: #/<(\/?)([a-z0-9]+)((?:\s[a-z0-9-]+="[^"<>]*")*)>/#.ignoresCase()) {
            if Self.voids.contains(match.2) { continue }
            if match.1.isEmpty {
                open.append(match.2)
            } else if open.popLast() != match.2 {
                isWellFormed = false
                return
            }
        }
        let tags = text.matches(of: #/<(\/?)([a-z0-9]+)((?:\s[a-z0-9-]+="[^"<>]*")*)>/#.ignoresCase()).count
        isWellFormed = open.isEmpty && tags == text.filter { $0 == "<" }.count
    }
}
