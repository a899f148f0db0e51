import Analytics
import Foundation
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

private let xml = Array(SmallExport.xml.utf8)

private let route = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">
      <metadata><time>2019-11-07T03:43:52Z</time></metadata>
      <trk><name>Route 2019-06-11 3:00pm</name><trkseg>
        <trkpt lon="-122.25" lat="37.5"><ele>4.076904</ele><time>2019-06-11T22:00:42Z</time><extensions>
          <speed>0.180883</speed><course>206.252884</course><hAcc>8.063116</hAcc><vAcc>-1</vAcc></extensions></trkpt>
        <trkpt lon="-122.25" lat="37.5"><time>2019-06-11T22:00:43Z</time></trkpt>
        <trkpt lon="-122.25"><time>2019-06-11T22:00:44Z</time></trkpt>
      </trkseg></trk>
    </gpx>
    """.utf8)

struct HealthExportArchiveTests {
    @Test(
        arguments: [
            ZipBuilder.Options(), .init(packing: .stored), .init(hasDataDescriptor: true),
            .init(packing: .stored, hasDataDescriptor: true, isZip64: true), .init(isZip64: true),
        ])
    func `the export is found by its content, whatever its name and neighbours`(options: ZipBuilder.Options) throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("apple_health_export/", [], .init(packing: .stored))
        zip.add("apple_health_export/.DS_Store", [0, 0, 0, 1] + Array("Bud1".utf8), options)
        zip.add(
            "__MACOSX/apple_health_export/._export.xml", [0, 5, 0x16, 7] + Array(repeating: 0, count: 9000), options)
        zip.add("apple_health_export/export_cda.xml", Array("<?xml version=\"1.0\"?><ClinicalDocument/>".utf8), options)
        zip.add("apple_health_export/导出.xml", xml, options)
        let url = try folder.file(
            "whatever.bin", zip.finished(isZip64: options.isZip64, comment: "PK\u{5}\u{6} not here"))

        #expect(HealthExport.isHealthExport(url))
        let fromArchive = try HealthExportContent(url)
        let fromMemory = try HealthExportContent(xml: xml)
        #expect(fromArchive.elements == fromMemory.elements)
        #expect(fromArchive.summary == fromMemory.summary)
    }

    @Test func `a wrong checksum is an error, after what could be read`() throws {
        let folder = try TemporaryFolder()
        for packing in [ZipBuilder.Packing.stored, .deflated] {
            var zip = ZipBuilder()
            zip.add("export.xml", xml, .init(packing: packing, checksumError: 1))
            // Recognising the format does not read to the end of a longer file, so only reading finds it.
            let url = try folder.file("export.zip", zip.finished())
            let error = #expect(throws: HealthExportError.self) { try HealthExportContent(url) }
            #expect(error?.description.contains("checksum") == true)
        }
    }

    @Test(arguments: [-1, 1, 100])
    func `a size that differs from the directory is an error`(difference: Int) throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("export.xml", xml + xml + xml, .init(sizeError: difference))
        let url = try folder.file("export.zip", zip.finished())
        let error = #expect(throws: HealthExportError.self) { try HealthExportContent(url) }
        #expect(error?.description.contains("than the list of files says") == true)
    }

    @Test func `a truncated archive is an error, not a trap`() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("export.xml", Array("<HealthData>\(SmallExport.step)</HealthData>".utf8))
        let whole = zip.finished()
        for length in 4..<whole.count {
            let url = try folder.file("export.zip", Array(whole[..<length]))
            #expect(throws: HealthExportError.self) { try HealthExportContent(url) }
        }
    }

    @Test func `a damaged archive gives an error or its readable part, and no trap`() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("a/export.xml", xml, .init(isZip64: true))
        zip.add("a/workout-routes/route_1.gpx", route)
        let whole = zip.finished(isZip64: true)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Most of it is data; the lists are at the end.
                let from = Bool.random(using: &random) ? 0 : max(0, bytes.count - 400)
                bytes[Int.random(in: from..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let url = try folder.file("export.zip", bytes)
            do {
                let content = try HealthExportContent(url)
                #expect(content.elements == (try HealthExportContent(xml: xml)).elements)
            } catch is HealthExportError {}
        }
    }

    @Test func `errors have a cause and a remedy`() throws {
        let folder = try TemporaryFolder()
        func message(_ bytes: [UInt8]) throws -> String {
            let url = try folder.file("file", bytes)
            let error = #expect(throws: HealthExportError.self) { try HealthExport(url) }
            return error?.description.replacingOccurrences(of: url.path, with: "FILE") ?? ""
        }
        var empty = ZipBuilder()
        empty.add("readme.txt", Array("hello".utf8))
        #expect(
            try message(empty.finished())
                == "cannot read FILE: no file in this archive is an Apple Health export; use the archive that the Health app wrote"
        )
        var encrypted = ZipBuilder()
        encrypted.add("export.xml", xml, .init(flags: 1))
        #expect(
            try message(encrypted.finished())
                == "cannot read FILE: it has a password; unpack the archive and use the XML file in it")
        encrypted.add("readme.txt", Array("hello".utf8))
        #expect(
            try message(encrypted.finished())
                == "cannot read FILE: export.xml in it is encrypted; unpack the archive and use the XML file in it")
        var method = ZipBuilder()
        method.add("export.xml", xml, .init(method: 93))
        #expect(try message(method.finished()).contains("packed by method 93"))
        #expect(try message(Array("<gpx/>".utf8)).contains("it is not an Apple Health export"))
        #expect(try message([]).contains("it is not an Apple Health export"))
        #expect(!HealthExport.isHealthExport(folder.url))
        #expect(!HealthExport.isHealthExport(folder.url.appending(path: "absent")))
    }

    @Test func `a route is read from the archive that names it`() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("x/export.xml", xml)
        zip.add("x/workout-routes/route_1.gpx", route)
        zip.add("x/workout-routes/route_3.00\u{202F}pm.gpx", route)
        zip.add("x/workout-routes/empty.gpx", Array("<gpx/>".utf8))
        let export = try HealthExport(folder.file("export.zip", zip.finished()))

        let points = try export.route(at: "/workout-routes/route_1.gpx").points
        #expect(
            points.first?.position
                == PositionReading(
                    latitudeInDegrees: 37.5, longitudeInDegrees: -122.25, altitudeInMeters: 4.076904,
                    horizontalAccuracyInMeters: 8.063116, courseInDegrees: 206.252884, speedInMetersPerSecond: 0.180883)
        )
        #expect(
            points.map(\.date) == [
                try Date.ISO8601FormatStyle().parse("2019-06-11T22:00:42Z"),
                try Date.ISO8601FormatStyle().parse("2019-06-11T22:00:43Z"),
            ])
        // An archiver may have changed the space.
        #expect(try export.route(at: "/workout-routes/route_3.00 pm.gpx").points.count == 2)
        #expect(throws: HealthExportError.noRoute(path: "/workout-routes/none.gpx")) {
            try export.route(at: "/workout-routes/none.gpx")
        }
        #expect(throws: HealthExportError.notARoute(path: "/workout-routes/empty.gpx")) {
            try export.route(at: "/workout-routes/empty.gpx")
        }
    }

    @Test func `a route beside the XML is read, and nothing outside its folder`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "export/workout-routes"), withIntermediateDirectories: true)
        let url = try folder.file("export/export.xml", xml)
        _ = try folder.file("export/workout-routes/route_1.gpx", route)
        _ = try folder.file("secret.gpx", route)
        let export = try HealthExport(url)
        let read = try export.route(at: "/workout-routes/route_1.gpx")
        #expect(read.points.count == 2)
        #expect(read.warnings.count == 1)
        #expect(throws: HealthExportError.noRoute(path: "../secret.gpx")) { try export.route(at: "../secret.gpx") }
        #expect(throws: HealthExportError.noRoute(path: "/none.gpx")) { try export.route(at: "/none.gpx") }
    }
}
