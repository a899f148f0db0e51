import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

/// An unreadable journal does not block the recovery of others.
@Suite struct UnreadableJournalTests {
    enum Damage: String, CaseIterable, CustomTestStringConvertible {
        case empty, zeros, garbage, headless, newerVersion, folder, pipe
        var testDescription: String { rawValue }

        /// The journal is deleted, stays in its place, or is moved to a separate folder.
        var remains: [String] {
            switch self {
            case .empty, .zeros: []
            case .newerVersion: ["bad.jsonl"]
            case .garbage, .headless, .folder, .pipe: ["bad.jsonl.unreadable"]
            }
        }

        func make(_ url: URL) throws {
            switch self {
            case .empty: try Data().write(to: url)
            case .zeros: try Data(repeating: 0, count: 8192).write(to: url)
            case .garbage: try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: url)
            case .headless:
                try Data((String(repeating: "\u{0}", count: 512) + "{\"at\":1,\"state\":\"running\"}\n").utf8).write(
                    to: url)
            case .newerVersion: try Data("{\"at\":0,\"log\":9}\n{\"at\":1,\"state\":\"running\"}\n".utf8).write(to: url)
            case .folder: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            case .pipe: try #require(mkfifo(url.path, 0o600) == 0)
            }
        }
    }

    private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    @Test(arguments: Damage.allCases)
    func `other sessions are recovered, and the unreadable journal is kept`(damage: Damage) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("unreadable-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let id = UUID()
        let journal = try SessionJournal(id: id, in: folder)
        journal.append(SessionEntry(start, .header(SessionHeader(id: id, activity: ActivityDescription()))))
        journal.append(SessionEntry(start, .state(.running)))
        try journal.commit()
        // The state that a killed process leaves: a copy without an owner.
        let left = folder.appendingPathComponent("good")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
        let good = left.appendingPathComponent("\(id).jsonl")
        try FileManager.default.copyItem(at: journal.url, to: good)
        // The bad one is the newest, so it is read first.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: good.path)
        try damage.make(left.appendingPathComponent("bad.jsonl"))

        var environment = HealthEnvironment(sensors: [], time: ManualTime(start + 100))
        environment.journalFolder = left
        let store = HKHealthStore(environment: environment)
        let offered = try await store.recoverActiveWorkoutSession()
        let recovered = try #require(offered)
        #expect(recovered.recorder.id == id)
        recovered.associatedWorkoutBuilder().discardWorkout()
        _ = await recovered.recorder.log
        #expect(try await store.recoverActiveWorkoutSession() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: left.path).sorted() == damage.remains)
    }
}
