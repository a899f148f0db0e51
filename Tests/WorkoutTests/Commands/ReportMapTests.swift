import ArgumentParser
import Foundation
import GRDB
import HealthKit
import Reports
import Testing

@testable import workout

/// `report --tiles`.
@Suite struct ReportMapTests {
    private let runs = StoredRuns()
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("map-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A ride of about four kilometres, as a GPX file.
    private func ride() throws -> String {
        let points = (0...60).map { minute in
            "<trkpt lat=\"\(47.5 + Double(minute) / 1_500)\" lon=\"9.4\"><ele>400</ele>"
                + "<time>2026-05-01T08:\(minute < 10 ? "0" : "")\(minute % 60):00Z</time></trkpt>"
        }.dropLast()
        let file = folder.appendingPathComponent("ride.gpx")
        let text =
            "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// All tiles of the world up to a zoom, with the same picture.
    private func tiles(format: String = "png", zooms: Range<Int> = 0..<6, picture: [UInt8]) throws -> String {
        let file = folder.appendingPathComponent("\(UUID().uuidString).mbtiles")
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE metadata (name TEXT, value TEXT)")
            try db.execute(
                sql: "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
            try db.execute(
                sql: "INSERT INTO metadata VALUES ('format', ?), ('attribution', '<a href=\"x\">&copy; Mappers</a>')",
                arguments: [format])
            for zoom in zooms {
                for column in 0..<(1 << zoom) {
                    for row in 0..<(1 << zoom) {
                        try db.execute(
                            sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                            arguments: [zoom, column, row, Data(picture + [UInt8(zoom), UInt8(row)])])
                    }
                }
            }
        }
        try queue.close()
        return file.path
    }

    private func page(_ arguments: String...) async throws -> String {
        let report = try await Report.parse(arguments).report(runs.environment, StoredRuns.utc)
        return String(decoding: report.document.bytes, as: UTF8.self)
    }

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    @Test func `the tiles of a file are in the page, counted from the south in the file`() async throws {
        let page = try await page(try ride(), "--tiles", try tiles(picture: Self.png))
        // At zoom 5, latitude 47.5 is in the 12th row from the north, the 20th from the south.
        let picture = Data(Self.png + [5, 20]).base64EncodedString()
        #expect(page.contains("href=\"data:image/png;base64,\(picture)\""))
        #expect(page.contains("Map: © Mappers</p>") && !page.contains("class=\"locator\""))
        #expect(page.contains("img-src data:\""))
    }

    @Test func `without tiles, a short route has a small map beside it`() async throws {
        #expect(try await page(try ride()).contains("class=\"locator\""))
    }

    @Test func `the page loads a server's tiles and nothing else`() async throws {
        let page = try await page(try ride(), "--tiles", "https://tiles.example.org/{z}/{x}/{y}.png")
        #expect(page.contains("img-src data: https://tiles.example.org\""))
        #expect(page.contains("href=\"https://tiles.example.org/"))
        #expect(page.contains("Map: tiles.example.org</p>"))
    }

    @Test func `tiles around the hidden part of a privacy zone are not in the page`() async throws {
        let ride = try ride()
        func rows(_ page: String) -> Set<Substring> {
            Set(page.matches(of: #/tiles\.example\.org/\d+/\d+/(\d+)\.png/#).map(\.1))
        }
        let template = "https://tiles.example.org/{z}/{x}/{y}.png"
        let whole = rows(try await page(ride, "--tiles", template))
        let hidden = try await page(ride, "--tiles", template, "--privacy-zone", "1800")
        // The rest is short, so its tiles are those of a higher zoom.
        let zoom = try #require(hidden.firstMatch(of: #/tiles\.example\.org/(\d+)/#)?.1)
        #expect(Int(zoom).map { $0 > 14 } == true && rows(hidden) != whole)
    }

    @Test(
        arguments: [
            ("pbf", "vector tiles"), ("png", "no tiles"),
        ])
    func `a map file without pictures is rejected with the reason`(format: String, reason: String) async throws {
        let file = try tiles(format: format, zooms: format == "pbf" ? 0..<1 : 0..<0, picture: [])
        let failure = await #expect(throws: CommandFailure.self) { try await page(try ride(), "--tiles", file) }
        #expect(failure?.exitCode == .badInput && failure?.message.contains(reason) == true)
    }

    @Test func `a file that is not MBTiles is rejected`() async throws {
        let ride = try ride()
        for file in [ride, folder.appendingPathComponent("none.mbtiles").path] {
            let failure = await #expect(throws: CommandFailure.self) { try await page(ride, "--tiles", file) }
            #expect(
                failure?.exitCode == .badInput
                    && failure?.message.contains("neither an MBTiles nor a PMTiles file") == true)
        }
    }

    @Test(arguments: ["https://tiles.example.org/map.png", "ftp://example.org/{z}/{x}/{y}"])
    func `an address that is not a template is rejected`(address: String) {
        #expect(throws: (any Error).self) { try Report.parse(["8F3A", "--tiles", address]) }
    }
}
