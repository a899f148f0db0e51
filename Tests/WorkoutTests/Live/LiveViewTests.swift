import Recordings
import Testing

@testable import workout

@Suite struct LiveViewTests {
    private func frame(_ snapshot: LiveSnapshot, _ columns: Int, _ rows: Int, unicode: Bool = true) -> String {
        LiveView(
            size: TerminalSize(columns: columns, rows: rows),
            capability: TerminalCapability(colour: .none, unicode: unicode)
        ).lines(of: snapshot).joined(separator: "\n")
    }

    @Test func `a usual terminal shows everything`() {
        #expect(
            frame(.full, 80, 24) == """
                  Outdoor running                                          ● running   0:08:20

                    ██    ██  ██  ██████        zone 3 of 5
                  ████    ██  ██      ██        ████████ ████████ ████████ ░░░░░░░░ ░░░░░░░░
                    ██    ██████  ██████           1        2        3        4        5
                    ██        ██  ██
                  ██████      ██  ██████ bpm    lap 3  1:12

                  distance 1.71 km   pace 4:52 /km      power 251 W        energy 104 kcal

                                                                               ▁▂▂▃▄▅▆▆▇█ 140
                                                                      ▂▂▃▄▅▆▆▇███████████
                                                           ▁▂▃▃▄▅▆▇▇█ ███████████████████
                                                 ▁▂▃▃▄▅▆▇▇███████████ ███████████████████ 120

                  laps  1 3:34  2 1:02:05
                  replay ▕██████████                              ▏ 25 %  60x

                  ● Polar H10  replay  85 %
                  ○ foot pod  bluetooth  away
                  ! byte 10755: unknown message
                  lap 2 ended

                  p pause  r resume  l lap  q end
                """)
    }

    @Test func `a small terminal keeps the heart rate and leaves out the details`() {
        #expect(
            frame(.full, 40, 10) == """
                Outdoor running      ● running   0:08:20
                ▄█  █ █ ▀▀█      zone 3 of 5
                 █  ▀▀█ █▀▀      ███ ███ ███ ░░░ ░░░
                ▀▀▀   ▀ ▀▀▀ bpm  lap 3  1:12
                distance 1.71 km    pace 4:52 /km
                power 251 W         energy 104 kcal
                ▁▁▁▂▂▂▂▂▂▃▃▃▃▃▄▄▄▄▄▄ ▅▅▅▅▅▆▆▆▆▆▇▇▇▇▇▇███
                replay ▕█████▎               ▏ 25 %  60x
                ● Polar H10  replay  85 %
                p pause  r resume  l lap  q end
                """)
    }

    @Test func `a tiny terminal has one line for each of the most important things`() {
        #expect(
            frame(.full, 20, 5) == """
                ● running    0:08:20
                142 bpm  zone 3
                1.71 km  lap 3 1:12
                 ▁▂▂▂▃▃▃▄▄▅▅▅▆▆▆▇▇▇█
                p r l q
                """)
    }

    @Test func `one line shows the heart rate`() {
        #expect(frame(.full, 20, 1) == "142 bpm  zone 3")
    }

    @Test func `a terminal without UTF-8 gets ASCII`() {
        let text = frame(.full, 80, 24, unicode: false)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `a large terminal has digits of ten rows`() {
        let lines = frame(.full, 120, 40).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[2] == "      ████        ████    ████    ████████████")
        #expect(lines[11] == "  ████████████            ████    ████████████ bpm")
        #expect(lines[39] == "  p pause  r resume  l lap  q end")
    }

    @Test func `without a heart rate it says so and shows no number`() {
        var snapshot = LiveSnapshot.full
        snapshot.heartRateInBeatsPerMinute = nil
        snapshot.zone = nil
        #expect(frame(snapshot, 20, 1) == "-- bpm  no HR")
        #expect(frame(snapshot, 80, 24).contains("no heart rate"))
    }

    @Test func `an empty session shows its name, its state and the keys`() {
        #expect(
            frame(LiveSnapshot(), 40, 6) == """
                Workout          ■ not started   0:00:00

                -- bpm  no heart rate


                p pause  r resume  l lap  q end
                """)
    }

    @Test(arguments: [
        (SessionPhase.running, "● running"), (.paused, "‖ paused"), (.stopped, "■ stopped"), (.ended, "■ ended"),
    ])
    func `the state is named`(phase: SessionPhase, shown: String) {
        var snapshot = LiveSnapshot.full
        snapshot.phase = phase
        #expect(frame(snapshot, 80, 24).contains(shown))
    }

    @Test func `no terminal size makes a line too wide or a frame too high, whatever the data`() {
        var random = SplitMix(state: 42)
        for _ in 0..<1_500 {
            let size = TerminalSize(
                columns: Int.random(in: 0...140, using: &random), rows: .random(in: 0...50, using: &random))
            let colour: TerminalCapability.Colour = [.none, .basic, .palette].randomElement(using: &random) ?? .none
            let capability = TerminalCapability(colour: colour, unicode: .random(using: &random))
            let snapshot = LiveSnapshot.random(using: &random)
            let lines = LiveView(size: size, capability: capability).lines(of: snapshot)
            #expect(lines.count == (size.columns > 0 ? size.rows : 0))
            for line in lines {
                #expect(DisplayWidth.of(plain(line)) <= size.columns, "\(size): \(line)")
            }
        }
    }

    @Test func `without colour there is not one escape sequence`() {
        #expect(!frame(.full, 80, 24).contains("\u{1B}"))
    }

    /// Without SGR sequences; anything else that begins with ESC stays, and has width 0.
    private func plain(_ line: String) -> String {
        line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    }
}

