import Foundation
import MadeSamples
import Testing

@testable import HealthStore

/// A copy of the store's file is a copy of the store.
@Suite struct StoreCheckpointTests {
    private func copy(_ path: String) throws -> String {
        let copy = path + ".copy"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    @Test func `when a process ends, the store is in its file alone`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            try database.save((0..<100).map { Made.heartRate(60, at: Double($0)) }, from: Made.source("App"))
            exit(EXIT_SUCCESS)
        }
        let copied = SQLiteHealthDatabase(.file(try copy(folder + "/health.sqlite")))
        #expect(try copied.all(Made.heartRate).count == 100)
    }

    @Test func `a copy of an unclosed store without its log is noticed`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
            try database.save([Made.heartRate(60, at: 0)], from: Made.source("App"))
            kill(getpid(), SIGKILL)
        }
        let path = folder + "/health.sqlite"
        #expect(!StoreCheckpoint.lacksItsLog(path))
        #expect(StoreCheckpoint.lacksItsLog(try copy(path)))
        #expect(try SQLiteHealthDatabase(.file(path)).all(Made.heartRate).count == 1)
    }

    @Test func `a missing, empty or different file is not taken for a copy`() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(!StoreCheckpoint.lacksItsLog(folder + "/none"))
            for (name, bytes) in [
                ("empty", Data()), ("zeros", Data(count: 4096)), ("text", Data("SQLite format 3".utf8)),
            ] {
                try bytes.write(to: URL(fileURLWithPath: folder + "/" + name))
                #expect(!StoreCheckpoint.lacksItsLog(folder + "/" + name))
            }
        }
    }
}
