import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// Keys and figures during a replay.
@Suite(.timeLimit(.minutes(5))) struct ReplayHaltTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func entry(_ seconds: Double, _ content: SessionEntry.Content) -> SessionEntry {
        SessionEntry(Self.start + seconds, content)
    }

    /// Two minutes with a recorded pause.
    private var recording: Recording {
        let rates = (1..<120).filter { !(30...40).contains($0) }.map { second in
            let date = Self.start + Double(second)
            return entry(
                Double(second),
                .quantity(QuantityReading("heartRate", 120, unit: "count/min", start: date, end: date, sensor: "s")))
        }
        let events = [
            entry(0, .header(SessionHeader(id: UUID(), activity: ActivityDescription()))), entry(0, .state(.running)),
            entry(30, .state(.paused)), entry(40, .state(.running)), entry(120, .state(.stopped)),
        ]
        let all = (events + rates).sorted { $0.date < $1.date }
        return Recording(entries: all, file: RecordingSummary(format: "jsonl"))
    }

    @Test func `a pause halts the recording and leaves the workout unchanged`() async throws {
        let run = try WorkoutRun(
            replaying: recording, speed: 500, keepsDates: true, environment: HealthEnvironment(sensors: []))
        run.pause()
        let work = Task { try await run.run() }
        while run.session.recorder.read({ $0.phase != .running }) { await Task.yield() }
        #expect(run.phase == .paused)
        #expect(LiveSnapshot(run, speed: 500).phase == .paused)
        run.resume()
        let finished = try await work.value
        #expect(finished.state.pauses.count == 1)
        #expect(finished.state.quantities["heartRate"]?.statistics.count == 108)
    }

    @Test func `a halted replay can be ended`() async throws {
        let run = try WorkoutRun(
            replaying: recording, speed: 1, keepsDates: true, environment: HealthEnvironment(sensors: []))
        run.pause()
        let work = Task { try await run.run() }
        while run.session.recorder.read({ $0.phase != .running }) { await Task.yield() }
        run.end()
        _ = try await work.value
    }

    @Test func `a ride is shown in speeds, whatever its recording contains`() throws {
        let log = LiveSessionLog()
        let reading = QuantityReading(
            "runningSpeed", 8, unit: "m/s", start: Self.start, end: Self.start + 1, sensor: "s")
        for content: SessionEntry.Content in [
            .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "cycling"))), .state(.running),
            .quantity(reading),
        ] { log.append(entry(1, content)) }
        let snapshot = LiveSnapshot(try SessionState(log), at: Self.start + 2)
        #expect(snapshot.speedInMetersPerSecond == 8)
        #expect(snapshot.paceInSecondsPerKilometer == nil)
    }

    @Test func `a lap that an app adds without a length lasts since the one before`() throws {
        let log = LiveSessionLog()
        func append(_ second: Double, _ content: SessionEntry.Content) { log.append(entry(second, content)) }
        append(0, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: "running"))))
        append(0, .state(.running))
        append(0, .collection(.began(events: true)))
        for second in [60.0, 150] {
            let moment = Self.start + second
            append(second, .event(EventRecord(.lap, start: moment, end: moment, isAdded: true)))
        }
        let state = try SessionState(log)
        let snapshot = LiveSnapshot(state, at: Self.start + 160)
        #expect(snapshot.completedLapsInSeconds == [60, 90])
        #expect(snapshot.lapNumber == 3 && snapshot.lapElapsedInSeconds == 10)
        let summary = try WorkoutSummary(id: UUID(), state: state, log: log)
        #expect(summary.laps.map(\.durationInSeconds) == [60, 90])
    }

    @Test func `sensors are those of the variable by default`() throws {
        func sensors(_ list: String, _ names: [String] = []) throws -> [String] {
            let environment = HealthEnvironment(variables: [
                "HEALTHKIT_STORE": "memory", "HEALTHKIT_SENSORS": list, "XDG_CONFIG_HOME": "/tmp/none-\(UUID())",
            ])
            return try SensorArgument.sensors(names, in: environment).map(\.address.description)
        }
        #expect(try sensors("simulate,ble:AA:BB:CC:DD:EE:FF") == ["AA:BB:CC:DD:EE:FF"])
        #expect(try sensors("none", ["AA:BB:CC:DD:EE:00"]) == ["AA:BB:CC:DD:EE:00"])
        #expect(throws: CommandFailure.self) { try sensors("none") }
        #expect(throws: CommandFailure.self) { try sensors("simulate") }
        #expect(throws: CommandFailure.self) { try sensors("nonsense") }
    }

    @Test(.needsCommand) func `the profile accepts the values of --units`() async throws {
        let command = try BuiltCommand()
        defer { command.remove() }
        #expect(try await command.run("profile", "--units", "imperial", "--json").output == "{\"units\":\"us\"}\n")
        #expect(try await command.run("profile", "--units", "metric", "--json").output == "{\"units\":\"metric\"}\n")
    }
}
