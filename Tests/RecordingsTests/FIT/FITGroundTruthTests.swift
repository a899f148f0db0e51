import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Files of real devices, compared with other people's tools. Their folder is beside the repository and not part of
/// it; without it, these tests are skipped.
enum FITSamples {
    static let folder = GroundTruth.folder
    static let isPresent = GroundTruth.isPresent

    static let names: [String] = truths.keys.sorted()

    nonisolated static let truths: [String: Truth] = GroundTruth.truths(of: "fit")

    static func read(_ name: String) throws -> Recording { try RecordingFile.read(folder.appending(path: name)) }

    struct HeartRate: Decodable {
        var count: Int
        var min: Double?
        var mean: Double?
        var max: Double?
        var zero_count: Int?
        var min_without_zeros: Double?
        var mean_without_zeros: Double?
    }

    struct Truth: Decodable {
        struct Pauses: Decodable {
            struct Pause: Decodable {
                var start: Date
                var end: Date
                init(from decoder: any Decoder) throws {
                    var values = try decoder.unkeyedContainer()
                    let format = Date.ISO8601FormatStyle()
                    start = try format.parse(values.decode(String.self))
                    end = try format.parse(values.decode(String.self))
                }
            }
            var count: Int
            var total_s: Double
            var list: [Pause]
        }
        struct Session: Decodable {
            var total_elapsed_time: Double
            var total_timer_time: Double
        }
        struct RR: Decodable {
            var count: Int
            var sdnn_ms_n_minus_1: Double
            var rmssd_ms: Double
        }
        struct CrossCheck: Decodable {
            var heart_rate_after_merging_hr_messages: HeartRate?
        }
        var records: Int
        var heart_rate: HeartRate
        var laps: Int
        var lengths: Int
        var sessions: [Session]
        var pauses: Pauses?
        var never_stopped: Bool?
        var elapsed_from_timer_events_s: Double?
        var timer_from_timer_events_s: Double?
        var rr: RR?
        var message_counts: [String: Int]
        var developer_fields: [String: Int]?
        var cross_check: CrossCheck?
    }
}

extension Recording {
    /// All entries.
    var list: [SessionEntry] { Array(entries) }

    var start: Date? { entries.first { $0.content == .state(.running) }?.date }
    var end: Date? { list.last { $0.content == .state(.stopped) }?.date }

    /// Times between a stop and the next start of the timer. A stop at the end of the file is none.
    var pauses: [DateInterval] {
        var paused: Date?
        var pauses: [DateInterval] = []
        for entry in entries {
            if entry.content == .state(.paused) { paused = entry.date }
            if entry.content == .state(.running), let start = paused {
                pauses.append(DateInterval(start: start, end: entry.date))
                paused = nil
            }
        }
        return pauses
    }

    /// The same, including the stop at the end.
    var pausedInSeconds: Double {
        var paused: Date?
        var sum = 0.0
        for entry in entries {
            if entry.content == .state(.paused) { paused = entry.date }
            if let start = paused, entry.content == .state(.running) || entry.content == .state(.stopped) {
                sum += entry.date.timeIntervalSince(start)
                paused = nil
            }
        }
        return sum
    }

    func readings(_ type: String) -> [QuantityReading] {
        entries.compactMap {
            if case .quantity(let reading) = $0.content, reading.type == type { reading } else { nil }
        }
    }

    func events(_ kind: EventRecord.Kind) -> [EventRecord] {
        entries.compactMap { if case .event(let event) = $0.content, event.kind == kind { event } else { nil } }
    }

    var beats: [(date: Date, reading: BeatReading)] {
        entries.compactMap { if case .beats(let reading) = $0.content { ($0.date, reading) } else { nil } }
    }

    var activities: [(date: Date, activity: ActivityDescription)] {
        entries.compactMap {
            if case .activityBegan(let record) = $0.content { ($0.date, record.activity) } else { nil }
        }
    }

    var isInOrder: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.date <= $1.date } }
}

