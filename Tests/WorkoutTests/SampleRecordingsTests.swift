import Foundation
import HealthKit
import Recordings
import Testing

@testable import workout

/// The recordings of this repository through a real session, against the summaries beside them.
///
/// A summary is what `workout replay FILE --speed max --keep-dates --json` prints; a change of one has to be looked at
/// and committed.
@Suite struct SampleRecordingsTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Recordings")

    static let names = ["easy-run", "intervals", "ride-dropouts", "multisport"]

    private func run(_ name: String, speed: Double) async throws -> (summary: String, finished: WorkoutRun.Finished) {
        let recording = try RecordingFile.read(Self.folder.appendingPathComponent("\(name).jsonl"))
        let run = try WorkoutRun(
            replaying: recording, speed: speed, keepsDates: true, environment: HealthEnvironment(sensors: []))
        let finished = try await run.run()
        var workout = try WorkoutSummary(finished)
        workout.id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return (SummaryJSON.line(workout: workout, file: FileSummary(recording.file)), finished)
    }

    @Test(arguments: names)
    func `a recording gives the summary beside it`(name: String) async throws {
        let expected = try String(
            contentsOf: Self.folder.appendingPathComponent("\(name).summary.json"), encoding: .utf8)
        let id = try Regex(#""id":"[0-9A-F-]+""#)
        let summary = try await run(name, speed: .infinity).summary
        #expect(summary.replacing(id, with: "") == expected.trimmingCharacters(in: .newlines).replacing(id, with: ""))
    }

    @Test(arguments: names)
    func `the log of a replay folds to the same state from any prefix`(name: String) async throws {
        let finished = try await run(name, speed: .infinity).finished
        let log = try finished.entries
        var encoder = SessionLogEncoder()
        for entry in log { try encoder.append(entry) }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let cut = Int.random(in: 0...encoder.bytes.count, using: &generator)
            var decoder = SessionLogDecoder()
            var before: [SessionEntry] = []
            try decoder.decode(Array(encoder.bytes[..<cut]), into: &before)
            var state = SessionState()
            for entry in before { state.apply(entry) }
            #expect(before == Array(log.prefix(before.count)))
            for entry in log.dropFirst(before.count) { state.apply(entry) }
            // Not `state == …` itself: a failure would print both states.
            let isSame = state == finished.state
            #expect(isSame, "cut after \(before.count) entries")
        }
    }
}

extension WorkoutRun.Finished {
    fileprivate var entries: [SessionEntry] {
        get throws {
            var entries: [SessionEntry] = []
            try log.forEach { entries.append($0) }
            return entries
        }
    }
}
