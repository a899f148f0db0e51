import Analytics
import Engine
import Foundation
import HealthKit
import MadeSamples
import Recordings
import SessionLog
import Testing

/// Sensors keep sending during a pause.
@Suite struct PauseTests {
    private let heartRate = HKQuantityType(.heartRate)
    private let distance = HKQuantityType(.distanceWalkingRunning)

    /// What a strap, a foot pod and a receiver send for one second, which ends at `end`.
    private func second(to end: Date, rate: Double) -> [SessionEntry] {
        [
            SessionEntry(
                end,
                .quantity(QuantityReading("heartRate", rate, unit: "count/min", start: end, end: end, sensor: "s"))),
            SessionEntry(
                end,
                .quantity(
                    QuantityReading("distanceWalkingRunning", 3, unit: "m", start: end - 1, end: end, sensor: "p"))),
            SessionEntry(end, .beats(BeatReading(intervalsInMilliseconds: [rate * 4, 500], sensor: "s"))),
            SessionEntry(
                end, .position(PositionReading(latitudeInDegrees: 50 + rate / 1000, longitudeInDegrees: 8))),
        ]
    }

    private struct Ran {
        var test: TestSession
        var workout: HKWorkout
        var log: [SessionEntry]
    }

    /// A minute, a pause of half a minute that begins and ends between two readings, and half a minute; one activity
    /// contains all.
    private func run() async throws -> Ran {
        let test = TestSession(.running)
        test.builder.dataSource?.enableCollection(for: distance, predicate: nil)
        let start = test.time.now()
        test.session.startActivity(with: start)
        try await test.builder.beginCollection(at: start)
        let running = HKWorkoutConfiguration()
        running.activityType = .running
        test.session.beginNewActivity(configuration: running, date: start, metadata: nil)
        await test.settle()
        func live(_ seconds: ClosedRange<Int>, rate: Double) async {
            for second in seconds {
                test.time.advance(by: start.timeIntervalSince(test.time.now()) + Double(second))
                await test.collect(self.second(to: start + Double(second), rate: rate))
            }
        }
        await live(1...60, rate: 130)
        test.time.advance(by: 0.5)
        test.session.pause()
        await test.settle()
        await live(61...90, rate: 190)
        test.time.advance(by: 0.5)
        test.session.resume()
        await test.settle()
        await live(91...120, rate: 140)
        test.session.stopActivity(with: nil)
        await test.settle()
        try await test.builder.endCollection(at: test.time.now())
        let workout = try #require(try await test.builder.finishWorkout())
        return Ran(test: test, workout: workout, log: try await test.session.recorder.log.entries)
    }

    private func figures(_ statistics: HKStatistics?) throws -> [Double] {
        let total = try #require(statistics).total
        return [Double(total.count), total.sum, total.minimum, total.maximum]
    }

