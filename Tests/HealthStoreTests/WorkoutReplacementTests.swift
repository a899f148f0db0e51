import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Testing
import UniformTypeIdentifiers

/// Workouts that are replaced by others and restored.
@Suite struct WorkoutReplacementTests {
    private static let source = Made.source("App")
    private static let other = Made.source("Other")
    private static let now = Made.start + 86_400

    /// A workout with 20 heart rates of its own, five of another app, an effort and a file.
    private struct Stored {
        let workout: HKWorkout
        let own = (0..<20).map { Made.heartRate(100 + Double($0), at: Double($0)) }
        let foreign = (0..<5).map { Made.steps(10, from: Double($0), to: Double($0) + 1) }
        let effort: HKQuantitySample
        let file = HKAttachment(
            identifier: UUID(), name: "map", contentType: .plainText, size: 1, creationDate: Made.start, metadata: nil)

        init(_ database: any HealthDatabase, metadata: [String: Any]? = nil) throws {
            let made = try Made.workout(.running, at: 0, lasting: 20)
            let identity = try ObjectIdentity(
                uuid: made.uuid, sourceRevision: WorkoutReplacementTests.source, metadata: metadata)
            workout = try #require(made.with(identity) as? HKWorkout)
            effort = HKQuantitySample(
                type: HKQuantityType(.workoutEffortScore),
                quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 6),
                start: Made.start, end: Made.start + 20)
            try database.save(foreign, from: WorkoutReplacementTests.other)
            try database.apply(
                [
                    .save(.objects([workout])),
                    .join((own + foreign).map { ($0, nil) }, workout: workout.uuid),
                    .relateEffort(effort, workout: workout.uuid, activity: nil),
                    .attach(file, data: Data([1]), to: workout.uuid),
                ], from: WorkoutReplacementTests.source, once: nil)
        }

