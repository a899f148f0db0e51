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

    @Test(
        arguments: [
            ("{bad", "no JSON object"), (#"["mirror"]"#, "no JSON object"),
            (#"{"mirrorListen": 17732}"#, "'mirrorListen' has a value of another kind"),
            (#"{"mirorListen": "127.0.0.1:1"}"#, "'mirorListen', which means nothing"),
        ])
    func `a file that cannot be understood is a fault, and nobody listens everywhere instead`(
        file: String, words: String
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = try environment(file)
        #expect(environment.configurationFault?.localizedDescription.contains(words) == true)
        #expect(throws: HKError.self) { try environment.companions.host() }
    }

    @Test func `the file says who is mirrored to, and a variable says otherwise unless it is empty`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = #"{"mirror": "one:1, two", "mirrorListen": "127.0.0.1:5", "mirrorDiscovery": "off"}"#
        let settings = try environment(file).companions.settings
        #expect(settings.peers == ["one:1", "two"])
        #expect(settings.listen == "127.0.0.1:5")
        #expect(!settings.discovers)
        let variables = [
            "HEALTHKIT_MIRROR": "three", "HEALTHKIT_MIRROR_LISTEN": "", "HEALTHKIT_MIRROR_DISCOVERY": "on",
        ]
        let other = try environment(file, variables).companions.settings
        #expect(other.peers == ["three"] && other.listen == "127.0.0.1:5" && other.discovers)
    }

    @Test func `a wrong word for discovery is an error`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = try environment("{}", ["HEALTHKIT_MIRROR_DISCOVERY": "maybe"])
        #expect(throws: HKError.self) { try environment.companions.host() }
    }
}