    @Test func `readings during a pause count nowhere: statistics, activities, store, route, log, file`() async throws {
        let ran = try await run()
        let rates: [Double] = [90, 12_000, 130, 140]
        // A second that extends into the pause counts by the half outside: 1.5 m at each end.
        let meters: [Double] = [91, 270, 1.5, 3]
        #expect(ran.workout.duration == 90)

        for (type, expected) in [(heartRate, rates), (distance, meters)] {
            #expect(try figures(ran.test.builder.statistics(for: type)) == expected)
            #expect(try figures(ran.workout.statistics(for: type)) == expected)
            #expect(try figures(ran.workout.workoutActivities.first?.statistics(for: type)) == expected)
            let stored = try await samples(type, of: ran)
            #expect(stored.count == Int(expected[0]))
            #expect(try figures(try await statistics(type, of: ran)) == expected)
        }
        #expect(ran.test.session.recorder.state.beats.count == 180)
        let database = ran.test.store.environment.database
        let own = SampleFilter.workout(ran.workout.uuid)
        let series = try database.samples(
            [SampleSelection(HKSeriesType.heartbeat(), own)], sortedBy: [], limit: nil)
        let beats = try database.heartbeats(try #require(series.first).uuid)
        // The pause is a gap, and the next beat starts a new sequence.
        #expect(beats.count == 182 && beats.filter(\.precededByGap).count == 1)
        let routes = try database.samples(
            [SampleSelection(HKSeriesType.workoutRoute(), own)], sortedBy: [], limit: nil)
        let positions = try database.positions(try #require(routes.first).uuid)
        #expect(positions.count == 90 && positions.allSatisfy { $0.position.latitudeInDegrees < 50.15 })
        #expect(ran.log.allSatisfy { ran.test.session.recorder.state.pausing.countsIfReading($0) })

        let file = FileManager.default.temporaryDirectory.appending(path: "pause-\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        var writer = try SessionLogWriter(file)
        for entry in ran.log { try writer.append(entry) }
        try writer.close()
        let summary = try RecordingFile.read(file).file
        #expect(summary.heartRate.count == 90 && summary.heartRate.maximum == 140)
        #expect(summary.rrIntervalsInMilliseconds.count == 180)
    }

    private func samples(_ type: HKQuantityType, of ran: Ran) async throws -> [HKSample] {
        try ran.test.store.environment.database.samples(
            [SampleSelection(type, .workout(ran.workout.uuid))], sortedBy: [], limit: nil)
    }

    private func statistics(_ type: HKQuantityType, of ran: Ran) async throws -> HKStatistics? {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: HKQuery.predicateForObjects(from: ran.workout),
                options: type == distance ? .cumulativeSum : [.discreteMin, .discreteMax, .discreteAverage]
            ) { _, statistics, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: statistics)
                }
            }
            ran.test.store.execute(query)
        }
    }

    @Test func `an earlier log with readings during a pause is read by the same rule`() async throws {
        let ran = try await run()
        let start = try #require(ran.test.session.startDate)
        var dirty: [SessionEntry] = []
        for entry in ran.log {
            dirty.append(entry)
            if case .state(.paused) = entry.content {
                for place in 61...90 { dirty += second(to: start + Double(place), rate: 190) }
            }
        }
        var state = SessionState()
        for entry in dirty { state.apply(entry) }
        // The first second of the pause extends beyond it: its half metre is in the log twice.
        #expect(state.quantities["heartRate"] == ran.test.session.recorder.state.quantities["heartRate"])
        #expect(state.beats == ran.test.session.recorder.state.beats)
        #expect(state.lastPosition == ran.test.session.recorder.state.lastPosition)
        #expect(try counted(of: ran.log) == ran.log)
        let counted = try counted(of: dirty)
        #expect(counted.count == ran.log.count + 1)
        #expect(counted.allSatisfy { $0.date <= start + 60.5 || $0.date >= start + 90.5 })

        let database = SQLiteHealthDatabase(.memory)
        try database.save(ran.workout, log: dirty, from: Made.source("App"))
        let own = SampleFilter.workout(ran.workout.uuid)
        func stored(_ type: HKSampleType) throws -> [HKSample] {
            try database.samples([SampleSelection(type, own)], sortedBy: [], limit: nil)
        }
        #expect(try stored(heartRate).count == 90)
        // As above, the half metre before the pause twice.
        #expect(try stored(distance).count == 92)
        let beats = try database.heartbeats(try #require(try stored(HKSeriesType.heartbeat()).first).uuid)
        #expect(beats.count == 182 && beats.filter(\.precededByGap).count == 1)
        let positions = try database.positions(try #require(try stored(HKSeriesType.workoutRoute()).first).uuid)
        #expect(positions.count == 90 && positions.allSatisfy { $0.position.latitudeInDegrees < 50.15 })
    }

    private func counted(of log: [SessionEntry]) throws -> [SessionEntry] {
        var counted: [SessionEntry] = []
        try log.forEachCounted { counted.append($0) }
        return counted
    }

    @Test func `displays know the heart rate during a pause`() async throws {
        let test = TestSession(.running)
        let start = test.time.now()
        test.session.startActivity(with: start)
        try await test.builder.beginCollection(at: start)
        test.session.pause()
        await test.settle()
        #expect(test.session.recorder.pulseInPause == nil)
        await test.collect([test.heartRate(111, at: start + 3)])
        #expect(test.session.recorder.pulseInPause?.value == 111)
        #expect(test.builder.statistics(for: heartRate) == nil)
    }

    @Test func `samples that an app adds during a pause count in statistics and store`() async throws {
        let test = TestSession(.running)
        let start = test.time.now()
        test.session.startActivity(with: start)
        try await test.builder.beginCollection(at: start)
        test.time.advance(by: 10)
        test.session.pause()
        test.time.advance(by: 10)
        let quantity = HKQuantity(unit: .meter(), doubleValue: 25)
        try await test.builder.addSamples([
            HKQuantitySample(type: distance, quantity: quantity, start: start + 12, end: start + 15)
        ])
        test.session.stopActivity(with: nil)
        await test.settle()
        try await test.builder.endCollection(at: test.time.now())
        let workout = try #require(try await test.builder.finishWorkout())
        #expect(workout.statistics(for: distance)?.total.sum == 25)
        let stored = try test.store.environment.database.samples(
            [SampleSelection(distance, .workout(workout.uuid))], sortedBy: [], limit: nil)
        #expect(stored.count == 1)
    }
}

extension SessionPauses {
    fileprivate func countsIfReading(_ entry: SessionEntry) -> Bool {
        switch entry.content {
        case .quantity(let reading): countsWhole(from: reading.start, to: reading.end)
        case .beats, .position: counts(entry.date)
        default: true
        }
    }
}
