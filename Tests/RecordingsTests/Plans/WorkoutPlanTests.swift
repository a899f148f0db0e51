import Analytics
import GATT
import Recordings
import Testing

/// Plans in all formats, and a rider's current step.
@Suite struct WorkoutPlanTests {
    typealias Step = WorkoutPlan.Step

    private func plan(_ text: String, _ path: String = "plan.txt") throws -> WorkoutPlan {
        try WorkoutPlan(RecordingSource(path: path, bytes: Array(text.utf8)))
    }

    private func reason(_ text: String) -> String {
        do {
            _ = try plan(text)
            return "no error"
        } catch { return "\(error)" }
    }

    private static let text = """
        name Two times two   # for Tuesday
        10m 50-75%

        2x
          4m 105% 90rpm "Hold #1"
          1m30s 120W
        lap free
        1h grade -2.5 %
        """

    @Test func `a text has a step on each line`() throws {
        let plan = try plan(Self.text)
        let hard = Step(240, .share(from: 1.05, to: 1.05), cadencePerMinute: 90, notes: [.init("Hold #1")])
        let easy = Step(90, .power(from: 120, to: 120))
        #expect(plan.name == "Two times two")
        #expect(
            plan.steps == [
                Step(600, .share(from: 0.5, to: 0.75)), hard, easy, hard, easy, Step(nil, .free),
                Step(3600, .grade(-2.5)),
            ])
        #expect(plan.seconds == nil && plan.needsThresholdPower)
        #expect(plan.inWatts(thresholdPowerInWatts: 200).steps[0].target == .power(from: 100, to: 150))
    }

    @Test(arguments: [
        ("", "has no steps"), ("# nothing\n", "has no steps"), ("5m", "line 1: write a target"),
        ("100W 5m", "line 1: write a duration"), ("5m 100W\n5m 9000W", "line 2: powers are"),
        ("0s 100W", "line 1: a step lasts"), ("4x\n5m 100W", "line 1: indent"), ("  5m 100W", "line 1: only steps"),
        ("2x\n 2x\n  5m 100W", "line 2: repeats cannot be nested"), ("9999x\n a", "line 2: write a duration"),
        ("0x\n 5m 100W", "line 1: a block is repeated"), ("9999x\n 1s 1W\n 1s 2W", "line 1: the plan has more than"),
        ("5m grade 90", "line 1: gradients"), ("25h free", "line 1: a step lasts"),
        ("5m 100W \"open", "line 1: write a target"),
    ])
    func `a mistake is named with its line`(text: String, expected: String) {
        #expect(reason(text).contains(expected))
    }

    private static let zwift = """
        <?xml version="1.0"?>
        <workout_file>
          <author>A</author><name>Sweet &amp; short</name><sportType>bike</sportType><tags><tag name="x"/></tags>
          <workout>
            <Warmup Duration="300" PowerLow="0.25" PowerHigh="0.75"><textevent timeoffset="20" message="Welcome"/></Warmup>
            <IntervalsT Repeat="2" OnDuration="60" OffDuration="30" OnPower="1.2" OffPower="0.5" Cadence="95" CadenceResting="80">
              <textevent timeoffset="70" message="Easy"/>
            </IntervalsT>
            <SteadyState Duration="120" Power="0.88"/>
            <FreeRide Duration="60" FlatRoad="1"/>
            <MaxEffort Duration="10"/>
            <Cooldown Duration="100" PowerLow="0.7" PowerHigh="0.3"/>
          </workout>
        </workout_file>
        """

    @Test func `a Zwift workout has shares of the threshold power`() throws {
        let plan = try plan(Self.zwift, "a.zwo")
        func interval(_ notes: [WorkoutPlan.Note] = []) -> [Step] {
            [
                Step(60, .share(from: 1.2, to: 1.2), cadencePerMinute: 95),
                Step(30, .share(from: 0.5, to: 0.5), cadencePerMinute: 80, notes: notes),
            ]
        }
        #expect(plan.name == "Sweet & short")
        #expect(
            plan.steps == [Step(300, .share(from: 0.25, to: 0.75), notes: [.init("Welcome", at: 20)])]
                + interval([.init("Easy", at: 10)]) + interval() + [
                    Step(120, .share(from: 0.88, to: 0.88)), Step(60, .free), Step(10, .free, notes: [.init("Max!")]),
                    Step(100, .share(from: 0.7, to: 0.3)),
                ])
    }

    @Test func `a Zwift workout that cannot be followed is rejected`() {
        #expect(reason(Self.zwift.replacing("bike", with: "run")).contains("the sport run"))
        #expect(
            reason(Self.zwift.replacing("Duration=\"120\"", with: "Duration=\"x\"")).contains("Duration is missing"))
        #expect(reason(Self.zwift.replacing("Power=\"0.88\"", with: "")).contains("step 6"))
        #expect(reason(Self.zwift.replacing("FreeRide", with: "SolidState")).contains("SolidState is not a known step"))
        #expect(reason("<gpx></gpx>").contains("it is not a plan"))
    }

    private static func course(_ unit: String) -> String {
        "[COURSE HEADER]\r\nVERSION = 2\r\nUNITS = ENGLISH\r\nDESCRIPTION = Ramp\r\nFILE NAME = ramp.erg\r\nMINUTES \(unit)\r\n"
            + "[END COURSE HEADER]\r\n[COURSE DATA]\r\n0.00\t100\r\n5.00\t200\r\n5.00\t250\r\n10.33\t250\r\n[END COURSE DATA]\r\n"
            + "[COURSE TEXT]\r\n310\tPush now\t10\r\n[END COURSE TEXT]\r\n"
    }

    @Test func `points of erg and mrc files become steps`() throws {
        let plan = try plan(Self.course("WATTS"), "a.erg")
        #expect(plan.name == "Ramp")
        #expect(
            plan.steps == [
                Step(300, .power(from: 100, to: 200)),
                Step(320, .power(from: 250, to: 250), notes: [.init("Push now", at: 10)]),
            ])
        #expect(try self.plan(Self.course("PERCENT")).steps[0].target == .share(from: 1, to: 2))
        #expect(reason(Self.course("FURLONGS")).contains("FURLONGS is none"))
        #expect(
            reason(Self.course("WATTS").replacing("5.00\t250", with: "4.00\t250")).contains(
                "line 11: the minutes go back"))
    }

    /// A file of a bike computer: a step, two steps twice, and a step that the rider ends.
    private static func fit(sport: Int64 = 2) -> [UInt8] {
        var bytes = FITBytes()
        bytes.define(0, 0, [.init(number: 0, type: 0x00)])
        bytes.message(0, [5])
        bytes.define(1, 26, [.init(number: 4, type: 0x00), .init(number: 8, type: 0x07, count: 4)])
        bytes.message(1, [sport, 0x41, 0x42, 0x43, 0])
        bytes.define(
            2, 27,
            [
                .init(number: 1, type: 0x00), .init(number: 2, type: 0x86), .init(number: 3, type: 0x00),
                .init(number: 4, type: 0x86), .init(number: 5, type: 0x86), .init(number: 6, type: 0x86),
            ])
        bytes.message(2, [0, 600_000, 4, 0, 60, 70])
        bytes.message(2, [0, 60_000, 4, 0, 1290, 1310])
        bytes.message(2, [0, 30_000, 3, 0, 85, 95])
        bytes.message(2, [6, 1, 2, 2, 0, 0])
        bytes.message(2, [5, 0xFFFF_FFFF, 2, 0, 0, 0])
        return bytes.file()
    }

    private func plan(_ bytes: [UInt8]) throws -> WorkoutPlan {
        try WorkoutPlan(RecordingSource(path: "a.fit", bytes: bytes))
    }

    @Test func `a FIT workout has percents, watts and repeats`() throws {
        let plan = try plan(Self.fit())
        let body = [Step(60, .power(from: 300, to: 300)), Step(30, .free, cadencePerMinute: 90)]
        #expect(plan.name == "ABC")
        #expect(plan.steps == [Step(600, .share(from: 0.65, to: 0.65))] + body + body + [Step(nil, .free)])
        #expect { try self.plan(Self.fit(sport: 1)) } throws: { "\($0)".contains("another sport") }
    }

    @Test func `a truncated plan is rejected, or ends between two lines`() throws {
        for whole in [Array(Self.zwift.utf8), Array(Self.course("WATTS").utf8), Self.fit()] {
            let complete = try plan(whole)
            for length in 0..<whole.count {
                // Content after the steps, such as the texts of a course, may be missing.
                guard let cut = try? plan(Array(whole.prefix(length))) else { continue }
                #expect(cut.steps.map(\.seconds) == complete.steps.map(\.seconds))
            }
        }
        let text = Array(Self.text.utf8)
        for length in 0..<text.count { _ = try? plan(Array(text.prefix(length))) }
    }

    @Test(arguments: 0..<UInt64(4))
    func `corrupted bytes are a plan or an error, never a trap`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let seeds = [Array(Self.text.utf8), Array(Self.zwift.utf8), Array(Self.course("WATTS").utf8), Self.fit()]
        for round in 0..<400 {
            var bytes = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                bytes[at] = UInt8.random(in: 0...255, using: &random)
            }
            guard let plan = try? plan(bytes) else { continue }
            #expect(!plan.steps.isEmpty && plan.steps.count <= 10_000)
            #expect(plan.steps.allSatisfy { ($0.seconds ?? 1) > 0 })
        }
    }

    @Test func `the plan follows the time, and skips on request`() throws {
        let plan = try plan("1m 100-200W\n30s 250W \"Go\"\nlap grade 4\n1m free")
        var course = PlanCourse(plan)
        #expect(course.target(at: 30) == .power(watts: 150) && course.left(at: 30) == 30)
        #expect(course.advance(to: 59.9) == 0)
        #expect(course.advance(to: 60) == 1)
        course.intensity = 1.1
        #expect(course.target(at: 60) == .power(watts: 275) && course.note(at: 60) == "Go")
        #expect(course.advance(to: 100) == 1 && course.index == 2)
        #expect(course.target(at: 5000) == .grade(percent: 4) && course.left(at: 5000) == nil)
        #expect(course.advance(to: 5000) == 0)
        course.skip(at: 5000)
        #expect(course.target(at: 5000) == nil && course.left(at: 5010) == 50)
        #expect(course.advance(to: 5060) == 1 && course.step == nil)
        course.skip(at: 6000)
        #expect(course.index == 4 && course.target(at: 6000) == nil)
        // Several steps may end at once, after a sleep of the machine.
        var late = PlanCourse(plan)
        #expect(late.advance(to: 1000) == 2)
    }
}
