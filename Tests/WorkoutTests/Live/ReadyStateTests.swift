import ArgumentParser
import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

@testable import workout

/// `workout record` before its clock starts.
@Suite struct ReadyStateTests {
    /// Reports what the test sets.
    private struct FedSensor: Sensor {
        let pace = SessionTimeline.Pace.wall
        let fixedStart: Date? = nil
        let stream: AsyncThrowingStream<[SessionEntry], any Error>

        func batches(from start: Date, time: any TimeSource) -> AsyncThrowingStream<[SessionEntry], any Error> {
            stream
        }
    }

    private let environment = HealthEnvironment(sensors: [])
    private let feed = AsyncThrowingStream<[SessionEntry], any Error>.makeStream()

    private func makeRun() -> WorkoutRun {
        let recorder = WorkoutRecorder(
            configuration: ActivityDescription(activity: "running"), sensors: [FedSensor(stream: feed.stream)],
            time: environment.time)
        return WorkoutRun(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: nil,
            notices: LiveNotices())
    }

    @Test func `the heart rate shows before the clock starts, and counts from then on`() async throws {
        let run = makeRun()
        let recorder = run.session.recorder
        async let finishing = run.run(waits: true)
        while recorder.read({ $0.phase != .prepared }) { await Task.yield() }
        // So late that it is current, however long the machine takes to read it.
        feed.continuation.yield([.heartRate(72, at: Date() + 3_600)])
        while recorder.pulseInPause == nil { await Task.yield() }
        let snapshot = LiveSnapshot(run, speed: nil)
        #expect(snapshot.phase == .prepared && snapshot.heartRateInBeatsPerMinute == 72)
        #expect(recorder.read { $0.quantities.isEmpty && $0.startDate == nil })

        run.begin()
        while recorder.read({ $0.collectionStart == nil }) { await Task.yield() }
        feed.continuation.yield([.heartRate(90, at: Date())])
        while recorder.read({ $0.quantities.isEmpty }) { await Task.yield() }
        run.end()
        let finished = try await finishing
        #expect(finished.state.quantities[QuantityReading.heartRateType]?.statistics.count == 1)
        #expect(try StoredWorkouts(environment.database).all().count == 1)
    }

    @Test func `a session ended before its clock starts is not a workout`() async throws {
        let run = makeRun()
        let finishing = Task { try await run.run(waits: true) }
        while run.session.recorder.read({ $0.phase != .prepared }) { await Task.yield() }
        run.end()
        let failure = await #expect(throws: CommandFailure.self) { _ = try await finishing.value }
        #expect(failure?.exitCode == .success && failure?.message.contains("nothing was recorded") == true)
        #expect(try StoredWorkouts(environment.database).all().isEmpty)
    }

    @Test func `a session that need not wait begins at once, and its key does nothing`() async throws {
        let run = makeRun()
        async let finishing = run.run()
        while run.session.recorder.read({ $0.collectionStart == nil }) { await Task.yield() }
        run.begin()
        run.end()
        #expect(try await finishing.state.phase == .ended)
    }

    @Test func `the view shows whether the strap is connected, and which keys work`() {
        var snapshot = LiveSnapshot()
        snapshot.phase = .prepared
        let view = LiveView(size: TerminalSize(columns: 80, rows: 24), capability: .plain)
        #expect(view.lines(of: snapshot).contains { $0.contains("connecting") })
        snapshot.heartRateInBeatsPerMinute = 72
        #expect(view.lines(of: snapshot).contains { $0.contains("ready") })
        #expect(view.lines(of: snapshot).last == "  s start  q quit")
    }

    @Test func `s and Enter start the clock once possible`() {
        var keys = LiveKeys(asksBeforeEnd: true)
        let now = Date(timeIntervalSince1970: 0)
        #expect(keys.press(.character("s"), in: .prepared, at: now) == .begin)
        #expect(keys.press(.enter, in: .prepared, at: now) == .begin)
        #expect(keys.press(.enter, in: .running, at: now) == nil)
        #expect(keys.press(.character("q"), in: .prepared, at: now) == .end)
    }
}
