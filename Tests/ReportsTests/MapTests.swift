import Foundation
import Synchronization
import Testing

@testable import Reports

@Suite struct MapTests {
    private static func frame(
        _ latitude: Double, _ longitude: Double, meters: Double, height: Double = 300
    ) -> MapFrame {
        MapFrame(
            latitude: latitude, longitude: longitude, metersPerUnit: meters / 300, width: 300, height: height)
    }

    /// Whether a place is on land, by the even-odd rule over the rings.
    private static func isLand(_ latitude: Double, _ longitude: Double) -> Bool {
        var isInside = false
        for line in WorldOutline.world.lines where line.kind == .land {
            for (a, b) in zip(line.points, line.points.dropFirst() + line.points.prefix(1))
            where (a.latitude > latitude) != (b.latitude > latitude) {
                let share = (latitude - a.latitude) / (b.latitude - a.latitude)
                if longitude < a.longitude + share * (b.longitude - a.longitude) { isInside.toggle() }
            }
        }
        return isInside
    }

    @Test(
        arguments: [
            ("Berlin", 52.52, 13.4, true), ("the North Sea", 56.0, 3.0, false), ("Denver", 39.74, -104.99, true),
            ("the Pacific", 0.0, -140.0, false), ("Sydney's hills", -33.7, 150.5, true),
            ("Reykjavik", 64.1, -21.7, true),
            ("the South Pole", -89.0, 0.0, true), ("the Mediterranean", 35.0, 18.0, false),
        ])
    func `land is land and sea is sea`(name: String, latitude: Double, longitude: Double, isLand: Bool) {
        #expect(Self.isLand(latitude, longitude) == isLand, "\(name)")
    }

    @Test func `the outline has land, lakes and borders in some hundred thousand points`() {
        for kind in WorldOutline.Kind.allCases {
            #expect(WorldOutline.world.lines.contains { $0.kind == kind })
        }
        #expect((100_000..<300_000).contains(WorldOutline.world.lines.reduce(0) { $0 + $1.points.count }))
        for line in WorldOutline.world.lines {
            #expect(line.south >= -90.01 && line.north <= 90 && line.west >= -180.01 && line.east <= 180.01)
        }
    }

    @Test(arguments: [0, 1, 7, 1_000])
    func `a truncated outline keeps its complete lines`(length: Int) {
        // A border of two points, 1 degree east and 1 degree north of each other, twice.
        let line: [UInt8] = [2, 2, 0, 0, 0x90, 3, 0x90, 3]
        let outline = WorldOutline((line + line).prefix(length))
        #expect(outline.lines.count == min(length / line.count, 2))
        #expect(outline.lines.first.map { $0.points[1].latitude } ?? 1 == 1)
    }

    @Test func `an area of only land or only sea draws nothing`() {
        #expect(WorldOutline.world.markup(in: Self.frame(50.5, 10.2, meters: 20_000))?.text == nil)
        #expect(WorldOutline.world.markup(in: Self.frame(0, -140, meters: 100_000))?.text == nil)
    }

