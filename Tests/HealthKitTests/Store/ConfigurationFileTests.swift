import Foundation
import Testing

@testable import HealthKit

/// `config.json` says what variables say, and variables go before it.
@Suite struct ConfigurationFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("config-\(UUID())")

    private func environment(_ file: String, _ variables: [String: String] = [:]) throws -> HealthEnvironment {
        let url = folder.appendingPathComponent("healthkit/config.json")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.utf8).write(to: url)
        let own = ["XDG_CONFIG_HOME": folder.path, "HEALTHKIT_STORE": "memory"]
        return HealthEnvironment(variables: own.merging(variables) { _, given in given })
    }

    @Test func `the file says what the device is, and a variable says otherwise`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = #"{"simulate": "locked", "authorization": "allow"}"#
        #expect(try environment(file).conditions.get() == [.locked])
        #expect(try environment(file, ["HEALTHKIT_SIMULATE": "guest"]).conditions.get() == [.guest])
    }

    @Test func `a wrong word in the file is an error, not a silence`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = try environment(#"{"simulate": "asleep", "bluetooth": "tin can"}"#)
        #expect(throws: HKError.self) { try environment.conditions.get() }
        #expect(throws: HKError.self) { try environment.sensors.get() }
    }
}
