import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

/// Measures speed and memory of reading a generated activity file, in MB/s and records/s: the decoder alone, the
/// survey of the file, its entries, both, and the command up to a stored workout.
func benchmarkFIT(megabytes: Int = 31) throws {
    let records = megabytes * 1_000_000 / FITBenchmarkFile.recordSize
    let url = FileManager.default.temporaryDirectory.appending(path: "fit-benchmark-\(records).fit")
    try FITBenchmarkFile.write(records: records, to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let bytes = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0

    func report(_ name: String, _ work: () throws -> Int) rethrows {
        var best = Duration.seconds(1000)
        var count = 0
        for _ in 0..<(megabytes > 500 ? 1 : 5) {
            best = min(best, try ContinuousClock().measure { count = try work() })
        }
        let seconds = best / .seconds(1)
        let rate = String(
            format: "%.0f MB/s, %.2f million records/s", Double(bytes) / seconds / 1e6, Double(count) / seconds / 1e6)
        print(
            "fit \(name): \(count) records, \(bytes / 1_000_000) MB in \(Int(seconds * 1000)) ms: \(rate), "
                + "peak of the process \(peakMemoryInMegabytes()) MB")
    }
    try report("decoder") { try FITFile.survey(url).messages[20] ?? 0 }
    try report("looked over") { try FITFile.read(url)[0].file.records }
    let recording = try FITFile.read(url)[0]
    func read(_ recording: Recording) throws -> Int {
        var entries = 0
        for _ in recording.entries { entries += 1 }
        if let failure = recording.entries.failure { throw failure }
        precondition(entries > recording.file.records)
        return recording.file.records
    }
    try report("entries") { try read(recording) }
    try report("to entries") { try read(FITFile.read(url)[0]) }
    print("an entry has \(MemoryLayout<SessionEntry>.stride) bytes, a reading \(MemoryLayout<QuantityReading>.stride)")
    try reportImport(of: url, bytes: bytes)
    try reportRides(200)
    _ = try benchmarkStoring(records: 360_000)
}

/// Imports a recording into a store, in this process and without the command.
/// - Returns: The time in multiples of reading its entries.
func benchmarkStoring(records: Int) throws -> Double {
    let url = FileManager.default.temporaryDirectory.appending(path: "fit-storing-\(records).fit")
    try FITBenchmarkFile.write(records: records, to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let recording = try FITFile.read(url)[0]
    let reading = ContinuousClock().measure { for _ in recording.entries {} }
    let store = HKHealthStore(
        environment: HealthEnvironment(sensors: [], database: SQLiteHealthDatabase(.memory)))
    let storing = try ContinuousClock().measure { _ = try store.save(recording, as: UUID()) }
    print("fit to a store in memory: \(records) records in \(storing), entries alone \(reading)")
    return storing / reading
}

/// Imports a folder of one-hour rides by the command, and analyses the training.
private func reportRides(_ count: Int) throws {
    let program = Bundle.main.bundleURL.appending(path: "workout").path
    let folder = FileManager.default.temporaryDirectory.appending(path: "fit-rides-\(getpid())")
    let store = folder.path + ".sqlite"
    defer {
        for path in [folder.path, store, store + "-wal", store + "-shm"] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for ride in 0..<count {
        try FITBenchmarkFile.write(records: 3600, on: UInt32(ride), to: folder.appending(path: "\(ride).fit"))
    }
    let variables = ["HEALTHKIT_STORE": store, "HEALTHKIT_AUTHORIZATION": "allow"]
    guard FileManager.default.isExecutableFile(atPath: program),
        let (seconds, peak) = try run([program, "import", folder.path], variables: variables)
    else { return }
    print(
        "fit \(count) rides of an hour: "
            + String(format: "%.1f s, %.1f ms a ride", seconds, seconds / Double(count) * 1000)
            + ", peak of the processes so far \(peak) MB")
    guard let (analysis, _) = try run([program, "analyze"], variables: variables) else { return }
    print("fit \(count) rides of an hour: analyzed in \(String(format: "%.2f", analysis)) s")
}

/// The command's import as a separate process, with session, journal and store.
private func reportImport(of file: URL, bytes: Int) throws {
    let program = Bundle.main.bundleURL.appending(path: "workout").path
    let store = FileManager.default.temporaryDirectory.appending(path: "fit-benchmark-\(getpid()).sqlite")
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + end) } }
    let variables = ["HEALTHKIT_STORE": store.path, "HEALTHKIT_AUTHORIZATION": "allow"]
    guard FileManager.default.isExecutableFile(atPath: program),
        let (seconds, peak) = try run([program, "import", file.path], variables: variables)
    else { return print("fit to a stored workout: `workout` is not built beside the benchmarks, or failed") }
    print(
        "fit to a stored workout: \(bytes / 1_000_000) MB in \(Int(seconds * 1000)) ms: "
            + String(format: "%.1f MB/s", Double(bytes) / seconds / 1e6) + ", peak of the process \(peak) MB")
}