@Suite(.enabled(if: FITSamples.isPresent, "the recorded files lie beside the repository"))
struct FITGroundTruthTests {
    @Test(arguments: FITSamples.names)
    func `the contents are those that other tools find`(_ name: String) throws {
        let truth = try #require(FITSamples.truths[name])
        let file = try FITSamples.read(name).file
        #expect(file.format == "fit")
        #expect(file.records == truth.records)
        #expect(file.laps == truth.laps)
        #expect(file.sessions == truth.sessions.count)
        let merged = truth.cross_check?.heart_rate_after_merging_hr_messages
        let expected = merged ?? truth.heart_rate
        #expect(file.heartRate.count == expected.count - (expected.zero_count ?? 0))
        if file.heartRate.count > 0 {
            #expect(file.heartRate.minimum == expected.min_without_zeros ?? expected.min)
            #expect(file.heartRate.maximum == expected.max)
            let mean = try #require(expected.mean_without_zeros ?? expected.mean)
            #expect(abs(try #require(file.heartRate.mean) - mean) < 0.01)
        }
        if !truth.sessions.isEmpty {
            let elapsed = truth.sessions.map(\.total_elapsed_time).reduce(0, +)
            let timer = truth.sessions.map(\.total_timer_time).reduce(0, +)
            #expect(abs(try #require(file.elapsedInSeconds) - elapsed) < 0.001)
            #expect(abs(try #require(file.timerInSeconds) - timer) < 0.001)
        } else {
            #expect(file.elapsedInSeconds == nil && file.timerInSeconds == nil)
        }
    }

    @Test(arguments: FITSamples.names)
    func `RR intervals and their variability are those that other tools find`(_ name: String) throws {
        let truth = try #require(FITSamples.truths[name])
        let recording = try FITSamples.read(name)
        let intervals = recording.file.rrIntervalsInMilliseconds
        #expect(recording.beats.flatMap(\.reading.intervalsInMilliseconds) == intervals)
        guard let rr = truth.rr else {
            #expect(intervals.isEmpty)
            return
        }
        #expect(intervals.count == rr.count)
        let mean = intervals.reduce(0, +) / Double(intervals.count)
        let variance = intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(intervals.count - 1)
        #expect(abs(variance.squareRoot() - rr.sdnn_ms_n_minus_1) < 0.1)
        let squares = zip(intervals, intervals.dropFirst()).map { ($1 - $0) * ($1 - $0) }
        #expect(abs((squares.reduce(0, +) / Double(squares.count)).squareRoot() - rr.rmssd_ms) < 0.1)
    }

    /// Elapsed and timer time if the timer events are not enough, by the rules of `WorkoutTimes`.
    static let others: [String: (elapsed: Double, timer: Double)] = [
        "fit/fr70-run-compressed-timestamps.fit": (3883, 3773),
        // Its only start event belongs to the last of seven sessions.
        "fit/fenix2-multisport.fit": (24624, 24624),
        // Never stopped, so until the last record.
        "fit/sigma-ride-truncated.fit": (16724, 16724 - 2341),
        "fit/fr110-run-cut.fit": (1582, 1582),
        // No events.
        "fit/suunto-ski-hrv-noevents.fit": (2988, 2988),
    ]

    @Test(arguments: FITSamples.names)
    func `start, pauses and end are those of the timer events`(_ name: String) throws {
        let truth = try #require(FITSamples.truths[name])
        let recording = try FITSamples.read(name)
        let start = try #require(recording.start)
        let end = try #require(recording.end)
        let elapsed = end.timeIntervalSince(start)
        let timer = elapsed - recording.pausedInSeconds
        let other = Self.others[name]
        #expect(abs(elapsed - (try #require(other?.elapsed ?? truth.elapsed_from_timer_events_s))) <= 1)
        #expect(abs(timer - (try #require(other?.timer ?? truth.timer_from_timer_events_s))) <= 1)
        if let pauses = truth.pauses {
            #expect(recording.pauses.map(\.start) == pauses.list.map(\.start))
            #expect(recording.pauses.map(\.end) == pauses.list.map(\.end))
            #expect(recording.pauses.map(\.duration).reduce(0, +) == pauses.total_s)
        }
    }

    @Test(arguments: FITSamples.names)
    func `every reading is within the workout, in order of time`(_ name: String) throws {
        let truth = try #require(FITSamples.truths[name])
        let recording = try FITSamples.read(name)
        let start = try #require(recording.start)
        let end = try #require(recording.end)
        #expect(recording.isInOrder)
        #expect(recording.header != nil)
        #expect(recording.list.allSatisfy { (start...end).contains($0.date) })
        #expect(recording.readings("heartRate").count == recording.file.heartRate.count)
        #expect(recording.events(.lap).count == truth.laps)
        #expect(recording.events(.segment).count == truth.lengths)
        for event in recording.events(.lap) + recording.events(.segment) {
            #expect(start <= event.start && event.start <= event.end && event.end <= end)
        }
    }

