import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FITRecordingTests {
    static let start = Date(timeIntervalSince1970: Double(FITBytes.start) + FITBytes.epoch)

    static func read(_ bytes: FITBytes) throws -> Recording { try FITFile.read(bytes: bytes.file())[0] }

    @Test func `a run is a header, its states and its readings in order`() throws {
        let recording = try Self.read(FITBytes.run())
        #expect(recording.header?.activity == ActivityDescription(activity: "running"))
        #expect(recording.start == Self.start)
        #expect(recording.end == Self.start + 10)
        #expect(recording.pauses.isEmpty)
        #expect(recording.isInOrder)
        #expect(recording.readings("heartRate").map(\.value) == (140..<150).map(Double.init))
        #expect(recording.readings("heartRate").allSatisfy { $0.unit == "count/min" && $0.sensor == "recorder" })
        #expect(recording.readings("runningSpeed").map(\.value) == Array(repeating: 3, count: 10))
        #expect(recording.events(.lap) == [EventRecord(.lap, start: Self.start, end: Self.start + 10)])
        #expect(recording.file.elapsedInSeconds == 10)
        #expect(recording.file.timerInSeconds == 10)
        #expect(recording.file.warnings.isEmpty)
    }

    @Test func `reading a file twice gives equal recordings`() throws {
        let bytes = FITBytes.run()
        #expect(try Self.read(bytes) == Self.read(bytes))
        #expect(try Self.read(bytes).header?.id != Self.read(FITBytes.run(count: 11)).header?.id)
    }

    @Test func `the recorder is a sensor with its name`() throws {
        let sensors = try Self.read(FITBytes.run()).entries.compactMap { entry -> SensorStatus? in
            if case .sensor(let sensor) = entry.content { sensor } else { nil }
        }
        #expect(sensors.map(\.id) == ["recorder"])
        #expect(sensors.first?.kind == .replay)
        #expect(sensors.first?.device.name == "Garmin fenix 5")
        #expect(sensors.first?.device.manufacturer == "Garmin")
        #expect(sensors.first?.device.model == "fenix 5")
        #expect(sensors.first?.device.localIdentifier == "123456")
    }

    @Test func `distance is what was added since the previous record`() throws {
        let distances = try Self.read(FITBytes.run()).readings("distanceWalkingRunning")
        #expect(distances.map(\.value) == Array(repeating: 3, count: 9))
        #expect(distances.first?.start == Self.start)
        #expect(distances.first?.end == Self.start + 1)
        #expect(distances.last?.end == Self.start + 9)
    }

    /// Timer events: seconds after the start, and start (0), stop (1), stop_all (4) or stop_disable_all (9).
    struct Timer: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var events: [(Int64, Int64)]
        var end: Double
        var pauses: [ClosedRange<Double>] = []
    }

    /// Records are at 0 … 59 s; the session is from 0 to 60 s.
    static let timers = [
        Timer(testDescription: "no events: the session", events: [], end: 60),
        Timer(testDescription: "start and stop", events: [(0, 0), (60, 4)], end: 60),
        Timer(testDescription: "never stopped: the last record", events: [(0, 0)], end: 59),
        Timer(
            testDescription: "a pause", events: [(0, 0), (20, 4), (30, 0), (60, 4)], end: 60, pauses: [20...30]),
        Timer(
            testDescription: "every kind of stop", events: [(0, 0), (10, 1), (11, 0), (20, 9), (22, 0), (60, 8)],
            end: 60,
            pauses: [10...11, 20...22]),
        Timer(testDescription: "stops after the end", events: [(0, 0), (60, 4), (75, 4), (90, 9)], end: 60),
        Timer(testDescription: "a stop first", events: [(20, 4), (30, 0), (60, 4)], end: 60, pauses: [20...30]),
        Timer(testDescription: "a start after the first record", events: [(40, 0), (60, 4)], end: 60),
        Timer(testDescription: "records written while saving", events: [(0, 0), (50, 4)], end: 50),
        Timer(testDescription: "started twice", events: [(0, 0), (5, 0), (60, 4)], end: 60),
        Timer(
            testDescription: "written out of order", events: [(0, 0), (30, 0), (20, 4), (60, 4)], end: 60,
            pauses: [20...30]),
    ]

    @Test(arguments: timers)
    func `timer events become states`(_ timer: Timer) throws {
        var bytes = FITBytes()
        bytes.define(1, 21, FITBytes.event)
        for (second, type) in timer.events { bytes.message(1, [FITBytes.start + second, 0, type]) }
        bytes.define(2, 20, FITBytes.record)
        for second in 0..<60 { bytes.message(2, [FITBytes.start + Int64(second), 140, 0, 0]) }
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [FITBytes.start + 60, FITBytes.start, 1, 0, 60000, 60000])
        let recording = try Self.read(bytes)
        #expect(recording.start == Self.start)
        #expect(recording.end == Self.start + timer.end)
        #expect(
            recording.pauses
                == timer.pauses.map {
                    DateInterval(start: Self.start + $0.lowerBound, end: Self.start + $0.upperBound)
                })
        let paused = timer.pauses.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        #expect(recording.pausedInSeconds == paused)
        #expect(recording.readings("heartRate").count == 60)
    }

    @Test func `records while the timer is stopped are logged at the stop, and keep their dates`()
        throws
    {
        var bytes = FITBytes()
        bytes.define(1, 21, FITBytes.event)
        for (second, type) in [(0, 0), (20, 4), (30, 0), (50, 4)] as [(Int64, Int64)] {
            bytes.message(1, [FITBytes.start + second, 0, type])
        }
        bytes.define(2, 20, FITBytes.record)
        for second in [10, 22, 40, 53] as [Int64] { bytes.message(2, [FITBytes.start + second, 140, 0, 0]) }
        let recording = try Self.read(bytes)
        let rates = recording.list.compactMap { entry -> (Date, Date)? in
            guard case .quantity(let reading) = entry.content, reading.type == "heartRate" else { return nil }
            return (entry.date, reading.start)
        }
        #expect(rates.map(\.0) == [10, 20, 40, 50].map { Self.start + $0 })
        #expect(rates.map(\.1) == [10, 22, 40, 53].map { Self.start + $0 })
        let paused = try #require(recording.list.firstIndex { $0.content == .state(.paused) })
        #expect(recording.list[..<paused].contains { $0.date == Self.start + 20 })
        #expect(recording.list.last?.content == .state(.stopped))
    }

    @Test func `heart rates of 0 and 255 are not values`() throws {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for (second, rate) in ([140, 0, 255, 141] as [Int64]).enumerated() {
            bytes.message(2, [FITBytes.start + Int64(second), rate, 0xFFFF_FFFF, 0xFFFF])
        }
        let recording = try Self.read(bytes)
        #expect(recording.file.records == 4)
        #expect(recording.file.heartRate.count == 2)
        #expect(recording.readings("heartRate").map(\.value) == [140, 141])
        #expect(recording.end == Self.start + 3)
    }

    @Test func `records that step back in time are put in order and reported`() throws {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for (second, rate) in [(0, 140), (2, 142), (1, 141), (2, 143)] as [(Int64, Int64)] {
            bytes.message(2, [FITBytes.start + second, rate, 0xFFFF_FFFF, 0xFFFF])
        }
        let recording = try Self.read(bytes)
        #expect(recording.readings("heartRate").map(\.value) == [140, 141, 142, 143])
        #expect(recording.file.warnings.map(\.message) == ["1 records step back in time; they were put in order"])
    }

    @Test func `an impossible time does not lengthen the activity`() throws {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for second in 0..<10 {
            let time = second == 5 ? 0xF000_0000 : FITBytes.start + Int64(second)
            bytes.message(2, [time, 140, 0xFFFF_FFFF, 0xFFFF])
        }
        let recording = try Self.read(bytes)
        #expect(recording.end == Self.start + 9)
        #expect(recording.file.records == 10)
        #expect(recording.file.heartRate.count == 10)
        #expect(recording.file.warnings.count == 1)
    }

    @Test func `times since power-on are tied to the activity's local time`() throws {
        var bytes = FITBytes.run(start: 1000)
        bytes.define(5, 34, [FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 5, type: 0x86)])
        bytes.message(5, [1010, FITBytes.start + 10])
        let recording = try Self.read(bytes)
        #expect(recording.start == Self.start)
        #expect(recording.end == Self.start + 10)
        #expect(recording.file.warnings.count == 1)
    }

    @Test func `without any date, times since power-on start at FIT's epoch`() throws {
        let recording = try Self.read(FITBytes.run(start: 1000))
        #expect(recording.start == Date(timeIntervalSince1970: FITBytes.epoch + 1000))
        #expect(recording.file.warnings.count == 1)
    }

    @Test func `RR intervals are dated at the record before them`() throws {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        bytes.define(3, 78, [FITBytes.Field(number: 0, type: 0x84, count: 5)])
        bytes.message(3, [500, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF])
        bytes.message(2, [FITBytes.start, 140, 0xFFFF_FFFF, 0xFFFF])
        bytes.message(3, [600, 601, 0xFFFF, 0xFFFF, 0xFFFF])
        bytes.message(3, [602, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF])
        bytes.message(2, [FITBytes.start + 1, 141, 0xFFFF_FFFF, 0xFFFF])
        bytes.message(3, [603, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF])
        let recording = try Self.read(bytes)
        #expect(recording.file.rrIntervalsInMilliseconds == [500, 600, 601, 602, 603])
        #expect(recording.beats.map(\.date) == [Self.start, Self.start, Self.start + 1])
        #expect(recording.beats.map(\.reading.intervalsInMilliseconds) == [[500], [600, 601, 602], [603]])
    }

    @Test func `compressed speed and distance continue from the last value`() throws {
        var bytes = FITBytes()
        bytes.define(
            2, 20, [FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 8, type: 0x0D, count: 3)])
        // 3.00 m/s; 0, 4000/16, 4080/16 and, wrapped, 64/16 m.
        for (second, distance) in ([0, 4000, 4080, 64] as [Int64]).enumerated() {
            bytes.message(
                2, [FITBytes.start + Int64(second), 300 & 0xFF, 300 >> 8 | (distance & 0xF) << 4, distance >> 4])
        }
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [FITBytes.start + 4, FITBytes.start, 1, 0, 4000, 4000])
        let recording = try Self.read(bytes)
        #expect(recording.readings("distanceWalkingRunning").map(\.value) == [250, 5, 5])
        #expect(recording.readings("runningSpeed").map(\.value) == [3, 3, 3, 3])
    }

    @Test func `a ride has positions, power and cadence`() throws {
        var bytes = FITBytes()
        bytes.define(
            2, 20,
            [
                FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 0, type: 0x85),
                FITBytes.Field(number: 1, type: 0x85), FITBytes.Field(number: 78, type: 0x86),
                FITBytes.Field(number: 7, type: 0x84), FITBytes.Field(number: 4, type: 0x02),
                FITBytes.Field(number: 53, type: 0x02),
            ])
        bytes.message(2, [FITBytes.start, 1 << 29, -(1 << 30), 5 * 600, 250, 90, 64])
        bytes.message(2, [FITBytes.start + 1, 0x7FFF_FFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 0xFFFF, 0xFF, 0xFF])
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [FITBytes.start + 1, FITBytes.start, 2, 0, 1000, 1000])
        let recording = try Self.read(bytes)
        let positions = recording.list.compactMap { entry -> PositionReading? in
            if case .position(let position) = entry.content { position } else { nil }
        }
        #expect(
            positions == [PositionReading(latitudeInDegrees: 45, longitudeInDegrees: -90, altitudeInMeters: 100)])
        #expect(recording.readings("cyclingPower").map(\.value) == [250])
        #expect(recording.readings("cyclingCadence").map(\.value) == [90.5])
        #expect(recording.header?.activity == ActivityDescription(activity: "cycling", location: .outdoor))
    }

    /// As Suunto's watches write them: an altitude each second, and a position from time to time.
    @Test func `altitudes in separate records belong to the positions of the next seconds`() throws {
        var bytes = FITBytes()
        let time = FITBytes.Field(number: 253, type: 0x86)
        bytes.define(2, 20, [time, FITBytes.Field(number: 78, type: 0x86)])
        bytes.define(
            3, 20, [time, FITBytes.Field(number: 0, type: 0x85), FITBytes.Field(number: 1, type: 0x85)])
        bytes.message(3, [FITBytes.start, 1 << 29, 0])
        for second in Int64(1)...5 { bytes.message(2, [FITBytes.start + second, 5 * (600 + second)]) }
        for second in [Int64(5), 15, 16] { bytes.message(3, [FITBytes.start + second, (1 << 29) + second * 1000, 0]) }
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [FITBytes.start + 20, FITBytes.start, 1, 0, 20_000, 20_000])
        let recording = try Self.read(bytes)
        let altitudes = recording.list.compactMap { entry -> Double?? in
            if case .position(let position) = entry.content { .some(position.altitudeInMeters) } else { nil }
        }
        #expect(altitudes == [nil, 105, 105, nil])
        #expect(!recording.file.leftOut.contains { $0.contains("altitudes") })
    }

    @Test func `altitudes without any position are named`() throws {
        var bytes = FITBytes()
        bytes.define(2, 20, [FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 78, type: 0x86)])
        for second in Int64(0)...5 { bytes.message(2, [FITBytes.start + second, 5 * (600 + second)]) }
        #expect(try Self.read(bytes).file.leftOut.contains("altitudes, because there are no positions"))
    }

    @Test func `pool lengths are segments with stroke, distance and strokes`() throws {
        var bytes = FITBytes()
        bytes.define(
            1, 101,
            [
                FITBytes.Field(number: 2, type: 0x86), FITBytes.Field(number: 3, type: 0x86),
                FITBytes.Field(number: 5, type: 0x84), FITBytes.Field(number: 7, type: 0x00),
                FITBytes.Field(number: 12, type: 0x00),
            ])
        bytes.message(1, [FITBytes.start, 30000, 12, 2, 1])
        bytes.message(1, [FITBytes.start + 30, 20000, 0xFFFF, 0xFF, 0])
        bytes.define(4, 18, FITBytes.session + [FITBytes.Field(number: 44, type: 0x84)])
        bytes.message(4, [FITBytes.start + 50, FITBytes.start, 5, 17, 50000, 30000, 2500])
        let recording = try Self.read(bytes)
        let pool = ActivityDescription(activity: "swimming", swimmingLocation: .pool, lapLengthInMeters: 25)
        #expect(recording.header?.activity == pool)
        #expect(
            recording.events(.segment) == [
                EventRecord(
                    .segment, start: Self.start, end: Self.start + 30, metadata: ["HKSwimmingStrokeStyle": .number(4)]),
                EventRecord(.segment, start: Self.start + 30, end: Self.start + 50),
            ])
        #expect(recording.readings("distanceSwimming").map(\.value) == [25])
        #expect(recording.readings("swimmingStrokeCount").map(\.value) == [12])
        #expect(recording.end == Self.start + 50)
    }

    @Test(
        arguments: [
            ([5, 3, 2, 3, 1], "swimBikeRun"), ([1, 2], "swimBikeRun"), ([1, 1], "running"), ([11, 1, 1], "other"),
            ([11, 1], "other"),
        ] as [([Int64], String)])
    func `sessions of several sports are activities of one workout`(_ sports: [Int64], _ whole: String) throws {
        var bytes = FITBytes()
        bytes.define(2, 20, FITBytes.record)
        for second in 0..<Int64(10 * sports.count) {
            bytes.message(2, [FITBytes.start + second, 140, 100 * (second % 10 + 1), 0xFFFF])
        }
        bytes.define(4, 18, FITBytes.session)
        for (index, sport) in sports.enumerated() {
            let start = FITBytes.start + 10 * Int64(index)
            bytes.message(4, [start + 10, start, sport, 0, 10000, 10000])
        }
        let recording = try Self.read(bytes)
        #expect(recording.header?.activity.activity == whole)
        #expect(recording.activities.map(\.date) == sports.indices.map { Self.start + Double(10 * $0) })
        // Each leg counts its distance again: 10 m each.
        let total = recording.list.reduce(0.0) { sum, entry in
            if case .quantity(let reading) = entry.content, reading.type.hasPrefix("distance") {
                sum + reading.value
            } else {
                sum
            }
        }
        #expect(abs(total - 10 * Double(sports.count)) < 1e-9)
    }

    @Test func `a FIT file of another kind gives no entries`() throws {
        var bytes = FITBytes()
        bytes.define(0, 0, FITBytes.fileID)
        bytes.message(0, [2, 1, 2697, 123_456, FITBytes.start])
        let recording = try Self.read(bytes)
        #expect(recording.list.isEmpty)
        #expect(recording.file.warnings.map(\.message) == ["the file holds no activity: nothing in it has a time"])
    }
}
