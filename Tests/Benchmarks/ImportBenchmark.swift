import Foundation
import HealthKit
import StoredWorkouts

/// Imports an Apple Health export into a new store and, if it is installed, into that of healthkit-to-sqlite, in
/// turn.
///
/// `file` is an `export.xml`. Without it, one is generated whose records repeat every few megabytes.
func benchmarkImport(file: URL? = nil, megabytes: Int = 400) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "import-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let xml = file ?? folder.appending(path: "export.xml")
    if file == nil { try AppleHealthBenchmarkFile.write(bytes: megabytes * 1_000_000, to: xml) }
    let size = Double(try FileManager.default.attributesOfItem(atPath: xml.path)[.size] as? Int ?? 0)

    func report(_ name: String, _ seconds: Double, peak: Int, store: String) {
        let bytes = (try? FileManager.default.attributesOfItem(atPath: store)[.size] as? Int) ?? 0
        print(
            "\(name): \(Int(size / 1e6)) MB in \(String(format: "%.2f", seconds)) s, "
                + "\(String(format: "%.1f", size / seconds / 1e6)) MB/s, peak \(peak) MB, store \(bytes / 1_000_000) MB"
        )
    }
    let path = folder.appending(path: "health.sqlite").path
    let clock = ContinuousClock()
    let time = try clock.measure { _ = try HealthImport.run(xml, into: SQLiteHealthDatabase(.file(path))) }
    report("import", time / .seconds(1), peak: peakMemoryInMegabytes(), store: path)
    let again = try clock.measure { _ = try HealthImport.run(xml, into: SQLiteHealthDatabase(.file(path))) }
    report("import again, nothing new", again / .seconds(1), peak: peakMemoryInMegabytes(), store: path)

    let other = folder.appending(path: "peer.sqlite").path
    let peer = try run(["healthkit-to-sqlite", "--xml", xml.path, other, "-s"])
    guard let peer else { return print("healthkit-to-sqlite: not installed (pip install healthkit-to-sqlite)") }
    report("healthkit-to-sqlite", peer.seconds, peak: peer.peak, store: other)
}

/// Measures DuckDB and a table with one row per sample, with the samples of `benchmarkStore`.
func benchmarkPeers(samples: Int) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "peers/store.py")
    if try run(["python3", script.path, "\(samples)"], isSilent: false) == nil { print("python3: not installed") }
}

/// Nil if there is no such command, or if it failed. The peak is that of all child processes so far.
func run(
    _ arguments: [String], isSilent: Bool = true, variables: [String: String] = [:]
) throws -> (seconds: Double, peak: Int)? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    if isSilent {
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
    }
    let time = try ContinuousClock().measure {
        try process.run()
        process.waitUntilExit()
    }
    guard process.terminationStatus == 0 else { return nil }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return (time / .seconds(1), Int(usage.ru_maxrss) / 1024)
}
