import Foundation
import FoundationXML
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

/// Any log, in any order, gives a valid file of the format.
struct WritingFuzzTests {
    private func entries(_ seed: UInt64, ordered: Bool) -> [SessionEntry] {
        var random = RandomEntries(seed: seed)
        var entries = (0..<random.int(0..<120)).map { _ in random.entry() }
        // Some that may belong to a workout.
        for entry in SmallRide.entries().shuffled(by: &random) where random.int(0..<6) == 0 { entries.append(entry) }
        if ordered { entries.sort { $0.date < $1.date } }
        return entries
    }

    /// Within minutes: FIT readers take a time years from the others for damage.
    private func nearEntries(_ seed: UInt64, ordered: Bool) -> [SessionEntry] {
        entries(seed, ordered: ordered).map { entry in
            let seconds = entry.date.timeIntervalSince(SmallRide.start)
            guard seconds.magnitude > 600 else { return entry }
            return entry.shifted(by: seconds.truncatingRemainder(dividingBy: 600) - seconds)
        }.filter { entry in
            if case .quantity(let reading) = entry.content {
                abs(reading.start.timeIntervalSince(SmallRide.start)) < 3600
                    && abs(reading.end.timeIntervalSince(SmallRide.start)) < 3600
            } else if case .event(let event) = entry.content {
                abs(event.start.timeIntervalSince(SmallRide.start)) < 3600
                    && abs(event.end.timeIntervalSince(SmallRide.start)) < 3600
            } else {
                true
            }
        }
    }

    @Test(arguments: 0..<150) func `any entries make a valid FIT file`(seed: UInt64) throws {
        for ordered in [true, false] {
            let file = try WrittenFile(nearEntries(seed, ordered: ordered), as: "fit")
            var survey = FITSurvey()
            let warnings = try FITFile.decode(file.bytes, into: &survey)
            #expect(warnings == [])
            #expect(survey.messages[FITProfile.MessageNumber.fileID] == 1)
            #expect(survey.messages[FITProfile.MessageNumber.activity] == 1)
            #expect(survey.messages[FITProfile.MessageNumber.session] ?? 0 > 0)
        }
    }

    /// Heart rates as sensors and files without a sensor state them, and impossible ones.
    private func hostileRates(_ seed: UInt64) -> [SessionEntry] {
        var random = RandomEntries(seed: seed)
        let rates = [0, 255, 254.6, 300, -5, .nan, .infinity, 0.3, 1e300, 60]
        return SmallRide.entries().map { entry in
            guard case .quantity(var reading) = entry.content, random.int(0..<3) == 0 else { return entry }
            reading.value = reading.type == "heartRate" ? rates[random.int(0..<rates.count)] : reading.value
            if reading.type != "heartRate", random.int(0..<4) == 0 {
                reading.value = [.nan, -1, 1e12][random.int(0..<3)]
            }
            return SessionEntry(entry.date, .quantity(reading))
        }
    }

