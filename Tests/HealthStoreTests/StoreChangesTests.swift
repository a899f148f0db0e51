import Foundation
import GRDB
import HealthStore
import MadeSamples
import Testing

@Suite struct StoreChangesTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `changes come in the order they were made, and continue from an anchor`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let late = Made.heartRate(60, at: 100)
            let early = Made.heartRate(61, at: 0)
            try database.save([late], from: Made.source("App"))
            try database.save([early], from: Made.source("App"))
            let selection = [SampleSelection(Made.heartRate)]
            let all = try database.changes(selection, after: 0, limit: nil)
            #expect(all.added == [late, early])
            #expect(try database.changes(selection, after: all.anchor, limit: nil).added == [])

            _ = try database.delete([late.uuid], owner: nil)
            let third = Made.heartRate(62, at: 200)
            try database.save([third], from: Made.source("App"))
            let later = try database.changes(selection, after: all.anchor, limit: nil)
            #expect(later.added == [third])
            #expect(later.deleted.map(\.uuid) == [late.uuid])
            let fromStart = try database.changes(selection, after: 0, limit: nil)
            #expect(fromStart.added == [early, third])
            #expect(fromStart.deleted.map(\.uuid) == [late.uuid])
            #expect(try database.changes([SampleSelection(Made.steps)], after: 0, limit: nil).added == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [1, 7, 1000, 5000])
    func `pages of changes contain each change once`(_ store: StoreUnderTest, limit: Int) throws {
        try store.with { database in
            var saved: [HKQuantitySample] = []
            for part in 0..<4 {
                let samples = (0..<60).map { Made.heartRate(60, at: Double($0 * 4 + part)) }
                try database.save(samples, from: Made.source("App\(part % 2)"))
                saved += samples
            }
            let gone = Set(stride(from: 0, to: saved.count, by: 5).map { saved[$0].uuid })
            #expect(try database.delete(gone, owner: nil) == gone.count)
            var anchor: Int64 = 0
            var added: [UUID] = []
            var deleted: [UUID] = []
            while true {
                let page = try database.changes([SampleSelection(Made.heartRate)], after: anchor, limit: limit)
                #expect(page.added.count + page.deleted.count <= limit)
                guard page.added.count + page.deleted.count > 0 else { break }
                added += page.added.map(\.uuid)
                deleted += page.deleted.map(\.uuid)
                anchor = page.anchor
            }
            #expect(added == saved.map(\.uuid).filter { !gone.contains($0) })
            #expect(Set(deleted) == gone)
            #expect(deleted.count == gone.count)
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an app deletes its own samples, all or none`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let own = (0..<10).map { Made.heartRate(60, at: Double($0)) }
            let foreign = Made.heartRate(60, at: 20)
            try database.save(own, from: Made.source("App"))
            try database.save([foreign], from: Made.source("Other"))
            var error = #expect(throws: HKError.self) {
                try database.delete([own[0].uuid, foreign.uuid], owner: "test.App")
            }
            #expect(error?.code == .errorAuthorizationDenied)
            error = #expect(throws: HKError.self) { try database.delete([own[0].uuid, UUID()], owner: "test.App") }
            #expect(error?.code == .errorInvalidArgument)
            #expect(try database.all(Made.heartRate).count == 11)
            let early = SampleSelection(Made.heartRate, .startDate(.less, Made.start + 5))
            #expect(try database.delete(early, owner: "test.App") == 5)
            #expect(try database.delete(SampleSelection(Made.heartRate), owner: "test.Other") == 1)
            #expect(try database.all(Made.heartRate) == Array(own[5...]))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `samples of a workout stay its samples when others are deleted`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let samples = (0..<100).map { Made.heartRate(60, at: Double($0)) }
            let workout = try HKWorkout.validated(
                ObjectIdentity(), configuration: HKWorkoutConfiguration(), start: Made.start, end: Made.start + 60)
            try database.save(samples + [workout], from: Made.source("App"))
            try database.add(samples[20..<50].map { ($0, nil) }, toWorkout: workout.uuid, from: Made.source("App"))
            #expect(try database.all(Made.heartRate, .workout(workout.uuid)) == Array(samples[20..<50]))
            #expect(try database.all(Made.heartRate) == samples)
            _ = try database.delete([samples[30].uuid, samples[60].uuid], owner: nil)
            #expect(try database.all(Made.heartRate, .workout(workout.uuid)).count == 29)
            #expect(try database.changes([SampleSelection(Made.heartRate)], after: 0, limit: nil).added.count == 98)
            _ = try database.delete([workout.uuid], owner: nil)
            #expect(try database.all(Made.heartRate).count == 98)
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test func `changes by another process are visible`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
        let other = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
        let (seen, continuation) = AsyncStream.makeStream(of: Set<HKSampleType>.self)
        let observation = own.observe { continuation.yield($0) }
        try other.save([Made.heartRate(60, at: 0)], from: Made.source("Other"))
        var iterator = seen.makeAsyncIterator()
        #expect(await iterator.next() == [Made.heartRate])
        try own.save([Made.steps(1, from: 0, to: 1)], from: Made.source("App"))
        #expect(await iterator.next() == [Made.steps])
        observation.cancel()
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the times of additions and deletions are known`(_ kind: StoreUnderTest) throws {
        try kind.with { database in
            let early = (0..<10).map { Made.steps(1, from: Double($0), to: Double($0) + 1) }
            try database.save(early, from: Made.source("App"))
            let first = try database.changedTimes(Made.steps, after: .max)
            #expect(first.ranges == [])
            try database.save([Made.steps(1, from: 20, to: 30), Made.heartRate(60, at: 5)], from: Made.source("App"))
            let second = try database.changedTimes(Made.steps, after: first.mark)
            #expect(second.ranges == [Made.start + 20...Made.start + 30])
            _ = try database.delete([early[3].uuid, early[4].uuid], owner: nil)
            let third = try database.changedTimes(Made.steps, after: second.mark)
            #expect(third.ranges == [Made.start + 3...Made.start + 4, Made.start + 4...Made.start + 5])
            #expect(try database.changedTimes(Made.steps, after: third.mark).ranges == [])
        }
    }

    @Test func `a newer store is rejected with a sentence`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            try SQLiteHealthDatabase(.file(path)).setSetting("name", Data([1]))
            // The result of a later version's migration.
            try DatabaseQueue(path: path).write {
                try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('of a later version')")
            }
            let error = #expect(throws: HKError.self) { try SQLiteHealthDatabase(.file(path)).setting("name") }
            #expect(error?.code == .errorHealthDataUnavailable)
            #expect(error?.localizedDescription.contains("newer version") == true)
        }
    }

    @Test func `a file that is not a store is rejected with a sentence`() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = folder + "/health.sqlite"
            try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: HKError.self) { try SQLiteHealthDatabase(.file(path)).setting("name") }
            #expect(error?.localizedDescription.contains("is not a health store") == true)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `settings are stored and removed`(_ store: StoreUnderTest) throws {
        try store.with { database in
            #expect(try database.setting("a") == nil)
            try database.setSetting("a", Data([1, 2]))
            try database.setSetting("a", Data([3]))
            #expect(try database.setting("a") == Data([3]))
            try database.setSetting("a", nil)
            #expect(try database.setting("a") == nil)
        }
    }
}
