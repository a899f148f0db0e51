import Foundation
import Testing

@testable import workout

/// `workout mirror`, as the built command does it: two homes are two machines.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: CommandLineTests.command.path)))
struct MirrorCommandTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("MirrorCommandTests-\(UUID().uuidString)")

    /// A command that runs. Its output goes to a file, so that it never waits for a reader; what it says besides, to a pipe.
    private final class Running {
        let process = Process()
        private let output: URL
        private let words = Pipe()
        private var text = ""

        init(_ arguments: [String], home: URL) throws {
            process.executableURL = CommandLineTests.command
            process.arguments = arguments
            process.environment = [
                "HEALTHKIT_STORE": home.appendingPathComponent("health.sqlite").path, "HOME": home.path, "TZ": "UTC",
            ]
            process.standardInput = FileHandle.nullDevice
            output = home.appendingPathComponent("output-\(UUID())")
            try Data().write(to: output)
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = words
            try process.run()
        }

        /// What stands between two words that it said, once they stand there; nil if it ends before.
        func text(after start: String, until end: String) -> String? {
            while true {
                if let first = text.range(of: start), let last = text[first.upperBound...].range(of: end) {
                    return String(text[first.upperBound..<last.lowerBound])
                }
                let more = words.fileHandleForReading.availableData
                guard !more.isEmpty else { return nil }
                text += String(decoding: more, as: UTF8.self)
            }
        }

        func end() -> (status: Int32, output: String) {
            text += String(decoding: words.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let printed = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            return (process.terminationStatus, printed + text)
        }
    }

    private func home(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func run(on machine: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        try Running(arguments, home: home(machine)).end()
    }

    private func pair() throws -> String {
        for machine in ["watch", "phone"] {
            try FileManager.default.createDirectory(at: home(machine), withIntermediateDirectories: true)
        }
        let waiting = try Running(
            ["mirror", "pair", "--yes", "--listen", "127.0.0.1:0"], home: home("phone"))
        let address = try #require(waiting.text(after: "Waiting on ", until: ". "))
        let dialing = try run(on: "watch", "mirror", "pair", "--yes", address)
        #expect(dialing.status == 0)
        let met = waiting.end()
        #expect(met.status == 0)
        #expect(met.output.contains("Paired with"))
        let fingerprint = dialing.output.firstMatch(of: /Paired with .*\((.{8})\)/)?.1
        return String(try #require(fingerprint))
    }

    @Test func `paired machines are listed, renamed and forgotten`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let phone = try pair()
        #expect(try run(on: "watch", "mirror", "peers").output.contains("127.0.0.1:7654"))
        #expect(try run(on: "watch", "mirror", "rename", phone, "kitchen").status == 0)
        #expect(try run(on: "watch", "mirror", "peers", "--json").output.contains(#""name":"kitchen""#))
        #expect(try run(on: "watch", "mirror", "forget", "kitchen").status == 0)
        #expect(try run(on: "watch", "mirror", "peers").output.hasPrefix("No machine is paired."))
        let unknown = try run(on: "watch", "mirror", "forget", "kitchen")
        #expect(unknown.status == 65)
        #expect(unknown.output.contains("no paired machine is called kitchen"))
    }

    @Test func `a replay that is mirrored is stored on both machines, sample for sample`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try pair()
        let listening = try Running(
            ["mirror", "listen", "--listen", "127.0.0.1:0", "--json", "--once", "--save"], home: home("phone"))
        let address = try #require(listening.text(after: "Listening on ", until: ";"))
        let recording = CommandLineTests.command.deletingLastPathComponent().appendingPathComponent("none").path
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Recordings/easy-run.jsonl")
        #expect(try run(on: "watch", "replay", recording, "--mirror", address).status == 65)
        let replay = try run(on: "watch", "replay", file.path, "--speed", "max", "--save", "--mirror", address)
        #expect(replay.status == 0, "\(replay.output)")
        let end = listening.end()
        #expect(end.status == 0)
        #expect(end.output.contains(#""mirror":"ended""#))
        let own = try run(on: "watch", "samples", "heartRate", "--limit", "all", "--json")
        let mirrored = try run(on: "phone", "samples", "heartRate", "--limit", "all", "--json")
        #expect(own.output.split(separator: "\n").count > 800)
        #expect(own.output == mirrored.output)
    }

    @Test func `without a machine that listens, mirroring says so and where it looked`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: home("watch"), withIntermediateDirectories: true)
        #expect(try run(on: "watch", "mirror", "pair", "here").status == 64)
        #expect(try run(on: "watch", "mirror", "pair", "--yes", "not an address").status == 64)
        #expect(try run(on: "watch", "mirror", "peers").status == 0)
    }
}
