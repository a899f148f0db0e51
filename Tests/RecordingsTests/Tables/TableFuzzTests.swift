import Analytics
import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct TableFuzzTests {
    static let seeds: [[UInt8]] = [
        "\u{FEFF}Date;01.03.2026\nStart time;10:00:00\n\nTime;HR (bpm);Lat;Lon;Speed (km/h);Pace;RR;Lap\n"
            + "10:00:00;100;52,5;13,2;10,5;5:00;\"600;610\";1\n10:00:01;101;52,5;13,2;10,5;5:00;620;2\n",
        "timestamp,rr,since_start\n\n1622959867016,615,0\n1622959868003,615,615\n",
        "time,type,value,unit\n2026-03-01T10:00:00Z,heart_rate,100,bpm\n2026-03-01T10:00:01Z,speed,36,km/h\n",
        "800\n810\nnoise\n790\n", "1427894023.0, IBI\n0.8,0.8\n1.6,0.8\n",
        "[Params]\nSMode=1111\nInterval=5\nDate=20260301\n[IntTimes]\n0:00:05.0\t1\n[HRData]\n120\t1\t2\t3\t4\n121\t1\t2\t3\t4\n",
    ].map { Array($0.utf8) }

    @Test(arguments: seeds.indices)
    func `a file truncated at any byte is read as far as possible, or rejected`(_ index: Int) {
        let seed = Self.seeds[index]
        for count in seed.indices { Self.check(Array(seed.prefix(count))) }
    }

    @Test(arguments: 0..<UInt64(6))
    func `mutated files are read to the end`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("0123456789,;:.\t\n\r\"-+eETZ/ \u{0}".utf8)
        for round in 0..<200 {
            var bytes = Self.seeds[(round + Int(seed)) % Self.seeds.count]
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[at] = letters.randomElement(using: &random) ?? 0
                case 2 where bytes.count > 10:
                    bytes.removeSubrange(at..<min(at + Int.random(in: 1...8, using: &random), bytes.count))
                default:
                    let run = Array(
                        repeating: letters.randomElement(using: &random) ?? 0,
                        count: Int.random(in: 1...30, using: &random))
                    bytes.insert(contentsOf: run, at: at)
                }
            }
            Self.check(bytes)
        }
    }

    /// Found by libFuzzer: the time was implausible while the table's start was unknown.
    @Test func `an invalid time is invalid at each reading`() throws {
        let text = "timestamp,rr,x\n081147968,600\n081147969,610\n0002000920361,615,0\n081147970,620\n"
        Self.check(Array(text.utf8))
        let recording = try TableTexts.read(text)
        #expect(recording.beats.flatMap(\.reading.intervalsInMilliseconds) == [600, 610, 620])
        #expect(recording.list.last?.date == recording.end)
        #expect(recording.complaints.contains { $0.contains("time") })
    }

    /// The entries are in order, and the same twice.
    static func check(_ bytes: [UInt8]) {
        for format in RecordingFile.formats(TableOptions(zone: .gmt)).suffix(3)
        where format.recognizes(FileStart(bytes)) {
            guard let recording = try? format.read(RecordingSource(path: "fuzz", bytes: bytes)).first else { continue }
            let entries = recording.list
            #expect(recording.isInOrder)
            #expect(entries.count < bytes.count * 8 + 10)
            #expect(
                recording.beats.flatMap(\.reading.intervalsInMilliseconds) == recording.file.rrIntervalsInMilliseconds)
            for case .quantity(let reading) in entries.map(\.content) {
                #expect(reading.value.isFinite && reading.start <= reading.end)
            }
        }
    }

    @Test func `a line without an end is rejected before it fills the memory`() {
        let long = Array("time,hr\n0,100\n".utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 3 << 20)
        let error = #expect(throws: RecordingError.self) { try TableTexts.read(long) }
        #expect(error?.description.contains("line 3 has more than 1048576 bytes") == true)
    }

    @Test func `warnings do not fill the memory`() throws {
        let recording = try TableTexts.read("time,hr\n0,100\n" + String(repeating: "x,y\n", count: 10_000))
        #expect(recording.file.warnings.count < 210)
    }
}
