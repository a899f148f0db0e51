import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Testing

/// Acknowledged data survives the death of the process; other data is stored completely or not at all.
@Suite(.serialized) struct StoreCrashTests {
    /// `HEALTHKIT_KILLS=10000` runs the long version.
    private static let kills = ProcessInfo.processInfo.environment["HEALTHKIT_KILLS"].flatMap { Int($0) } ?? 20
    /// The number of kills with the same store, so that each begins with what the last one left.
    private static let killsPerStore = 20
    private static let batch = 10

    @Test func `kill -9 at any moment of saving loses nothing that was acknowledged`() async throws {
        var folder = ""
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for kill in 0..<Self.kills {
            if kill % Self.killsPerStore == 0 {
                try? FileManager.default.removeItem(atPath: folder)
                folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            let microseconds = UInt32.random(in: 0..<40_000)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [folder = folder as String, microseconds = microseconds as UInt32] in
                try StoreCrashTests.saveUntilKilled(in: folder, after: microseconds)
            }
            let acknowledged = try Data(contentsOf: URL(fileURLWithPath: folder + "/acknowledged")).count
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            #expect(try database.checkIntegrity() == [])
            let samples = try database.all(Made.heartRate)
            #expect(samples.count >= acknowledged * Self.batch)
            #expect(samples.count % Self.batch == 0)
            let total = try database.statistics(
                SampleSelection(Made.heartRate), bounds: .whole, separatingSources: false)
            #expect((total.first?.total.count ?? 0) == samples.count)
        }
    }

    /// Saves and acknowledges, batch after batch, until another thread kills the process.
    private static func saveUntilKilled(in folder: String, after microseconds: UInt32) throws {
        let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
        let descriptor = open(folder + "/acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
        let before = try database.all(Made.heartRate).count
        // Dying at a random moment needs a real clock.
        Thread.detachNewThread {
            usleep(microseconds)
            kill(getpid(), SIGKILL)
        }
        for number in 0... {
            let first = before + number * batch
            let samples = (first..<first + batch).map { Made.heartRate(60 + Double($0 % 100), at: Double($0)) }
            try database.save(samples, from: Made.source("App\(number / 3 % 2)"))
            var mark: UInt8 = 1
            write(descriptor, &mark, 1)
        }
    }

    @Test func `a full disk is an error that changes nothing, and saving continues when there is space`() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            let first = Made.heartRate(60, at: 0)
            try database.save([first], from: Made.source("App"))
            // Files may not grow beyond this size, as on a full disk.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(1), &limit)
            let unlimited = limit
            limit.rlim_cur = 1_000_000
            setrlimit(__rlimit_resource_t(1), &limit)
            var saved = 1
            var failure: HKError?
            for number in 0..<1000 where failure == nil {
                let samples = (0..<2000).map { index in
                    HKQuantitySample(
                        type: Made.heartRate,
                        quantity: HKQuantity(unit: Made.perMinute, doubleValue: Double.random(in: 60..<180)),
                        start: Made.start + Double(number * 2000 + index),
                        end: Made.start + Double(number * 2000 + index))
                }
                do {
                    try database.save(samples, from: Made.source("App"))
                    saved += samples.count
                } catch let error as HKError {
                    failure = error
                }
            }
            try #require(failure?.code == .errorDatabaseInaccessible)
            #expect(try database.all(Made.heartRate).count == saved)
            limit.rlim_cur = unlimited.rlim_cur
            setrlimit(__rlimit_resource_t(1), &limit)
            try database.save([Made.heartRate(61, at: 1e7)], from: Made.source("App"))
            #expect(try database.all(Made.heartRate).count == saved + 1)
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test func `two processes that save at once both succeed`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        async let one: Void = Self.expectSaves(in: folder, as: "One")
        async let two: Void = Self.expectSaves(in: folder, as: "Two")
        _ = await (one, two)
        let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
        #expect(try database.all(Made.heartRate).count == 200)
        #expect(try database.sources(SampleSelection(Made.heartRate)).count == 2)
        #expect(try database.checkIntegrity() == [])
    }

    @Test func `processes that open a new store at the same moment all find it complete`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for store in 0..<20 {
            try await withThrowingTaskGroup { group in
                for opener in 0..<4 {
                    group.addTask {
                        let database = SQLiteHealthDatabase(.file(folder + "/\(store).sqlite"))
                        try database.save([Made.heartRate(60, at: Double(opener))], from: Made.source("App"))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try SQLiteHealthDatabase(.file(folder + "/\(store).sqlite")).all(Made.heartRate).count == 4)
        }
    }

    private static func expectSaves(in folder: String, as name: String) async {
        await #expect(processExitsWith: .success) { [folder = folder as String, name = name as String] in
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            for number in 0..<100 {
                try database.save([Made.heartRate(60, at: Double(number))], from: Made.source(name))
            }
        }
    }
}