    @Test(arguments: [179.9, -179.9])
    func `land on both sides of the date line is drawn`(longitude: Double) throws {
        // Chukotka.
        let text = try #require(WorldOutline.world.markup(in: Self.frame(67, longitude, meters: 300_000))).text
        let path = try #require(text.firstMatch(of: #/class="land"[^>]* d="([^"]*)"/#)?.1)
        let easts = path.matches(of: #/[ML](-?\d+)/#).compactMap { Int($0.1) }
        #expect((easts.min() ?? 300) < 100 && (easts.max() ?? 0) > 200)
    }

    @Test func `a line that leaves the picture and returns is two pieces`() {
        let frame = Self.frame(0, 0, meters: 300)
        let line = [(10.0, 10.0), (400, 10), (400, 200), (500, 200), (10, 200)].map { MapFrame.Point(x: $0.0, y: $0.1) }
        #expect(frame.clipped(line: line).map(\.count) == [2, 2])
    }

    // MARK: Behind a route

    private static func places(_ meters: Double) -> [WorkoutTimeline.Place] {
        (0...10).map {
            WorkoutTimeline.Place(
                seconds: Double($0), latitudeInDegrees: 47.5 + Double($0) / 10 * meters / MapFrame.metersPerDegree,
                longitudeInDegrees: 9.4)
        }
    }

    @Test func `a route has a small map beside it, and a long one coasts and lakes behind it`() throws {
        let short = try #require(RoutePicture(Self.places(5_000), colourings: []))
            .markup(title: "Route") { "\($0) m" }.text
        #expect(short.contains(#"class="locator""#) && !short.contains(#"class="casing""#))
        let long = try #require(RoutePicture(Self.places(80_000), colourings: []))
            .markup(title: "Route") { "\($0) m" }.text
        #expect(long.contains("locator") && long.contains(#"class="casing""#) && long.contains(#"class="sea lake""#))
    }

    // MARK: Tiles

    @Test func `tiles meet at the positions of their corners`() throws {
        let asked = Asked()
        let tiles = MapTiles(zooms: 0...18, attribution: "") { place in
            asked.add(place)
            return "data:image/png;base64,"
        }
        let layer = try #require(try tiles.layer(behind: Self.places(5_000)))
        #expect(asked.places.count == layer.count && (6...MapTiles.mostTiles).contains(layer.count))
        #expect(Set(asked.places).count == asked.places.count)
        // https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames: the tile of a place by that formula.
        let zoom = try #require(asked.places.first?.zoom)
        let radians = 47.52 * Double.pi / 180
        let row = (1 - asinh(tan(radians)) / .pi) / 2 * Double(1 << zoom)
        let column = (9.4 + 180) / 360 * Double(1 << zoom)
        #expect(asked.places.contains(MapTiles.Place(zoom: zoom, column: Int(column), row: Int(row))))
    }

    @Test func `without a tile there is no layer, and a file with few zooms is enlarged`() throws {
        let none = MapTiles(zooms: 0...18, attribution: "") { _ in nil }
        #expect(try none.layer(behind: Self.places(5_000)) == nil)
        let coarse = MapTiles(zooms: 3...5, attribution: "Somebody") { "data:,\($0.zoom)" }
        let layer = try #require(try coarse.layer(behind: Self.places(5_000)))
        #expect(layer.markup.text.contains("data:,5"))
        let fine = MapTiles(zooms: 18...18, attribution: "") { _ in "data:," }
        #expect(try fine.layer(behind: Self.places(80_000)) == nil)
    }

    @Test func `the picture credits the map's source`() throws {
        let tiles = MapTiles(zooms: 0...18, attribution: "© Mappers <3") { "data:,\($0.row)" }
        let layer = try #require(try tiles.layer(behind: Self.places(5_000)))
        let text = try #require(RoutePicture(Self.places(5_000), colourings: []))
            .markup(title: "Route", tiles: layer) { "\($0) m" }.text
        #expect(text.contains("Map: © Mappers &lt;3") && !text.contains("locator") && !text.contains("outline"))
    }

    // MARK: PMTiles

    /// A file of two tiles: that of zoom 0, and one for two places of zoom 1 with the same picture, in a leaf
    /// directory.
    private static func archive(type: UInt8 = 2, cut: Int = 0) throws -> URL {
        let (world, quarter): ([UInt8], [UInt8]) = ([0x89, 0x50, 0x4E, 0x47, 0], [0x89, 0x50, 0x4E, 0x47, 1, 1])
        // Numbers of entries, steps of identities, runs, lengths, offsets.
        let leaf: [UInt8] = [2, 0, 2, 1, 2, 5, 6, 1, 0]
        let root: [UInt8] = [1, 0, 0, UInt8(leaf.count), 1]
        let metadata = Array(#"{"attribution": "&copy; <b>Mappers</b>"}"#.utf8)
        var header = Array("PMTiles".utf8) + [3]
        var offset = 127
        func add(_ number: Int) { header += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        for part in [root.count, metadata.count, leaf.count, world.count + quarter.count] {
            add(offset)
            add(part)
            offset += part
        }
        for _ in 0..<3 { add(2) }
        header += [1, 1, 1, type, 0, 1]
        header += [UInt8](repeating: 0, count: 127 - header.count)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pmtiles")
        try Data((header + root + metadata + leaf + world + quarter).dropLast(cut)).write(to: file)
        return file
    }

    @Test func `tiles of a PMTiles file are found through its directories`() throws {
        let file = try Self.archive()
        defer { try? FileManager.default.removeItem(at: file) }
        let tiles = try MapTiles(file: file)
        #expect(tiles.zooms == 0...1 && tiles.attribution == "© Mappers" && tiles.origin == nil)
        func picture(_ zoom: Int, _ column: Int, _ row: Int) throws -> String? {
            try tiles.address(MapTiles.Place(zoom: zoom, column: column, row: row))
        }
        #expect(try picture(0, 0, 0) == "data:image/png;base64,iVBORwA=")
        // The second and the third place of zoom 1 along the curve: both in the south.
        #expect(try picture(1, 0, 1) == "data:image/png;base64,iVBORwEB")
        #expect(try picture(1, 1, 1) == "data:image/png;base64,iVBORwEB")
        #expect(try picture(1, 0, 0) == nil && picture(1, 1, 0) == nil)
    }

    @Test func `tile IDs follow the Hilbert curves of all zooms`() {
        // The example of the specification.
        let places = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0), (2, 0, 0)]
        #expect(places.map { PMTiles.identity(of: .init(zoom: $0.0, column: $0.1, row: $0.2)) } == [0, 1, 2, 3, 4, 5])
        let all = (0..<64).flatMap { x in (0..<64).map { PMTiles.identity(of: .init(zoom: 6, column: x, row: $0)) } }
        #expect(Set(all) == Set(1365..<5461))
    }

    @Test func `a PMTiles file of vectors, or a truncated one, is rejected`() throws {
        for (file, reason) in [(try Self.archive(type: 1), "vector tiles"), (try Self.archive(cut: 3), "damaged")] {
            defer { try? FileManager.default.removeItem(at: file) }
            let error = #expect(throws: (any Error).self) { try MapTiles(file: file) }
            #expect(error.map { "\($0)".contains(reason) } == true)
        }
    }

    @Test(
        arguments: [
            "https://tiles.example.org/{z}/{x}/{y}.png", "http://localhost:8080/{z}/{x}/{y}@2x.webp?key=1",
        ])
    func `the address of a server is a template`(template: String) throws {
        let tiles = try #require(MapTiles(template: template))
        let address = try #require(try tiles.address(MapTiles.Place(zoom: 3, column: 1, row: 2)))
        #expect(address.contains("/3/1/2") && !address.contains("{"))
        #expect(tiles.origin.map(template.hasPrefix) == true)
    }

    @Test(arguments: ["map.mbtiles", "https://example.org/map", "ftp://example.org/{z}/{x}/{y}", "{z}{x}{y}", ""])
    func `an invalid template is rejected`(text: String) {
        #expect(MapTiles(template: text) == nil)
    }

    @Test func `a page loads pictures only from the named server`() {
        var document = ReportDocument(title: "Route")
        #expect(String(decoding: document.bytes, as: UTF8.self).contains("img-src data:\""))
        document.pictureOrigins = ["https://tiles.example.org"]
        #expect(String(decoding: document.bytes, as: UTF8.self).contains("img-src data: https://tiles.example.org\""))
    }
}

/// The tiles that a layer requested, in order. A layer is created in one task.
private final class Asked: Sendable {
    private let kept = Mutex<[MapTiles.Place]>([])

    var places: [MapTiles.Place] { kept.withLock { $0 } }
    func add(_ place: MapTiles.Place) { kept.withLock { $0.append(place) } }
}
