import Analytics
import Foundation
import SessionLog
import Testing

@testable import Engine

struct SimulatedWorkoutTests {
    private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private func entries(
        _ profile: WorkoutProfile, seed: UInt64 = 1, duration: TimeInterval? = nil
    ) -> [SessionEntry] {
        Array(SimulatedWorkout(profile: profile, seed: seed, start: start, duration: duration))
    }

    private func states(_ entries: [SessionEntry]) -> [SessionPhase] {
        entries.compactMap { if case .state(let phase) = $0.content { phase } else { nil } }
    }

    private func quantities(_ entries: [SessionEntry], _ type: String) -> [QuantityReading] {
        entries.compactMap {
            if case .quantity(let reading) = $0.content, reading.type == type { reading } else { nil }
        }
    }

    private func beats(_ entries: [SessionEntry]) -> [Double] {
        entries.flatMap { entry -> [Double] in
            if case .beats(let reading) = entry.content { reading.intervalsInMilliseconds } else { [] }
        }
    }

    private func laps(_ entries: [SessionEntry]) -> [EventRecord] {
        entries.compactMap { if case .event(let event) = $0.content { event } else { nil } }
    }

    @Test(arguments: WorkoutProfile.builtIn)
    func `the same seed gives the same entries, and another seed gives others`(_ profile: WorkoutProfile) {
        #expect(entries(profile) == entries(profile))
        #expect(entries(profile, seed: 1) != entries(profile, seed: 2))
    }

