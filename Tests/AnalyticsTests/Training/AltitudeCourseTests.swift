import Analytics
import Testing

@Suite struct AltitudeCourseTests {
    private func course(_ altitudes: [Double]) -> AltitudeCourse {
        var course = AltitudeCourse()
        for (second, altitude) in altitudes.enumerated() { course.add(altitude, at: Double(second)) }
        return course
    }

    @Test func `changes smaller than the hysteresis are not a climb`() {
        let flat = course((0..<100).map { 500 + ($0 % 2 == 0 ? 1.4 : -1.4) })
        #expect(flat.climb() == AltitudeCourse.Climb(ascent: 0, descent: 0))
    }

    @Test func `hills count from their lowest to their highest point`() {
        // From 0 to 20, to 5, to 30 m, with one metre of noise.
        let up = (0...20).map(Double.init) + (5..<20).reversed().map(Double.init) + (6...30).map(Double.init)
        let hills = course(up)
        #expect(hills.climb() == AltitudeCourse.Climb(ascent: 45, descent: 15))
        let noisy = course(up.enumerated().map { $1 + ($0 % 2 == 0 ? 0 : 0.9) })
        let climb = noisy.climb()
        #expect(abs((climb?.ascent ?? 0) - 45) < 3 && abs((climb?.descent ?? 0) - 15) < 3)
    }

    @Test(arguments: 0..<20)
    func `a climb added up altitude by altitude is that of the whole series`(seed: UInt64) {
        var random = SeededGenerator(seed: seed + 1)
        var (whole, running) = (AltitudeCourse(), RunningClimb())
        #expect(running.climb == nil)
        var altitude = 400.0
        for second in 0..<500 {
            altitude += Double.random(in: -2...2, using: &random)
            let date = Double(second % 40 == 3 ? second - 9 : second)
            whole.add(second % 50 == 8 ? .nan : altitude, at: date)
            running.add(second % 50 == 8 ? .nan : altitude, at: date)
            #expect(running.climb == whole.climb())
        }
    }

    @Test func `the parts of a climb add up to it`() throws {
        let hill = course((0...100).map { Double($0) / 2 })
        let parts = [0.0, 10, 33, 70, 100]
        let sum = zip(parts, parts.dropFirst()).compactMap { hill.climb(from: $0, to: $1)?.ascent }.reduce(0, +)
        #expect(abs(sum - 50) < 1e-9)
        #expect(hill.climb(from: 200, to: 300) == nil)
        #expect(AltitudeCourse().climb() == nil)
    }

    @Test func `invalid altitudes and those dated before the last one are left out`() {
        var course = course([0, 10])
        course.add(100, at: 0.5)
        course.add(.nan, at: 5)
        course.add(20, at: 2)
        #expect(course.climb()?.ascent == 20)
        #expect(course.altitude(atSeconds: 1.5) == 15)
        #expect(course.altitude(atSeconds: 3) == nil)
    }
}

@Suite struct RunningCostTests {
    /// Values of the paper's polynomial at three grades, computed by hand.
    @Test(arguments: [(0.0, 3.6), (0.1, 5.968), (-0.1, 2.152)])
    func `the cost is that of the polynomial`(grade: Double, joules: Double) {
        #expect(abs(RunningCost.joulesPerKilogramAndMeter(atGrade: grade) - joules) < 0.001)
    }

    @Test
    func `uphill costs more than level ground, a gentle descent less, and nothing is extrapolated`() {
        #expect(RunningCost.levelMeters(atGrade: 0) == 1)
        #expect(RunningCost.levelMeters(atGrade: 0.05) > 1)
        #expect(RunningCost.levelMeters(atGrade: -0.1) < 1)
        #expect(RunningCost.levelMeters(atGrade: 3) == RunningCost.levelMeters(atGrade: 0.45))
        #expect(RunningCost.levelMeters(atGrade: -3) == RunningCost.levelMeters(atGrade: -0.45))
    }

    @Test func `a kilometre uphill is worth more on level ground`() throws {
        var distance = DistanceCourse()
        var altitude = AltitudeCourse()
        altitude.add(100, at: 0)
        for second in 0..<250 {
            distance.add(4, from: Double(second), to: Double(second) + 1)
            altitude.add(100 + Double(second + 1) * 0.4, at: Double(second + 1))
        }
        let split = try #require(distance.splits(ofMeters: 1000, altitude).first)
        #expect(abs(try #require(split.climb).ascent - 100) < 1e-6)
        #expect(abs(try #require(split.levelMeters) - 1000 * RunningCost.levelMeters(atGrade: 0.1)) < 1e-6)
    }
}
