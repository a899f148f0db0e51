import Foundation
import MadeSamples
import Testing

@testable import HealthKit

/// `config.json` has the same settings as the variables, which override it.
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

    @Test func `the file configures the device, and a variable overrides it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = #"{"simulate": "locked", "authorization": "allow"}"#
        #expect(try environment(file).conditions.get() == [.locked])
        #expect(try environment(file, ["HEALTHKIT_SIMULATE": "guest"]).conditions.get() == [.guest])
    }

    @Test func `an invalid word in the file is an error`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = try environment(#"{"simulate": "asleep", "bluetooth": "tin can"}"#)
        #expect(throws: HKError.self) { try environment.conditions.get() }
        #expect(throws: HKError.self) { try environment.sensors.get() }
    }

    @Test(
        arguments: [
            ("{bad", "not a JSON object"), (#"["mirror"]"#, "not a JSON object"),
            (#"{"mirrorListen": 17732}"#, "'mirrorListen' has a value of the wrong kind"),
            (#"{"mirorListen": "127.0.0.1:1"}"#, "unknown setting 'mirorListen'"),
        ])
    func `an invalid file is an error, and does not open the listener to everyone`(
        file: String, words: String
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = try environment(file)
        #expect(environment.configurationFault?.localizedDescription.contains(words) == true)
        #expect(throws: HKError.self) { try environment.companions.host() }
    }

    /// A file that neither its owner nor root can read.
    @Test(arguments: ["a folder", "a loop"])
    func `an unreadable file is an error for every setting`(kind: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("healthkit/config.json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        if kind == "a folder" {
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        } else {
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: file)
        }
        let environment = HealthEnvironment(variables: ["XDG_CONFIG_HOME": folder.path, "HEALTHKIT_STORE": "memory"])
        #expect(environment.configurationFault?.localizedDescription.contains("\(file.path) cannot be read") == true)
        #expect(throws: HKError.self) { try environment.sensors.get() }
        #expect(throws: HKError.self) { try environment.companions.host() }
        let store = HKHealthStore(environment: environment)
        let sample = Made.heartRate(60, at: 0)
        await #expect(throws: HKError.self) {
            try await store.requestAuthorization(toShare: [Made.heartRate], read: [Made.heartRate])
        }
        await #expect(throws: HKError.self) { try await store.save(sample) }
        #expect(throws: HKError.self) { try PairedSensors(file: file).update { _ in } }
    }

    @Test func `a missing file or folder sets nothing`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(HealthEnvironment(variables: ["XDG_CONFIG_HOME": folder.path]).configurationFault == nil)
        try Data().write(to: folder)
        #expect(HealthEnvironment(variables: ["XDG_CONFIG_HOME": folder.path]).configurationFault == nil)
    }

    @Test func `the file names the companions, and a non-empty variable overrides it`() throws {
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

    @Test func `an invalid word for discovery is an error`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = try environment("{}", ["HEALTHKIT_MIRROR_DISCOVERY": "maybe"])
        #expect(throws: HKError.self) { try environment.companions.host() }
    }
}