/// A random generator with a seed (Steele, Lea, Flood 2014), so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension LiveSnapshot {
    /// Anything at all, nonsense included.
    fileprivate static func random(using random: inout SplitMix) -> LiveSnapshot {
        let numbers: [Double?] = [
            nil, 0, -0.0, -5, 1, 59.99, 142, 999.5, 12_345.678, 1e9, 1e300, .nan, .infinity, -.infinity,
        ]
        let texts = [
            "", "H10", "跑步传感器 🏃‍♀️", "e\u{301}\u{301}", "\u{1B}[2J\u{7}x\ny\u{202E}",
            String(repeating: "long ", count: 60),
        ]
        func number(_ random: inout SplitMix) -> Double? { numbers.randomElement(using: &random) ?? nil }
        func text(_ random: inout SplitMix) -> String { texts.randomElement(using: &random) ?? "" }
        func list<T>(_ random: inout SplitMix, _ make: (inout SplitMix) -> T) -> [T] {
            (0..<Int.random(in: 0...12, using: &random)).map { _ in make(&random) }
        }
        var snapshot = LiveSnapshot()
        snapshot.activity = text(&random)
        snapshot.phase = SessionPhase.allCases.randomElement(using: &random) ?? .running
        snapshot.heartRateInBeatsPerMinute = number(&random)
        snapshot.zone = [nil, -1, 0, 1, 3, 5, 99].randomElement(using: &random) ?? nil
        snapshot.zoneCount = [0, 1, 3, 5, 7, 60].randomElement(using: &random) ?? 0
        snapshot.heartRateHistory = list(&random, number) + list(&random) { Double.random(in: 40...200, using: &$0) }
        snapshot.elapsedInSeconds = number(&random) ?? 0
        snapshot.lapNumber = [0, 1, 12, .max].randomElement(using: &random) ?? 1
        snapshot.lapElapsedInSeconds = number(&random) ?? 0
        snapshot.completedLapsInSeconds = list(&random) { number(&$0) ?? 60 }
        snapshot.distanceInMeters = number(&random)
        snapshot.speedInMetersPerSecond = number(&random)
        snapshot.paceInSecondsPerKilometer = number(&random)
        snapshot.powerInWatts = number(&random)
        snapshot.cadencePerMinute = number(&random)
        snapshot.energyInKilocalories = number(&random)
        snapshot.rmssdInMilliseconds = number(&random)
        snapshot.sensors = list(&random) {
            Sensor(
                name: text(&$0), kind: SensorStatus.Kind.allCases.randomElement(using: &$0) ?? .app,
                presence: SensorStatus.Presence.allCases.randomElement(using: &$0) ?? .gone,
                batteryPercent: [nil, 0, 100, -7, .max].randomElement(using: &$0) ?? nil)
        }
        if Bool.random(using: &random) {
            snapshot.replay = ReplayProgress(fraction: number(&random), speed: number(&random))
        }
        snapshot.messages = list(&random, text)
        snapshot.warnings = list(&random, text)
        return snapshot
    }
}
