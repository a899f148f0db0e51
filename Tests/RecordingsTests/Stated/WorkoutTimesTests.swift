import Testing

@testable import Recordings
@testable import SessionLog

/// The cases of the article “How durations are chosen”, without files.
struct WorkoutTimesTests {
    private static func session(_ start: Double, elapsed: Double, active: Double? = nil) -> StatedWorkout.Stretch {
        StatedWorkout.Stretch(start: start, elapsed: elapsed, active: active ?? elapsed)
    }

    private static func timer(_ events: [(Double, Bool)]) -> [StatedWorkout.TimerEvent] {
        events.enumerated().map { StatedWorkout.TimerEvent(sequence: UInt32($0), seconds: $1.0, isStart: $1.1) }
    }

    private func seconds(_ times: WorkoutTimes) -> Double {
        times.end - times.start - times.pauses.reduce(0) { $0 + ($1.end ?? times.end) - $1.start }
    }

    @Test func `without times there is no workout`() { #expect(WorkoutTimes(StatedWorkout()) == nil) }

    @Test func `a stop without a start is not a pause if the session counts the readings after it`() throws {
        var stated = StatedWorkout()
        stated.timerEvents = Self.timer([(0, true), (2280, false)])
        stated.samples = 0...4140
        stated.sessions = [Self.session(0, elapsed: 4140)]
        let times = try #require(WorkoutTimes(stated))
        #expect(seconds(times) == 4140)
        #expect(times.notes.count == 1)
        // Without a session, readings during half an hour show the same.
        stated.sessions = []
        #expect(seconds(try #require(WorkoutTimes(stated))) == 4140)
        // The session may also agree with the stop.
        stated.sessions = [Self.session(0, elapsed: 4140, active: 2280)]
        let paused = try #require(WorkoutTimes(stated))
        #expect(seconds(paused) == 2280)
        #expect(paused.end == 4140 && paused.notes == [])
        stated.sessions = [Self.session(0, elapsed: 2280)]
        #expect(seconds(try #require(WorkoutTimes(stated))) == 2280)
    }

    @Test(arguments: [30.0, 206]) func `a late stop is the end only if the session counts it`(late: Double) throws {
        var stated = StatedWorkout()
        stated.timerEvents = Self.timer([(0, true), (3600 + late, false)])
        stated.samples = 0...3600
        stated.sessions = [Self.session(0, elapsed: 3600)]
        let early = try #require(WorkoutTimes(stated))
        #expect(early.end == 3600 && early.notes.count == 1)
        stated.sessions = [Self.session(0, elapsed: 3600 + late)]
        let times = try #require(WorkoutTimes(stated))
        #expect(times.end == 3600 + late && times.notes == [])
    }

    @Test func `a timer without a last stop runs to the end of a session longer than its readings`() throws {
        var stated = StatedWorkout()
        stated.timerEvents = Self.timer([(0, true)])
        stated.samples = 0...100
        stated.sessions = [Self.session(0, elapsed: 600)]
        let whole = try #require(WorkoutTimes(stated))
        #expect(whole.end == 600 && whole.notes.count == 1)
        stated.timerEvents = Self.timer([(0, true), (40, false), (60, true)])
        stated.sessions = [Self.session(0, elapsed: 600, active: 580)]
        let paused = try #require(WorkoutTimes(stated))
        #expect(paused.end == 600 && paused.pauses.count == 1)
        // Its time without pauses may agree with the readings.
        stated.timerEvents = Self.timer([(0, true)])
        stated.sessions = [Self.session(0, elapsed: 600, active: 100)]
        let readings = try #require(WorkoutTimes(stated))
        #expect(readings.end == 100 && readings.notes == [])
    }

    @Test func `sessions and laps in another time zone do not lengthen the workout`() throws {
        for zone in [7200.0, -7200] {
            var stated = StatedWorkout()
            stated.samples = 0...599
            stated.sessions = [Self.session(zone, elapsed: 600)]
            stated.laps = [Self.session(zone, elapsed: 250), Self.session(zone + 250, elapsed: 350)]
            let times = try #require(WorkoutTimes(stated))
            #expect(times.start == 0 && times.end == 599)
            #expect(times.notes.count == 1)
            let laps = StatedLaps(stated, times).laps
            #expect(laps.map(\.start) == [0, 250])
            #expect(laps.map(\.end) == [250, 599])
        }
    }

    @Test func `a session without timer events that ends long after its readings does so if its duration allows`()
        throws
    {
        var stated = StatedWorkout()
        stated.samples = 0...100
        stated.sessions = [Self.session(0, elapsed: 600)]
        #expect(WorkoutTimes(stated)?.end == 600)
        // The gap explains the difference.
        stated.samples = 0...780
        stated.gaps = LongestGaps([TimeSpan(start: 300, end: 500)])
        stated.sessions = [Self.session(0, elapsed: 800, active: 600)]
        let paused = try #require(WorkoutTimes(stated))
        #expect(paused.end == 800 && paused.pauses == [WorkoutTimes.Pause(start: 300, end: 500)])
    }

    @Test func `pauses that the session's duration does not allow are left out`() throws {
        var stated = StatedWorkout()
        stated.timerEvents = Self.timer([
            (0, true), (600, false), (630, true), (1000, false), (3400, true), (4140, false),
        ])
        stated.samples = 0...4140
        stated.sessions = [Self.session(0, elapsed: 4140, active: 4110)]
        let one = try #require(WorkoutTimes(stated))
        #expect(one.pauses.map(\.start) == [600])
        #expect(one.notes.count == 1)
        stated.sessions = [Self.session(0, elapsed: 4140, active: 1705)]
        let both = try #require(WorkoutTimes(stated))
        #expect(both.pauses.map(\.start) == [600, 1000])
        #expect(both.notes == [])
    }

    @Test func `a session shorter than its elapsed time without timer events has pauses in the longest gaps`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...1000
        stated.gaps = LongestGaps([TimeSpan(start: 100, end: 106), TimeSpan(start: 300, end: 500)])
        stated.sessions = [Self.session(0, elapsed: 1000, active: 801)]
        let times = try #require(WorkoutTimes(stated))
        #expect(times.pauses == [WorkoutTimes.Pause(start: 300, end: 499)])
        // Gaps that cannot explain the difference don't count.
        stated.sessions = [Self.session(0, elapsed: 1000, active: 500)]
        let unknown = try #require(WorkoutTimes(stated))
        #expect(unknown.pauses == [] && unknown.notes.count == 1)
        #expect(unknown.notes[0].hasPrefix("the file states 500 s without pauses, but not when"))
    }

