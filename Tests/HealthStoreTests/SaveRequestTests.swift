import Dispatch
import Foundation
import HealthStore
import Synchronization
import Testing

/// How a reader requests the unsaved samples of sessions in other processes.
@Suite struct SaveRequestTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("requests-\(UUID())").path

    private final class Session: Sendable {
        let saves = Mutex(0)
        private let requests = Mutex<SaveRequests?>(nil)

        init(_ path: String) {
            let made = SaveRequests(besideStore: path, on: DispatchQueue(label: "session")) { [weak self] in
                self?.saves.withLock { $0 += 1 }
                self?.release()
            }
            requests.withLock { $0 = made }
        }

        func hold() -> Bool { requests.withLock { $0?.hold() } == true }
        func release() { requests.withLock { $0?.release() } }
    }

    @Test func `a reader reads once all sessions have saved`() throws {
        defer { try? FileManager.default.removeItem(atPath: path + "-live") }
        let sessions = (0..<3).map { _ in Session(path) }
        for session in sessions { #expect(session.hold()) }
        SaveRequest.make(besideStore: path)
        for session in sessions { #expect(session.saves.withLock { $0 } > 0) }
    }

    @Test func `later samples need a new request`() throws {
        defer { try? FileManager.default.removeItem(atPath: path + "-live") }
        let session = Session(path)
        for round in 1...5 {
            #expect(session.hold())
            SaveRequest.make(besideStore: path)
            #expect(session.saves.withLock { $0 } >= round)
        }
    }

    @Test func `a reader creates no file, and does not wait without sessions`() {
        SaveRequest.make(besideStore: path)
        #expect(!FileManager.default.fileExists(atPath: path + "-live"))
    }

    @Test func `a folder that cannot be created gives no requests`() {
        #expect(SaveRequests(besideStore: "/dev/null/store", on: .main) {} == nil)
    }
}
