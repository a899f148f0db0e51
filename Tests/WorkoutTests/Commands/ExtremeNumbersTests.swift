import Foundation
import HealthKit
import Testing

/// Extreme numbers for every option and variable with a number: they give a message, not a crash or an endless wait.
@Suite(.needsCommand) struct ExtremeNumbersTests {
    private let command: BuiltCommand
    private static let recording = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path

    init() throws { command = try BuiltCommand() }

    private static let extremes = [
        "0", "-1", "nan", "inf", "-inf", "1e-300", "1e300", "1e19", "\(Int.max)", "\(Int.min)", "9223372036854775808",
        "",
        "x",
    ]

    private static let options = [
        "replay '\(recording)' --speed", "simulate --speed", "simulate --speed max --duration", "record --lap-every",
        "record --duration", "stats heartRate --every", "stats heartRate --from", "list --to",
        "samples heartRate --from",
        "sensors --wheel", "pair --wheel", "pair --timeout", "doctor --wait", "monitor AA:BB:CC:DD:EE:FF --duration",
        "scan --duration", "profile --mass", "profile --height", "profile --resting-heart-rate",
        "profile --maximum-heart-rate", "profile --vo2max", "profile --date-of-birth",
    ]

    private func check(_ outcome: BuiltCommand.Outcome, _ what: String) {
        #expect([64, 65].contains(outcome.status), "\(what): \(outcome.status) \(outcome.all)")
        #expect(outcome.output.isEmpty, "\(what)")
        let line = outcome.errors.split(separator: "\n").first ?? ""
        #expect(line.hasPrefix("error: "), "\(what): \(line)")
    }

    @Test(arguments: options)
    func `an option rejects extreme numbers`(option: String) async throws {
        defer { command.remove() }
        for extreme in Self.extremes {
            check(try await command.shell("timeout 60 workout \(option)=\(extreme)"), "\(option)=\(extreme)")
        }
    }

    // These take whole numbers, and some of the extremes are valid.
    @Test(arguments: ["simulate --duration 60 --speed max --seed", "list --limit", "samples heartRate --limit"])
    func `a whole number is accepted or rejected`(option: String) async throws {
        defer { command.remove() }
        for extreme in Self.extremes {
            let outcome = try await command.shell("timeout 60 workout \(option)=\(extreme)")
            #expect([0, 64].contains(outcome.status), "\(option)=\(extreme): \(outcome.status) \(outcome.all)")
            #expect(outcome.status == 0 || outcome.errors.hasPrefix("error: "))
        }
    }

    @Test(arguments: ["simulate?speed=", "simulate?speed=max&duration=", "replay:\(recording)?speed="])
    func `a sensor rejects extreme numbers`(sensor: String) async throws {
        defer { command.remove() }
        for extreme in Self.extremes {
            let outcome = try await command.shell(
                "timeout 60 workout record --json", variables: ["HEALTHKIT_SENSORS": sensor + extreme])
            check(outcome, sensor + extreme)
        }
    }

    @Test(arguments: ["0:x", "localhost:-1", "localhost:65536", "localhost:1e3", "localhost:\(Int.max)", "localhost:"])
    func `a port is valid or rejected`(address: String) async throws {
        defer { command.remove() }
        check(try await command.shell("timeout 60 workout mirror listen --once --listen='\(address)'"), address)
        check(
            try await command.shell(
                "timeout 60 workout mirror listen --once", variables: ["HEALTHKIT_MIRROR_LISTEN": address]), address)
        check(try await command.shell("timeout 60 workout mirror pair --yes '\(address)'"), address)
        let mirrored = try await command.shell("timeout 60 workout simulate --duration 5 --mirror='\(address)'")
        #expect(mirrored.status == 64, "\(mirrored.all)")
    }

    @Test(arguments: [
        #"{"massInKilograms": 1e300}"#, #"{"heightInMeters": 0}"#, #"{"restingHeartRate": -1}"#,
        #"{"maximumHeartRate": 1e19}"#, #"{"vo2Max": 9223372036854775807}"#,
    ])
    func `the profile in config.json rejects extreme numbers`(profile: String) async throws {
        defer { command.remove() }
        let folder = command.home.appendingPathComponent(".config/healthkit")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{\"profile\": \(profile)}".utf8).write(to: folder.appendingPathComponent("config.json"))
        check(try await command.shell("timeout 60 workout profile"), profile)
    }

    @Test(arguments: [
        #"{"activity": "running", "segments": [{"seconds": 1e19, "intensity": 0.5}]}"#,
        #"{"activity": "running", "segments": [{"seconds": 10, "intensity": 1e300}]}"#,
        #"{"activity": "running", "segments": [{"repeat": 1000, "segments": [{"repeat": 1000, "segments": [{"repeat": 1000, "#
            + #""segments": [{"seconds": 1, "intensity": 0.5}]}]}]}]}"#,
    ])
    func `a simulator profile rejects extreme numbers`(profile: String) async throws {
        defer { command.remove() }
        let file = command.home.appendingPathComponent("profile.json")
        try Data(profile.utf8).write(to: file)
        check(try await command.shell("timeout 60 workout simulate --speed max --profile '\(file.path)'"), profile)
    }
}
