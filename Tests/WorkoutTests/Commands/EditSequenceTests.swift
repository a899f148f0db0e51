import Analytics
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// All readers of the store agree, whatever a user does to workouts.
@Suite struct EditSequenceTests {
    private let runs = StoredRuns()
    private var database: any HealthDatabase { runs.database }
    private var store: HKHealthStore { HKHealthStore(environment: runs.environment) }
    private static let now = Date(timeIntervalSinceReferenceDate: 900_000_000)

    /// A client that has followed every change of some types from the beginning.
    private struct Follower {
        static let types: [HKSampleType] = [
            .workoutType(), HKQuantityType(.heartRate), HKQuantityType(.distanceWalkingRunning),
            HKQuantityType(.distanceCycling), HKSeriesType.workoutRoute(), HKSeriesType.heartbeat(),
        ]
        var known: Set<UUID> = []
        private var anchor: Int64 = 0

        mutating func follow(_ database: any HealthDatabase) throws {
            let changes = try database.changes(Self.types.map { SampleSelection($0) }, after: anchor, limit: nil)
            known.subtract(changes.deleted.map(\.uuid))
            known.formUnion(changes.added.map(\.uuid))
            anchor = changes.anchor
        }
    }

    private func samples(_ type: HKSampleType, of workout: HKWorkout? = nil) throws -> [HKSample] {
        try database.samples(
            [SampleSelection(type, workout.map { .workout($0.uuid) } ?? .all)], sortedBy: [], limit: nil)
    }

