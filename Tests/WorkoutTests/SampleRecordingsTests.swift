import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// The recordings of this repository in a real session, compared with the summaries beside them.
///
/// A summary is the output of `workout replay FILE --speed max --json`. Review a changed summary before you commit it.
@Suite struct SampleRecordingsTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Recordings")

    static let names = ["easy-run", "intervals", "ride-dropouts", "multisport"]

    private func run(_ name: String, speed: Double) async throws -> (summary: String, finished: WorkoutRun.Finished) {
        let recording = try RecordingFile.read(Self.folder.appendingPathComponent("\(name).jsonl"))
        let run = try WorkoutRun(
            replaying: recording, speed: speed, keepsDates: true, id: recording.id,
            environment: HealthEnvironment(sensors: []))
        let finished = try await run.run()
        let workout = try WorkoutSummary(finished)
        return (SummaryJSON.line(workout: workout, file: FileSummary(recording.file)), finished)
    }

    @Test(arguments: names)
    func `a recording gives the summary beside it`(name: String) async throws {
        let expected = try String(
            contentsOf: Self.folder.appendingPathComponent("\(name).summary.json"), encoding: .utf8)
        #expect(try await run(name, speed: .infinity).summary + "\n" == expected)
    }

    private static func text(_ value: Any?) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: [try #require(value)], options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    /// The machine's user, time zone and language.
    static let machines: [(profile: String?, variables: [String: String])] = [
        (nil, [:]),
        (
            #"{"sex": "male", "dateOfBirth": "1950-01-01", "massInKilograms": 110, "maximumHeartRate": 150}"#,
            ["TZ": "Asia/Kathmandu", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"]
        ),
        (#"{"restingHeartRate": 90}"#, ["TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8", "LC_ALL": "C"]),
    ]

    @Test(arguments: names, 0..<3)
    func `a recording gives the same bytes on every machine, for every user`(name: String, machine: Int) async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let (profile, variables) = Self.machines[machine]
        if let profile {
            let folder = command.home.appending(path: ".config/healthkit")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(#"{"profile": \#(profile)}"#.utf8).write(to: folder.appending(path: "config.json"))
        }
        let file = Self.folder.appending(path: "\(name).jsonl").path
        let outcome = try await command.run("replay", file, "--speed", "max", "--json", variables: variables)
        let expected = try String(contentsOf: Self.folder.appending(path: "\(name).summary.json"), encoding: .utf8)
        #expect(outcome.status == 0)
        #expect(outcome.output == expected)
    }

    @Test func `an app's replay through the environment has the numbers of workout replay`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let folder = command.home.appending(path: ".config/healthkit")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"profile": {"sex": "male", "dateOfBirth": "1950-01-01", "massInKilograms": 110}}"#.utf8)
            .write(to: folder.appending(path: "config.json"))
        let file = Self.folder.appending(path: "intervals.jsonl").path
        func workout(_ outcome: BuiltCommand.Outcome) throws -> [String: Any] {
            let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            return try #require(object?["workout"] as? [String: Any])
        }
        let replayed = try workout(await command.run("replay", file, "--speed", "max", "--json"))
        let recorded = try workout(
            await command.run(
                "record", "--activity", "running", "--json",
                variables: ["HEALTHKIT_SENSORS": "replay:\(file)?speed=max"]))
        for key in ["statistics", "zones", "beats", "elapsed", "duration", "laps", "route"] {
            #expect(try Self.text(replayed[key]) == Self.text(recorded[key]), "\(key)")
        }
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
            // Not `state == …` itself, because a failure would print both states.
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