    @Test(arguments: WorkoutProfile.builtIn)
    func `a workout is a header, then everything in order of time from running to stopped`(_ profile: WorkoutProfile) {
        let entries = entries(profile)
        guard case .header(let header) = entries.first?.content else {
            Issue.record("The first entry is no header.")
            return
        }
        #expect(header.activity == profile.activity)
        guard case .wearer(let wearer) = entries[1].content else {
            Issue.record("Nobody wears the sensors.")
            return
        }
        #expect(wearer.maximumHeartRate == profile.athlete.maximumHeartRate)
        #expect(entries[2].content == .state(.running))
        #expect(entries.last?.content == .state(.stopped))
        #expect(entries.last?.date == start.addingTimeInterval(Double(profile.seconds)))
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.date <= $1.date })
        #expect(states(entries).count { $0 == .stopped } == 1)
    }

    @Test(arguments: [(0, 0), (1, 1), (90.9, 90), (5000, 5000)])
    func `a workout has the requested duration in whole seconds`(_ duration: Double, _ seconds: Int) {
        let entries = entries(.easyRun, duration: duration)
        #expect(entries.last?.content == .state(.stopped))
        #expect(entries.last?.date == start.addingTimeInterval(Double(seconds)))
        #expect(quantities(entries, "heartRate").count == seconds)
    }

    @Test func `a workout without an end goes on`() {
        let entries = SimulatedWorkout(profile: .rest, seed: 1, start: start, duration: .infinity).prefix(5000)
        #expect(Array(entries).count == 5000)
        #expect(!entries.contains { $0.content == .state(.stopped) })
    }

    @Test func `the common part of two durations is the same`() {
        let short = entries(.intervals, duration: 600).dropLast(2)
        let long = entries(.intervals, duration: 1200)
        #expect(Array(short) == Array(long.prefix(short.count)))
    }

    @Test func `a planned pause is a state without motion, with heart rate`() {
        let entries = entries(.ride)
        #expect(states(entries) == [.running, .paused, .running, .stopped])
        let pause = start.addingTimeInterval(1800)..<start.addingTimeInterval(1920)
        #expect(entries.first { $0.content == .state(.paused) }?.date == pause.lowerBound)
        #expect(
            quantities(entries, "distanceCycling").allSatisfy {
                $0.end <= pause.lowerBound || $0.start >= pause.upperBound
            })
        #expect(quantities(entries, "heartRate").count { pause.contains($0.start) } == 120)
    }

    @Test func `laps end where segments end, and leave no gap except the pause`() {
        let laps = laps(entries(.ride))
        #expect(laps.map { Int($0.end.timeIntervalSince($0.start)) } == [600, 1200, 480, 240, 480, 240, 600, 360])
        #expect(laps[1].end == start.addingTimeInterval(1800))
        #expect(laps[2].start == start.addingTimeInterval(1920))
    }

    @Test func `each sport of a triathlon begins an activity with its own distance`() {
        let entries = entries(.triathlon)
        let parts = entries.compactMap { entry -> String? in
            if case .activityBegan(let part) = entry.content { part.activity.activity } else { nil }
        }
        #expect(parts == ["swimming", "transition", "cycling", "transition", "running"])
        #expect(entries.count { $0.content == .activityEnded } == 1)
        let distance = { (type: String) in self.quantities(entries, type).reduce(0) { $0 + $1.value } }
        #expect(abs(distance("distanceSwimming") - 750) < 25)
        #expect(abs(distance("distanceCycling") - 20_000) < 400)
        #expect(abs(distance("distanceWalkingRunning") - 5_000 - 310) < 200)
    }

    @Test func `a strap that drops out leaves a gap, not a zero, and is away after five seconds`() {
        let profile = WorkoutProfile(
            name: "gap", activity: ActivityDescription(activity: "other"),
            segments: [.init(seconds: 120, intensity: 0.5)],
            dropouts: [.init(start: 20, seconds: 4), .init(start: 60, seconds: 30)])
        let entries = entries(profile)
        let seconds = quantities(entries, "heartRate").map { Int($0.start.timeIntervalSince(start)) }
        #expect(seconds == Array(1...20) + Array(25...60) + Array(91...120))
        let presences = entries.compactMap { entry -> [Int: SensorStatus.Presence]? in
            guard case .sensor(let status) = entry.content else { return nil }
            return [Int(entry.date.timeIntervalSince(start)): status.presence]
        }
        #expect(presences == [[0: .present], [65: .away], [91: .present]])
        #expect(quantities(entries, "heartRate").allSatisfy { $0.value > 0 })
    }

    @Test(arguments: [WorkoutProfile.easyRun, .intervals, .ride, .triathlon, .strength, .rest])
    func `without faults the intervals cover the whole time`(_ profile: WorkoutProfile) {
        let total = beats(entries(profile)).reduce(0, +) / 1000
        #expect(abs(total - Double(profile.seconds)) < 2)
        #expect(beats(entries(profile)).allSatisfy { ($0 * 1.024).rounded() == $0 * 1.024 })
    }

    /// Bounds that an exercise physiologist would give for a trained person with 56 bpm at rest and at most 188 bpm.
    @Test(
        arguments: [
            (.easyRun, 130, 148, 158, 2.6...2.9), (.intervals, 140, 156, 186, 2.6...3.2),
            (.ride, 115, 150, 178, 7.5...9),
            (.triathlon, 150, 168, 184, 4...7), (.strength, 95, 125, 145, nil), (.rest, 52, 62, 70, nil),
        ] as [(WorkoutProfile, Double, Double, Double, ClosedRange<Double>?)])
    func `the figures of a built-in workout are plausible for an athlete`(
        _ profile: WorkoutProfile, _ lowestMean: Double, _ highestMean: Double, _ highest: Double,
        _ metersPerSecond: ClosedRange<Double>?
    ) throws {
        for seed in UInt64(1)...3 {
            let entries = entries(profile, seed: seed)
            let heartRates = quantities(entries, "heartRate").map(\.value)
            let mean = heartRates.reduce(0, +) / Double(heartRates.count)
            #expect((lowestMean...highestMean).contains(mean), "\(profile.name): mean \(mean)")
            #expect(try #require(heartRates.max()) <= highest)
            // Only a faulty strap jumps.
            #expect(zip(heartRates, heartRates.dropFirst()).allSatisfy { abs($1 - $0) <= 8 })
            guard let metersPerSecond else { continue }
            let distance = ["distanceWalkingRunning", "distanceCycling", "distanceSwimming"]
                .flatMap { quantities(entries, $0) }.reduce(0) { $0 + $1.value }
            #expect(metersPerSecond.contains(distance / Double(profile.seconds)), "\(profile.name): \(distance) m")
        }
    }

    @Test func `a resting heart varies, and a runner's hardly does`() throws {
        let rest = try #require(BeatStatistics(beats(entries(.rest))).rmssd)
        let run = try #require(BeatStatistics(beats(entries(.easyRun))).rmssd)
        #expect((25.0...90).contains(rest))
        #expect((1.0...12).contains(run))
    }

    @Test func `positions add up to the distance`() {
        let positions = entries(.easyRun).compactMap { entry -> PositionReading? in
            if case .position(let position) = entry.content { position } else { nil }
        }
        let way = zip(positions, positions.dropFirst()).reduce(0.0) { sum, pair in
            let north = (pair.1.latitudeInDegrees - pair.0.latitudeInDegrees) * 111_319.49
            let east = (pair.1.longitudeInDegrees - pair.0.longitudeInDegrees) * 111_319.49
            return sum + (north * north + east * east).squareRoot()
        }
        let distance = quantities(entries(.easyRun), "distanceWalkingRunning").reduce(0) { $0 + $1.value }
        #expect(abs(way - distance) < 10)
    }
}

extension WorkoutProfile: CustomTestStringConvertible {
    public var testDescription: String { name }
}
