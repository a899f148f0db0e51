import Analytics
import Foundation
import HealthKit
import MadeSamples
import Testing

/// Data that was saved while `HEALTHKIT_SIMULATE=locked` is kept beside the store until the store is used unlocked.
@Suite struct LockedJournalTests {
    private static func store(_ path: String, _ conditions: String = "") async throws -> HKHealthStore {
        let store = HKHealthStore(
            environment: HealthEnvironment(variables: [
                "HEALTHKIT_STORE": path, "HEALTHKIT_SIMULATE": conditions, "HEALTHKIT_AUTHORIZATION": "allow",
            ]))
        try await store.requestAuthorization(
            toShare: [Made.heartRate, Made.steps, .workoutType(), HKSeriesType.heartbeat()],
            read: [Made.heartRate, Made.steps, .workoutType(), HKSeriesType.heartbeat()])
        return store
    }

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder + "/health.sqlite")
    }

    private func samples(_ store: HKHealthStore, _ type: HKQuantityType = Made.heartRate) async throws -> [HKSample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type)], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    @Test func `samples saved while locked are stored after unlocking`() async throws {
        try await inFolder { path in
            let locked = try await Self.store(path, "locked")
            let first = Made.heartRate(60, at: 0, metadata: ["note": "early"])
            try await locked.save([first, Made.heartRate(61, at: 1)])
            try await locked.save(Made.heartRate(62, at: 2))
            #expect(try locked.database.samples([SampleSelection(Made.heartRate)], sortedBy: [], limit: nil).isEmpty)
            await #expect(throws: HKError.self) { try await samples(locked) }

            let unlocked = try await Self.store(path)
            let found = try await samples(unlocked)
            #expect(found.map(\.startDate) == [0, 1, 2].map { Made.start + $0 })
            #expect(found.first?.uuid == first.uuid)
            #expect(found.first?.metadata?["note"] as? String == "early")
            #expect(found.first?.sourceRevision == .current)
            #expect(try await samples(unlocked).count == 3)
            #expect(try await samples(try await Self.store(path)).count == 3)
        }
    }

    @Test func `a workout finished while locked is saved but not returned`() async throws {
        try await inFolder { path in
            let locked = try await Self.store(path, "locked")
            let builder = HKWorkoutBuilder(healthStore: locked, configuration: HKWorkoutConfiguration(), device: nil)
            try await builder.beginCollection(at: Made.start)
            try await builder.addSamples([Made.steps(100, from: 0, to: 60)])
            try await builder.endCollection(at: Made.start + 60)
            #expect(try await builder.finishWorkout() == nil)
            let unlocked = try await Self.store(path)
            let workouts = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
                .result(for: unlocked)
            #expect(workouts.map(\.duration) == [60])
            let workout = try #require(workouts.first)
            let steps = HKSamplePredicate.quantitySample(
                type: Made.steps, predicate: HKQuery.predicateForObjects(from: workout))
            let members = try await HKSampleQueryDescriptor(predicates: [steps], sortDescriptors: []).result(
                for: unlocked)
            #expect(members.count == 1)
        }
    }

    @Test func `a heartbeat series finished while locked keeps its beats`() async throws {
        try await inFolder { path in
            let builder = HKHeartbeatSeriesBuilder(
                healthStore: try await Self.store(path, "locked"), device: nil, start: Made.start)
            try await builder.addHeartbeat(at: 0.8, precededByGap: false)
            try await builder.addHeartbeat(at: 1.6, precededByGap: true)
            let series = try await builder.finishSeries()
            var beats: [Bool] = []
            for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: try await Self.store(path)) {
                beats.append(beat.precededByGap)
            }
            #expect(beats == [false, true])
        }
    }

    @Test(arguments: [
        StoreWrite.series(
            Made.heartRate(60, at: 0),
            .quantities([StoredQuantity(quantity: Made.bpm(60), start: Made.start, end: Made.start + 1)]))
    ])
    func `waiting data is stored unchanged`(_ write: StoreWrite) throws {
        try TemporaryFolder.with { folder in
            let journal = LockedJournal(besideStore: folder + "/health.sqlite")
            try journal.append(write, from: Made.source("App"))
            #expect(!journal.isEmpty)
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            try journal.merge(into: database)
            #expect(journal.isEmpty)
            let sample = try #require(try database.all(Made.heartRate).first)
            #expect(try database.quantities(sample.uuid).map(\.quantity) == [Made.bpm(60)])
            #expect(sample.sourceRevision == Made.source("App"))
        }
    }

    @Test func `a file that a dead process had already stored is not stored again`() async throws {
        try await inFolder { path in
            let locked = try await Self.store(path, "locked")
            try await locked.save(Made.heartRate(60, at: 0))
            let folder = LockedJournal(besideStore: path).folder
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".saved") })
            let file = folder.appendingPathComponent(name)
            let bytes = try Data(contentsOf: file)
            let database = SQLiteHealthDatabase(.file(path))
            try LockedJournal(besideStore: path).merge(into: database)
            // The state if the process dies after the commit: the file exists, and its name is recorded. Meanwhile
            // the user deleted the sample, so its UUID is free.
            try bytes.write(to: file)
            try database.setSetting("locked.\(name)", Data([1]))
            _ = try database.delete(SampleSelection(Made.heartRate), owner: nil)
            try LockedJournal(besideStore: path).merge(into: database)
            #expect(try database.all(Made.heartRate).isEmpty)
            #expect(LockedJournal(besideStore: path).isEmpty)
            #expect(try database.setting("locked.\(name)") == nil)
        }
    }

    @Test func `data that the store rejects is set aside and does not block the rest`() async throws {
        try await inFolder { path in
            let locked = try await Self.store(path, "locked")
            let sample = Made.heartRate(60, at: 0)
            try await locked.save(sample)
            try await locked.save(sample)
            try await locked.save(Made.heartRate(61, at: 1))
            #expect(try await samples(try await Self.store(path)).count == 2)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: LockedJournal(besideStore: path).folder.path)
            #expect(files.filter { $0.hasSuffix(".refused") }.count == 1)
        }
    }

    @Test func `data acknowledged while locked survives kill -9`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let store = try await LockedJournalTests.store(folder + "/health.sqlite", "locked")
            for second in 0..<20 { try await store.save(Made.heartRate(60, at: Double(second))) }
            kill(getpid(), SIGKILL)
        }
        #expect(try await samples(try await Self.store(folder + "/health.sqlite")).count == 20)
    }

    @Test(arguments: ["", "\0\0\0\0", "{}", "{\"source\":\"AAAA\",\"objects\":[\"AAAA\"]}", "a folder"])
    func `an unreadable file is set aside, and the others are stored`(content: String) async throws {
        try await inFolder { path in
            let locked = try await Self.store(path, "locked")
            try await locked.save(Made.heartRate(60, at: 0))
            let folder = LockedJournal(besideStore: path).folder
            let damaged = folder.appendingPathComponent("00000000000000000000-damaged.saved")
            if content == "a folder" {
                try FileManager.default.createDirectory(at: damaged, withIntermediateDirectories: true)
            } else {
                try Data(content.utf8).write(to: damaged)
            }
            try await locked.save(Made.heartRate(61, at: 1))
            #expect(try await samples(try await Self.store(path)).count == 2)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "lock" }
            #expect(left == ["00000000000000000000-damaged.refused"])
        }
    }

    @Test func `data saved while locked and damaged on disk stops no program`() async throws {
        try await inFolder { path in
            let locked = try await Self.store(path, "locked")
            try await locked.save(Made.heartRate(60, at: 0, metadata: ["note": "early"]))
            let folder = LockedJournal(besideStore: path).folder
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let file = folder.appendingPathComponent(try #require(names.first { $0.hasSuffix(".saved") }))
            let bytes = [UInt8](try Data(contentsOf: file))
            var random = SeededGenerator(seed: 3)
            for number in 0..<200 {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                        in: 33..<127, using: &random)
                }
                try Data(changed).write(to: folder.appendingPathComponent("\(String(format: "%020d", number))-x.saved"))
            }
            try FileManager.default.removeItem(at: file)
            let journal = LockedJournal(besideStore: path)
            try journal.merge(into: SQLiteHealthDatabase(.file(path)))
            #expect(journal.isEmpty)
        }
    }

    @Test func `nothing can be deleted while locked`() async throws {
        try await inFolder { path in
            let sample = Made.heartRate(60, at: 0)
            try await Self.store(path).save(sample)
            let locked = try await Self.store(path, "locked")
            let error = await #expect(throws: HKError.self) { try await locked.delete(sample) }
            #expect(error?.code == .errorDatabaseInaccessible)
        }
    }

    @Test func `an invalid setting is reported by every call`() async throws {
        let store = HKHealthStore(
            environment: HealthEnvironment(variables: [
                "HEALTHKIT_STORE": "memory", "HEALTHKIT_SIMULATE": "locked,asleep", "HEALTHKIT_AUTHORIZATION": "allow",
            ]))
        var errors: [(any Error)?] = []
        errors.append(
            await #expect(throws: HKError.self) { try await store.requestAuthorization(toShare: [], read: []) })
        errors.append(await #expect(throws: HKError.self) { try await store.save(Made.heartRate(60, at: 0)) })
        errors.append(await #expect(throws: HKError.self) { try await samples(store) })
        errors.append(#expect(throws: HKError.self) { try store.biologicalSex() })
        for error in errors {
            #expect((error as? HKError)?.code == .errorInvalidArgument)
            #expect(error?.localizedDescription.contains("locked, guest, unavailable, restricted") == true)
        }
    }
}