/// An activity as a bike computer writes it: one record a second with position, distance, altitude, speed, power,
/// heart rate, cadence, temperature and two unknown fields.
private enum FITBenchmarkFile {
    private static let start: UInt32 = 1_073_001_600
    static let recordSize = 31

    /// Written in pieces, so that writing the file doesn't raise the peak memory that is then measured for reading
    /// it.
    /// - Parameter day: The number of days after the first ride.
    static func write(records: Int, on day: UInt32 = 0, to url: URL) throws {
        let start = start + day * 86_400
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        let first = beginning(start)
        let last = ending(records: records, start)
        let size = UInt32(first.count + records * recordSize + last.count)
        var checksum: UInt16 = 0
        func write(_ bytes: [UInt8]) throws {
            for byte in bytes { checksum = (checksum >> 8) ^ table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] }
            try file.write(contentsOf: Data(bytes))
        }
        try write([14, 0x20, 0x54, 0x08] + little(size) + Array(".FIT".utf8) + [0, 0])
        try write(first)
        var random: UInt64 = 1
        var distance: UInt32 = 0
        var piece: [UInt8] = []
        for second in 0..<UInt32(records) {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = UInt16(random >> 33 & 0x3F)
            distance += 100 + UInt32(noise) / 2
            piece.append(2)
            piece += little(start + second / perSecond(records))
            for value in [520_000_000 + second * 7, 80_000_000 + second * 11] { piece += little(value) }
            piece += little(distance)
            for value in [3000 + noise, 7000 + noise, 180 + noise] { piece += little(value) }
            piece += [120 + UInt8(noise), 80 + UInt8(noise & 15), 20, 0]
            piece += little(noise) + little(noise)
            if piece.count > 1 << 20 || second + 1 == records {
                try write(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
        try write(last)
        try file.write(contentsOf: Data(little(checksum)))
    }

    /// More than one if there are more records than an activity has seconds.
    private static func perSecond(_ records: Int) -> UInt32 { UInt32((records + 3_999_999) / 4_000_000) }

    /// The bytes up to the first record.
    private static func beginning(_ start: UInt32) -> [UInt8] {
        var data = definition(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (2, 2, 0x84), (3, 4, 0x8C), (4, 4, 0x86)])
        data += [0, 4] + little(UInt16(1)) + little(UInt16(3121)) + little(UInt32(1)) + little(start)
        data += definition(1, 21, [(253, 4, 0x86), (0, 1, 0x00), (1, 1, 0x00)])
        data += [1] + little(start) + [0, 0]
        data += definition(
            2, 20,
            [
                (253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (5, 4, 0x86), (2, 2, 0x84), (6, 2, 0x84), (7, 2, 0x84),
                (3, 1, 0x02), (4, 1, 0x02), (13, 1, 0x01), (53, 1, 0x02), (61, 2, 0x84), (66, 2, 0x83),
            ])
        return data
    }

    /// The bytes after the last record.
    private static func ending(records: Int, _ start: UInt32) -> [UInt8] {
        let seconds = UInt32(records) / perSecond(records)
        let end = start + seconds
        var data: [UInt8] = [1] + little(end) + [0, 4]
        data += definition(3, 18, [(253, 4, 0x86), (2, 4, 0x86), (5, 1, 0x00), (7, 4, 0x86), (8, 4, 0x86)])
        data += [3] + little(end) + little(start) + [2]
        for _ in 0..<2 { data += little(seconds * 1000) }
        return data
    }

    private static func definition(_ local: UInt8, _ number: UInt16, _ fields: [(UInt8, UInt8, UInt8)]) -> [UInt8] {
        [0x40 | local, 0, 0] + little(number) + [UInt8(fields.count)] + fields.flatMap { [$0.0, $0.1, $0.2] }
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// The file's CRC, one byte at a time.
    private static let table = (0..<256).map { byte in
        var crc = UInt16(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xA001 : crc >> 1 }
        return crc
    }
}
