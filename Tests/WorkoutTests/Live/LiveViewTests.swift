import Analytics
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts
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
                  Outdoor running   09:10                                  ● running   0:08:20

                    ██    ██  ██  ██████        zone 3 of 5
                  ████    ██  ██      ██        ████████ ████████ ████████ ░░░░░░░░ ░░░░░░░░
                    ██    ██████  ██████           1        2        3        4        5
                    ██        ██  ██            avg 132  max 140
                  ██████      ██  ██████ bpm    lap 3  1:12

                  distance 1.71 km         pace 4:52 /km            power 251 W
                  energy 104 kcal          elapsed 0:09:20

                                                                        ▁▁▂▂▃▃▄▄▄▅▅▆▆▇▇██ 173
                                                      ▁▁▂    ▄▄▅▅▆▆▇▇████████████████████
                                   ▁▁▁▂▂▃▃▄▄▅▅▅▆▆▇▇██████    ████████████████████████████
                  ▁▁▂▂▃▃▄▄▅▅▅▆▆▇▇████████████████████████    ████████████████████████████ 81
                  ╵0:00  ╵1:00   ╵2:00  ╵3:00   ╵4:00   ╵5:00  ╵6:00   ╵7:00  ╵8:00

                  laps  1 3:34  2 1:02:05
                  replay ▕██████████████▎                                          ▏ 25 %  60x

                  ● Polar H10  replay  85 %    ○ foot pod  bluetooth  away
                  ! byte 10755: unknown message
                  lap 2 ended
                  p pause  l lap  q end
                """)
    }

    @Test func `a wide terminal has panels beside the chart`() {
        var snapshot = LiveSnapshot.full
        snapshot.zoneShares = WorkoutSummary.shares(of: [WorkoutSummary.Zone(zone: 1, seconds: 400)], below: 100)
        snapshot.rmssdInMilliseconds = 22.5
        for columns in [160, 220] {
            let lines = frame(snapshot, columns, 50).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 50 && lines.allSatisfy { DisplayWidth.of(String($0)) <= columns })
            let text = lines.joined(separator: "\n")
            for words in [
                "Time in zones", "<1 █████ ", "0:06:40  80 %", "Pace", "average", "4:52 /km", "Laps", "3, now",
                "1:12", "Heart-rate variability", "RMSSD", "22.5 ms", " 173",
            ] {
                #expect(text.contains(words), "\(words) is not in\n\(text)")
            }
            // The chart and the panels share their lines, so the chart does not fill the screen.
            #expect(
                lines.contains { $0.contains("█") && $0.contains("Laps") || $0.contains("RMSSD") && $0.contains("█") })
            #expect(lines.count { $0.contains("██████████████████") } < 30)
            // Nothing is repeated.
            #expect(text.components(separatedBy: "1:02:05").count == 2)
        }
        #expect(!frame(snapshot, 159, 50).contains("Time in zones"))
        snapshot.heartRates = HeartRateTimeline()
        #expect(frame(snapshot, 220, 50).contains("Time in zones"))
    }

    @Test func `a small terminal keeps the heart rate and omits details`() {
        #expect(
            frame(.full, 40, 10) == """
                Outdoor running      ● running   0:08:20
                ▄█  █ █ ▀▀█      zone 3 of 5
                 █  ▀▀█ █▀▀      ███ ███ ███ ░░░ ░░░
                ▀▀▀   ▀ ▀▀▀ bpm  avg 132  max 140
                distance 1.71 km    lap 3 1:12
                pace 4:52 /km       power 251 W
                energy 104 kcal     elapsed 0:09:20
                clock 09:10
                ▁▁▁▂▂▂▂▂▂▃▃▃▃▃▄▄▄▄▄▄▅▅  ▅▅▆▆▆▆▆▇▇▇▇▇▇███
                p pause  l lap  q end
                """)
    }

    @Test func `a tiny terminal has one line for each of the most important values`() {
        #expect(
            frame(.full, 20, 5) == """
                ● running    0:08:20
                142 bpm  zone 3
                1.71 km  lap 3 1:12
                ▁▁▂▂▂▃▃▄▄▄▅ ▅▆▆▇▇▇██
                p l q
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
        #expect(lines[39] == "  p pause  l lap  q end")
    }

    @Test func `without a heart rate the view has a sentence and no number`() {
        var snapshot = LiveSnapshot.full
        snapshot.heartRateInBeatsPerMinute = nil
        #expect(frame(snapshot, 20, 1) == "-- bpm  no HR")
        #expect(frame(snapshot, 80, 24).contains("no heart rate"))
    }

    @Test func `an empty session shows its name, its state and the keys`() {
        #expect(
            frame(LiveSnapshot(), 40, 6) == """
                Workout          ■ not started   0:00:00

                -- bpm  no heart rate


                q end
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
                columns: Int.random(in: 0...220, using: &random), rows: .random(in: 0...50, using: &random))
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

    @Test(arguments: [40, 60, 80, 120, 200])
    func `nothing is truncated, whatever the width`(columns: Int) {
        var snapshot = LiveSnapshot.full
        snapshot.activity = "Indoor functional strength training"
        snapshot.warnings = [
            "the workout is not saved yet: the disk is full. Trying again every second; q gives up"
        ]
        snapshot.question = "Finish and save? y: yes, any other key: keep going"
        let text = frame(snapshot, columns, 40)
        #expect(!text.contains("…"))
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for said in [
            snapshot.activity, snapshot.question ?? "", snapshot.warnings[0], "avg 132 max 140", "1.71 km", "104 kcal",
        ] { #expect(words.contains(said), "\(said)") }
        for said in ["09:10", "0:08:20", "0:09:20", "1:12", "251 W", "╵0:00"] {
            #expect(words.contains(said), "\(said)")
        }
    }

    @Test(arguments: [120, 160, 200])
    func `both halves of a wide terminal are used`(columns: Int) {
        let lines = frame(.full, columns, 50).split(separator: "\n").filter { $0.count > columns / 2 }
        // Heading, digits with their panel, values, chart, replay.
        #expect(lines.count >= 20)
        #expect(lines.contains { $0.contains("zone") } || lines.contains { $0.contains("████ ████") })
    }

    @Test func `a key switches the curve between the whole session and its last minutes`() {
        var snapshot = LiveSnapshot.full
        snapshot.heartRates = HeartRateTimeline(
            Date(timeIntervalSince1970: 0),
            (0..<3_600).map { (seconds: Double($0), beatsPerMinute: Double(100 + $0 / 60)) })
        snapshot.elapsedInSeconds = 3_600
        #expect(frame(snapshot, 80, 24).contains("╵0:00      ╵10:00      ╵20:00"))
        #expect(frame(snapshot, 80, 24).contains("t last 10 min"))
        snapshot.curveSpan = .lastMinutes
        #expect(frame(snapshot, 80, 24).contains("╵50:00"))
        #expect(frame(snapshot, 80, 24).contains("t whole session"))
    }

    @Test func `beats give alpha1, estimated thresholds, or the reason for a missing figure`() {
        var snapshot = LiveSnapshot.full
        snapshot.alpha1 = .init(
            latest: .success(Alpha1Reading(alpha1: 0.742, artefactShare: 0.012, heartRate: 150)), firstThreshold: 148.4)
        #expect(frame(snapshot, 80, 30).contains("  alpha1 0.74   artefacts 1.2 %   at 0.75, estimated 148 bpm\n"))
        snapshot.alpha1 = .init(latest: .failure(.tooManyArtefacts(share: 0.2)))
        #expect(frame(snapshot, 80, 30).contains("  alpha1 --   artefacts 20.0 %, too many\n"))
        snapshot.alpha1 = .init(latest: .failure(.tooShort(neededSeconds: 120)))
        #expect(frame(snapshot, 80, 30).contains("  alpha1 after two minutes of beats\n"))
    }

    @Test func `a waiting listener shows for whom, where, what to type, and only working keys`() {
        var snapshot = LiveSnapshot()
        snapshot.isMirrored = true
        snapshot.waiting = MirrorListen.invitation(
            for: ["laptop"], on: "0.0.0.0:7654", reachable: ["192.168.1.5", "10.0.0.5"])
        #expect(
            frame(snapshot, 80, 8) == """
                  Waiting for laptop.

                  Listening on 0.0.0.0:7654

                  On the other machine: workout record --mirror 192.168.1.5 (or 10.0.0.5)


                  q quit
                """)
        #expect(MirrorListen.invitation(for: [], on: "x:1", reachable: []).last?.contains("mirror pair HOST") == true)
    }

    @Test func `without colour there are no escape sequences`() {
        #expect(!frame(.full, 80, 24).contains("\u{1B}"))
    }

    /// Without SGR sequences. Anything else that begins with ESC stays, with width 0.
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
    /// Any state, including nonsense.
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
        let bounds = (0..<([0, 1, 3, 5, 7, 60].randomElement(using: &random) ?? 0)).map { 80 + Double($0) * 4 }
        snapshot.zones = HeartRateZones(lowerBounds: bounds)
        snapshot.averageHeartRate = number(&random)
        snapshot.maximumHeartRate = number(&random)
        snapshot.timeOfDay = Bool.random(using: &random) ? "23:59" : nil
        snapshot.heartRates = HeartRateTimeline(
            Date(timeIntervalSince1970: 0),
            list(&random, number).compactMap { $0 }.map { ($0, 100) }
                + list(&random) { (Double.random(in: 0...10_000, using: &$0), Double.random(in: 40...200, using: &$0)) }
        )
        snapshot.curveSpan = Bool.random(using: &random) ? .whole : .lastMinutes
        snapshot.durationInSeconds = number(&random) ?? 0
        snapshot.elapsedInSeconds = number(&random) ?? 0
        snapshot.isMirrored = .random(using: &random)
        snapshot.sessionCount = [0, 1, 3].randomElement(using: &random) ?? 0
        snapshot.waiting = Bool.random(using: &random) ? [] : list(&random, text)
        snapshot.question = Bool.random(using: &random) ? nil : text(&random)
        if Bool.random(using: &random) {
            snapshot.alpha1 = Alpha1(
                latest: .success(
                    Alpha1Reading(alpha1: number(&random) ?? 1, artefactShare: number(&random) ?? 0, heartRate: 140)),
                firstThreshold: number(&random), secondThreshold: number(&random))
        }
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

extension LiveViewTests {
    @Test(arguments: [(40, 12), (80, 24), (190, 45)])
    func `the live view is in the reader's language`(columns: Int, rows: Int) throws {
        let german = try #require(Language.named("de"))
        var snapshot = LiveSnapshot()
        snapshot.phase = .running
        snapshot.heartRateInBeatsPerMinute = 140
        snapshot.averageHeartRate = 135
        snapshot.speedInMetersPerSecond = 5
        snapshot.distanceInMeters = 1_234
        snapshot.durationInSeconds = 600
        snapshot.elapsedInSeconds = 700
        snapshot.sensors = [.init(name: "Polar H10", kind: .bluetooth, presence: .away)]
        snapshot.warnings = ["battery 12 %: replace it soon"]
        snapshot.messages = ["Polar H10: the connection was lost"]
        let lines = Language.$ofTask.withValue(german) {
            LiveView(size: TerminalSize(columns: columns, rows: rows), capability: .plain).lines(of: snapshot)
        }
        let text = lines.joined(separator: "\n")
        #expect(text.contains("läuft") && text.contains("1,23 km"))
        if rows >= 24 {
            #expect(text.contains("Akku 12 %: bald ersetzen") && text.contains("die Verbindung ging verloren"))
            #expect(text.contains("p Pause  l Runde  q beenden"))
            #expect(text.contains("Geschwindigkeit 18,0 km/h") && text.contains("weg"))
        }
        for word in ["running", "distance", "speed", " lap", "elapsed", "away", "battery", "lost", " end", "avg"] {
            #expect(!text.contains(word), "\(word)")
        }
    }
}
