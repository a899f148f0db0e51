import Foundation
import Recordings
import SessionLog
import XML

/// Measures speed and memory of reading generated TCX and GPX files: the XML scanner alone, the survey of a file, and
/// its entries.
func benchmarkTracks(megabytes: Int = 100) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "track-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for format in [TrackBenchmarkFile.tcx, .gpx] {
        let url = folder.appending(path: "track.\(format.name)")
        try format.write(bytes: megabytes * 1_000_000, to: url)
        let bytes = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        func report(_ name: String, _ unit: String, _ work: () throws -> Int) rethrows {
            var best = Duration.seconds(1000)
            var count = 0
            for _ in 0..<(megabytes > 500 ? 1 : 3) {
                best = min(best, try ContinuousClock().measure { count = try work() })
            }
            let rate = String(format: "%.0f MB/s", Double(bytes) / (best / .seconds(1)) / 1e6)
            print(
                "\(format.name) \(name): \(count) \(unit), \(bytes / 1_000_000) MB in \(Int(best / .milliseconds(1))) ms: "
                    + "\(rate), peak of the process \(peakMemoryInMegabytes()) MB")
        }
        try report("scanner", "tags and texts") {
            var scanner = XMLScanner(
                FileStream(try SharedFile(url.path)), elements: ["trkpt"], attributes: ["lat"], keepsText: true)
            var count = 0
            while try scanner.next() != .finished { count += 1 }
            return count
        }
        try report("looked over", "records") { try RecordingFile.read(url).file.records }
        let recording = try RecordingFile.read(url)
        report("entries", "entries") {
            var count = 0
            for _ in recording.entries { count += 1 }
            return count
        }
        if let failure = recording.entries.failure { throw failure }
    }
}

/// A ride with one point a second and everything that devices write.
private enum TrackBenchmarkFile {
    case tcx, gpx

    var name: String { self == .tcx ? "tcx" : "gpx" }

    /// Written in pieces, so that writing the file doesn't raise the peak memory that is then measured for reading
    /// it.
    func write(bytes: Int, to url: URL) throws {
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        var written = 0
        func write(_ text: String) throws {
            let data = Data(text.utf8)
            written += data.count
            try file.write(contentsOf: data)
        }
        try write(self == .tcx ? Self.tcxHead : Self.gpxHead)
        var piece = ""
        var second = 0
        while written < bytes {
            piece += self == .tcx ? Self.tcxPoint(second) : Self.gpxPoint(second)
            second += 1
            guard piece.utf8.count > 1 << 20 else { continue }
            try write(piece)
            piece = ""
        }
        try write(piece + (self == .tcx ? Self.tcxTail : Self.gpxTail))
    }

    private static let tcxHead = """
        <?xml version="1.0" encoding="UTF-8"?>
        <TrainingCenterDatabase xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2">
          <Activities>
            <Activity Sport="Biking">
              <Id>2001-01-01T00:00:00.000Z</Id>
              <Lap StartTime="2001-01-01T00:00:00.000Z">
                <Track>

        """
    private static let tcxTail = "</Track></Lap></Activity></Activities></TrainingCenterDatabase>\n"
    private static let gpxHead = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx creator="Benchmark" version="1.1" xmlns:ns3="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
          <trk>
            <type>cycling</type>
            <trkseg>

        """
    private static let gpxTail = "</trkseg></trk></gpx>\n"

    private static func time(_ second: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = second / 86_400
        return "20\(two(10 + day / 336))-\(two(1 + day / 28 % 12))-\(two(1 + day % 28))"
            + "T\(two(second / 3600 % 24)):\(two(second / 60 % 60)):\(two(second % 60)).000Z"
    }

    private static func tcxPoint(_ second: Int) -> String {
        """
                  <Trackpoint>
                    <Time>\(time(second))</Time>
                    <Position>
                      <LatitudeDegrees>46.6369\(10_000_000 + second)</LatitudeDegrees>
                      <LongitudeDegrees>16.1683\(10_000_000 + second * 3)</LongitudeDegrees>
                    </Position>
                    <AltitudeMeters>230.600006103515625</AltitudeMeters>
                    <DistanceMeters>\(second * 8).25</DistanceMeters>
                    <HeartRateBpm>
                      <Value>\(120 + second % 50)</Value>
                    </HeartRateBpm>
                    <Cadence>\(80 + second % 9)</Cadence>
                    <Extensions>
                      <ns3:TPX>
                        <ns3:Speed>7.2680000066757202</ns3:Speed>
                        <ns3:Watts>\(180 + second % 70)</ns3:Watts>
                      </ns3:TPX>
                    </Extensions>
                  </Trackpoint>

        """
    }

    private static func gpxPoint(_ second: Int) -> String {
        """
              <trkpt lat="46.0798711795359\(10_000_000 + second)" lon="14.7386186756193\(10_000_000 + second * 3)">
                <ele>230.600006103515625</ele>
                <time>\(time(second))</time>
                <extensions>
                  <ns3:TrackPointExtension>
                    <ns3:atemp>21.0</ns3:atemp>
                    <ns3:hr>\(120 + second % 50)</ns3:hr>
                    <ns3:cad>\(80 + second % 9)</ns3:cad>
                  </ns3:TrackPointExtension>
                </extensions>
              </trkpt>

        """
    }
}
