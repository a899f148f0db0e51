import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

@testable import workout

@Suite struct LapTests {
    private func laps(_ session: HKWorkoutSession) async throws -> [EventRecord] {
        try await session.recorder.log.entries.compactMap {
            if case .event(let event) = $0.content, event.kind == .lap { event } else { nil }
        }
    }

    @Test func `a lap ends while the session runs, and not during a pause`() async throws {
        let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
        let recorder = WorkoutRecorder(configuration: ActivityDescription(activity: "running"))
        let session = HKWorkoutSession(healthStore: store, recorder: recorder)
        session.startActivity(with: Date())
        try await session.associatedWorkoutBuilder().beginCollection(at: Date() - 1)
        session.endLap { Issue.record($0) }
        #expect(try await laps(session).count == 1)
        session.pause()
        _ = await recorder.log
        session.endLap { Issue.record($0) }
        #expect(try await laps(session).count == 1)
        session.resume()
        _ = await recorder.log
        session.endLap { Issue.record($0) }
        #expect(try await laps(session).count == 2)
    }

    /// By the machine's clock. A lap that ends at the moment at which it begins would not count.
    @Test(arguments: [(0, 0), (1, 2)])
    func `the last lap counts if there are laps`(marks: Int, expected: Int) async throws {
        let environment = HealthEnvironment(sensors: [])
        let run = WorkoutRun(
            store: HKHealthStore(environment: environment),
            recorder: WorkoutRecorder(configuration: ActivityDescription(activity: "running")), plannedSeconds: nil)
        let work = Task { try await run.run() }
        while run.session.recorder.read({ $0.phase != .running || $0.collectionStart == nil }) { await Task.yield() }
        while try await laps(run.session).count < marks {
            run.lap()
            await Task.yield()
        }
        let marked = try await laps(run.session).map(\.end).max() ?? .distantPast
        while Date() <= marked { await Task.yield() }
        run.end()
        let finished = try await work.value
        let laps = finished.state.events.filter { $0.kind == .lap }
        #expect(laps.count == expected)
        #expect(zip(laps, laps.dropFirst()).allSatisfy { $0.end == $1.start })
        let end = try #require(finished.state.workoutEnd)
        #expect(laps.last.map { abs($0.end.timeIntervalSince(end)) < 60 } ?? (expected == 0))
        // Nothing comes between the ends of the last lap and of the session.
        let log = try await run.session.recorder.log.entries
        let last = log.lastIndex { if case .event(let event) = $0.content { event.kind == .lap } else { false } }
        if let last { #expect(log[last + 1].content == .state(.stopped)) }
    }

    @Test func `the live view shows that there are no laps during a pause`() {
        var snapshot = LiveSnapshot()
        let view = LiveView(size: TerminalSize(columns: 80, rows: 24), capability: .plain)
        snapshot.phase = .running
        #expect(view.lines(of: snapshot).allSatisfy { !$0.contains("no laps") })
        snapshot.phase = .paused
        #expect(view.lines(of: snapshot).contains { $0.contains("no laps during a pause") })
    }

    /// 20 s, a pause of 20 s, and more, at ten times the speed.
    @Test func `the duration of a recording excludes its pauses, as its laps do`() async throws {
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
