import Analytics
import SessionLog
import Synchronization
import Testing

@testable import workout

@Suite struct PlainLiveLineTests {
    @Test func `a line contains every value`() {
        var snapshot = LiveSnapshot()
        snapshot.phase = .running
        snapshot.durationInSeconds = 300
        snapshot.heartRateInBeatsPerMinute = 142
        snapshot.zones = HeartRateZones(maximumHeartRate: 190)
        snapshot.distanceInMeters = 1_020
        #expect(PlainLiveLine.text(snapshot) == "00:05:00  running  142 bpm  zone 3  1.02 km")
        #expect(
            PlainLiveLine.text(.full)
                == "00:08:20  running  142 bpm  zone 3  lap 3  1.71 km  4:52 /km  251 W  104 kcal  foot pod away")
    }

    @Test func `without a heart rate a line says so`() {
        #expect(PlainLiveLine.text(LiveSnapshot()) == "00:00:00  waiting  no heart rate")
    }

    @Test func `there is one line per interval and none in between`() {
        var output = PlainLiveLine(intervalInSeconds: 60)
        var snapshot = LiveSnapshot()
        snapshot.phase = .running
        var times: [Double] = []
        for second in stride(from: 0.0, through: 200, by: 1) {
            snapshot.durationInSeconds = second
            snapshot.heartRateInBeatsPerMinute = 100 + second
            if !output.lines(for: snapshot).isEmpty { times.append(second) }
        }
        #expect(times == [0, 60, 120, 180])
    }

    @Test func `a change of state, lap or sensor has a line at once`() {
        var output = PlainLiveLine(intervalInSeconds: 1_000)
        var snapshot = LiveSnapshot.full
        _ = output.lines(for: snapshot)
        #expect(output.lines(for: snapshot) == [])
        snapshot.phase = .paused
        #expect(output.lines(for: snapshot).count == 1)
        snapshot.lapNumber = 4
        #expect(output.lines(for: snapshot).count == 1)
        snapshot.sensors[0].presence = .away
        #expect(output.lines(for: snapshot).count == 1)
    }

    @Test func `each message and each warning is printed once, also when old ones are dropped`() {
        var output = PlainLiveLine(intervalInSeconds: 1_000)
        var snapshot = LiveSnapshot()
        _ = output.lines(for: snapshot)
        snapshot.messages = ["a", "b"]
        #expect(output.lines(for: snapshot) == ["00:00:00  a", "00:00:00  b"])
        snapshot.messages = ["b", "c"]
        snapshot.warnings = ["byte 3: odd"]
        #expect(output.lines(for: snapshot) == ["00:00:00  c", "00:00:00  warning: byte 3: odd"])
        #expect(output.lines(for: snapshot) == [])
    }

    @Test func `a name cannot control the terminal`() {
        var snapshot = LiveSnapshot()
        snapshot.sensors = [.init(name: "\u{1B}]0;owned\u{7}", kind: .bluetooth, presence: .away)]
        #expect(PlainLiveLine.text(snapshot).hasSuffix("]0;owned away"))
    }

    @Test func `the last state is written, however quickly it came`() async throws {
        let phase = Mutex(SessionPhase.running)
        let lines = Mutex<[String]>([])
        try await PlainLiveLine().run(
            snapshot: {
                var snapshot = LiveSnapshot()
                snapshot.phase = phase.withLock { $0 }
                return snapshot
            },
            write: { line in lines.withLock { $0.append(line) } },
            until: { phase.withLock { $0 = .ended } })
        #expect(lines.withLock { $0.last } == "00:00:00  ended  no heart rate")
    }
}