    @Test func `a ride through a town has a pause at each traffic light`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...12_000
        let lights = (0..<100).map { (number: Int) -> TimeSpan in
            let start = Double(number * 120 + 60)
            return TimeSpan(start: start, end: start + 20 + Double(number % 7))
        }
        for second in 0..<12_000 {
            let time = Double(second)
            guard !lights.contains(where: { $0.start <= time && time < $0.end }) else { continue }
            stated.gaps.add(TimeSpan(start: time, end: time + 1))
        }
        for light in lights { stated.gaps.add(light) }
        let paused = lights.reduce(0) { $0 + $1.seconds }
        stated.sessions = [Self.session(0, elapsed: 12_000, active: 12_000 - paused)]
        let times = try #require(WorkoutTimes(stated))
        #expect(times.pauses.map(\.start) == lights.map(\.start) && times.pauses.map(\.end) == lights.map(\.end))
    }

    @Test func `a stop of a few seconds is a pause if readings usually come faster`() throws {
        let stops = [TimeSpan(start: 40, end: 44), TimeSpan(start: 70, end: 73.5)]
        func pauses(every seconds: Double) -> [Double]? {
            var stated = StatedWorkout()
            stated.samples = 0...100
            for time in stride(from: 0, to: 100, by: seconds) {
                stated.gaps.add(TimeSpan(start: time, end: time + seconds))
            }
            for stop in stops { stated.gaps.add(stop) }
            stated.sessions = [Self.session(0, elapsed: 100, active: 92.5)]
            return WorkoutTimes(stated)?.pauses.map(\.start)
        }
        #expect(pauses(every: 1) == [40, 70])
        #expect(pauses(every: 2.5) == [])
    }

    @Test func `the usual time between two readings is no pause`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...3600
        for second in stride(from: 0.0, to: 3600, by: 5) { stated.gaps.add(TimeSpan(start: second, end: second + 5)) }
        stated.sessions = [Self.session(0, elapsed: 3600, active: 3000)]
        let times = try #require(WorkoutTimes(stated))
        #expect(times.pauses.isEmpty && times.notes.count == 1)
    }

    @Test func `a timer that only starts and stops does not contradict a stated pause`() throws {
        var stated = StatedWorkout()
        stated.timerEvents = Self.timer([(0, true), (3600, false)])
        stated.samples = 0...3600
        stated.gaps = LongestGaps([TimeSpan(start: 600, end: 3000)])
        stated.sessions = [Self.session(0, elapsed: 3600, active: 1200)]
        let times = try #require(WorkoutTimes(stated))
        #expect(times.pauses == [WorkoutTimes.Pause(start: 600, end: 3000)])
        #expect(times.notes.count == 1)
        // The timer may differ by a minute.
        stated.sessions = [Self.session(0, elapsed: 3600, active: 3550)]
        #expect(WorkoutTimes(stated)?.pauses == [])
    }

    @Test func `a pause over the end of a lap is one pause`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...720
        stated.laps = [
            StatedWorkout.Stretch(start: 0, active: 300, samples: 0...300),
            StatedWorkout.Stretch(start: 360, active: 300, samples: 420...720),
        ]
        let times = try #require(WorkoutTimes(stated))
        #expect(times.pauses == [WorkoutTimes.Pause(start: 300, end: 420)])
    }

    @Test func `a start that the duration does not allow is not the start`() throws {
        var stated = StatedWorkout()
        stated.samples = 21_600...24_990
        stated.sessions = [Self.session(0, elapsed: 3389)]
        let times = try #require(WorkoutTimes(stated))
        #expect(times.start == 21_600 && times.end == 24_990)
        #expect(times.notes.count == 1)
        // A quarter of an hour without a satellite fix is part of the duration.
        stated.samples = 900...3389
        #expect(WorkoutTimes(stated)?.start == 0)
    }

    @Test func `a workout of days is reported`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...1_750_000
        #expect(WorkoutTimes(stated)?.notes.count == 1)
    }

    @Test func `laps end after their elapsed time, not when they were written`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...600
        stated.laps = [
            StatedWorkout.Stretch(start: 0, written: 0, elapsed: 300.4),
            StatedWorkout.Stretch(start: 300, written: 0, elapsed: 200),
            StatedWorkout.Stretch(start: 510, written: 0, elapsed: 90),
        ]
        let laps = StatedLaps(stated, try #require(WorkoutTimes(stated))).laps
        #expect(laps.map { [$0.start, $0.end] } == [[0, 300.4], [300.4, 500.4], [510, 600]])
    }

    @Test func `laps start when the elapsed time of the one before has passed, to within a second`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...400
        stated.laps = [(0, 100.7), (100, 99.8), (200, 100.9), (303, 95.5)].map {
            StatedWorkout.Stretch(start: $0, elapsed: $1)
        }
        let laps = StatedLaps(stated, try #require(WorkoutTimes(stated))).laps
        #expect(laps.map(\.start) == [0, 100.7, 200.5, 303])
        // A lap lasts until the next one, or until the end, if that is less than 2 s later.
        #expect(laps.map(\.end) == [100.7, 200.5, 303, 400])
    }

    @Test func `a lap that starts with a session starts when both state`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...200
        stated.sessions = [(0, 100.6), (101, 99)].map { StatedWorkout.Stretch(start: $0, elapsed: $1) }
        stated.laps = stated.sessions
        let laps = StatedLaps(stated, try #require(WorkoutTimes(stated))).laps
        #expect(laps.map { [$0.start, $0.end] } == [[0, 101], [101, 200]])
    }

    @Test func `a gap of 2 s or more between two laps stays`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...100
        stated.laps = [(0, 48), (50, 47.5)].map { StatedWorkout.Stretch(start: $0, elapsed: $1) }
        let laps = StatedLaps(stated, try #require(WorkoutTimes(stated))).laps
        #expect(laps.map { [$0.start, $0.end] } == [[0, 48], [50, 97.5]])
    }

    @Test func `a lap that includes the rest before it ends when it was written`() throws {
        var stated = StatedWorkout()
        stated.samples = 0...600
        stated.laps = [
            StatedWorkout.Stretch(start: 100, written: 200, elapsed: 190),
            StatedWorkout.Stretch(start: 220, written: 310, elapsed: 85),
        ]
        let laps = StatedLaps(stated, try #require(WorkoutTimes(stated))).laps
        #expect(laps.map { [$0.start, $0.end] } == [[100, 200], [220, 305]])
    }

    @Test func `times on the other side of a clock jump move to the session`() {
        var stated = StatedWorkout()
        stated.gaps = LongestGaps([TimeSpan(start: 1000, end: 1_747_563)])
        stated.sessions = [Self.session(0, elapsed: 3389)]
        let after = ClockJumps(stated)
        #expect([0, 1000, 1_747_563, 1_747_573].map(after.corrected) == [0, 1000, 1001, 1011])
        stated.sessions = [Self.session(1_747_560, elapsed: 3389)]
        let before = ClockJumps(stated)
        #expect([990, 1000, 1_747_563].map(before.corrected) == [1_747_552, 1_747_562, 1_747_563])
        // A night between two days is no pause if the session counts it.
        stated.gaps = LongestGaps([TimeSpan(start: 1000, end: 101_000)])
        stated.sessions = [Self.session(0, elapsed: 150_000)]
        #expect(ClockJumps(stated).isEmpty)
    }

    @Test func `distances that only summaries state are added once`() {
        typealias Lap = StatedDistance.Lap
        func totals(_ stated: Double?, measured: Double, _ laps: [Lap]) -> [Double] {
            StatedDistance.totals(from: 0, to: 100, stated: stated, measured: measured, laps: laps).map(\.meters)
        }
        let laps = [
            Lap(start: 0, end: 50, meters: 400, isMeasured: false),
            Lap(start: 50, end: 100, meters: 600, isMeasured: true),
        ]
        #expect(totals(1000, measured: 0, []) == [1000])
        #expect(totals(1000, measured: 0, laps) == [400, 600])
        #expect(totals(2000, measured: 0, laps) == [2000])
        #expect(totals(nil, measured: 0, laps) == [400, 600])
        #expect(totals(nil, measured: 0, []) == [])
        #expect(totals(1000, measured: 1000, laps) == [])
        #expect(totals(nil, measured: 600, laps) == [400])
        // The count of the second lap includes the first lap, which has no reading.
        let short = [
            Lap(start: 0, end: 1, meters: 4, isMeasured: false), Lap(start: 1, end: 100, meters: 125, isMeasured: true),
        ]
        #expect(totals(129, measured: 129, short) == [])
    }
}
