import Foundation
import HealthKit
import Recordings
import SessionLog
import Testing

@testable import workout

/// The messages of failed commands.
@Suite struct CommandFailureTests {
    @Test func `the cause inside Foundation's error is shown in its words, without a dump`() {
        let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(ENOTDIR))
        let error = NSError(domain: NSCocoaErrorDomain, code: 512, userInfo: [NSUnderlyingErrorKey: cause])
        let told = NSError(
            domain: "HealthKit", code: 1,
            userInfo: [NSLocalizedDescriptionKey: "The folder cannot be made.", NSUnderlyingErrorKey: error])
        #expect(CommandFailure.describe(told) == "The folder cannot be made. Not a directory.")
    }

    @Test func `a cause that the sentence contains already is not repeated`() {
        let cause = NSError(domain: "x", code: 1, userInfo: [NSLocalizedDescriptionKey: "It is full."])
        let told = NSError(
            domain: "x", code: 2,
            userInfo: [NSLocalizedDescriptionKey: "Nothing was saved. It is full.", NSUnderlyingErrorKey: cause])
        #expect(CommandFailure.describe(told) == "Nothing was saved. It is full.")
    }

    @Test func `a recording whose activity does not fit its workout is bad input`() async throws {
        let log = """
            {"at":"2026-01-02T03:04:05.000Z","log":1,"id":"00112233-4455-6677-8899-AABBCCDDEEFF","activity":"running"}
            {"at":"2026-01-02T03:04:05.000Z","state":"running"}
            {"at":"2026-01-02T03:04:06.000Z","part":"began","id":"00112233-4455-6677-8899-AABBCCDDEE00","activity":"swimming"}
            {"at":"2026-01-02T03:04:17.000Z","state":"stopped"}

            """
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        try decoder.decode(Array(log.utf8), into: &entries)
        let recording = Recording(entries: entries, file: RecordingSummary(format: "jsonl"))
        let failure = try await #require(throws: CommandFailure.self) {
            _ = try await CommandFailure.ownFault {
                try await WorkoutRun(
                    replaying: recording, speed: .infinity, keepsDates: true, saves: false, outlives: false,
                    environment: HealthEnvironment(sensors: [])
                ).run()
            }
        }
        #expect(failure.exitCode == .badInput)
        #expect(failure.message.contains("takes no activity"))
    }
}
