import Bluetooth
import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

/// The machine's clock is set during a session.
@Suite struct SessionTimeTests {
    /// An hour back, a day forward.
    private static let settings: [Double] = [-3600, 86_400]

    private func steps(in log: [SessionEntry]) -> [Double] {
        log.compactMap { if case .clockSet(let seconds) = $0.content { seconds } else { nil } }
    }

    @Test(arguments: settings)
    func `setting the clock changes neither the dates nor the durations of a session`(step: Double) async throws {
        let test = TestSession(.running)
        let start = test.time.now()
        test.session.startActivity(with: start)
        try await test.builder.beginCollection(at: start)
        func beat(_ seconds: ClosedRange<Int>) async {
            for second in seconds {
                test.time.advance(by: 1)
                await test.collect([test.heartRate(120, at: start + Double(second))])
            }
        }
        await beat(1...60)
        test.time.set(by: step)
        await beat(61...90)
        // The app reads the clock after the change.
        let marker = HKWorkoutEvent(
            type: .marker, dateInterval: DateInterval(start: test.time.now(), duration: 0), metadata: nil)
        try await test.builder.addWorkoutEvents([marker])
        test.session.pause()
        await test.settle()
        test.time.advance(by: 10)
        test.session.resume()
        await test.settle()
        #expect(test.builder.elapsedTime == 90)
        #expect(abs(test.builder.elapsedTime(at: test.time.now()) - 90) < 0.001)
        let quantity = HKQuantity(unit: .meter(), doubleValue: 100)
        try await test.builder.addSamples([
            HKQuantitySample(
                type: HKQuantityType(.distanceWalkingRunning), quantity: quantity, start: test.time.now() - 5,
                end: test.time.now())
        ])
        await beat(101...120)
        test.session.stopActivity(with: test.time.now())
        await test.settle()
        try await test.builder.endCollection(at: test.time.now())
        let workout = try #require(try await test.builder.finishWorkout())
        #expect(workout.startDate == start && workout.endDate == start + 120)
        #expect(workout.duration == 110)
        #expect(workout.workoutEvents?.map(\.dateInterval.start) == [90, 90, 100].map { start + $0 })
        #expect(workout.statistics(for: HKQuantityType(.heartRate))?.total.count == 110)
        #expect(workout.statistics(for: HKQuantityType(.distanceWalkingRunning))?.endDate == start + 100)
        #expect(steps(in: try await test.session.recorder.log.entries) == [step])
    }

    @Test func `dates from before the clock was set stay valid`() async throws {
        let time = ManualTime()
        let session = SessionTime(time)
        let start = time.now()
        time.advance(by: 100)
        _ = session.date(atWall: time.now())
        time.set(by: 86_400)
        time.advance(by: 100)
        #expect(session.now() == start + 200)
        #expect(session.date(atWall: start + 40) == start + 40)
        #expect(session.date(atWall: time.now()) == start + 200)
        #expect(session.date(atWall: time.now() - 50) == start + 150)
        // Still to come.
        #expect(session.date(atWall: time.now() + 3600) == start + 3800)
        time.set(by: -2 * 86_400)
        time.advance(by: 100)
        #expect(session.date(atWall: time.now()) == start + 300)
        #expect(session.date(atWall: start + 40) == start + 40)
    }

    @Test func `a sleep in a session lasts as long as requested`() async throws {
        let time = ManualTime()
        let session = SessionTime(time)
        let start = session.now()
        time.set(by: 3600)
        try await session.sleep(until: start + 10)
        #expect(abs(session.now().timeIntervalSince(start) - 10) < 0.01)
    }

    @Test func `a clock set before the session begins is the session's clock`() async throws {
        let test = TestSession(.running)
        await test.settle()
        test.time.set(by: 50_000)
        let start = test.time.now()
        test.session.startActivity(with: start)
        try await test.builder.beginCollection(at: start)
        await test.settle()
        #expect(test.session.startDate == start && test.builder.startDate == start)
        #expect(steps(in: try await test.session.recorder.log.entries) == [])
    }

    @Test(arguments: settings)
    func `a strap's readings continue where they were`(step: Double) async throws {
        let bench = BluetoothSensorTests.Bench([PairedSensor(address: BluetoothSensorTests.first)])
        bench.central.add(BluetoothSensorTests.first, ScriptedCentral.Strap(name: "Strap"))
        try await bench.begin()
        await bench.connect(BluetoothSensorTests.first)
        await bench.beat(100...109, from: BluetoothSensorTests.first)
        bench.time.set(by: step)
        if step > 0 {
            // For the link, the strap was silent for a day, so it waits to see whether a burst follows.
            await bench.beatHeld(110, from: BluetoothSensorTests.first, for: .milliseconds(250))
        } else {
            await bench.beat(110...110, from: BluetoothSensorTests.first)
        }
        await bench.beat(111...119, from: BluetoothSensorTests.first)
        let log = try await bench.recorder.log.entries
        let dates = log.compactMap { entry -> Date? in
            if case .quantity(let reading) = entry.content { return reading.start }
            return nil
        }
        #expect(dates.count == 20)
        #expect(zip(dates, dates.dropFirst()).allSatisfy { abs($1.timeIntervalSince($0) - 1) < 0.01 })
        #expect(bench.builder.statistics(for: HKQuantityType(.heartRate))?.total.weightedSeconds.rounded() == 19)
        #expect(steps(in: log) == [step])
    }

    @Test func `a killed session continues in its own time, whatever the clock was set to`() async throws {
        let time = ManualTime()
        let start = time.now()
        let entries = [
            SessionEntry(start, .header(SessionHeader(id: UUID(), activity: ActivityDescription()))),
            SessionEntry(start, .state(.running)), SessionEntry(start, .collection(.began(events: true))),
            SessionEntry(start + 60, .clockSet(bySeconds: -3600)),
            SessionEntry(start + 100, .event(EventRecord(.marker, start: start + 100, end: start + 100))),
        ]
        time.advance(by: 160)
        time.set(by: -3600)
        func resume(_ entries: [SessionEntry]) throws -> WorkoutRecorder {
            let log = LiveSessionLog()
            for entry in entries { log.append(entry) }
            return WorkoutRecorder(resuming: log, try SessionState(log), time: time)
        }
        let recorder = try resume(entries)
        #expect(recorder.now == start + 160)
        // If nothing shows how wrong the clock is, time at least never runs backwards.
        let silent = try resume(entries.filter { $0.content != .clockSet(bySeconds: -3600) })
        #expect(silent.now == start + 100)
        time.advance(by: 5)
        #expect(silent.now == start + 105)
    }

    @Test func `a replay continues in the recording's time`() async throws {
        let recorded = Date(timeIntervalSinceReferenceDate: 400_000_000)
        let time = ManualTime()
        let entries = [
            SessionEntry(recorded, .state(.running)),
            SessionEntry(recorded + 30, .sensor(SensorStatus(id: "s", kind: .bluetooth, presence: .present))),
            SessionEntry(recorded + 60, .state(.stopped)),
        ]
        let test = TestSession(sensors: [ReplaySensor(ReplayedWorkout(entries, start: recorded), speed: 2)], time: time)
        let start = time.now()
        test.session.startActivity(with: start)
        await test.settle()
        time.set(by: -3600)
        try await test.builder.beginCollection(at: time.now())
        await test.diary.waitUntil(.stopped)
        #expect(test.session.startDate == start)
        #expect(test.session.endDate == start + 60)
        #expect(steps(in: try await test.session.recorder.log.entries) == [-3600])
    }
}