    @Test(arguments: FITSamples.names)
    func `every message is found, however the file is split`(_ name: String) throws {
        let truth = try #require(FITSamples.truths[name])
        let bytes = try [UInt8](Data(contentsOf: FITSamples.folder.appending(path: name)))
        let whole = FITTranscript.of(bytes)
        for (message, count) in truth.message_counts {
            let number = FITProfile.messages.first { "\($0.name)" == message }?.number
            guard let number else { continue }
            #expect(whole.0.lines.count { $0.split(separator: " ")[1] == "\(number)" } == count, "\(message)")
        }
        for (field, count) in truth.developer_fields ?? [:] {
            let found = whole.0.lines.count { $0.contains(" \(field)=") && !$0.contains(" \(field)=-") }
            #expect(found == count || bytes.count < 5000, "\(field)")
        }
        let cut = FITTranscript.of(bytes, pieces: [7, 1, 4099, 64])
        #expect(cut.0 == whole.0)
        #expect(cut.1 == whole.1)
    }

    @Test func `distances add up to those of the sessions`() throws {
        func sum(_ name: String, _ types: [String]) throws -> Double {
            let recording = try FITSamples.read("fit/\(name).fit")
            return types.flatMap { recording.readings($0) }.map(\.value).reduce(0, +)
        }
        let foot = "distanceWalkingRunning"
        #expect(abs(try sum("fr110-run-laps", [foot]) - 4835.38) < 50)
        #expect(abs(try sum("fr70-run-compressed-timestamps", [foot]) - 10248.67) < 50)
        #expect(abs(try sum("edge530-ride-hrv", ["distanceCycling"]) - 66802.26) < 50)
        #expect(abs(try sum("fr910xt-poolswim-lengths", ["distanceSwimming"]) - 1371.6) < 0.1)
        #expect(abs(try sum("fr735xt-poolswim-hr-messages", ["distanceSwimming"]) - 2606.04) < 0.1)
        #expect(abs(try sum("fr920xt-triathlon-chained", ["distanceSwimming"]) - 1644.71) < 20)
        #expect(abs(try sum("fr920xt-triathlon-chained", ["distanceCycling"]) - 40909.42) < 100)
        #expect(abs(try sum("fr920xt-triathlon-chained", [foot]) - 9805.92 - 141.7 - 31.93) < 50)
    }

    @Test func `several sessions are activities of one workout`() throws {
        let triathlon = try FITSamples.read("fit/fr920xt-triathlon-chained.fit")
        #expect(triathlon.header?.activity.activity == "swimBikeRun")
        #expect(
            triathlon.activities.map(\.activity.activity) == [
                "swimming", "transition", "cycling", "transition", "running",
            ])
        #expect(triathlon.activities.first?.activity.swimmingLocation == .openWater)
        #expect(triathlon.activities.first?.date == triathlon.start)

        let adventure = try FITSamples.read("fit/fenix2-multisport.fit")
        #expect(adventure.header?.activity.activity == "other")
        #expect(adventure.activities.count == 7)
    }

    static let activities: [(String, ActivityDescription)] = [
        ("fenix5-run-hrv", ActivityDescription(activity: "running", location: .outdoor)),
        ("edge500-ride-pauses", ActivityDescription(activity: "cycling", location: .outdoor)),
        ("wahoo-unterminated-strings", ActivityDescription(activity: "cycling", location: .indoor)),
        ("vivoactive-strength", ActivityDescription(activity: "traditionalStrengthTraining", location: .indoor)),
        ("suunto-ski-hrv-noevents", ActivityDescription(activity: "crossCountrySkiing", location: .outdoor)),
        ("sigma-ride-truncated", ActivityDescription(activity: "cycling", location: .outdoor)),
        (
            "fr910xt-poolswim-lengths",
            ActivityDescription(activity: "swimming", swimmingLocation: .pool, lapLengthInMeters: 22.86)
        ),
    ]

    @Test(arguments: activities)
    func `a single session is the workout's activity`(_ name: String, _ activity: ActivityDescription) throws {
        let recording = try FITSamples.read("fit/\(name).fit")
        #expect(recording.header?.activity == activity)
        #expect(recording.activities.isEmpty)
    }

    @Test func `only damaged files have warnings about damage`() throws {
        func warnings(_ name: String) throws -> [RecordingWarning] {
            try FITSamples.read("fit/\(name).fit").file.warnings
        }
        for name in [
            "fenix5-run-hrv", "fr110-run-laps", "edge500-ride-pauses", "edge530-ride-hrv", "stryd-run-devfields",
        ] {
            #expect(try warnings(name).isEmpty)
        }
        #expect(try warnings("fr110-run-cut").map(\.byte) == [10758])
        #expect(try warnings("fr110-run-bitflips").map(\.byte) == [17923])
        #expect(try warnings("coros-ride-misaligned-fields").contains { $0.message.contains("no multiple") })
        #expect(try warnings("fr70-run-compressed-timestamps").contains { $0.message.contains("local time") })
        #expect(try warnings("fr910xt-poolswim-lengths").contains { $0.message.hasPrefix("67 records") })
        #expect(try !warnings("sigma-ride-truncated").isEmpty)
    }
}
