import Foundation
import Recordings

/// Measures speed and memory of reading tables: up to a recording, which is all that a summary needs, and up to every
/// entry.
func benchmarkTables(megabytes: Int = 100) throws {
    let wide = FileManager.default.temporaryDirectory.appending(path: "table-benchmark-wide.csv")
    let intervals = FileManager.default.temporaryDirectory.appending(path: "table-benchmark-rr.txt")
    defer { for file in [wide, intervals] { try? FileManager.default.removeItem(at: file) } }
    try TableBenchmarkFile.writeWide(megabytes: megabytes, to: wide)
    try TableBenchmarkFile.writeIntervals(count: 100_000, to: intervals)

    func report(_ name: String, _ file: URL, _ work: () throws -> Int) throws {
        let bytes = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let before = peakMemoryInMegabytes()
        var best = Duration.seconds(1000)
        var count = 0
        for _ in 0..<3 { best = min(best, try ContinuousClock().measure { count = try work() }) }
        let seconds = best / .seconds(1)
        let rate = String(
            format: "%.0f MB/s, %.2f million a second", Double(bytes) / seconds / 1e6, Double(count) / seconds / 1e6)
        let memory = peakMemoryInMegabytes() - before
        print("\(name): \(count) of \(bytes / 1_000_000) MB in \(Int(seconds * 1000)) ms: \(rate), peak +\(memory) MB")
    }
    func read(_ file: URL) throws -> Recording {
        try RecordingFile.readAll(
            RecordingSource(file), formats: RecordingFile.formats(TableOptions(activity: "cycling")))[0]
    }
    try report("csv to a recording, rows", wide) { try read(wide).file.records }
    let recording = try read(wide)
    try report("csv to entries", wide) { recording.entries.reduce(0) { count, _ in count + 1 } }
    try report("RR intervals to a recording, beats", intervals) {
        try read(intervals).file.rrIntervalsInMilliseconds.count
    }
}

/// Tables as loggers write them.
private enum TableBenchmarkFile {
    static func writeWide(megabytes: Int, to url: URL) throws {
        try write(to: url, header: "time,hr,speed (km/h),distance (m),lat,lon,altitude (m),power,cadence\n") { second in
            guard second < megabytes * 12_500 else { return nil }
            let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(second)).ISO8601Format()
            return "\(time),\(120 + second % 50),\(30 + second % 9).\(second % 10),\(second * 8).\(second % 10),"
                + "52.\(100_000 + second % 800_000),13.\(100_000 + second % 700_000),\(40 + second % 30).5,\(200 + second % 80),"
                + "\(85 + second % 10)\n"
        }
    }

    static func writeIntervals(count: Int, to url: URL) throws {
        try write(to: url, header: "") { $0 < count ? "\(700 + $0 % 200)\n" : nil }
    }

    /// Written in pieces, so that writing the file doesn't raise the peak memory that is then measured for reading
    /// it.
    private static func write(to url: URL, header: String, _ row: (Int) -> String?) throws {
        try Data(header.utf8).write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        try file.seekToEnd()
        var piece: [UInt8] = []
        var index = 0
        while let text = row(index) {
            piece += text.utf8
            index += 1
            if piece.count > 1 << 18 {
                try file.write(contentsOf: Data(piece))
                piece.removeAll(keepingCapacity: true)
            }
        }
        try file.write(contentsOf: Data(piece))
    }
}
