import Foundation
import Glibc
import Testing

/// The built command, with its own home folder.
struct BuiltCommand {
    /// Beside the test bundle, where SwiftPM builds it.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("workout")

    /// The folder of its store and settings. Created at once.
    let home: URL
    private let variables: [String: String]

    init(home: URL? = nil, variables: [String: String] = [:]) throws {
        self.home =
            home ?? FileManager.default.temporaryDirectory.appendingPathComponent("command-\(UUID().uuidString)")
        self.variables = variables
        try FileManager.default.createDirectory(at: self.home, withIntermediateDirectories: true)
    }

    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String
        var all: String { output + errors }
    }

    func run(_ arguments: String..., variables: [String: String] = [:]) async throws -> Outcome {
        try await start(arguments, variables: variables).end()
    }

    /// A shell command line in which `workout` is the built command.
    func shell(_ line: String, variables: [String: String] = [:]) async throws -> Outcome {
        let path = Self.executable.deletingLastPathComponent().path + ":/usr/bin:/bin"
        return try await start(
            ["-c", line], of: URL(fileURLWithPath: "/bin/sh"), variables: variables.merging(["PATH": path]) { $1 }
        ).end()
    }

    func start(
        _ arguments: [String], of executable: URL = Self.executable, variables: [String: String] = [:],
        onTerminal: Bool = false
    ) throws -> Running {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        // The thread sanitizer has the same settings for that process (`make test-tsan`).
        let sanitizer = ProcessInfo.processInfo.environment.filter { ["LD_PRELOAD", "TSAN_OPTIONS"].contains($0.key) }
        process.environment = [
            "HEALTHKIT_STORE": home.appendingPathComponent("health.sqlite").path, "HOME": home.path, "TZ": "UTC",
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "HEALTHKIT_MIRROR_DISCOVERY": "off",
        ].merging(sanitizer) { $1 }.merging(self.variables) { $1 }.merging(variables) { $1 }
        return try Running(process, onTerminal ? .terminal() : .pipes(in: home))
    }

    func remove() { try? FileManager.default.removeItem(at: home) }

    /// A running command. Its output goes to a file, so it never waits for a reader, and its messages go to a pipe;
    /// or both go to a terminal.
    ///
    /// @unchecked Sendable: a single test uses it, and waits for each result.
    final class Running: @unchecked Sendable {
        enum Streams {
            case pipes(output: URL, FileHandle)
            case terminal(controller: FileHandle, device: FileHandle)

            static func pipes(in folder: URL) throws -> Streams {
                let output = folder.appendingPathComponent("output-\(UUID())")
                try Data().write(to: output)
                return .pipes(output: output, try FileHandle(forWritingTo: output))
            }

            /// Keeps commands that other tests start now from inheriting a descriptor. While one of them has it open,
            /// this command's output does not end.
            static func keepFromOthers(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

            /// With 80 columns and 24 rows.
            static func terminal() throws -> Streams {
                var (controller, device): (Int32, Int32) = (-1, -1)
                var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
                try #require(openpty(&controller, &device, nil, nil, &size) == 0)
                for end in [controller, device] { keepFromOthers(end) }
                return .terminal(
                    controller: FileHandle(fileDescriptor: controller, closeOnDealloc: true),
                    device: FileHandle(fileDescriptor: device, closeOnDealloc: true))
            }
        }

        private let process: Process
        private let streams: Streams
        private let said: FileHandle
        private var text = ""
        /// The first bytes of a character whose other bytes were not read yet.
        private var unfinished: [UInt8] = []

        init(_ process: Process, _ streams: Streams) throws {
            self.process = process
            self.streams = streams
            switch streams {
            case .pipes(_, let output):
                let errors = Pipe()
                for end in [errors.fileHandleForReading, errors.fileHandleForWriting] {
                    Streams.keepFromOthers(end.fileDescriptor)
                }
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = output
                process.standardError = errors
                said = errors.fileHandleForReading
            case .terminal(let controller, let device):
                process.standardInput = device
                process.standardOutput = device
                process.standardError = device
                said = controller
            }
            try process.run()
            // The command has the only open end, so its output ends with it.
            if case .terminal(_, let device) = streams { try device.close() }
        }

        /// The text between two texts of its output (on a terminal: of everything shown), when both are there. Nil if
        /// it ends before.
        func text(after start: String, until end: String) async -> String? {
            await apart { self.textNow(after: start, until: end) }
        }

        /// Whether its output contains this from now on.
        func says(_ words: String) async -> Bool { await apart { self.saysNow(words) } }

        func end() async -> Outcome { await apart { self.endNow() } }

        /// On a separate thread, because the few threads for tasks must not wait for a process. A test whose time is
        /// over does not wait for it, either.
        private func apart<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(returning: body()) }
                }
            } onCancel: {
                if process.isRunning { kill() }
            }
        }

        private func textNow(after start: String, until end: String) -> String? {
            while true {
                if let first = text.range(of: start), let last = text[first.upperBound...].range(of: end) {
                    return String(text[first.upperBound..<last.lowerBound])
                }
                guard readMore() else { return nil }
            }
        }

        private func saysNow(_ words: String) -> Bool {
            while true {
                if let found = text.range(of: words) {
                    text = String(text[found.upperBound...])
                    return true
                }
                guard readMore() else { return false }
            }
        }

        func type(_ keys: String) throws {
            guard case .terminal(let controller, _) = streams else { return }
            try controller.write(contentsOf: Data(keys.utf8))
        }

        func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

        func interrupt() { Glibc.kill(process.processIdentifier, SIGINT) }

        private func endNow() -> Outcome {
            while readMore() {}
            process.waitUntilExit()
            var printed = ""
            if case .pipes(let output, _) = streams {
                printed = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            }
            return Outcome(status: process.terminationStatus, output: printed, errors: text)
        }

        private func readMore() -> Bool {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(said.fileDescriptor, &bytes, bytes.count)
            // A terminal whose last program has ended answers with an error.
            guard count > 0 else { return false }
            unfinished += bytes.prefix(count)
            let characters = unfinished.prefix(unfinished.count - Self.unfinishedLength(unfinished))
            text += String(decoding: characters, as: UTF8.self)
            unfinished.removeFirst(characters.count)
            return true
        }

        /// The number of bytes at the end that begin an incomplete character in UTF-8.
        private static func unfinishedLength(_ bytes: [UInt8]) -> Int {
            for (length, byte) in zip(1...3, bytes.reversed()) where byte & 0xC0 != 0x80 {
                let whole = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                return length < whole ? length : 0
            }
            return 0
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test with a message if the tests were built without the command.
    static var needsCommand: Self {
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: BuiltCommand.executable.path),
            "the tests were built without the command")
    }
}
