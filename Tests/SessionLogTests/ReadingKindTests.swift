import Foundation
import Testing

@testable import SessionLog

@Suite struct ReadingKindTests {
    private let date = Date(timeIntervalSinceReferenceDate: 1000)

    @Test func `readings with equal kinds are equal`() {
        let shared = ReadingKind("heartRate", unit: "count/min", sensor: "strap")
        let reading = QuantityReading(shared, 120, start: date, end: date)
        #expect(
            reading == QuantityReading("heartRate", 120, unit: "count/min", start: date, end: date, sensor: "strap"))
        #expect(reading == .heartRate(120, at: date, sensor: "strap"))
        #expect(reading != .heartRate(120, at: date, sensor: nil))
        #expect(reading != QuantityReading("heartRate", 120, unit: "count/s", start: date, end: date, sensor: "strap"))
        #expect(reading.isHeartRate)
    }

    @Test func `changing a reading leaves others of its kind unchanged`() {
        let shared = ReadingKind("heartRate", unit: "count/min", sensor: "strap")
        let first = QuantityReading(shared, 120, start: date, end: date)
        var second = first
        second.type = "cyclingCadence"
        second.sensor = nil
        second.unit = "count/s"
        #expect(second.kind == ReadingKind("cyclingCadence", unit: "count/s"))
        #expect(!second.isHeartRate)
        #expect(first.kind === shared && first.type == "heartRate")
    }

    @Test func `an entry is small, as millions of them are passed on`() {
        #expect(MemoryLayout<SessionEntry>.stride <= 64)
        #expect(MemoryLayout<QuantityReading>.stride <= 40)
    }

    @Test func `readings of a log share their kinds, even if names are similar`() throws {
        func line(_ type: String, _ unit: String, _ sensor: String) -> String {
            #"{"at":"2026-01-02T03:04:05.000Z","sample":"\#(type)","value":1,"unit":"\#(unit)"\#(sensor)}"# + "\n"
        }
        // It shares the first, last and middle letters and the length with others.
        let kinds = [
            ("heartRate", "count/min", #","sensor":"strap""#), ("heartRate", "count/min", ""),
            ("heartRate", "count/min", #","sensor":"""#), ("hoartRate", "count/min", #","sensor":"strap""#),
            ("heartRate", "count/mon", #","sensor":"strap""#), ("heartRate", "count/min", #","sensor":"scrap""#),
            (#"he\u0061rtRate"#, "count/min", #","sensor":"strap""#),
        ]
        var entries: [SessionEntry] = []
        var decoder = SessionLogDecoder()
        let once = kinds.map { line($0, $1, $2) }.joined()
        try decoder.decode(Array((once + once).utf8), into: &entries)
        try decoder.finish(into: &entries)
        #expect(decoder.warnings.isEmpty)
        let read = entries.compactMap { if case .quantity(let reading) = $0.content { reading.kind } else { nil } }
        #expect(read.map(\.type) == (kinds + kinds).map { $0.0.replacing(#"\u0061"#, with: "a") })
        #expect(read.map(\.unit) == (kinds + kinds).map(\.1))
        #expect(Array(read.map(\.sensor).prefix(7)) == ["strap", nil, "", "strap", "strap", "scrap", "strap"])
        let heartRates = (0..<9).map { _ in line("heartRate", "count/min", "") }.joined()
        entries = []
        try decoder.decode(Array(heartRates.utf8), into: &entries)
        let shared = entries.compactMap { if case .quantity(let reading) = $0.content { reading.kind } else { nil } }
        #expect(shared.count == 9 && shared.allSatisfy { $0 === shared[0] })
    }
}

@Suite struct KindCacheTests {
    @Test func `a kind's cached value is found by an equal kind, and the oldest is dropped`() {
        var memo = KindCache<Int>()
        for number in 0..<40 { memo.note(number, of: ReadingKind("type\(number)", unit: "m")) }
        #expect(memo[ReadingKind("type39", unit: "m")] == 39)
        #expect(memo[ReadingKind("type8", unit: "m")] == 8)
        #expect(memo[ReadingKind("type7", unit: "m")] == nil)
        #expect(memo[ReadingKind("type39", unit: "cm")] == nil)
        memo.forget()
        #expect(memo[ReadingKind("type39", unit: "m")] == nil)
        let kind = ReadingKind("type39", unit: "m")
        memo.note(1, of: kind)
        #expect(memo[ObjectIdentifier(kind)] == 1)
        #expect(memo[ObjectIdentifier(ReadingKind("type39", unit: "m"))] == nil)
    }
}

@Suite struct PositionReadingTests {
    @Test func `missing properties of a position stay missing, and the others stay, including NaN`() {
        var position = PositionReading(latitudeInDegrees: 52, longitudeInDegrees: 13)
        #expect(position.altitudeInMeters == nil && position.speedInMetersPerSecond == nil)
        #expect(position.courseInDegrees == nil && position.horizontalAccuracyInMeters == nil)
        let bare = position
        position.courseInDegrees = 90
        position.verticalAccuracyInMeters = 3
        #expect(position.courseInDegrees == 90 && position.verticalAccuracyInMeters == 3)
        #expect(position.horizontalAccuracyInMeters == nil && position != bare)
        position.courseInDegrees = nil
        position.verticalAccuracyInMeters = nil
        #expect(position == bare)
        position.altitudeInMeters = .nan
        #expect(position.altitudeInMeters?.isNaN == true)
        position.altitudeInMeters = -0.0
        #expect(position.altitudeInMeters == 0 && position.altitudeInMeters?.sign == .minus)
    }

    @Test func `equal positions are equal, whatever holds their rare properties`() {
        func position(_ course: Double) -> PositionReading {
            PositionReading(
                latitudeInDegrees: 52, longitudeInDegrees: 13, altitudeInMeters: 40, horizontalAccuracyInMeters: 5,
                courseInDegrees: course)
        }
        #expect(position(90) == position(90))
        #expect(position(90) != position(91))
    }

    @Test(arguments: [
        ("cadence", "cadence"), ("rightPedalShare", "right pedal share"),
        ("developer:Form Power", "the developer field Form Power"),
    ])
    func `messages name neutral types in words`(type: String, words: String) {
        #expect(NeutralType.words(type) == words)
    }
}
