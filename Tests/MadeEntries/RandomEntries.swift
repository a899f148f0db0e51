import Analytics
package import Foundation
package import SessionLog

/// Entries of every kind, with ordinary and with extreme values.
package struct RandomEntries {
    package static let kinds = 18
    private var random: SeededGenerator

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    package mutating func entry() -> SessionEntry { entry(ofKind: int(0..<Self.kinds)) }

    package mutating func entry(ofKind kind: Int) -> SessionEntry {
        let at = date()
        return SessionEntry(at, content(kind, at))
    }

    private mutating func content(_ kind: Int, _ at: Date) -> SessionEntry.Content {
        switch kind {
        case 0:
            .header(SessionHeader(id: uuid(), activity: activity(), creator: maybe { $0.string() }))
        case 1: .state(pick(SessionPhase.allCases))
        case 2: .collection(pick([.began(events: true), .began(events: false), .ended, .finished, .discarded]))
        case 3: .activityBegan(ActivityRecord(id: uuid(), activity: activity(), metadata: metadata()))
        case 4: .activityEnded
        case 5: quantity(interval(near: at))
        case 6:
            .beats(
                BeatReading(
                    intervalsInMilliseconds: (0..<int(0..<12)).map { _ in number() }, sensor: maybe { $0.string() }))
        case 7:
            .position(
                PositionReading(
                    latitudeInDegrees: number(), longitudeInDegrees: number(), altitudeInMeters: maybe { $0.number() },
                    horizontalAccuracyInMeters: maybe { $0.number() },
                    verticalAccuracyInMeters: maybe { $0.number() }, courseInDegrees: maybe { $0.number() },
                    speedInMetersPerSecond: maybe { $0.number() }, isAdded: int(0..<2) == 0))
        case 8: category(interval(near: at))
        case 9: event(interval(near: at))
        case 10: .metadata(metadata())
        case 11:
            .sensor(
                SensorStatus(
                    id: string(), kind: pick(SensorStatus.Kind.allCases),
                    presence: pick(SensorStatus.Presence.allCases), device: device(),
                    batteryPercent: maybe { $0.integer() }))
        case 12:
            .notification(
                NotificationRecord(
                    characteristic: UInt16.random(in: 0...UInt16.max, using: &random), bytes: bytes(),
                    sensor: maybe { $0.string() }))
        case 13: .routeDiscarded
        case 14: .remoteData(Data(bytes()))
        case 15: .clockSet(bySeconds: number())
        case 16:
            .zones(
                ZoneRecord(
                    pick(["heartRate", "cyclingPower"]),
                    upperBounds: (0..<int(0..<6)).map { Double(50 + $0 * 40 + int(0..<40)) },
                    source: pick(ZoneRecord.Source.allCases)))
        default:
            .companion(
                CompanionProgress(
                    companion: string(), received: integer(),
                    done: maybe { .init(log: $0.uuid(), through: $0.integer()) },
                    isAwaited: Bool.random(using: &random)))
        }
    }

    private mutating func quantity(_ interval: (start: Date, end: Date)) -> SessionEntry.Content {
        .quantity(
            QuantityReading(
                string(), number(), unit: string(), start: interval.start, end: interval.end,
                sensor: maybe { $0.string() }, origin: maybe { $0.origin() }))
    }

    private mutating func category(_ interval: (start: Date, end: Date)) -> SessionEntry.Content {
        .category(CategoryReading(string(), integer(), start: interval.start, end: interval.end, origin: origin()))
    }

    private mutating func event(_ interval: (start: Date, end: Date)) -> SessionEntry.Content {
        .event(
            EventRecord(
                pick(EventRecord.Kind.allCases), start: interval.start, end: interval.end, metadata: metadata(),
                isAdded: int(0..<2) == 0))
    }

    package mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[int(0..<elements.count)] }

    private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        int(0..<2) == 0 ? nil : make(&self)
    }

    private mutating func uuid() -> UUID {
        let b = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return UUID(
            uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
        )
    }

    private mutating func bytes() -> [UInt8] {
        (0..<int(0..<40)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    package mutating func number() -> Double {
        switch int(0..<8) {
        case 0: Double(int(-300..<300))
        case 1: Double(int(-1_000_000..<1_000_000)) / 10
        case 2: Double(int(-1_000_000_000..<1_000_000_000)) / 1e7
        case 3: Double.random(in: -180...180, using: &random)
        case 4: pick([0, -0.0, 1e15, 1e16, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1 + 0.2, 1e-5])
        case 5: Double(int(Int.min..<Int.max))
        case 6: Double(int(0..<2_000)) * 1000 / 1024
        default: bits()
        }
    }

    private mutating func bits() -> Double {
        let value = Double(bitPattern: random.next())
        return value.isFinite ? value : 0
    }

    private mutating func integer() -> Int { pick([0, 1, -1, 100, Int.max, Int.min, int(Int.min..<Int.max)]) }

    /// A date that a log can represent.
    mutating func date() -> Date { SessionLogDate.inRange(anyDate()) }

    package mutating func anyDate() -> Date {
        let seconds =
            switch int(0..<7) {
            case 0, 1: Double(int(500_000_000_000..<1_100_000_000_000)) / 1000
            case 2: Double.random(in: 4e8...1.2e9, using: &random)
            case 3: Double.random(in: -7e10...3e11, using: &random)
            case 4: Double.random(in: -10...10, using: &random)
            case 5:
                pick([
                    Date.distantPast.timeIntervalSinceReferenceDate, Date.distantFuture.timeIntervalSinceReferenceDate,
                    0,
                    -0.0, 1e300, -1e300, 1e-300, .leastNonzeroMagnitude, -Double.leastNonzeroMagnitude, -1e-9,
                ])
            default: bits()
            }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private mutating func interval(near date: Date) -> (start: Date, end: Date) {
        let dates = [near(date), near(date)]
        return (min(dates[0], dates[1]), max(dates[0], dates[1]))
    }

    private mutating func near(_ date: Date) -> Date {
        switch int(0..<3) {
        case 0: date
        case 1: SessionLogDate.inRange(date.addingTimeInterval(-1))
        default: self.date()
        }
    }

    mutating func string() -> String {
        let whole = [
            "heartRate", "count/min", "distanceWalkingRunning", "", "strap", "a \"quoted\" \\ name",
            "\n\r\t\u{0}\u{1F}",
            "Läufer", "e\u{301}", "心拍", "🏃🏽‍♀️", "\u{FFFD}", "\u{2028}", "{\"at\":1}", "A0:9E:1A:00:00:01",
        ]
        if int(0..<2) == 0 { return pick(whole) }
        return String(
            String.UnicodeScalarView(
                (0..<int(0..<70)).compactMap { _ in
                    Unicode.Scalar(UInt32(int(0..<4) == 0 ? int(0..<0x11_0000) : int(0..<0x80)))
                }))
    }

    private mutating func metadata() -> [String: MetadataValue] {
        var metadata: [String: MetadataValue] = [:]
        for _ in 0..<int(0..<4) {
            let key = string()
            switch int(0..<5) {
            case 0: metadata[key] = .string(string())
            case 1: metadata[key] = .number(number())
            case 2: metadata[key] = .bool(int(0..<2) == 0)
            case 3: metadata[key] = .date(date())
            default: metadata[key] = .quantity(number(), unit: string())
            }
        }
        return metadata
    }

    private mutating func device() -> DeviceDescription {
        DeviceDescription(
            name: maybe { $0.string() }, manufacturer: maybe { $0.string() }, model: maybe { $0.string() },
            hardwareVersion: maybe { $0.string() }, firmwareVersion: maybe { $0.string() },
            softwareVersion: maybe { $0.string() }, localIdentifier: maybe { $0.string() },
            udiDeviceIdentifier: maybe { $0.string() })
    }

    private mutating func origin() -> SampleOrigin {
        let device: DeviceDescription? = int(0..<3) == 0 ? DeviceDescription() : maybe { $0.device() }
        return SampleOrigin(id: uuid(), device: device, metadata: metadata())
    }

    private mutating func activity() -> ActivityDescription {
        ActivityDescription(
            activity: pick(["running", "swimBikeRun", string()]), location: pick(ActivityDescription.Location.allCases),
            swimmingLocation: pick(ActivityDescription.SwimmingLocation.allCases),
            lapLengthInMeters: maybe { $0.number() })
    }
}

/// Encodes and decodes as a whole log is.
package func logBytes(_ entries: [SessionEntry]) throws -> [UInt8] {
    var encoder = SessionLogEncoder()
    for entry in entries { try encoder.append(entry) }
    return encoder.bytes
}
