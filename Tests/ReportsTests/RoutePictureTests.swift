import Foundation
import Testing

@testable import Reports

@Suite struct RoutePictureTests {
    private static func place(_ seconds: Double, _ latitude: Double, _ longitude: Double) -> WorkoutTimeline.Place {
        WorkoutTimeline.Place(seconds: seconds, latitudeInDegrees: latitude, longitudeInDegrees: longitude)
    }

    @Test func `a square on the ground is a square in the picture`() throws {
        // At 60 degrees north a degree of longitude is half as long as one of latitude.
        let places = [(60.0, 10.0), (60.01, 10.0), (60.01, 10.02), (60.0, 10.02)].enumerated().map {
            Self.place(Double($0.offset), $0.element.0, $0.element.1)
        }
        let points = try #require(RoutePicture(places, colourings: [])).points
        let (north, east) = (points[0].y - points[1].y, points[2].x - points[1].x)
        #expect(abs(north - east) < 0.01 * east && east > 900)
    }

    @Test func `a way across the date line takes the short way`() throws {
        let places = (0..<100).map {
            Self.place(Double($0), 0, $0 < 50 ? 179.95 + Double($0) * 0.001 : -180.05 + Double($0) * 0.001)
        }
        let points = try #require(RoutePicture(places, colourings: [])).points
        let steps = zip(points, points.dropFirst()).map { $1.x - $0.x }
        #expect(steps.allSatisfy { $0 > 0 && $0 < 30 })
    }

    @Test func `a day of positions is a picture of some thousand points that keeps both ends`() throws {
        let places = (0..<86_400).map { second in
            let turn = Double(second) / 97
            return Self.place(Double(second), 47 + 0.1 * sin(turn) + Double(second) / 1e6, 8 + 0.1 * cos(turn * 1.3))
        }
        let points = try #require(RoutePicture(places, colourings: [])).points
        #expect(points.count <= 4000)
        #expect(points.first?.seconds == 0 && points.last?.seconds == 86_399)
    }

    @Test func `no line crosses a pause`() throws {
        var places = (0..<20).map { Self.place(Double($0), 47 + Double($0) * 0.001, 8) }
        places[10].followsPause = true
        let picture = try #require(RoutePicture(places, colourings: []))
        let text = picture.markup(title: "Route") { "\($0) m" }.text
        let way = try #require(text.firstMatch(of: #/class="way" d="([^"]*)"/#)?.1)
        #expect(way.filter { $0 == "M" }.count == 2)
    }

    @Test(arguments: [0, 1, 2])
    func `a workout without movement has no picture`(count: Int) {
        let places = (0..<count).map { Self.place(Double($0), 47, 8) }
        #expect(RoutePicture(places, colourings: []) == nil)
    }

    @Test func `the scale is a round length of at most a quarter of the picture`() throws {
        let places = [Self.place(0, 47, 8), Self.place(1, 47.1, 8)]
        let picture = try #require(RoutePicture(places, colourings: []))
        let metric = try #require(picture.scale([("m", 1), ("km", 1000)]))
        #expect(metric.meters == 2000 && metric.text == "2 km")
        let imperial = try #require(picture.scale([("ft", 0.3048), ("mi", 1609.344)]))
        #expect(imperial.meters == 1609.344 && imperial.text == "1 mi")
    }

    @Test func `behind the picture is a table of positions with their measurements`() throws {
        // Ten minutes to the north, then ten to the east.
        let places = (0...1200).map {
            Self.place(Double($0), 47 + Double(min($0, 600)) * 1e-5, 8 + Double(max($0 - 600, 0)) * 1e-5)
        }
        var trace = Trace()
        for second in 0..<600 { trace.add(Double(second), at: Double(second)) }
        let colouring = RoutePicture.Colouring(key: "heart-rate", title: "heart rate", trace: trace) {
            "\(Int($0)) bpm"
        }
        let picture = try #require(RoutePicture(places, colourings: [colouring]))
        let table = picture.table(time: { "\(Int($0))" }, distance: { "\(Int($0.rounded())) m" })
        #expect(table.columns == ["after", "from the start", "heart rate"])
        let rows = Dictionary(table.rows.map { ($0[0].text, $0.dropFirst().map(\.text)) }) { first, _ in first }
        #expect(rows["0"] == ["at the start", "0 bpm"])
        let half = try #require(rows["600"])
        #expect(half[0].hasSuffix(" m north") && half[1] == "599 bpm")
        #expect(abs((Double(half[0].dropLast(8)) ?? 0) - 667) < 5)
        // The last heart rate is too old to be shown here.
        #expect(rows["1200"]?[0].hasSuffix(" m north-east") == true && rows["1200"]?[1] == "")
        #expect((15...45).contains(table.rows.count))
        let text = picture.markup(title: "Route", time: { "\($0)" }) { "\($0)" }.text
        #expect(MarkupReader(text).isWellFormed && text.contains("<summary>Route as a table</summary>"))
    }

    @Test func `colours go from low to high values, and a missing value has none`() throws {
        let places = (0..<400).map { Self.place(Double($0), 47 + Double($0) * 0.001, 8) }
        var trace = Trace()
        for second in 0..<200 { trace.add(Double(second), at: Double(second)) }
        let colouring = RoutePicture.Colouring(key: "heart-rate", title: "<heart>", trace: trace) { "\($0)" }
        let text = try #require(RoutePicture(places, colourings: [colouring])).markup(title: "Route") { "\($0)" }.text
        for level in 0..<8 { #expect(text.contains("way level-\(level)\"")) }
        #expect(text.contains("way none") && text.contains("&lt;heart&gt;"))
    }
}
