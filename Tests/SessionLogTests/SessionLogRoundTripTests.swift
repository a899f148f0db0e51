import Foundation
import MadeEntries
import Testing

@testable import SessionLog

func decoded(_ bytes: [UInt8]) throws -> (entries: [SessionEntry], warnings: [RecordingWarning]) {
    var decoder = SessionLogDecoder()
    var entries: [SessionEntry] = []
    try decoder.decode(bytes, into: &entries)
    try decoder.finish(into: &entries)
    return (entries, decoder.warnings)
}

func decoded(_ text: String) throws -> (entries: [SessionEntry], warnings: [RecordingWarning]) {
    try decoded(Array(text.utf8))
}

struct SessionLogRoundTripTests {
    @Test(arguments: 0..<RandomEntries.kinds)
    func `entries of each kind survive a round trip`(kind: Int) throws {
        var random = RandomEntries(seed: UInt64(kind) + 100)
        for _ in 0..<400 {
            let entry = random.entry(ofKind: kind)
            let bytes = try logBytes([entry])
            let (entries, warnings) = try decoded(bytes)
            #expect(entries == [entry], "\(String(decoding: bytes, as: UTF8.self))")
            #expect(warnings.isEmpty)
            #expect(bytes.filter { $0 == 0x0A }.count == 1)
        }
    }

    @Test(arguments: [nil, [], [120, 140.5, 160]] as [[Double]?])
    func `a wearer survives with custom zones or none`(_ bounds: [Double]?) throws {
        let wearer = WearerProfile(sex: .male, restingHeartRate: 50, heartRateZoneLowerBounds: bounds)
        let entry = SessionEntry(Date(timeIntervalSinceReferenceDate: 0), .wearer(wearer))
        #expect(try decoded(try logBytes([entry])).entries == [entry])
    }

    @Test func `Foundation reads every line as the same JSON`() throws {
        var random = RandomEntries(seed: 7)
        for _ in 0..<500 {
            let bytes = try logBytes([random.entry()])
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
        }
    }

