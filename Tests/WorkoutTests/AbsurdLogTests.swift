import Analytics
import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// Logs from files and other machines may contain any number. It may give an absurd figure, but must never crash the
/// process.
@Suite(.timeLimit(.minutes(5))) struct AbsurdLogTests {
    /// A line of each kind with numbers, in a meaningful order.
    private static let lines = [
        #"{"at":"2026-01-02T03:04:05.000Z","log":1,"id":"00112233-4455-6677-8899-AABBCCDDEEFF","activity":"cycling","lapLength":25}"#,
        #"{"at":"2026-01-02T03:04:05.000Z","wearer":"male","age":40,"mass":80,"restingHeartRate":50,"maximumHeartRate":190,"vo2Max":50}"#,
        #"{"at":"2026-01-02T03:04:05.000Z","presence":"present","sensor":"s","kind":"bluetooth","battery":80}"#,
        #"{"at":"2026-01-02T03:04:05.000Z","state":"running"}"#,
        #"{"at":"2026-01-02T03:04:05.000Z","collection":"began","events":true}"#,
        #"{"at":"2026-01-02T03:04:06.000Z","sample":"heartRate","value":142,"unit":"count/min","start":"2026-01-02T03:04:05.500Z","sensor":"s"}"#,
        #"{"at":"2026-01-02T03:04:06.000Z","rr":[428,421.9,431],"sensor":"s"}"#,
        #"{"at":"2026-01-02T03:04:06.500Z","position":[47.5,-8.25],"altitude":412,"speed":3,"course":12,"horizontalAccuracy":4}"#,
        #"{"at":"2026-01-02T03:04:07.000Z","part":"began","id":"00112233-4455-6677-8899-AABBCCDDEE00","activity":"cycling","metadata":{"n":1}}"#,
        #"{"at":"2026-01-02T03:04:08.000Z","sample":"heartRate","value":150,"unit":"count/min","sensor":"s"}"#,
        #"{"at":"2026-01-02T03:04:08.000Z","sample":"distanceCycling","value":8.25,"unit":"m","start":"2026-01-02T03:04:07.000Z"}"#,
        #"{"at":"2026-01-02T03:04:08.000Z","sample":"environmentalAudioExposure","value":80,"unit":"dBASPL","start":"2026-01-02T03:04:07.000Z"}"#,
        #"{"at":"2026-01-02T03:04:08.000Z","sample":"runningSpeed","value":3,"unit":"m/s"}"#,
        #"{"at":"2026-01-02T03:04:08.000Z","sample":"cyclingPower","value":251,"unit":"W","id":"00112233-4455-6677-8899-AABBCCDDEE01","metadata":{"d":{"date":"2026-01-02T03:04:05.000Z"},"q":{"value":21,"unit":"degC"}}}"#,
        #"{"at":"2026-01-02T03:04:09.000Z","category":"mindfulSession","value":0,"start":"2026-01-02T03:04:06.000Z","id":"00112233-4455-6677-8899-AABBCCDDEE02"}"#,
        #"{"at":"2026-01-02T03:04:10.000Z","event":"lap","start":"2026-01-02T03:04:05.000Z"}"#,
        #"{"at":"2026-01-02T03:04:11.000Z","state":"paused"}"#,
        #"{"at":"2026-01-02T03:04:12.000Z","state":"running"}"#,
        #"{"at":"2026-01-02T03:04:12.000Z","workoutMetadata":{"weather":{"value":21,"unit":"degC"},"n":7}}"#,
        #"{"at":"2026-01-02T03:04:13.000Z","event":"segment","start":"2026-01-02T03:04:11.000Z","end":"2026-01-02T03:04:12.500Z"}"#,
        #"{"at":"2026-01-02T03:04:14.000Z","sample":"heartRate","value":160,"unit":"count/min","sensor":"s"}"#,
        #"{"at":"2026-01-02T03:04:15.000Z","sample":"activeEnergyBurned","value":0.2,"unit":"kcal","start":"2026-01-02T03:04:08.000Z"}"#,
        #"{"at":"2026-01-02T03:04:15.000Z","part":"ended"}"#,
        #"{"at":"2026-01-02T03:04:16.000Z","presence":"away","sensor":"s","kind":"bluetooth"}"#,
        #"{"at":"2026-01-02T03:04:17.000Z","state":"stopped"}"#,
        #"{"at":"2026-01-02T03:04:18.000Z","collection":"ended"}"#,
    ]
    private static let numbers = [
        "-1", "0", "-0.0", "1e300", "-1e300", "1e18", "-1e18", "1.7976931348623157e308", "-1.7976931348623157e308",
        "5e-324", "9223372036854775807",
    ]
    private static let dates = [
        "0000-01-01T00:00:00Z", "0000-12-30T00:00:00Z", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999999Z",
        "9999-12-31T23:59:60Z", "2026-01-02T03:04:04.000Z", "2026-01-02T03:04:16.500Z", "2001-01-01T00:00:00Z",
    ]

    /// The log with some of its numbers and dates replaced by absurd ones, and some dates swapped.
    private static func mutated(_ random: inout SeededGenerator) -> [SessionEntry] {
        var places: [(line: Int, range: Range<String.Index>, isDate: Bool)] = []
        for (line, text) in lines.enumerated() {
            let dates = text.ranges(of: /"\d{4}-[^"]*Z"/)
            let numbers = text.matches(of: /[:,\[](-?\d[\d.]*)/).map { $0.1.startIndex..<$0.1.endIndex }
            places += dates.map { (line, $0, true) }
            places += numbers.filter { number in !dates.contains { $0.overlaps(number) } }.map { (line, $0, false) }
        }
        var chosen: [Int: [(range: Range<String.Index>, text: String)]] = [:]
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let place = places[Int.random(in: 0..<places.count, using: &random)]
            let other = places.filter(\.isDate).randomElement(using: &random) ?? place
            let new: String
            switch (place.isDate, Int.random(in: 0..<3, using: &random)) {
            case (true, 0): new = String(lines[other.line][other.range])
            case (true, 1): new = "\"" + (dates.randomElement(using: &random) ?? "") + "\""
            default: new = numbers.randomElement(using: &random) ?? "0"
            }
            chosen[place.line, default: []].append((place.range, new))
        }
        var text = ""
        for (line, original) in lines.enumerated() {
            var changed = original
            // From the end, so that earlier places don't change. Of two changes at the same place, one wins.
            var last = original.endIndex
            for change in (chosen[line] ?? []).sorted(by: { $0.range.lowerBound > $1.range.lowerBound })
            where change.range.upperBound <= last {
                changed.replaceSubrange(change.range, with: change.text)
                last = change.range.lowerBound
            }
            text += changed + "\n"
        }
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        // Reading stops at a version from the future.
        try? decoder.decode(Array(text.utf8), into: &entries)
        return entries
    }

    private func read(_ statistics: HKStatistics?) {
        guard let statistics else { return }
        _ = statistics.averageQuantity()?.description
        _ = statistics.minimumQuantity()?.description
        _ = statistics.maximumQuantity()?.description
        _ = statistics.sumQuantity()?.description
        _ = statistics.mostRecentQuantity()?.description
        _ = statistics.mostRecentQuantityDateInterval()?.duration
        _ = statistics.duration()?.description
    }

    @Test(arguments: UInt64(0)..<40)
    func `a log of extreme numbers is folded, and every figure can be read`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let entries = Self.mutated(&random)
            guard !entries.isEmpty else { continue }
            // After every prefix something is shown, as after a crash and on a following machine.
            let count = Int.random(in: 1...entries.count, using: &random)
            let log = LiveSessionLog()
            for entry in entries.prefix(count) { log.append(entry) }
            let recorder = try WorkoutRecorder(resuming: log, SessionState(log))
            let session = HKWorkoutSession(
                healthStore: HKHealthStore(environment: HealthEnvironment(sensors: [])), recorder: recorder)
            let builder = session.associatedWorkoutBuilder()
            builder.allStatistics.values.forEach(read)
            builder.workoutActivities.flatMap(\.allStatistics.values).forEach(read)
            _ = builder.workoutActivities.map(\.duration)
            _ = builder.workoutEvents.map(\.dateInterval.duration)
            _ = (builder.metadata, builder.elapsedTime, builder.currentWorkoutActivity?.duration)
            let course = LiveTimeline()
            await recorder.attach(course)
            let snapshot = LiveSnapshot(mirrored: session, course)
            for size in [TerminalSize(columns: 80, rows: 24), TerminalSize(columns: 30, rows: 8)] {
                _ = LiveView(size: size, capability: .plain).lines(of: snapshot)
            }
            _ = PlainLiveLine.text(snapshot)
            let finished = WorkoutRun.Finished(id: recorder.id, state: recorder.state, log: entries)
            let summary = try WorkoutSummary(finished)
            _ = SummaryJSON.line(workout: summary)
            _ = SummaryTable(columns: 80).lines(workout: summary)
            _ = try? HKWorkout.of(recorder.state, id: recorder.id, device: nil)
        }
    }

    @Test(arguments: UInt64(100)..<112)
    func `a log of extreme numbers can be replayed and saved, or is rejected with an error`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let recording = Recording(entries: Self.mutated(&random), file: RecordingSummary(format: "jsonl"))
        guard
            let run = try? WorkoutRun(
                replaying: recording, speed: .infinity, keepsDates: true, saves: true,
                environment: HealthEnvironment(sensors: []))
        else { return }
        guard let finished = try? await run.run() else { return }
        _ = try SummaryJSON.line(workout: WorkoutSummary(finished))
        _ = LiveSnapshot(run, speed: .infinity)
    }
}