        /// Another workout, of the same source.
        func copy(_ activity: HKWorkoutActivityType = .cycling) throws -> HKWorkout {
            let made = try Made.workout(activity, at: 0, lasting: 10)
            return try #require(
                made.with(
                    try ObjectIdentity(
                        uuid: made.uuid, sourceRevision: WorkoutReplacementTests.source, metadata: workout.metadata))
                    as? HKWorkout)
        }
    }

    private func replace(
        _ stored: Stored, by new: [WorkoutReplacement.Successor], _ database: any HealthDatabase, owner: String? = nil
    ) throws {
        try database.apply(
            .replace(
                WorkoutReplacement("edit", at: Self.now, of: [stored.workout.uuid], by: new), owner: owner),
            from: Self.source)
    }

    private func members(of workout: HKWorkout, _ database: any HealthDatabase) throws -> [HKSample] {
        try [Made.heartRate, Made.steps].flatMap { try database.all($0, .workout(workout.uuid)) }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a successor without a log takes over everything of the old workout`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let stored = try Stored(database)
            let anchor = try database.changes([SampleSelection(.workoutType())], after: 0, limit: nil).anchor
            let new = try stored.copy()
            try replace(stored, by: [.init(workout: new)], database)
            #expect(try database.all(.workoutType()) == [new])
            #expect(try members(of: new, database) == stored.own + stored.foreign)
            let links = try database.effortLinks(after: 0)
            #expect(links.map(\.workout) == [new.uuid] && links.map(\.sample) == [stored.effort.uuid])
            #expect(try database.attachments(of: new.uuid).map(\.identifier) == [stored.file.identifier])
            #expect(try database.successors(of: stored.workout.uuid) == [new.uuid])
            #expect(try database.predecessors(of: new.uuid) == [stored.workout.uuid])
            // One deletion and one addition; no sample was added or removed.
            let changes = try database.changes(
                [SampleSelection(.workoutType()), SampleSelection(Made.heartRate)], after: anchor, limit: nil)
            #expect(changes.added == [new])
            #expect(changes.deleted.map(\.uuid) == [stored.workout.uuid])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `data that no successor takes is removed, but other apps' samples stay`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let stored = try Stored(database)
            let new = try stored.copy()
            let log = (0..<3).map { second in
                let date = Made.start + Double(second)
                return SessionEntry(
                    date, .quantity(QuantityReading("heartRate", 90, unit: "count/min", start: date, end: date)))
            }
            try replace(stored, by: [.init(workout: new, log: log)], database)
            #expect(try database.all(Made.heartRate).count == 3)
            #expect(try members(of: new, database).count == 3)
            #expect(try database.all(Made.steps) == stored.foreign)
            #expect(try database.effortLinks(after: 0).map(\.workout) == [new.uuid])
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `undo restores every sample, effort and file under its UUID`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let stored = try Stored(database)
            for successors in [[], [try stored.copy()], [try stored.copy(), try stored.copy()]] {
                let anchor = try database.changes([SampleSelection(Made.heartRate)], after: 0, limit: nil).anchor
                try replace(stored, by: successors.map { .init(workout: $0, log: []) }, database)
                #expect(try database.all(Made.heartRate).isEmpty)
                let between = try database.changes([SampleSelection(Made.heartRate)], after: anchor, limit: nil)
                #expect(Set(between.deleted.map(\.uuid)) == Set(stored.own.map(\.uuid)))
                let undone = try #require(try database.undo(changeOf: nil, owner: nil, at: Self.now + 60))
                #expect(undone.old == [stored.workout.uuid] && Set(undone.new) == Set(successors.map(\.uuid)))
                #expect(try database.all(.workoutType()) == [stored.workout])
                #expect(try members(of: stored.workout, database) == stored.own + stored.foreign)
                #expect(try database.effortLinks(after: 0).map(\.sample) == [stored.effort.uuid])
                #expect(try database.attachments(of: stored.workout.uuid).map(\.identifier) == [stored.file.identifier])
                // For a reader that knows of the deletion they are new; for one that has not asked since, they never
                // went.
                let after = try database.changes(
                    [SampleSelection(Made.heartRate)], after: between.anchor, limit: nil)
                #expect(Set(after.added) == Set(stored.own))
                let whole = try database.changes([SampleSelection(Made.heartRate)], after: 0, limit: nil)
                #expect(Set(whole.added) == Set(stored.own) && whole.deleted.isEmpty)
                #expect(try database.undoableChanges(at: Self.now).isEmpty)
                #expect(try database.checkIntegrity() == [])
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a new effort replaces the old one until undone`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let stored = try Stored(database)
            var successor = WorkoutReplacement.Successor(workout: try stored.copy())
            let effort = HKQuantitySample(
                type: HKQuantityType(.workoutEffortScore),
                quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 9),
                start: Made.start, end: Made.start + 20)
            successor.effort = effort
            try replace(stored, by: [successor], database)
            #expect(try database.all(HKQuantityType(.workoutEffortScore)) == [effort])
            #expect(try database.effortLinks(after: 0).map(\.sample) == [effort.uuid])
            _ = try database.undo(changeOf: successor.workout.uuid, owner: nil, at: Self.now)
            #expect(try database.all(HKQuantityType(.workoutEffortScore)) == [stored.effort])
            #expect(try database.effortLinks(after: 0).map(\.workout) == [stored.workout.uuid])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `samples may stay when their workout is deleted, and rejoin it when undone`(
        _ store: StoreUnderTest
    ) throws {
        try store.with { database in
            let stored = try Stored(database)
            var deletion = WorkoutReplacement("delete", at: Self.now, of: [stored.workout.uuid])
            deletion.keepsSamples = true
            try database.apply(.replace(deletion, owner: nil), from: Self.source)
            #expect(try database.all(.workoutType()).isEmpty)
            #expect(try database.all(Made.heartRate) == stored.own)
            _ = try database.undo(changeOf: nil, owner: nil, at: Self.now)
            #expect(try members(of: stored.workout, database) == stored.own + stored.foreign)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `another app's workout, and an unknown one, change nothing`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let stored = try Stored(database)
            let owner = Self.other.source.bundleIdentifier
            #expect(throws: HKError.self) { try replace(stored, by: [], database, owner: owner) }
            #expect(throws: HKError.self) {
                try database.apply(
                    .replace(WorkoutReplacement("edit", at: Self.now, of: [stored.workout.uuid, UUID()]), owner: nil),
                    from: Self.source)
            }
            #expect(try database.undoableChanges(at: Self.now).isEmpty)
            try replace(stored, by: [], database, owner: Self.source.source.bundleIdentifier)
            #expect(try database.undo(changeOf: nil, owner: owner, at: Self.now) == nil)
            #expect(try database.all(.workoutType()).isEmpty)
        }
    }

    /// Otherwise the workout would be stored twice: before and after the change.
    @Test(arguments: StoreUnderTest.allCases)
    func `later changes to the result are undone first`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let stored = try Stored(database)
            let (half, rest, later) = (try stored.copy(), try stored.copy(), try stored.copy())
            func change(_ old: HKWorkout, _ new: [HKWorkout]) throws {
                try database.apply(
                    .replace(
                        WorkoutReplacement("edit", at: Self.now, of: [old.uuid], by: new.map { .init(workout: $0) }),
                        owner: nil), from: Self.source)
            }
            try change(stored.workout, [half, rest])
            try change(half, [later])
            try change(later, [])
            for expected in [[rest, later], [half, rest], [stored.workout]] {
                _ = try database.undo(changeOf: stored.workout.uuid, owner: nil, at: Self.now)
                #expect(Set(try database.all(.workoutType()).map(\.uuid)) == Set(expected.map(\.uuid)))
            }
            #expect(try database.undo(changeOf: stored.workout.uuid, owner: nil, at: Self.now) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a change is purged after thirty days, and the successors stay known`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let stored = try Stored(database)
            let new = try stored.copy()
            try replace(stored, by: [.init(workout: new)], database)
            let change = try #require(try database.undoableChanges(at: Self.now).first)
            #expect(change.end == Self.now + 30 * 86_400)
            #expect(try database.undoableChanges(at: change.end + 1).isEmpty)
            #expect(try database.undo(changeOf: nil, owner: nil, at: change.end + 1) == nil)
            #expect(try database.all(.workoutType()) == [new])
            #expect(try database.knowsWorkout(stored.workout.uuid))
            #expect(try !database.knowsWorkout(UUID()))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an edited synchronized object stays edited when the app saves the same version again`(
        _ store: StoreUnderTest
    ) throws {
        try store.with { database in
            let stored = try Stored(
                database, metadata: [HKMetadataKeySyncIdentifier: "run", HKMetadataKeySyncVersion: 1])
            let new = try stored.copy()
            try replace(stored, by: [.init(workout: new)], database)
            #expect(try database.all(.workoutType()) == [new])
            try database.save([stored.workout], from: Self.source)
            #expect(try database.all(.workoutType()) == [new])
            _ = try database.undo(changeOf: nil, owner: nil, at: Self.now)
            #expect(try database.all(.workoutType()) == [stored.workout])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an export that contains an edited workout adds neither it nor its route`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let stored = try Stored(database)
            try replace(stored, by: [.init(workout: try stored.copy(), log: [])], database)
            let route = try HKWorkoutRoute.validated(
                ObjectIdentity(), count: 1, start: Made.start, end: Made.start)
            var batch = ImportBatch(fullCount: 10)
            batch.add(ImportedObject(sample: stored.workout))
            batch.add(
                ImportedObject(
                    sample: route,
                    series: .positions([(Made.start, PositionReading(latitudeInDegrees: 1, longitudeInDegrees: 2))]),
                    parent: stored.workout.uuid))
            var own = ImportedSequences()
            _ = try database.merge(batch, own: &own) { false }
            #expect(try database.all(.workoutType()).count == 1)
            #expect(try database.all(HKSeriesType.workoutRoute()).isEmpty)
        }
    }
}