    @Test func `the encoder reuses its buffer`() throws {
        var encoder = SessionLogEncoder()
        try encoder.append(SessionEntry(Date(timeIntervalSinceReferenceDate: 0), .state(.running)))
        encoder.removeAll()
        try encoder.append(SessionEntry(Date(timeIntervalSinceReferenceDate: 1), .activityEnded))
        #expect(
            String(decoding: encoder.bytes, as: UTF8.self)
                == "{\"at\":\"2001-01-01T00:00:01.000Z\",\"part\":\"ended\"}\n")
    }

    private static let at = Date(timeIntervalSince1970: 1_767_323_045)
    private static let id = UUID(uuid: (0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255))

    @Test(
        arguments: [
            (
                .header(
                    SessionHeader(
                        id: id, activity: ActivityDescription(activity: "running", location: .outdoor),
                        creator: "workout 0.1")),
                """
                "log":1,"id":"00112233-4455-6677-8899-AABBCCDDEEFF","activity":"running","location":"outdoor",\
                "creator":"workout 0.1"
                """
            ),
            (.state(.running), #""state":"running""#),
            (.collection(.began(events: true)), #""collection":"began","events":true"#),
            (
                .quantity(QuantityReading("heartRate", 142, unit: "count/min", start: at, end: at, sensor: "strap")),
                #""sample":"heartRate","value":142,"unit":"count/min","sensor":"strap""#
            ),
            (
                .quantity(
                    QuantityReading("distanceCycling", 8.25, unit: "m", start: at.addingTimeInterval(-1), end: at)),
                #""sample":"distanceCycling","value":8.25,"unit":"m","start":"2026-01-02T03:04:04.000Z""#
            ),
            (
                .beats(BeatReading(intervalsInMilliseconds: [812, 806.6], sensor: "strap")),
                #""rr":[812,806.6],"sensor":"strap""#
            ),
            (
                .waveform(
                    WaveformReading(
                        .electrocardiogram, [-12, 0, .max], samplesPerSecond: 130, start: at.addingTimeInterval(-1),
                        sensor: "strap")),
                #""waveform":"electrocardiogram","samplesPerSecond":130,"start":"2026-01-02T03:04:04.000Z","values":[-12,0,2147483647],"sensor":"strap""#
            ),
            (
                .waveform(WaveformReading(.acceleration, [1, -2, 1000], samplesPerSecond: 52, start: at)),
                #""waveform":"acceleration","samplesPerSecond":52,"start":"2026-01-02T03:04:05.000Z","values":[1,-2,1000]"#
            ),
            (
                .position(PositionReading(latitudeInDegrees: 47.5, longitudeInDegrees: -8.25, altitudeInMeters: 412)),
                #""position":[47.5,-8.25],"altitude":412"#
            ),
            (
                .position(PositionReading(latitudeInDegrees: 47.5, longitudeInDegrees: -8.25, isAdded: true)),
                #""position":[47.5,-8.25],"added":true"#
            ),
            (.routeDiscarded, #""route":"discarded""#),
            (
                .event(EventRecord(.lap, start: at, end: at, metadata: ["n": .number(1), "a": .bool(true)])),
                #""event":"lap","metadata":{"a":true,"n":1}"#
            ),
            (.event(EventRecord(.marker, start: at, end: at, isAdded: true)), #""event":"marker","added":true"#),
            (
                .metadata(["weather": .quantity(21, unit: "degC"), "since": .date(at), "by": .string("me")]),
                #""workoutMetadata":{"by":"me","since":{"date":"2026-01-02T03:04:05.000Z"},"weather":{"value":21,"unit":"degC"}}"#
            ),
            (
                .sensor(
                    SensorStatus(
                        id: "strap", kind: .bluetooth, presence: .present, device: DeviceDescription(name: "H10"),
                        batteryPercent: 80)),
                #""presence":"present","sensor":"strap","kind":"bluetooth","battery":80,"device":{"name":"H10"}"#
            ),
            (
                .notification(NotificationRecord(characteristic: 0x2A37, bytes: [0x10, 0x48, 0xFF], sensor: "strap")),
                #""notification":"2A37","bytes":"1048ff","sensor":"strap""#
            ),
            (.remoteData(Data([1, 2, 3])), #""remoteData":"AQID""#),
            (.companion(.awaited("phone:7654")), #""companion":"phone:7654","received":0,"awaited":true"#),
            (
                .companion(
                    CompanionProgress(
                        companion: "0a1b", received: 3,
                        done: .init(log: UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!, through: 7))),
                #""companion":"0a1b","received":3,"requests":"00112233-4455-6677-8899-AABBCCDDEEFF","done":7"#
            ),
        ] as [(SessionEntry.Content, String)])
    func `a line is the one in the article`(content: SessionEntry.Content, line: String) throws {
        let bytes = try logBytes([SessionEntry(Self.at, content)])
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"at\":\"2026-01-02T03:04:05.000Z\",\(line)}\n")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that JSON cannot represent is rejected, and nothing of the entry is written`(value: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let bad = Date(timeIntervalSinceReferenceDate: value)
        let cases: [(String, SessionEntry)] = [
            ("value", SessionEntry(date, .quantity(QuantityReading("x", value, unit: "m", start: date, end: date)))),
            ("start", SessionEntry(date, .quantity(QuantityReading("x", 1, unit: "m", start: bad, end: date)))),
            ("at", SessionEntry(bad, .activityEnded)),
            ("rr", SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [1, value])))),
            (
                "speed",
                SessionEntry(
                    date,
                    .position(
                        PositionReading(latitudeInDegrees: 0, longitudeInDegrees: 0, speedInMetersPerSecond: value)))
            ),
            ("workoutMetadata", SessionEntry(date, .metadata(["k": .number(value)]))),
            ("workoutMetadata", SessionEntry(date, .metadata(["k": .date(bad)]))),
        ]
        for (key, entry) in cases {
            var encoder = SessionLogEncoder()
            try encoder.append(SessionEntry(date, .state(.running)))
            let before = encoder.bytes
            #expect(throws: SessionLogError.notFinite(key: key)) { try encoder.append(entry) }
            #expect(encoder.bytes == before)
        }
    }

    @Test func `a line that no reader would accept is rejected`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        var encoder = SessionLogEncoder()
        #expect(throws: SessionLogError.impossibleDate(key: "at")) {
            try encoder.append(SessionEntry(Date(timeIntervalSinceReferenceDate: 1e300), .activityEnded))
        }
        #expect(throws: SessionLogError.impossibleDate(key: "end")) {
            try encoder.append(SessionEntry(date, .event(EventRecord(.lap, start: date, end: date - 1))))
        }
        #expect(throws: SessionLogError.self) {
            try encoder.append(SessionEntry(date, .remoteData(Data(count: SessionLogDecoder.maximumLineLength))))
        }
        #expect(encoder.bytes.isEmpty)
        let header = SessionHeader(version: 2, id: Self.id, activity: ActivityDescription())
        #expect(throws: SessionLogError.unwritableVersion(2)) {
            try encoder.append(SessionEntry(date, .header(header)))
        }
        #expect(encoder.bytes.isEmpty)
    }
}
