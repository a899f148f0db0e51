import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Values of records besides heart rate, distance and power, and facts about the file: in the log, and in a FIT file
/// written from it.
struct FITFieldsTests {
    /// A run of four seconds with cadence, temperature, respiration, balance, two fields of an app, and one field
    /// that is not read.
    private static func run(sport: Int64 = 1, subSport: Int64 = 0, manufacturer: Int64 = 1) -> FITBytes {
        typealias Field = FITBytes.Field
        var bytes = FITBytes()
        bytes.define(0, 0, FITBytes.fileID)
        bytes.message(0, [4, manufacturer, 2697, 123_456, FITBytes.start])
        bytes.define(5, 207, [Field(number: 3, type: 0x02), Field(number: 1, type: 0x0D, count: 16)])
        bytes.message(5, [0] + (1...16).map { Int64($0) })
        bytes.define(
            6, 206,
            [
                Field(number: 0, type: 0x02), Field(number: 1, type: 0x02), Field(number: 2, type: 0x02),
                Field(number: 3, type: 0x07, count: 12), Field(number: 8, type: 0x07, count: 6),
            ])
        func text(_ text: String, _ count: Int) -> [Int64] {
            let bytes = text.utf8.map { Int64($0) }
            return bytes + [Int64](repeating: 0, count: count - bytes.count)
        }
        bytes.message(6, [0, 0, 0x84] + text("Form Power", 12) + text("Watts", 6))
        bytes.message(6, [0, 1, 0x02] + text("power", 12) + text("W", 6))
        bytes.define(1, 21, FITBytes.event)
        bytes.message(1, [FITBytes.start, 0, 0])
        bytes.define(
            2, 20,
            [
                Field(number: 253, type: 0x86), Field(number: 3, type: 0x02), Field(number: 4, type: 0x02),
                Field(number: 53, type: 0x02), Field(number: 13, type: 0x01), Field(number: 108, type: 0x84),
                Field(number: 30, type: 0x02), Field(number: 83, type: 0x84),
            ],
            developer: [
                FITBytes.DeveloperField(number: 0, size: 2, index: 0),
                FITBytes.DeveloperField(number: 1, size: 1, index: 0),
            ])
        for second in 0..<4 as Range<Int64> {
            bytes.message(
                2, [FITBytes.start + second, 140, 85, 64, -3, 3250, 0x80 | 52, 812],
                developer: [UInt8(70 + second), 0, UInt8(200 + second)])
        }
        bytes.message(1, [FITBytes.start + 4, 0, 4])
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [FITBytes.start + 4, FITBytes.start, sport, subSport, 4000, 4000])
        // 5 h 45 min east of UTC.
        bytes.define(7, 34, [Field(number: 253, type: 0x86), Field(number: 5, type: 0x86)])
        bytes.message(7, [FITBytes.start + 4, FITBytes.start + 4 + 20_700])
        return bytes
    }

    @Test func `a fractional cadence field of 256 is read`() throws {
        var bytes = FITBytes()
        bytes.define(0, 0, FITBytes.fileID)
        bytes.message(0, [4, 1, 2697, 123_456, FITBytes.start])
        bytes.define(2, 12, [FITBytes.Field(number: 0, type: 0x00)])
        bytes.message(2, [1])
        bytes.define(
            1, 20,
            [
                FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 52, type: 0x84),
                FITBytes.Field(number: 4, type: 0x02),
            ])
        for (second, values) in [[87 * 256 + 128, 0xFF], [0xFFFF, 90], [88 * 256, 88], [0xFFFF, 0xFF]].enumerated() {
            bytes.message(1, [FITBytes.start + Int64(second)] + values.map { Int64($0) })
        }
        #expect(try read(bytes.file()).values("cadence") == [87.5, 90, 88])
    }

    @Test func `devices and sports have the names of their numbers`() {
        #expect(FITManufacturer.name(267) == "Bryton" && FITManufacturer.name(310) == "Decathlon")
        #expect(FITManufacturer.numbers(manufacturer: "Bryton", model: nil)?.manufacturer == 267)
        for subSport in [78, 79, 80, 81, 126] as [UInt8] {
            let activity = FITSport.description(
                sport: 18, subSport: subSport, poolLengthInMeters: nil, hasPositions: true)
            #expect(activity.activity == "swimBikeRun")
        }
    }

    private func read(_ bytes: [UInt8]) throws -> Recording { try #require(try FITFile.read(bytes: bytes).first) }

    private func throughFIT(_ recording: Recording) throws -> Recording {
        try read(try WrittenFile(recording.entries, as: "fit").bytes)
    }

    private static let expected: [String: [Double]] = [
        "heartRate": [140, 140, 140, 140], "cadence": [85.5, 85.5, 85.5, 85.5], "temperature": [-3, -3, -3, -3],
        "respiratoryRate": [32.5, 32.5, 32.5, 32.5], "rightPedalShare": [0.52, 0.52, 0.52, 0.52],
        "developer:Form Power": [70, 71, 72, 73], "developer:power": [200, 201, 202, 203],
    ]

    @Test
    func `running cadence, temperature, respiration, balance and app fields are logged and survive FIT`()
        throws
    {
        let recording = try read(Self.run().file())
        let again = try throughFIT(recording)
        for (type, values) in Self.expected {
            #expect(recording.values(type) == values, "\(type)")
            #expect(again.values(type) == values, "\(type) behind FIT")
        }
        #expect(recording.readings("developer:Form Power").first?.unit == "Watts")
        #expect(again.readings("developer:Form Power").first?.unit == "Watts")
        #expect(recording.seconds("temperature") == [0, 1, 2, 3])
    }

    @Test func `a session log, CSV and TCX keep cadence and temperature of a run`() throws {
        let recording = try read(Self.run().file())
        for format in ["jsonl", "csv", "tcx"] {
            let file = try WrittenFile(recording.entries, as: format)
            let again = try #require(
                try RecordingFile.readAll(RecordingSource(path: "run", bytes: file.bytes)).first)
            #expect(again.values("temperature") == [-3, -3, -3, -3], "\(format)")
            let cadence = format == "tcx" ? 86 : 85.5
            #expect(again.values("cadence") == [Double](repeating: cadence, count: 4), "\(format)")
            if format != "tcx" { #expect(again.values("developer:Form Power") == [70, 71, 72, 73], "\(format)") }
        }
    }

    @Test func `inclination and resistance of a machine have FIT's fields, and columns in CSV`() throws {
        struct Fields: FITMessageReader {
            var grades: [Int64] = []
            var resistances: [Int64] = []
            mutating func read(_ message: FITMessage) {
                guard message.number == FITProfile.MessageNumber.record else { return }
                grades += [message[FITProfile.Record.grade]].compactMap(\.self)
                resistances += [message[FITProfile.Record.resistance]].compactMap(\.self)
            }
        }
        let machine = [
            "respiratoryRate": (NeutralType.inclination, -0.035, "%"),
            "rightPedalShare": (NeutralType.resistanceLevel, 12, "count"),
        ]
        let entries = try read(Self.run().file()).entries.map { entry in
            guard case .quantity(let reading) = entry.content, let (type, value, unit) = machine[reading.type] else {
                return entry
            }
            let other = QuantityReading(
                type, value, unit: unit, start: reading.start, end: reading.end, sensor: reading.sensor)
            return SessionEntry(entry.date, .quantity(other))
        }
        var fields = Fields()
        _ = try FITFile.decode(WrittenFile(entries, as: "fit").bytes, into: &fields)
        #expect(fields.grades == [-350, -350, -350, -350])
        #expect(fields.resistances == [12, 12, 12, 12])
        for format in ["fit", "csv"] {
            let file = try WrittenFile(entries, as: format)
            let again = try #require(
                try RecordingFile.readAll(RecordingSource(path: "ride", bytes: file.bytes)).first)
            #expect(again.values(NeutralType.inclination) == [-0.035, -0.035, -0.035, -0.035], "\(format)")
            #expect(again.values(NeutralType.resistanceLevel) == [12, 12, 12, 12], "\(format)")
        }
    }

    @Test func `fields that become no reading are named`() throws {
        #expect(try read(Self.run().file()).file.leftOut == ["vertical ratio"])
        var strength = Self.run()
        strength.define(9, 225, [FITBytes.Field(number: 3, type: 0x84)])
        strength.message(9, [10])
        #expect(
            try read(strength.file()).file.leftOut == ["vertical ratio", "sets, with their repetitions and weights"])
    }

    @Test func `a developer field that only FIT and CSV can hold is named`() throws {
        let file = try WrittenFile(try read(Self.run().file()).entries, as: "tcx")
        #expect(file.leftOut.contains("4 readings of the developer field Form Power"))
    }

    @Test(
        arguments: [
            (2, 58, "cycling"), (2, 8, "cycling"), (1, 3, "running"), (1, 2, "running"), (2, 46, "cycling"),
            (2, 6, "cycling"), (1, 0, "running"), (5, 18, "swimming"),
        ] as [(Int64, Int64, String)])
    func `a sub-sport survives FIT`(sport: Int64, subSport: Int64, activity: String) throws {
        let recording = try read(Self.run(sport: sport, subSport: subSport).file())
        #expect(recording.header?.activity.activity == activity)
        let file = try WrittenFile(recording.entries, as: "fit")
        let numbers = try #require(Sessions.of(file.bytes).all.first)
        #expect(numbers.sport == sport && numbers.subSport == subSport)
        #expect(!file.leftOut.contains { $0.contains("metadata") })
    }

    @Test(arguments: [260, 144, 294, 129, 1, 2, 13, 15, 32, 4321] as [Int64])
    func `a manufacturer's number survives FIT`(number: Int64) throws {
        let recording = try read(Self.run(manufacturer: number).file())
        let file = try WrittenFile(recording.entries, as: "fit")
        #expect(Sessions.of(file.bytes).manufacturer == number)
    }

    @Test func `the local time is the file's, and none is invented`() throws {
        let recording = try read(Self.run().file())
        let zone = recording.entries.compactMap { entry -> String? in
            guard case .metadata(let values) = entry.content, case .string(let zone)? = values["HKTimeZone"] else {
                return nil
            }
            return zone
        }
        #expect(zone.compactMap { TimeZone(identifier: $0)?.secondsFromGMT() } == [20_700])
        #expect(Sessions.of(try WrittenFile(recording.entries, as: "fit").bytes).localOffset == 20_700)
        let unknown = try WrittenFile(SmallRide.entries(), as: "fit")
        #expect(Sessions.of(unknown.bytes).localOffset == nil)
    }

    @Test(arguments: ["fit", "tcx", "gpx", "csv", "tsv"])
    func `a file names the workout it was exported from`(format: String) throws {
        let entries = SmallRide.entries()
        guard case .header(let header)? = entries.first?.content else { return }
        let file = try WrittenFile(entries, as: format)
        let again = try #require(try RecordingFile.readAll(RecordingSource(path: "ride", bytes: file.bytes)).first)
        #expect(again.facts.workoutID == header.id)
        #expect(again.header?.id == header.id)
        #expect(try read(Self.run().file()).facts.workoutID == nil)
    }

    /// A run of four seconds with body temperatures and depths, developer fields in its lap and session, and a
    /// product with a name and a number.
    private static func measured() -> FITBytes {
        typealias Field = FITBytes.Field
        func text(_ text: String, _ count: Int) -> [Int64] {
            let bytes = text.utf8.map { Int64($0) }
            return bytes + [Int64](repeating: 0, count: count - bytes.count)
        }
        var bytes = FITBytes()
        bytes.define(0, 0, FITBytes.fileID + [Field(number: 8, type: 0x07, count: 8)])
        bytes.message(0, [4, 32, 28, 123_456, FITBytes.start] + text("ELEMNT", 8))
        bytes.define(5, 207, [Field(number: 3, type: 0x02), Field(number: 1, type: 0x0D, count: 16)])
        bytes.message(5, [0] + (1...16).map { Int64($0) })
        bytes.define(
            6, 206,
            [
                Field(number: 0, type: 0x02), Field(number: 1, type: 0x02), Field(number: 2, type: 0x02),
                Field(number: 3, type: 0x07, count: 12), Field(number: 8, type: 0x07, count: 6),
            ])
        bytes.message(6, [0, 0, 0x84] + text("Load", 12) + text("kN/m", 6))
        bytes.message(6, [0, 1, 0x07] + text("Shoe", 12) + text("", 6))
        let developer = [
            FITBytes.DeveloperField(number: 0, size: 2, index: 0),
            FITBytes.DeveloperField(number: 1, size: 5, index: 0),
        ]
        bytes.define(
            2, 20, [Field(number: 253, type: 0x86), Field(number: 139, type: 0x84), Field(number: 92, type: 0x86)],
            developer: [developer[0]])
        for second in [0, 1, 3, 2] as [Int64] {
            bytes.message(2, [FITBytes.start + second, 3712 + second, 1500 * second], developer: [7, 0])
        }
        bytes.define(3, 19, FITBytes.lap, developer: developer)
        bytes.message(3, [FITBytes.start + 4, FITBytes.start, 4000], developer: [11, 0] + Array("Old\0\0".utf8))
        bytes.define(4, 18, FITBytes.session, developer: developer)
        bytes.message(
            4, [FITBytes.start + 4, FITBytes.start, 1, 0, 4000, 4000], developer: [12, 0] + Array("Blue\0".utf8))
        return bytes
    }

    private func metadata(_ recording: Recording) -> [String: MetadataValue] {
        recording.entries.reduce(into: [:]) { all, entry in
            if case .metadata(let values) = entry.content { all.merge(values) { $1 } }
        }
    }

    @Test func `body temperature, depth, fields of laps and sessions, and a product number survive FIT`() throws {
        let recording = try read(Self.measured().file())
        let again = try throughFIT(recording)
        for found in [recording, again] {
            #expect(found.values("bodyTemperature") == [37.12, 37.13, 37.14, 37.15])
            #expect(found.values("underwaterDepth") == [0, 1.5, 3, 4.5])
            #expect(
                found.events(.lap).map(\.metadata) == [
                    ["developer:Load [kN/m]": .number(11), "developer:Shoe": .string("Old")]
                ])
            let metadata = metadata(found)
            #expect(metadata["developer:Load [kN/m]"] == .number(12))
            #expect(metadata["developer:Shoe"] == .string("Blue"))
            #expect(metadata["FITProduct"] == .number(28))
            #expect(found.device?.name == "Wahoo Fitness ELEMNT" && found.device?.model == "ELEMNT")
        }
        #expect(try WrittenFile(recording.entries, as: "fit").leftOut == [])
    }

    @Test func `the last text of a developer field survives FIT, and earlier ones are named`() throws {
        typealias Field = FITBytes.Field
        var bytes = FITBytes()
        bytes.define(5, 207, [Field(number: 3, type: 0x02), Field(number: 1, type: 0x0D, count: 16)])
        bytes.message(5, [0] + (1...16).map { Int64($0) })
        bytes.define(
            6, 206,
            [
                Field(number: 0, type: 0x02), Field(number: 1, type: 0x02), Field(number: 2, type: 0x02),
                Field(number: 3, type: 0x07, count: 5),
            ])
        bytes.message(6, [0, 0, 0x07] + Array("Gear\0".utf8).map { Int64($0) })
        bytes.define(
            2, 20, [Field(number: 253, type: 0x86), Field(number: 3, type: 0x02)],
            developer: [FITBytes.DeveloperField(number: 0, size: 3, index: 0)])
        for (second, text) in ["1:1", "", "1:2"].enumerated() {
            bytes.message(
                2, [FITBytes.start + Int64(second), 140],
                developer: Array(text.utf8) + Array(repeating: 0, count: 3 - text.utf8.count))
        }
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [FITBytes.start + 2, FITBytes.start, 1, 0, 2000, 2000])
        let recording = try read(bytes.file())
        #expect(recording.file.leftOut == ["earlier values of the developer field Gear"])
        for found in [recording, try throughFIT(recording)] {
            #expect(metadata(found)["developer:Gear"] == .string("1:2"))
        }
    }

    /// Developer arrays: two 16-bit numbers with one missing, three bytes with one 255, and bytes without a value.
    @Test func `bytes and arrays of developer fields survive FIT as one field per number`() throws {
        typealias Field = FITBytes.Field
        var bytes = FITBytes()
        bytes.define(5, 207, [Field(number: 3, type: 0x02), Field(number: 1, type: 0x0D, count: 16)])
        bytes.message(5, [0] + (1...16).map { Int64($0) })
        bytes.define(
            6, 206,
            [
                Field(number: 0, type: 0x02), Field(number: 1, type: 0x02), Field(number: 2, type: 0x02),
                Field(number: 3, type: 0x07, count: 5),
            ])
        for (number, type, name) in [
            (0, 0x84, "Load\0"), (1, 0x0D, "Flag\0"), (2, 0x0D, "Mode\0"), (3, 0x84, "Long\0"),
        ] {
            bytes.message(6, [0, Int64(number), Int64(type)] + Array(name.utf8).map { Int64($0) })
        }
        let developer = [
            FITBytes.DeveloperField(number: 0, size: 4, index: 0),
            FITBytes.DeveloperField(number: 1, size: 3, index: 0),
            FITBytes.DeveloperField(number: 2, size: 1, index: 0),
            FITBytes.DeveloperField(number: 3, size: 66, index: 0),
        ]
        let long = [UInt8](repeating: 1, count: 66)
        bytes.define(2, 20, [Field(number: 253, type: 0x86), Field(number: 3, type: 0x02)], developer: developer)
        bytes.message(2, [FITBytes.start, 140], developer: [1, 1, 0xFF, 0xFF, 7, 0xFF, 9, 5] + long)
        bytes.message(2, [FITBytes.start + 1, 141], developer: [2, 1, 3, 1, 0xFF, 0xFF, 0xFF, 0xFF] + long)
        bytes.define(4, 18, FITBytes.session, developer: [developer[0]])
        bytes.message(4, [FITBytes.start + 1, FITBytes.start, 1, 0, 1000, 1000], developer: [4, 1, 5, 1])
        let recording = try read(bytes.file())
        #expect(recording.file.leftOut == ["the developer field Long"])
        for found in [recording, try throughFIT(recording)] {
            #expect(found.values("developer:Load[0]") == [257, 258])
            #expect(found.values("developer:Load[1]") == [259])
            #expect(found.values("developer:Flag[0]") == [7])
            #expect(found.values("developer:Flag[1]") == [255])
            #expect(found.values("developer:Flag[2]") == [9])
            #expect(found.values("developer:Mode") == [5])
            #expect(metadata(found)["developer:Load[0]"] == .number(260))
            #expect(metadata(found)["developer:Load[1]"] == .number(261))
        }
        #expect(try WrittenFile(recording.entries, as: "fit").leftOut == [])
    }

    @Test func `the first message names the recorder, whatever the list of devices`() throws {
        typealias Field = FITBytes.Field
        var bytes = Self.run(manufacturer: 260)
        bytes.define(
            8, 23, [Field(number: 253, type: 0x86), Field(number: 0, type: 0x02), Field(number: 2, type: 0x84)])
        bytes.message(8, [FITBytes.start, 0, 1])
        #expect(try read(bytes.file()).device?.manufacturer == "Zwift")
    }

    @Test func `developer fields of records that step back in time are named`() throws {
        #expect(
            try read(Self.measured().file()).file.leftOut == ["developer fields of records that step back in time"])
    }

    @Test func `a file of positions without distances covers the way between them`() throws {
        typealias Field = FITBytes.Field
        func run(total: Int64?) throws -> Recording {
            var bytes = FITBytes()
            bytes.define(
                2, 20, [Field(number: 253, type: 0x86), Field(number: 0, type: 0x85), Field(number: 1, type: 0x85)])
            // 1e-5 of a semicircle are 93 m to the north.
            for second in 0...10 as ClosedRange<Int64> {
                bytes.message(2, [FITBytes.start + second, 500_000_000 + second * 1000, 100_000_000])
            }
            bytes.define(4, 18, FITBytes.session + [Field(number: 9, type: 0x86)])
            bytes.message(4, [FITBytes.start + 10, FITBytes.start, 1, 0, 10_000, 10_000, total ?? 0xFFFF_FFFF])
            return try read(bytes.file())
        }
        let unstated = try run(total: nil)
        #expect(abs(unstated.metersCovered - 93.2) < 0.5)
        #expect(unstated.file.warnings.contains { $0.message.contains("computed from the positions") })
        let stated = try run(total: 5000)
        #expect(abs(stated.metersCovered - 50) < 0.01)
        #expect(stated.file.warnings.isEmpty)
    }

    @Test func `a simulated log shares its identity with others, so its file names none`() throws {
        var entries = SmallRide.entries()
        guard case .header(var header) = entries[0].content else { return }
        header.creator = "simulator steady"
        entries[0].content = .header(header)
        let file = try WrittenFile(entries, as: "fit")
        #expect(try read(file.bytes).facts.workoutID == nil)
    }
}

/// Numbers of a file that recordings don't contain.
private struct Sessions: FITMessageReader {
    var all: [(sport: Int64?, subSport: Int64?)] = []
    var manufacturer: Int64?
    var localOffset: Int64?

    static func of(_ bytes: [UInt8]) -> Sessions {
        var sessions = Sessions()
        _ = try? FITFile.decode(bytes, into: &sessions)
        return sessions
    }

    mutating func read(_ message: FITMessage) {
        switch message.number {
        case FITProfile.MessageNumber.session:
            all.append((message[FITProfile.Session.sport], message[FITProfile.Session.subSport]))
        case FITProfile.MessageNumber.fileID: manufacturer = message[FITProfile.FileID.manufacturer]
        case FITProfile.MessageNumber.activity:
            if let local = message[FITProfile.Activity.localTimestamp], let time = message.timestamp {
                localOffset = local - Int64(time)
            }
        default: break
        }
    }
}
