import Analytics
import Testing

@Suite struct DistanceCourseTests {
    /// Metres of consecutive seconds.
    private func course(_ meters: [Double], from start: Double = 0) -> DistanceCourse {
        var course = DistanceCourse()
        for (second, covered) in meters.enumerated() {
            course.add(covered, from: start + Double(second), to: start + Double(second) + 1)
        }
        return course
    }

    /// Every window that begins or ends at a quarter of a second.
    private func slowly(_ course: DistanceCourse, _ length: Double, lastSecond: Int) -> Double? {
        var best: Double?
        for quarter in 0...(4 * lastSecond) {
            let time = Double(quarter) / 4
            let covered = course.meters(atSeconds: time)
            if let end = course.seconds(atMeters: covered + length), end > time {
                best = min(best ?? .infinity, end - time)
            }
        }
        return best
    }

    @Test(arguments: 0..<40)
    func `the fastest span is no slower than any other`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 1)
        let count = Int.random(in: 20...200, using: &random)
        var meters: [Double] = []
        for _ in 0..<count {
            meters.append(Bool.random(using: &random) ? Double(Int.random(in: 0...8, using: &random)) : 0)
        }
        let course = course(meters)
        for length in [5.0, 40, 100.5] {
            let effort = course.fastest(length)
            let expected = slowly(course, length, lastSecond: count)
            #expect((effort == nil) == (course.totalInMeters < length))
            guard let effort, let expected else { continue }
            #expect(effort.seconds <= expected + 1e-9)
            let covered =
                course.meters(atSeconds: effort.start + effort.seconds) - course.meters(atSeconds: effort.start)
            #expect(abs(covered - length) < 1e-6)
        }
    }

    /// Thousands of points beyond the longest window are dropped, and some readings come late.
    @Test(arguments: 0..<6)
    func `spans found as distances arrive are those of the whole series`(seed: UInt64) {
        var random = SeededGenerator(seed: seed + 1)
        let lengths = [100.0, 400, 1000, 50_000]
        var stretches = FastestStretches(ofMeters: lengths)
        var course = DistanceCourse()
        var second = 0.0
        for index in 0..<12_000 {
            let length = index % 100 == 0 ? 30 : Double(Int.random(in: 0...2, using: &random))
            let meters = Double(Int.random(in: 0...8, using: &random)) * max(1, length)
            let start = index % 50 == 7 ? max(0, second - 5) : second
            stretches.add(meters, from: start, to: start + length)
            course.add(meters, from: start, to: start + length)
            second = max(second, start + length)
        }
        #expect(stretches.totalInMeters == course.totalInMeters)
        let efforts = stretches.efforts
        #expect(efforts == lengths.compactMap { course.fastest($0) })
        for effort in efforts {
            let covered =
                course.meters(atSeconds: effort.start + effort.seconds) - course.meters(atSeconds: effort.start)
            #expect(abs(covered - effort.meters) < 1e-6)
        }
    }

    @Test func `a best effort continues through a pause, and begins when the athlete moves`() {
        var course = DistanceCourse()
        course.add(500, from: 100, to: 200)
        // A minute at a traffic light.
        course.add(500, from: 260, to: 360)
        #expect(course.fastest(400) == DistanceCourse.Effort(meters: 400, seconds: 80, start: 100))
        #expect(course.fastest(1000) == DistanceCourse.Effort(meters: 1000, seconds: 260, start: 100))
        #expect(course.fastest(1001) == nil)
        #expect(course.movingSeconds() == 200)
    }

    @Test func `a distance in whole metres that repeats is not a stop, and a short stop without speed is one`() {
        // 1.5 m/s, counted in whole metres or in strides of 5 m.
        #expect(course([2, 1, 2, 1, 2, 0, 3, 1, 2, 1]).movingSeconds() == 10)
        #expect(course([5, 0, 0, 5, 0, 0, 5]).movingSeconds() == 7)
        // A step in three seconds, and a stop of six before the next.
        #expect(course([2, 0, 0, 1, 2]).movingSeconds() == 3)
        #expect(course([4, 0, 0, 0, 0, 0, 0, 4, 4]).movingSeconds() == 3)
        // Nobody moves during a pause.
        let paused = course([4, 0, 0, 0, 4])
        #expect(paused.movingSeconds { max(0, min($1, 1) - $0) + max(0, $1 - max($0, 4)) } == 2)
    }

    @Test func `a distance at an instant was covered since the previous reading`() {
        var course = DistanceCourse()
        // Before anything else: its start is unknown.
        course.add(5, from: 0, to: 0)
        #expect(course.totalInMeters == 0 && course.seconds(atMeters: 0) == nil)
        course.add(3, from: 0, to: 0)
        course.add(92, from: 0, to: 10)
        #expect(course.totalInMeters == 100)
        // At the end of a lap, devices write two records in the same second.
        course.add(4, from: 10, to: 10)
        #expect(course.totalInMeters == 104 && course.seconds(atMeters: 104) == 10)
        course.add(16, from: 14, to: 14)
        #expect(course.totalInMeters == 120 && course.seconds(atMeters: 112) == 12)
        #expect(course.fastest(120)?.seconds == 14)
    }

    @Test func `ten times a tenth is the whole`() throws {
        let course = course([Double](repeating: 0.1, count: 10))
        #expect(course.totalInMeters < 1)
        #expect(abs(try #require(course.fastest(1)).seconds - 10) < 1e-6)
        #expect(course.splits(ofMeters: 1).count == 1)
    }

    @Test func `splits are consecutive, and the last one is the rest`() {
        let course = course([Double](repeating: 4, count: 600))
        let splits = course.splits(ofMeters: 1000)
        #expect(splits.map(\.meters) == [1000, 1000, 400])
        #expect(splits.map(\.elapsedSeconds) == [250, 250, 100])
        #expect(splits.allSatisfy { $0.climb == nil && $0.levelMeters == nil })
        #expect(self.course([Double](repeating: 4, count: 501)).splits(ofMeters: 1000).count == 2)
        #expect(DistanceCourse().splits(ofMeters: 1000).isEmpty)
        #expect(course.splits(ofMeters: 0).isEmpty)
    }

    @Test func `overlapping or invalid readings lose no distance and add no time`() {
        var course = DistanceCourse()
        course.add(10, from: 0, to: 10)
        course.add(10, from: 5, to: 15)
        course.add(10, from: 2, to: 8)
        for (meters, start, end) in [(0.0, 20.0, 21.0), (-1, 20, 21), (.nan, 20, 21), (5, 22, 21), (5, 22, .infinity)] {
            course.add(meters, from: start, to: end)
        }
        #expect(course.totalInMeters == 30)
        #expect(course.meters(atSeconds: 10) == 10)
        #expect(course.seconds(atMeters: 30) == 15)
        #expect(course.seconds(atMeters: 31) == nil)
    }
}