    /// - Parameter shown: The workouts whose pages were already checked. An edited workout is another one.
    private func expectOneTruth(_ step: String, shown: inout Set<UUID>) throws {
        let workouts = try StoredWorkouts(database).all()
        for workout in workouts {
            let entries = try StoredWorkoutEntries(workout, in: database)
            var state = SessionState()
            for entry in entries {
                // An effort describes the workout, and is not part of its figures.
                if case .quantity(let reading) = entry.content, reading.type == "workoutEffortScore" { continue }
                state.apply(entry)
            }
            #expect(entries.failure == nil)
            #expect(abs(state.activeSeconds(at: workout.endDate) - workout.duration) < 1e-6, "\(step)")
            #expect(state.workoutStart == workout.startDate && state.workoutEnd == workout.endDate, "\(step)")
            let folded = HKStatistics.byType(state.quantities)
            #expect(Set(folded.keys) == Set(workout.allStatistics.keys), "\(step)")
            for (type, statistics) in workout.allStatistics {
                let stated = statistics.total
                let stored = try database.statistics(
                    SampleSelection(type, .workout(workout.uuid)), bounds: .whole, separatingSources: false)
                for total in [folded[type]?.total, stored.first?.total] {
                    let total = try #require(total)
                    #expect(total.count == stated.count, "\(step): \(type)")
                    for (one, other) in [
                        (total.sum, stated.sum), (total.minimum, stated.minimum), (total.maximum, stated.maximum),
                    ] {
                        #expect(abs(one - other) <= 1e-6 * max(1, abs(other)), "\(step): \(type) \(one) \(other)")
                    }
                    let (one, other) = (total.average ?? 0, stated.average ?? 0)
                    #expect(abs(one - other) <= 1e-6 * max(1, abs(other)), "\(step): \(type) \(one) \(other)")
                }
                for sample in try samples(type, of: workout) {
                    #expect(
                        sample.startDate >= workout.startDate && sample.endDate <= workout.endDate, "\(step): \(type)")
                }
            }
            for event in workout.workoutEvents ?? [] {
                #expect(event.dateInterval.start >= workout.startDate && event.dateInterval.end <= workout.endDate)
            }
            for case let route as HKWorkoutRoute in try samples(HKSeriesType.workoutRoute(), of: workout) {
                #expect(try database.positions(route.uuid).count == route.count)
            }
        }
        try expectSameFigures(workouts.filter { !shown.contains($0.uuid) }, step)
        shown.formUnion(workouts.map(\.uuid))
        for type in [HKQuantityType(.distanceWalkingRunning), HKQuantityType(.distanceCycling)] {
            let total = try database.statistics(SampleSelection(type), bounds: .whole, separatingSources: false).first
            let sum = workouts.compactMap { $0.allStatistics[type]?.total.sum }.reduce(0, +)
            #expect(abs((total?.total.sum ?? 0) - sum) <= 1e-6 * max(1, sum), "\(step): \(type)")
        }
        // Every sample belongs to a workout.
        for type in Follower.types where !(type is HKWorkoutType) {
            let own = try workouts.map { try samples(type, of: $0).count }.reduce(0, +)
            #expect(try samples(type).count == own, "\(step): \(type)")
        }
        #expect(try database.checkIntegrity() == [], "\(step)")
    }

    /// `list`, `show` and `report` print the workout's figures.
    private func expectSameFigures(_ workouts: [HKWorkout], _ step: String) throws {
        let lines = WorkoutListing(workouts: workouts).jsonLines
        for (workout, line) in zip(workouts, lines) {
            let listed = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let analyzed = try AnalyzedWorkout(workout, runs.environment)
            let summary = analyzed.report.summary
            let page = WorkoutPage(report: analyzed.report, course: try analyzed.course(), page: StoredRuns.utc)
            let text = String(decoding: page.document.bytes, as: UTF8.self)
            #expect(listed["id"] as? String == summary.id.uuidString, "\(step)")
            for (key, seconds) in [("duration", summary.durationInSeconds), ("elapsed", summary.elapsedInSeconds)] {
                let listed = try #require(listed[key] as? Double)
                #expect(abs(listed - seconds) < 1e-6, "\(step): \(key)")
            }
            #expect(text.contains(MetricFormat.time(workout.duration)), "\(step)")
            if let title = workout.labels.title {
                #expect(listed["title"] as? String == title && text.contains(title), "\(step)")
            }
            if let effort = summary.labels?.effort {
                #expect(text.contains("Effort: \(MetricFormat.effort(effort))"), "\(step)")
            }
            for (type, statistics) in workout.allStatistics {
                let shown = summary.statistics.first { $0.identifier == type.identifier }
                #expect(shown?.count == statistics.total.count, "\(step): \(type)")
            }
        }
    }

    /// A file of a workout names it, and is the same workout in another store.
    private func expectExport(of workout: HKWorkout, as format: String, _ step: String) throws {
        let entries = RecordedEntries(try StoredWorkoutEntries(workout, in: database))
        let recordings = try Recording.all(inFileOf: entries, as: format)
        #expect(recordings.count == 1, "\(step)")
        let recording = recordings[0]
        let id = try #require(recording.facts.workoutID ?? recording.header?.id)
        #expect(id == workout.uuid, "\(step)")
        #expect(try database.knowsWorkout(id), "\(step)")
        let other = StoredRuns()
        _ = try HKHealthStore(environment: other.environment).save(recording, as: id)
        let copy = try WorkoutSummary(
            StoredWorkouts(other.database).workout(id.uuidString), in: other.database, wearer: nil)
        let own = try WorkoutSummary(workout, in: database, wearer: nil)
        // To other programs, one leg of a multisport workout is a workout of its sport.
        if own.activities.count != 1 { #expect(copy.activity == own.activity, "\(step)") }
        // A table has no place for labels.
        if format != "csv" { #expect(copy.labels == own.labels, "\(step)") }
        let rounding = 2 + Double(own.pauses.count)
        #expect(abs(copy.durationInSeconds - own.durationInSeconds) <= rounding, "\(step)")
        #expect(abs(copy.elapsedInSeconds - own.elapsedInSeconds) <= 2, "\(step)")
        for figures in own.statistics where figures.identifier.contains("Distance") && format != "gpx" {
            let distance = copy.statistics.first { $0.identifier == figures.identifier }?.sum ?? 0
            let expected = figures.sum ?? 0
            #expect(
                abs(distance - expected) <= 1 + expected * 0.002,
                "\(step): \(figures.identifier) \(distance) \(expected)")
        }
        let heartRate = HKQuantityTypeIdentifier.heartRate.rawValue
        let rates = [copy, own].map { $0.statistics.first { $0.identifier == heartRate } }
        if let expected = rates[1]?.arithmeticMean, format != "gpx" {
            #expect(abs((rates[0]?.arithmeticMean ?? 0) - expected) < 0.5, "\(step)")
        }
    }

    @Test(arguments: 1...6)
    func `any sequence of edits, imports, exports and undos is consistent, and undoing all restores the beginning`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let names = ["easy-run", "ride-dropouts", "intervals", "multisport"].shuffled(using: &random).prefix(2)
        var recordings: [(id: UUID, recording: Recording)] = []
        for name in names {
            let recording = try RecordingFile.read(SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl"))
            recordings.append((recording.id, recording))
        }
        func importAll() throws {
            for (id, recording) in recordings where try !database.knowsWorkout(id) {
                _ = try store.save(recording, as: id)
            }
        }
        try importAll()
        var follower = Follower()
        try follower.follow(database)
        let original = follower.known
        let summaries = try self.summaries()
        var done: [String] = []
        var shown: Set<UUID> = []
        for _ in 0..<8 {
            let workouts = try StoredWorkouts(database).all()
            let workout = try #require(workouts.randomElement(using: &random))
            let length = workout.endDate.timeIntervalSince(workout.startDate)
            let moment = workout.startDate + length * Double.random(in: 0.2..<0.8, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                var change = WorkoutLabels.Change()
                change.title = "Title \(done.count)"
                (change.notes, change.addedTags) = ("First line\nsecond", ["tag \(done.count)"])
                _ = try store.edit([workout], by: [.label(change)], effort: 7, named: "label", at: Self.now)
                done.append("label")
            case 1:
                _ = try store.edit([workout], by: [.trim(from: nil, to: moment)], named: "trim", at: Self.now)
                done.append("trim end")
            case 2:
                _ = try store.edit([workout], by: [.trim(from: moment, to: nil)], named: "trim", at: Self.now)
                done.append("trim start")
            case 3:
                _ = try store.edit([workout], by: [.split(at: [moment])], named: "split", at: Self.now)
                done.append("split")
            case 4:
                // The recordings begin at the same time, so only parts of the same one can follow each other.
                let halves = workouts.filter { $0.workoutActivityType == workout.workoutActivityType }
                    .sorted { $0.startDate < $1.startDate }
                guard halves.count > 1, halves[1].startDate >= halves[0].endDate else { continue }
                _ = try store.edit(Array(halves.prefix(2)), by: [.merge], named: "merge", at: Self.now)
                done.append("merge")
            case 5:
                guard workout.namedActivities.isEmpty else { continue }
                let activity: HKWorkoutActivityType = workout.workoutActivityType == .cycling ? .running : .cycling
                _ = try store.edit([workout], by: [.activity(activity)], named: "activity", at: Self.now)
                done.append("activity")
            case 6:
                guard try database.undo(changeOf: nil, owner: nil, at: Self.now) != nil else { continue }
                done.append("undo")
            case 7, 8:
                let formats = try samples(HKSeriesType.workoutRoute(), of: workout).isEmpty ? [] : ["gpx"]
                let format = try #require((formats + ["fit", "tcx", "csv", "jsonl"]).randomElement(using: &random))
                done.append("export \(format)")
                try expectExport(of: workout, as: format, "seed \(seed): \(done)")
            default:
                let before = try StoredWorkouts(database).all()
                try importAll()
                #expect(try StoredWorkouts(database).all() == before, "\(done): an import brought something back")
                let log = try Array(StoredWorkoutEntries(workout, in: database))
                guard case .header(let header)? = log.first?.content else { continue }
                #expect(try database.knowsWorkout(header.id))
                done.append("import")
            }
            try expectOneTruth("seed \(seed): \(done)", shown: &shown)
            try follower.follow(database)
            let stored = Set(try Follower.types.flatMap { try samples($0).map(\.uuid) })
            #expect(follower.known.symmetricDifference(stored).count == 0, "\(done)")
        }
        while try store.undoEdit(at: Self.now) != nil {}
        try follower.follow(database)
        #expect(follower.known.symmetricDifference(original).count == 0, "\(done)")
        #expect(try self.summaries() == summaries, "\(done)")
        try expectOneTruth("seed \(seed): all undone", shown: &shown)
    }

    /// A file has one record in the second between two legs, and the distance until then belongs to the first leg.
    @Test(arguments: ["fit", "tcx", "csv", "jsonl"])
    func `the activities of a multisport workout keep their distance in a file`(format: String) throws {
        let recording = try RecordingFile.read(
            SampleRecordingsTests.folder.appendingPathComponent("multisport.jsonl"))
        func legs(_ recording: Recording, _ runs: StoredRuns) throws -> (legs: [Double], workout: HKWorkout) {
            _ = try HKHealthStore(environment: runs.environment).save(recording, as: recording.id)
            let workout = try StoredWorkouts(runs.database).workout(recording.id.uuidString)
            let analysis = try DistanceAnalysis(workout, in: runs.database)
            return (analysis.legs.map(\.distance.totalInMeters), workout)
        }
        let (own, workout) = try legs(recording, runs)
        let entries = RecordedEntries(try StoredWorkoutEntries(workout, in: database))
        let copy = try Recording.all(inFileOf: entries, as: format)[0]
        let (read, copied) = try legs(copy, StoredRuns())
        #expect(own.count == 5)
        #expect(read.count == own.count)
        for (one, other) in zip(own, read) { #expect(abs(one - other) < 0.05, "\(own) \(read)") }
        // The last power of the ride, in the second in which the run begins, is not a power of the run.
        #expect(copied.allStatistics.keys.filter { workout.allStatistics[$0] == nil } == [])
    }

    @Test func `what was measured before the first leg comes before it`() throws {
        let log = """
            {"at":"2026-03-04T10:00:00.000Z","log":1,"activity":"swimBikeRun"}
            {"at":"2026-03-04T10:00:00.000Z","state":"running"}
            {"at":"2026-03-04T10:00:10.000Z","sample":"distanceWalkingRunning","value":20,"unit":"m","start":"2026-03-04T10:00:00.000Z"}
            {"at":"2026-03-04T10:00:10.000Z","part":"began","id":"E6E97E43-96BD-4BB1-87BF-B48D321AC837","activity":"running"}
            {"at":"2026-03-04T10:00:20.000Z","sample":"distanceWalkingRunning","value":30,"unit":"m","start":"2026-03-04T10:00:10.000Z"}
            {"at":"2026-03-04T10:00:30.000Z","state":"stopped"}

            """
        let recording = try RecordingFile.readAll(RecordingSource(path: "log", bytes: Array(log.utf8)))[0]
        let runs = StoredRuns()
        _ = try HKHealthStore(environment: runs.environment).save(recording, as: recording.id)
        let workout = try StoredWorkouts(runs.database).workout(recording.id.uuidString)
        let order = try StoredWorkoutEntries(workout, in: runs.database).compactMap { entry -> String? in
            switch entry.content {
            case .activityBegan: "leg"
            case .quantity(let reading): "\(Int(reading.value))"
            default: nil
            }
        }
        #expect(order == ["20", "leg", "30"])
    }

    /// By their UUIDs, because workouts that begin together are listed in the order in which they were stored.
    private func summaries() throws -> [WorkoutSummary] {
        try StoredWorkouts(database).all().map { try WorkoutSummary($0, in: database, wearer: nil) }
            .sorted { $0.id.uuidString < $1.id.uuidString }
    }
}

/// SplitMix64: the same numbers for the same seed.
private struct SeededGenerator: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var mixed = seed
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
