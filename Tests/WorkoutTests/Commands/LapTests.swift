import Foundation
import HealthKit
import SessionLog
import Testing

@testable import workout

@Suite struct LapTests {
    private func laps(_ session: HKWorkoutSession) async throws -> Int {
        try await session.recorder.log.entries.filter {
            if case .event(let event) = $0.content { event.kind == .lap } else { false }
        }.count
    }

    @Test func `a lap is ended while the session runs, and not in a pause`() async throws {
        let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
        let recorder = WorkoutRecorder(configuration: ActivityDescription(activity: "running"))
        let session = HKWorkoutSession(healthStore: store, recorder: recorder)
        session.startActivity(with: Date())
        try await session.associatedWorkoutBuilder().beginCollection(at: Date() - 1)
        session.endLap { Issue.record($0) }
        #expect(try await laps(session) == 1)
        session.pause()
        _ = await recorder.log
        session.endLap { Issue.record($0) }
        #expect(try await laps(session) == 1)
        session.resume()
        _ = await recorder.log
        session.endLap { Issue.record($0) }
        #expect(try await laps(session) == 2)
    }

    @Test func `the lap that goes on at the end is a lap, if there are laps`() async throws {
        for (marks, expected) in [(0, 0), (1, 2)] {
            let command = try BuiltCommand()
            defer { command.remove() }
            // Laps of 4 minutes at 60 times the speed, ended in the second or in none.
            let outcome = try await command.run(
                "record", "--duration", "360", "--json", marks == 0 ? "--outdoor" : "--lap-every=240",
                variables: ["HEALTHKIT_SENSORS": "simulate?speed=60"])
            let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            let workout = try #require(object?["workout"] as? [String: Any])
            #expect(workout["laps"] as? Int == expected)
            let events = try #require(workout["events"] as? [[String: Any]]).filter { $0["type"] as? String == "lap" }
            let ends = [events.last?["end"], expected == 0 ? nil : workout["end"]]
                .map {
                    ($0 as? String).flatMap {
                        try? Date($0, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
                    }
                }
            // A second of a busy machine is a minute of this session.
            #expect(abs((ends[0] ?? .distantPast).timeIntervalSince(ends[1] ?? .distantPast)) < 60)
        }
    }

    @Test func `the live view says that there are no laps during a pause`() {
        var snapshot = LiveSnapshot()
        let view = LiveView(size: TerminalSize(columns: 80, rows: 24), capability: .plain)
        snapshot.phase = .running
        #expect(view.lines(of: snapshot).allSatisfy { !$0.contains("no laps") })
        snapshot.phase = .paused
        #expect(view.lines(of: snapshot).contains { $0.contains("no laps during a pause") })
    }

    /// 20 s, a pause of 20 s, and more, ten times as fast.
    @Test func `the duration of a recording leaves its pauses out, as its laps do`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        let profile = command.home.appending(path: "pausing.json")
        try Data(
            """
            {"activity": "running", "segments": [{"seconds": 20, "intensity": 0.5}, {"seconds": 20, "pause": true},
             {"seconds": 600, "intensity": 0.5}]}
            """.utf8
        ).write(to: profile)
        let outcome = try await command.run(
            "record", "--duration", "40", "--lap-every", "15", "--json",
            variables: ["HEALTHKIT_SENSORS": "simulate:\(profile.path)?speed=10"])
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let workout = try #require(object?["workout"] as? [String: Any])
        let duration = try #require(workout["duration"] as? Double)
        let elapsed = try #require(workout["elapsed"] as? Double)
        #expect(duration >= 40 && duration < 60)
        #expect(abs(elapsed - duration - 20) < 0.01)
        #expect(workout["laps"] as? Int ?? 0 >= 2)
    }
}