    @Test(arguments: 0..<60) func `no field of a FIT file contains the invalid value`(seed: UInt64) throws {
        for entries in [hostileRates(seed), nearEntries(seed, ordered: true)] {
            for field in PlainFIT(try WrittenFile(entries, as: "fit").bytes).fields {
                guard field.type != FITBaseType.string.rawValue, field.type != FITBaseType.byte.rawValue else {
                    continue
                }
                #expect(!field.isInvalid, "field \(field.number) of message \(field.message)")
                if field.message == FITProfile.MessageNumber.record, field.number == 3 { #expect(field.bytes != [0]) }
            }
        }
    }

    @Test(arguments: 0..<60) func `no format contains a heart rate of 0 or 255`(seed: UInt64) throws {
        let entries = hostileRates(seed)
        let tcx = try WrittenFile(entries, as: "tcx").text
        for match in tcx.matches(of: #/<HeartRateBpm><Value>([^<]*)</#) {
            #expect(Int(match.1).map { (1...254).contains($0) } == true, "\(match.1)")
        }
        let gpx = try WrittenFile(entries, as: "gpx").text
        for match in gpx.matches(of: #/<gpxtpx:hr>([^<]*)</#) {
            #expect(Int(match.1).map { (1...254).contains($0) } == true, "\(match.1)")
        }
        for (format, delimiter) in [("csv", Character(",")), ("tsv", "\t")] {
            let rows = try WrittenFile(entries, as: format).text.split(separator: "\r\n")
                .map { $0.split(separator: delimiter, omittingEmptySubsequences: false) }
            let column = try #require(rows.first?.firstIndex(of: "heart_rate_bpm"))
            for row in rows.dropFirst() where !row[column].isEmpty {
                #expect(Double(row[column]).map { $0 > 0 && $0.isFinite } == true, "\(row[column])")
            }
        }
    }

    @Test(arguments: 0..<150) func `any entries make well-formed XML`(seed: UInt64) throws {
        for ordered in [true, false] {
            for format in ["tcx", "gpx"] {
                guard let file = try? WrittenFile(entries(seed, ordered: ordered), as: format) else { continue }
                let parser = XMLParser(data: Data(file.bytes))
                #expect(parser.parse(), "\(format): \(String(describing: parser.parserError))")
                #expect(!file.text.contains("nan") && !file.text.contains(">inf") && !file.text.contains(">-inf"))
            }
        }
    }

    @Test(arguments: 0..<100) func `any entries make a table with even rows`(seed: UInt64) throws {
        for ordered in [true, false] {
            let file = try WrittenFile(entries(seed, ordered: ordered), as: "csv")
            let text = file.text
            var columns = 0
            var quoted = false
            var first: Int?
            for byte in text.utf8 {
                if byte == UInt8(ascii: "\"") { quoted.toggle() }
                if byte == UInt8(ascii: ","), !quoted { columns += 1 }
                guard byte == 0x0A, !quoted else { continue }
                if let first { #expect(columns == first) } else { first = columns }
                columns = 0
            }
            #expect(!quoted)
            #expect(text.hasSuffix("\r\n"))
        }
    }
}

extension Array {
    fileprivate func shuffled(by random: inout RandomEntries) -> [Element] {
        var copy = self
        for index in copy.indices.dropFirst() { copy.swapAt(index, random.int(0..<index + 1)) }
        return copy
    }
}

/// The fields of a file of ours, from a separate reader that skips nothing.
private struct PlainFIT {
    struct Field {
        var message: UInt16
        var number: UInt8
        var type: UInt8
        var bytes: [UInt8]

        var isInvalid: Bool {
            guard let type = FITBaseType(rawValue: type) else { return true }
            if type == .float64 { return bytes.allSatisfy { $0 == 0xFF } }
            guard let invalid = type.invalid else { return false }
            let expected = (0..<type.size).map { UInt8(truncatingIfNeeded: invalid >> (8 * Int64($0))) }
            return stride(from: 0, to: bytes.count, by: type.size).contains {
                Array(bytes[$0..<min($0 + type.size, bytes.count)]) == expected
            }
        }
    }

    private(set) var fields: [Field] = []

    init(_ bytes: [UInt8]) {
        typealias Definition = (message: UInt16, fields: [(number: UInt8, size: Int, type: UInt8)])
        var definitions: [UInt8: Definition] = [:]
        var at = 14
        while at < bytes.count - 2 {
            let header = bytes[at]
            at += 1
            guard header & 0x40 == 0 else {
                var definition: Definition = (UInt16(bytes[at + 2]) | UInt16(bytes[at + 3]) << 8, [])
                let count = Int(bytes[at + 4])
                at += 5
                for _ in 0..<count {
                    definition.fields.append((bytes[at], Int(bytes[at + 1]), bytes[at + 2]))
                    at += 3
                }
                if header & 0x20 != 0 {
                    let count = Int(bytes[at])
                    at += 1
                    for _ in 0..<count {
                        definition.fields.append((bytes[at], Int(bytes[at + 1]), FITBaseType.float64.rawValue))
                        at += 3
                    }
                }
                definitions[header & 0x0F] = definition
                continue
            }
            guard let definition = definitions[header & 0x0F] else { return }
            for field in definition.fields {
                fields.append(
                    Field(
                        message: definition.message, number: field.number, type: field.type,
                        bytes: Array(bytes[at..<at + field.size])))
                at += field.size
            }
        }
    }
}
