import Foundation
import Glibc
import SessionLog
import Testing

@testable import HealthKit

/// A store in a folder to which others can write.
@Suite struct TrustedFolderTests {
    private static let stranger: uid_t = 65_534

    private func inSharedFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "healthkit-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Like /tmp.
        #expect(chmod(folder, 0o1777) == 0)
        try body(folder)
    }

    private func environment(_ folder: String, _ conditions: String = "") -> HealthEnvironment {
        HealthEnvironment(variables: [
            "HEALTHKIT_STORE": folder + "/health.sqlite", "HEALTHKIT_AUTHORIZATION": "allow",
            "HEALTHKIT_SIMULATE": conditions,
        ])
    }

    private func refuses(_ path: String, _ body: () throws -> Void) {
        let error = #expect(throws: (any Error).self) { try body() }
        let refusal = error.map { HKError.wrapping($0) }
        #expect(refusal?.code == .errorDatabaseInaccessible)
        #expect(refusal?.localizedDescription.contains("\(path) is not used: ") == true)
    }

    @Test func `a user's own folder is used, also through their own link`() throws {
        try inSharedFolder { folder in
            try TrustedFolder.check(folder + "/none")
            try FileManager.default.createDirectory(atPath: folder + "/own", withIntermediateDirectories: true)
            try TrustedFolder.check(folder + "/own")
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "own")
            try TrustedFolder.check(folder + "/link")
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            refuses(folder + "/file") { try TrustedFolder.check(folder + "/file") }
            try FileManager.default.createSymbolicLink(atPath: folder + "/broken", withDestinationPath: "nowhere")
            refuses(folder + "/broken") { try TrustedFolder.check(folder + "/broken") }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make what is another user's"))
    func `files of another user beside the store are neither read nor written`() throws {
        try inSharedFolder { folder in
            for name in ["-sessions", "-locked"] {
                let path = folder + "/health.sqlite" + name
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                try Data("evil".utf8).write(to: URL(fileURLWithPath: path + "/00000000000000000001-evil.saved"))
                #expect(chown(path, Self.stranger, Self.stranger) == 0)
            }
            let own = environment(folder)
            refuses("-sessions") { _ = try own.makeJournal(for: UUID()) }
            refuses("-sessions") { _ = try SessionRecovery.recover(from: HKHealthStore(environment: own)) }
            refuses("-locked") { try own.mergeLockedWrites() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/health.sqlite-sessions").count == 1)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make what is another user's"))
    func `another user's link is not followed, and the owner's folder is used if nobody else can write there`()
        throws
    {
        try inSharedFolder { folder in
            let mine = folder + "/mine"
            try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: true)
            let link = folder + "/health.sqlite-sessions"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: mine)
            #expect(lchown(link, Self.stranger, Self.stranger) == 0)
            refuses(link) { try TrustedFolder.check(link) }

            let home = folder + "/home"
            try FileManager.default.createDirectory(atPath: home + "/sessions", withIntermediateDirectories: true)
            #expect(chown(home, Self.stranger, Self.stranger) == 0)
            #expect(chown(home + "/sessions", Self.stranger, Self.stranger) == 0)
            #expect(chmod(home, 0o755) == 0)
            try TrustedFolder.check(home + "/sessions")
            #expect(chmod(home, 0o775) == 0)
            refuses("/sessions") { try TrustedFolder.check(home + "/sessions") }
        }
    }
}
