import Foundation
import Recordings

/// Measures speed and memory of reading a generated export: the XML, and, if there is a `zip` command, an archive of
/// it.
///
/// With `file`, it measures an existing export instead.
func benchmarkAppleHealth(megabytes: Int = 400, file: URL? = nil) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "apple-health-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let xml = file ?? folder.appending(path: "export.xml")
    if file == nil { try AppleHealthBenchmarkFile.write(bytes: megabytes * 1_000_000, to: xml) }

    try report("apple health xml", xml, repetitions: 3)
    let archive = folder.appending(path: "export.zip")
    if let zip = ["/usr/bin/zip", "/bin/zip"].first(where: FileManager.default.isExecutableFile) {
        let process = Process()
        process.executableURL = URL(filePath: zip)
        process.arguments = ["-q", "-j", archive.path, xml.path]
        try process.run()
        process.waitUntilExit()
        try report("apple health zip", archive, repetitions: 2)
    }
}

private func report(_ name: String, _ url: URL, repetitions: Int) throws {
    var best = Duration.seconds(1000)
    var records = 0
    var sum = 0.0
    var bytes = 0
    for _ in 0..<repetitions {
        records = 0
        sum = 0
        let time = try ContinuousClock().measure {
            try HealthExport.read(url, progress: { bytes = $0.bytesRead }) { element in
                guard case .record(let record) = element else { return }
                records += 1
                if case .number(let value) = record.value { sum += value }
            }
        }
        best = min(best, time)
    }
    let seconds = best / .seconds(1)
    let rate = String(
        format: "%.0f MB/s of XML, %.2f million records/s", Double(bytes) / seconds / 1e6,
        Double(records) / seconds / 1e6)
    print(
        "\(name): \(records) records, \(bytes / 1_000_000) MB in \(Int(seconds * 1000)) ms: \(rate), "
            + "peak of the process \(peakMemoryInMegabytes()) MB")
}

/// The peak memory of this process, in MB.
func peakMemoryInMegabytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
}

/// An export as iPhones write it: heart rates with metadata, energies without, heart rate variabilities with beats.
enum AppleHealthBenchmarkFile {
    /// - Parameters:
    ///   - isRepeating: Whether the same records repeat every few megabytes, which takes less time to write.
    ///   - beats: One in this many records is a heart-rate variability, which takes a row of its own in a store. A
    /// watch writes about ten a day, and some thousand other records.
    static func write(bytes: Int, to url: URL, isRepeating: Bool = true, beats: Int = 10) throws {
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE HealthData [
            <!-- HealthKit Export Version: 14 -->
            <!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
            ]>
            <HealthData locale="de_DE">
             <ExportDate value="2025-11-30 22:04:09 +0100"/>

            """
        try file.write(contentsOf: Data(head.utf8))
        var seed: UInt64 = 1
        var block = Data(body(records: 10_000, seed, beats).utf8)
        var written = head.utf8.count
        while written < bytes {
            try file.write(contentsOf: block)
            written += block.count
            guard !isRepeating else { continue }
            seed += 1
            block = Data(body(records: 10_000, seed, beats).utf8)
        }
        try file.write(contentsOf: Data("</HealthData>\n".utf8))
    }

    private static func body(records: Int, _ seed: UInt64, _ beats: Int) -> String {
        var text = ""
        var random = seed
        func next(_ bound: UInt64) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((random >> 33) % bound)
        }
        let addresses = (0..<40).map { _ in "0x" + String(0x2_8000_0000 + next(0x200_0000) * 16, radix: 16) }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        for index in 0..<records {
            let day = "2025-\(two(1 + index * 11 / records))-\(two(1 + index % 28))"
            let start = "\(day) \(two(next(24))):\(two(next(60))):\(two(next(60))) +0100"
            let source = """
                sourceName="Kim’s Apple\u{A0}Watch" sourceVersion="10.2" \
                device="&lt;&lt;HKDevice: \(addresses[next(40)])&gt;, name:Apple Watch, manufacturer:Apple Inc., \
                model:Watch, hardware:Watch6,7, software:10.2&gt;"
                """
            let dates = "creationDate=\"\(start)\" startDate=\"\(start)\" endDate=\"\(start)\""
            switch index % 10 {
            case _ where index % beats == beats - 1:
                text += """
                     <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" \(source) unit="ms" \(dates) \
                    value="\(20 + next(80)).\(next(10_000))">
                      <HeartRateVariabilityMetadataList>
                       <InstantaneousBeatsPerMinute bpm="64" time="7:47:41.86 AM"/>
                       <InstantaneousBeatsPerMinute bpm="61" time="7:47:42.84 AM"/>
                      </HeartRateVariabilityMetadataList>
                     </Record>

                    """
            case 0..<4:
                text += """
                     <Record type="HKQuantityTypeIdentifierHeartRate" \(source) unit="count/min" \(dates) \
                    value="\(50 + next(120))">
                      <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="\(next(3))"/>
                     </Record>

                    """
            default:
                text += """
                     <Record type="HKQuantityTypeIdentifierActiveEnergyBurned" \(source) unit="kcal" \(dates) \
                    value="\(next(9)).\(next(10_000))"/>

                    """
            }
        }
        return text
    }
}
