import Foundation
import Recordings

/// Decoding speed and memory on a generated activity file: MB/s and records/s of the decoder alone and of the whole way
/// to a recording.
func benchmarkFIT(records: Int = 1_000_000) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "fit-benchmark-\(records).fit")
    try FITBenchmarkFile.write(records: records, to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let bytes = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0

    func report(_ name: String, _ repetitions: Int, _ work: () throws -> Int) rethrows {
        let before = peakMemoryInMegabytes()
        var best = Duration.seconds(1000)
        var count = 0
        for _ in 0..<repetitions { best = min(best, try ContinuousClock().measure { count = try work() }) }
        let seconds = best / .seconds(1)
        let rate = String(
            format: "%.0f MB/s, %.2f million records/s", Double(bytes) / seconds / 1e6, Double(count) / seconds / 1e6)
        let memory = peakMemoryInMegabytes() - before
        print("\(name): \(count) records, \(bytes / 1_000_000) MB in \(Int(seconds * 1000)) ms: \(rate), peak +\(memory) MB")
    }
    try report("fit decoder", 5) { try FITFile.survey(url).messages[20] ?? 0 }
    try report("fit recording", 3) { try FITFile.read(url).file.records }
}

/// The most memory this process ever held, in MB.
private func peakMemoryInMegabytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
}

/// An activity as a bike computer writes it: one record a second with position, distance, altitude, speed, power, heart
/// rate, cadence, temperature and two fields that nobody knows.
private enum FITBenchmarkFile {
    static func write(records: Int, to url: URL) throws {
        var data = definition(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (2, 2, 0x84), (3, 4, 0x8C), (4, 4, 0x86)])
        let start: UInt32 = 1_073_001_600
        data += [0, 4] + little(UInt16(1)) + little(UInt16(3121)) + little(UInt32(1)) + little(start)
        data += definition(1, 21, [(253, 4, 0x86), (0, 1, 0x00), (1, 1, 0x00)])
        data += [1] + little(start) + [0, 0]
        data += definition(
            2, 20,
            [
                (253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (5, 4, 0x86), (2, 2, 0x84), (6, 2, 0x84), (7, 2, 0x84),
                (3, 1, 0x02), (4, 1, 0x02), (13, 1, 0x01), (53, 1, 0x02), (61, 2, 0x84), (66, 2, 0x83),
            ])
        data.reserveCapacity(data.count + records * 31 + 100)
        var random: UInt64 = 1
        var distance: UInt32 = 0
        for second in 0..<UInt32(records) {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = UInt16(random >> 33 & 0x3F)
            distance += 700 + UInt32(noise)
            data.append(2)
            data += little(start + second)
            for value in [520_000_000 + second * 7, 80_000_000 + second * 11] { data += little(value) }
            data += little(distance)
            for value in [3000 + noise, 7000 + noise, 180 + noise] { data += little(value) }
            data += [120 + UInt8(noise), 80 + UInt8(noise & 15), 20, 0]
            data += little(noise) + little(noise)
        }
        let end = start + UInt32(records)
        data += [1] + little(end) + [0, 4]
        data += definition(3, 18, [(253, 4, 0x86), (2, 4, 0x86), (5, 1, 0x00), (7, 4, 0x86), (8, 4, 0x86)])
        data += [3] + little(end) + little(start) + [2]
        for _ in 0..<2 { data += little(UInt32(records) * 1000) }

        var file: [UInt8] = [14, 0x20, 0x54, 0x08] + little(UInt32(data.count)) + Array(".FIT".utf8) + [0, 0]
        file += data
        file += little(checksum(file))
        try Data(file).write(to: url)
    }

    private static func definition(_ local: UInt8, _ number: UInt16, _ fields: [(UInt8, UInt8, UInt8)]) -> [UInt8] {
        [0x40 | local, 0, 0] + little(number) + [UInt8(fields.count)] + fields.flatMap { [$0.0, $0.1, $0.2] }
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        var table = [UInt16](repeating: 0, count: 256)
        for byte in 0..<256 {
            var crc = UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xA001 : crc >> 1 }
            table[byte] = crc
        }
        var crc: UInt16 = 0
        for byte in bytes { crc = (crc >> 8) ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
        return crc
    }
}
