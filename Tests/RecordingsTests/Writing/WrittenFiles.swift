import Foundation

@testable import Recordings
@testable import SessionLog

/// A workout in a format, in memory.
struct WrittenFile {
    var bytes: [UInt8]
    var leftOut: [String]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(_ entries: some Sequence<SessionEntry> & Sendable, as format: String) throws {
        guard var writer = RecordingFile.writableFormats.first(where: { $0.name == format })?.writer() else {
            throw RecordingOutputError.notWritable(format: format)
        }
        var bytes: [UInt8] = []
        try writer.write(RecordedEntries(entries)) { bytes += $0 }
        if let head = writer.head { bytes.replaceSubrange(0..<head.count, with: head) }
        self.bytes = bytes
        leftOut = writer.leftOut
    }
}

/// The contents of a recording that come back from a file.
struct HeldReadings: Equatable {
    struct Value: Equatable {
        var date: Date
        var value: Double
    }
    var heartRates: [Value] = []
    var intervals: [Double] = []
    var laps: [ClosedRange<Date>] = []
    var pauses: [SessionPauses.Pause] = []
    var meters = 0.0
    var others: [String: [Value]] = [:]
    var positions: [Value] = []
    var activities: [String] = []
    var start: Date?
    var end: Date?

    init(_ entries: some Sequence<SessionEntry>) {
        var counted = CountedEntries()
        for entry in entries { _ = counted.take(entry) }
        counted.begin()
        var pauses = SessionPauses()
        for entry in entries {
            switch counted.take(entry) {
            case .all: take(entry, &pauses)
            case .nothing: break
            case .parts(let parts): for part in parts { take(part, &pauses) }
            }
        }
        self.pauses = pauses.all
    }

    private mutating func take(_ entry: SessionEntry, _ pauses: inout SessionPauses) {
        switch entry.content {
        case .quantity(let reading) where reading.type == "heartRate":
            // Readings during a pause are written at the time of their entry.
            heartRates.append(Value(date: min(reading.start, entry.date), value: reading.value))
        case .quantity(let reading) where reading.type.hasPrefix("distance"): meters += reading.value
        case .quantity(let reading):
            others[reading.type, default: []].append(Value(date: reading.start, value: reading.value))
        case .beats(let beats): intervals += beats.intervalsInMilliseconds
        case .position(let position):
            positions.append(Value(date: entry.date, value: position.latitudeInDegrees))
        case .event(let event) where event.kind == .lap: laps.append(event.start...event.end)
        case .state(let phase):
            pauses.change(to: phase, at: entry.date)
            if phase == .running { start = start ?? entry.date }
            if phase.isOver { end = entry.date }
        case .header(let header): activities.insert(header.activity.activity, at: 0)
        case .activityBegan(let part): activities.append(part.activity.activity)
        default: break
        }
    }
}

/// A ride with a bit of everything that a bike computer measures: 60 s with a pause from 20 to 30 s and laps of 15 s.
enum SmallRide {
    static let start = Date(timeIntervalSince1970: 1_767_254_400)

    static func entries(activity: String = "cycling") -> [SessionEntry] {
        func at(_ seconds: Double, _ content: SessionEntry.Content) -> SessionEntry {
            SessionEntry(start + seconds, content)
        }
        func reading(
            _ type: String, _ value: Double, _ unit: String, _ second: Double, from: Double? = nil
        )
            -> SessionEntry
        {
            at(
                second,
                .quantity(
                    QuantityReading(
                        type, value, unit: unit, start: start + (from ?? second), end: start + second,
                        sensor: "recorder")))
        }
        var entries = [
            at(
                0,
                .header(
                    SessionHeader(id: UUID(), activity: ActivityDescription(activity: activity, location: .outdoor)))),
            at(0, .wearer(WearerProfile(sex: .female, ageInYears: 34, massInKilograms: 62, restingHeartRate: 56))),
            at(
                0,
                .sensor(
                    SensorStatus(
                        id: "strap", kind: .bluetooth, presence: .present,
                        device: DeviceDescription(name: "Polar H10", manufacturer: "Polar", model: "H10"),
                        batteryPercent: 80))),
            at(
                0,
                .sensor(
                    SensorStatus(
                        id: "recorder", kind: .replay, presence: .present,
                        device: DeviceDescription(
                            name: "Garmin Edge 530", manufacturer: "Garmin", model: "Edge 530", localIdentifier: "1234")
                    ))),
            at(0, .state(.running)),
        ]
        for second in stride(from: 1.0, through: 60, by: 1) {
            if second == 21 { entries.append(at(20, .state(.paused))) }
            if second == 31 { entries.append(at(30, .state(.running))) }
            let isPaused = second > 20 && second <= 30
            if !isPaused {
                var rate = reading("heartRate", 100 + second, "count/min", second)
                if case .quantity(var value) = rate.content {
                    value.sensor = "strap"
                    rate.content = .quantity(value)
                }
                entries += [
                    rate,
                    at(
                        second,
                        .beats(BeatReading(intervalsInMilliseconds: [600 + second, 500 - second], sensor: "strap"))),
                    reading("distanceCycling", 8.25, "m", second, from: second - 1),
                    reading("cyclingSpeed", 8.25, "m/s", second),
                    reading("cyclingPower", 180 + second, "W", second),
                    reading("cyclingCadence", 85.5, "count/min", second),
                    reading("respiratoryRate", 20.25, "count/min", second),
                    at(
                        second,
                        .position(
                            PositionReading(
                                latitudeInDegrees: 47.5 + second / 1e4, longitudeInDegrees: -8.25 - second / 1e4,
                                altitudeInMeters: 400 + second / 5, speedInMetersPerSecond: 8.25))),
                ]
            }
            if second.truncatingRemainder(dividingBy: 15) == 0 {
                entries.append(at(second, .event(EventRecord(.lap, start: start + second - 15, end: start + second))))
            }
        }
        return entries + [at(60, .state(.stopped))]
    }
}
