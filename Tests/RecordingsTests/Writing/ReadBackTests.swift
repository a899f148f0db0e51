import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Our own readers read back what was written, as far as the format can hold it.
struct ReadBackTests {
    static func isReadable(_ name: String) -> Bool { RecordingFile.formats.contains { $0.name == name } }

    private func readBack(_ entries: [SessionEntry], _ format: String) throws -> HeldReadings {
        let source = RecordingSource(path: "ride.\(format)", bytes: try WrittenFile(entries, as: format).bytes)
        let recordings = try RecordingFile.readAll(source)
        #expect(recordings.count == 1)
        #expect(recordings.first?.file.format == format)
        return HeldReadings(try #require(recordings.first).entries)
    }

    private let entries = SmallRide.entries()
    private var before: HeldReadings { HeldReadings(entries) }

    @Test(.enabled(if: ReadBackTests.isReadable("tcx"), "this build does not read TCX"))
    func `TCX keeps heart rates, laps, powers, distances and positions`() throws {
        let after = try readBack(entries, "tcx")
        #expect(after.heartRates == before.heartRates)
        #expect(after.laps.count == before.laps.count)
        #expect(after.others["cyclingPower"] == before.others["cyclingPower"])
        #expect(abs(after.meters - before.meters) < 0.01)
        #expect(after.positions == before.positions)
        #expect(after.activities == before.activities)
    }

    @Test func `TCX keeps a pause and an end between and after the readings`() throws {
        let start = SmallRide.start
        func rates(_ seconds: ClosedRange<Int>) -> [SessionEntry] {
            seconds.map { second in
                let date = start + Double(second)
                return SessionEntry(
                    date, .quantity(QuantityReading("heartRate", 120, unit: "count/min", start: date, end: date)))
            }
        }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
        let entries =
            [SessionEntry(start, .header(header)), SessionEntry(start, .state(.running))] + rates(1...20)
            + [SessionEntry(start + 25, .state(.paused)), SessionEntry(start + 45, .state(.running))] + rates(50...60)
            + [
                SessionEntry(start + 70, .event(EventRecord(.lap, start: start, end: start + 70))),
                SessionEntry(start + 70, .state(.stopped)),
            ]
        let after = try readBack(entries, "tcx")
        #expect(after.pauses == [SessionPauses.Pause(start: start + 25, end: start + 45)])
        #expect(after.end == start + 70 && after.laps == [start...start + 70])
        #expect(after.heartRates == HeldReadings(entries).heartRates)
    }

    @Test(.enabled(if: ReadBackTests.isReadable("gpx"), "this build does not read GPX"))
    func `GPX keeps heart rates, powers and positions, and a pause is a gap`() throws {
        let after = try readBack(entries, "gpx")
        #expect(after.heartRates == before.heartRates)
        #expect(after.others["cyclingPower"] == before.others["cyclingPower"])
        #expect(after.positions == before.positions)
        #expect(after.pauses.count == 1)
    }

    @Test(.enabled(if: ReadBackTests.isReadable("csv"), "this build does not read CSV"))
    func `CSV keeps heart rates, RR intervals, laps, pauses, powers and positions`() throws {
        let after = try readBack(entries, "csv")
        #expect(after.heartRates == before.heartRates)
        #expect(after.intervals == before.intervals)
        #expect(after.laps.count == before.laps.count)
        #expect(after.pauses == before.pauses)
        #expect(after.others["cyclingPower"] == before.others["cyclingPower"])
        #expect(after.positions == before.positions)
        #expect(abs(after.meters - before.meters) < 0.01)
    }

    @Test func `the averages of a lap are weighted by time, without its pauses`() throws {
        let start = SmallRide.start
        func reading(_ type: String, _ value: Double, _ unit: String, _ from: Double, _ to: Double) -> SessionEntry {
            SessionEntry(
                start + to, .quantity(QuantityReading(type, value, unit: unit, start: start + from, end: start + to)))
        }
        func rate(_ value: Double, at second: Double) -> [SessionEntry] {
            [
                reading("heartRate", value, "count/min", second, second),
                reading("cyclingSpeed", 5, "m/s", second, second),
            ]
        }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "cycling"))
        var entries = [SessionEntry(start, .header(header)), SessionEntry(start, .state(.running))]
        entries += rate(100, at: 0) + [reading("distanceCycling", 100, "m", 0, 20)] + rate(160, at: 20)
        entries += rate(130, at: 22) + [reading("distanceCycling", 100, "m", 20, 30)]
        entries += [SessionEntry(start + 30, .state(.paused)), SessionEntry(start + 50, .state(.running))]
        entries += rate(140, at: 50) + [reading("distanceCycling", 100, "m", 50, 60)]
        entries.append(SessionEntry(start + 60, .event(EventRecord(.lap, start: start, end: start + 60))))
        entries.append(SessionEntry(start + 60, .state(.stopped)))
        let text = String(decoding: try WrittenFile(entries, as: "tcx").bytes, as: UTF8.self)
        // 20 s, 2 s, 8 s and 10 s.
        #expect(text.contains("<AverageHeartRateBpm><Value>119</Value>"))
        // 300 m in 40 s, although each reading is 5 m/s.
        #expect(text.contains("AvgSpeed>7.5</"))
    }

    @Test func `the time of an automatic pause does not count for a lap's heart rate`() throws {
        let start = SmallRide.start
        func rate(_ value: Double, at second: Double, loggedAt place: Double? = nil) -> SessionEntry {
            let date = start + second
            return SessionEntry(
                start + (place ?? second),
                .quantity(QuantityReading("heartRate", value, unit: "count/min", start: date, end: date)))
        }
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "cycling"))
        let entries = [
            SessionEntry(start, .header(header)), SessionEntry(start, .state(.running)), rate(100, at: 0),
            rate(100, at: 10), rate(60, at: 15, loggedAt: 13), SessionEntry(start + 13, .state(.paused)),
            SessionEntry(start + 20, .state(.running)), rate(120, at: 21),
            SessionEntry(start + 31, .event(EventRecord(.lap, start: start, end: start + 31))),
            SessionEntry(start + 31, .state(.stopped)),
        ]
        let text = String(decoding: try WrittenFile(entries, as: "tcx").bytes, as: UTF8.self)
        // 100 for 13 seconds, and 120 for 10.
        #expect(text.contains("<AverageHeartRateBpm><Value>109</Value>"))
    }

    /// The distance stands still at first, at a traffic light, and sometimes for a second.
    @Test(arguments: ["fit", "tcx", "csv", "tsv"])
    func `a distance that does not change stays a stop in the file`(format: String) throws {
        let start = SmallRide.start
        let stops = Set([1, 2, 3, 30, 31, 32, 33, 34, 35, 36, 50, 53])
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))
        var entries = [SessionEntry(start, .header(header)), SessionEntry(start, .state(.running))]
        for second in 0...60 {
            let date = start + Double(second)
            entries.append(
                SessionEntry(
                    date, .quantity(QuantityReading("heartRate", 120, unit: "count/min", start: date, end: date))))
            guard second > 0, !stops.contains(second) else { continue }
            entries.append(
                SessionEntry(
                    date,
                    .quantity(QuantityReading("distanceWalkingRunning", 3, unit: "m", start: date - 1, end: date))))
        }
        entries.append(SessionEntry(start + 60, .state(.stopped)))
        let source = RecordingSource(path: "run.\(format)", bytes: try WrittenFile(entries, as: format).bytes)
        let recording = try #require(try RecordingFile.readAll(source).first)
        #expect(
            recording.readings("distanceWalkingRunning").map { Int($0.start.timeIntervalSince(start)) }
                == (0..<60).filter { !stops.contains($0 + 1) })
    }

    /// Two laps with a rest of 20 s between them, without readings or with heart rates all the time.
    @Test(arguments: ["fit", "tcx", "csv", "tsv"], [false, true])
    func `a rest stays a rest, and takes no metres from the next lap`(
        format: String, measuresHeart: Bool
    ) throws {
        let start = SmallRide.start
        let header = SessionHeader(id: UUID(), activity: ActivityDescription(activity: "rowing"))
        var entries: [SessionEntry] = []
        for (from, to) in [(0.0, 100.0), (120, 220)] {
            for second in stride(from: from, to: to, by: 25) {
                let reading = QuantityReading(
                    "distanceRowing", 100, unit: "m", start: start + second, end: start + second + 25)
                entries.append(SessionEntry(reading.end, .quantity(reading)))
            }
            entries.append(SessionEntry(start + to, .event(EventRecord(.lap, start: start + from, end: start + to))))
            guard to == 100 else { continue }
            entries.append(SessionEntry(start + 120, .event(EventRecord(.lap, start: start + to, end: start + 120))))
        }
        // Not at the end of the rest, so that there is no moment at that time.
        for second in measuresHeart ? stride(from: 2.0, to: 220, by: 4) : stride(from: 0, to: 0, by: 1) {
            let date = start + second
            let reading = QuantityReading("heartRate", 120, unit: "count/min", start: date, end: date)
            entries.append(SessionEntry(date, .quantity(reading)))
        }
        entries.sort { $0.date < $1.date }
        entries.insert(
            contentsOf: [SessionEntry(start, .header(header)), SessionEntry(start, .state(.running))], at: 0)
        entries.append(SessionEntry(start + 220, .state(.stopped)))
        let source = RecordingSource(path: "row.\(format)", bytes: try WrittenFile(entries, as: format).bytes)
        let recording = try #require(try RecordingFile.readAll(source).first)
        let readings = recording.readings("distanceRowing")
        let grown = readings.filter { $0.value > 0 }
        #expect(grown.reduce(0) { $0 + $1.value } == 800)
        let inRest = grown.filter { $0.start < start + 120 && $0.end > start + 100 }
        #expect(
            inRest.isEmpty, "\(inRest.map { ($0.start.timeIntervalSince(start), $0.end.timeIntervalSince(start)) })")
        guard !measuresHeart else { return }
        #expect(readings.map { $0.start.timeIntervalSince(start) } == [0, 25, 50, 75, 120, 145, 170, 195])
        #expect(readings.allSatisfy { $0.value == 100 })
    }

    @Test func `a session log keeps everything`() throws {
        let source = RecordingSource(path: "ride.jsonl", bytes: try WrittenFile(entries, as: "jsonl").bytes)
        let recording = try #require(try RecordingFile.readAll(source).first)
        #expect(Array(recording.entries).count == entries.count)
        #expect(HeldReadings(recording.entries) == before)
    }
}
