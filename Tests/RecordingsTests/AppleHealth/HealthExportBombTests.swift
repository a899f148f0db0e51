import Foundation
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

/// Exports that are built to fill the disk or the memory, or to take hours.
struct HealthExportBombTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func route(points: Int) -> [UInt8] {
        let point = #"<trkpt lon="1" lat="2"><time>2024-05-04T10:00:00Z</time></trkpt>"#
        return Array("<gpx><trk><trkseg>\(String(repeating: point, count: points))</trkseg></trk></gpx>".utf8)
    }

    @Test func `archived files that share their bytes are rejected with the reason`() throws {
        var zip = ZipBuilder()
        zip.add("export.xml", Array(SmallExport.xml.utf8))
        zip.add("workout-routes/a.gpx", Self.route(points: 1))
        zip.listAgain()
        let url = try folder.file("export.zip", zip.finished())
        let error = #expect(throws: HealthExportError.self) { try HealthExport(url) }
        #expect(error?.description.contains("share their bytes") == true)
    }

    @Test(arguments: [ZipBuilder.Packing.stored, .deflated])
    func `a file far larger than its packed bytes is rejected before it is unpacked`(
        packing: ZipBuilder.Packing
    ) throws {
        var zip = ZipBuilder()
        zip.add("export.xml", Array(SmallExport.xml.utf8))
        zip.add("workout-routes/a.gpx", Self.route(points: 1), .init(packing: packing, sizeError: 17 << 20))
        let export = try HealthExport(folder.file("export.zip", zip.finished()))
        let error = #expect(throws: HealthExportError.self) { try export.route(at: "/workout-routes/a.gpx") }
        #expect(error?.description.contains("more than 250 times as large as its packed bytes") == true)
    }

    @Test func `a route's points are read up to the limit, with a warning`() throws {
        let stream = MemoryStream(Self.route(points: 12))
        let route = try HealthRouteFile.read(stream, pointLimit: 10)
        #expect(route.points.count == 10)
        #expect(route.warnings.map(\.message) == ["it has more than 10 points; those beyond are left out"])
    }

    @Test func `all spellings of a route's name are one file`() throws {
        var zip = ZipBuilder()
        zip.add("export.xml", Array(SmallExport.xml.utf8))
        zip.add("workout-routes/a 1.gpx", Self.route(points: 1))
        let export = try HealthExport(folder.file("export.zip", zip.finished()))
        let files = try ["/workout-routes/a 1.gpx", "workout-routes//a1.gpx", "elsewhere/a 1.gpx"].map {
            try export.routeFile(at: $0)
        }
        #expect(Set(files).count == 1)
    }

    @Test func `reading ends soon after a request, also within long stretches without elements`() throws {
        let filler = String(repeating: " ", count: 4 << 20)
        let url = try folder.file(
            "export.xml", "<HealthData>\(SmallExport.step)\(filler)\(SmallExport.step)</HealthData>")
        var questions = 0
        var reader = try HealthExport(url).reader {
            questions += 1
            return questions > 3
        }
        #expect(try reader.next() != nil)
        let error = #expect(throws: HealthExportError.self) { try reader.next() }
        #expect(error == .cancelled(path: url.path))
        #expect(reader.bytesRead < 4 << 20)
    }
}
