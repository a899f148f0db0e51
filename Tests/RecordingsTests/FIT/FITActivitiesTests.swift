import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct FITActivitiesTests {
    private func recordings(_ bytes: [UInt8]) throws -> [Recording] { try FITFile.read(bytes: bytes) }

    @Test func `chained activities are separate workouts in order of time`() throws {
        let first = FITBytes.run(count: 60)
        let second = FITBytes.run(count: 30, start: FITBytes.start + 3600)
        for bytes in [first.file() + second.file(), second.file() + first.file()] {
            let all = try recordings(bytes)
            #expect(all.map { $0.readings("heartRate").count } == [60, 30])
            #expect(all.map(\.start) == [FITRecordingTests.start, FITRecordingTests.start + 3600])
            #expect(all.map(\.end) == [FITRecordingTests.start + 60, FITRecordingTests.start + 3630])
            #expect(all.map { $0.readings("distanceWalkingRunning").map(\.value).reduce(0, +) } == [177, 87])
            #expect(all.map(\.file.records) == [60, 30])
            #expect(all.map(\.file.heartRate.count) == [60, 30])
            #expect(all.map(\.file.laps) == [1, 1])
            #expect(all.map(\.file.sessions) == [2, 2])
            #expect(all.map(\.file.workouts) == [2, 2])
            #expect(all.map(\.file.workout) == [1, 2])
            #expect(Set(all.map(\.header?.id)).count == 2)
        }
    }

    @Test func `activities years apart are complete, each on its own clock`() throws {
        let all = try recordings(
            FITBytes.run(count: 60).file() + FITBytes.run(count: 60, start: FITBytes.start + 86400 * 700).file())
        #expect(all.map { $0.readings("heartRate").count } == [60, 60])
        #expect(all.allSatisfy { $0.file.warnings.isEmpty })
    }

    @Test func `a chained file that continues the one before is the same workout`() throws {
        let all = try recordings(
            FITBytes.run(count: 60).file() + FITBytes.run(count: 60, start: FITBytes.start + 60).file())
        #expect(all.count == 1)
        #expect(all[0].readings("heartRate").count == 120)
        #expect(all[0].activities.count == 2)
        #expect(all[0].file.workouts == 1)
    }

    @Test func `overlapping chained activities are separate, complete workouts`() throws {
        let first = FITBytes.run(count: 300)
        let second = FITBytes.run(count: 200, start: FITBytes.start + 50)
        let all = try recordings(first.file() + second.file())
        #expect(all.map { $0.readings("heartRate").count } == [300, 200])
        #expect(all.map(\.start) == [FITRecordingTests.start, FITRecordingTests.start + 50])
        #expect(all.map(\.file.elapsedInSeconds) == [300, 200])
    }

    /// Sports with their starts and lengths in seconds. The distance count continues from one to the next, or starts
    /// again.
    private func sessions(
        _ sessions: [(sport: Int64, start: Int64, count: Int64)], countsOn: Bool
    ) throws -> [Recording] {
        var bytes = FITBytes()
        bytes.define(0, 0, FITBytes.fileID)
        bytes.message(0, [4, 1, 2697, 123_456, FITBytes.start])
        bytes.define(1, 21, FITBytes.event)
        bytes.define(2, 20, FITBytes.record)
        bytes.define(3, 78, [FITBytes.Field(number: 0, type: 0x84)])
        var meters: Int64 = 0
        for session in sessions {
            let start = FITBytes.start + session.start
            if !countsOn { meters = 0 }
            bytes.message(1, [start, 0, 0])
            for second in 0..<session.count {
                meters += 3
                bytes.message(2, [start + second, 100 + session.sport, meters * 100, 0xFFFF])
                bytes.message(3, [700 + session.sport])
            }
            bytes.message(1, [start + session.count, 0, 4])
        }
        bytes.define(4, 18, FITBytes.session)
        bytes.define(5, 19, FITBytes.lap)
        for session in sessions {
            let (start, elapsed) = (FITBytes.start + session.start, session.count * 1000)
            bytes.message(5, [start + session.count, start, elapsed])
            // Written with the file, all at once.
            bytes.message(4, [FITBytes.start + 9000, start, session.sport, 0, elapsed, elapsed])
        }
        return try recordings(bytes.file())
    }

    @Test(arguments: [true, false])
    func `sessions that do not follow each other are separate workouts`(_ countsOn: Bool) throws {
        let all = try sessions([(1, 0, 400), (37, 3160, 440), (2, 8000, 100)], countsOn: countsOn)
        #expect(all.map { $0.header?.activity.activity } == ["running", "paddleSports", "cycling"])
        #expect(all.map(\.start) == [0, 3160, 8000].map { FITRecordingTests.start + $0 })
        #expect(all.map(\.end) == [400, 3600, 8100].map { FITRecordingTests.start + $0 })
        #expect(all.allSatisfy { $0.pauses.isEmpty && $0.activities.isEmpty })
        #expect(
            all.map { $0.readings("heartRate").map(\.value) }
                == [101, 137, 102].enumerated().map {
                    Array(repeating: $0.element, count: [400, 440, 100][$0.offset])
                })
        let distances = ["distanceWalkingRunning", "distancePaddleSports", "distanceCycling"]
        #expect(
            zip(all, distances).map { $0.readings($1).map(\.value).reduce(0, +) } == [1200, 1320, 300])
        #expect(
            all.map(\.file.rrIntervalsInMilliseconds)
                == [(701, 400), (737, 440), (702, 100)].map {
                    Array(repeating: Double($0.0), count: $0.1)
                })
        #expect(all.map(\.file.laps) == [1, 1, 1])
        #expect(all.map(\.file.elapsedInSeconds) == [400, 440, 100])
        #expect(all.map(\.file.sessions) == [3, 3, 3])
    }

    @Test func `a leg ends with its session if nothing was recorded until the next one`() throws {
        let recording = try #require(try sessions([(5, 0, 300), (2, 340, 300), (1, 640, 200)], countsOn: true).first)
        let ends = recording.entries.filter { if case .activityEnded = $0.content { true } else { false } }
        #expect(ends.map { $0.date.timeIntervalSince(FITRecordingTests.start) } == [300])
    }

    /// Devices that write a leg's lap when the leg ends have counted the record of that second for it. Those that
    /// write all laps at the end have started to count again.
    @Test(arguments: [true, false])
    func `the record between two legs belongs to the first if its lap follows`(lapsAreInline: Bool) throws {
        var bytes = FITBytes()
        let start = FITBytes.start
        bytes.define(
            2, 20, [FITBytes.Field(number: 253, type: 0x86), FITBytes.Field(number: 7, type: 0x84)])
        bytes.define(3, 19, FITBytes.lap)
        for second in 0...10 as ClosedRange<Int64> {
            bytes.message(2, [start + second, 100 + second])
            if second == 5, lapsAreInline { bytes.message(3, [start + 5, start, 5000]) }
        }
        if !lapsAreInline { bytes.message(3, [start + 5, start, 5000]) }
        bytes.message(3, [start + 10, start + 5, 5000])
        bytes.define(4, 18, FITBytes.session)
        bytes.message(4, [start + 5, start, 2, 0, 5000, 5000])
        bytes.message(4, [start + 10, start + 5, 1, 0, 5000, 5000])
        let recording = try FITRecordingTests.read(bytes)
        #expect(recording.activities.count == 2)
        #expect(recording.readings("cyclingPower").map(\.value).max() == (lapsAreInline ? 105 : 104))
        #expect(recording.readings("runningPower").map(\.value).min() == (lapsAreInline ? 106 : 105))
    }

    /// Legs of 5 s with 8 m/s and 3 m/s, with all laps at the end.
    private func twoLegs(counting meters: [Double], stating stated: [Double]) throws -> Recording {
        var bytes = FITBytes()
        let start = FITBytes.start
        bytes.define(2, 20, FITBytes.record.dropLast() + [FITBytes.Field(number: 7, type: 0x84)])
        for (second, meters) in meters.enumerated() {
            bytes.message(2, [start + Int64(second), 120, Int64(meters * 100), 100 + Int64(second)])
        }
        bytes.define(3, 19, FITBytes.lap)
        bytes.define(4, 18, FITBytes.session + [FITBytes.Field(number: 9, type: 0x86)])
        let legs = [(0, 5, 2, stated[0]), (5, 10, 1, stated[1])] as [(Int64, Int64, Int64, Double)]
        for (first, last, sport, meters) in legs {
            let elapsed = (last - first) * 1000
            bytes.message(3, [start + last, start + first, elapsed])
            bytes.message(4, [start + last, start + first, sport, 0, elapsed, elapsed, Int64(meters * 100)])
        }
        return try FITRecordingTests.read(bytes)
    }

    @Test(arguments: [(stated: 44.0, isOfFirst: true), (32, false)])
    func `the record between two legs belongs to the first if that states its metres`(
        stated: Double, isOfFirst: Bool
    ) throws {
        let recording = try twoLegs(
            counting: [0, 8, 16, 24, 32, 40, 45.5, 48.5, 51.5, 54.5, 57.5], stating: [stated, 57.5 - stated])
        func sum(_ type: String) -> Double { recording.readings(type).map(\.value).reduce(0, +) }
        #expect(abs(sum("distanceCycling") - stated) < 1e-9)
        #expect(abs(sum("distanceWalkingRunning") - (57.5 - stated)) < 1e-9)
        #expect(recording.readings("cyclingPower").map(\.value).max() == (isOfFirst ? 105 : 104))
        // A moment would be in the next lap.
        #expect(recording.readings("distanceCycling").dropFirst().allSatisfy { $0.start < $0.end })
        #expect(recording.isInOrder)
    }

    @Test func `a count that starts again gives nothing to the leg before`() throws {
        let recording = try twoLegs(counting: [0, 8, 16, 24, 32, 0.5, 3, 6, 9, 12, 15], stating: [32.4, 15])
        #expect(recording.readings("distanceWalkingRunning").map(\.value).reduce(0, +) == 15)
    }

    @Test func `a triathlon is one workout, and a session much later is another`() throws {
        let all = try sessions(
            [(5, 0, 300), (3, 300, 40), (2, 341, 300), (3, 641, 20), (1, 690, 200), (1, 7000, 60)], countsOn: true)
        #expect(all.map { $0.header?.activity.activity } == ["swimBikeRun", "running"])
        #expect(all.map(\.activities.count) == [5, 0])
        #expect(all.map(\.file.workouts) == [2, 2])
        #expect(all[1].readings("distanceWalkingRunning").map(\.value).reduce(0, +) == 180)
    }
}
