import Foundation
import GATT
import Glibc

/// A dbus-daemon and a fake bluetoothd, which end with ``close()``.
// It is Sendable because only the thread that waits for a line reads the output.
final class BluetoothScene: @unchecked Sendable {
    static let strap = DeviceAddress(value: 0xC0DE_0000_0001)

    let address: String
    private let folder: URL
    private let bus: Process
    private let fake: Process
    private let output: FileHandle

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("peers/fake_bluez.py")

    static var canRun: Bool {
        let looks = [["dbus-daemon", "--version"], ["python3", "-c", "import dbus_fast"]].map { words in
            let process = command(words)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
        return looks.allSatisfy { $0 }
    }

    /// - Parameter arguments: The arguments of the fake.
    init(_ arguments: [String]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluetooth-benchmark-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        address = "unix:path=\(folder.path)/socket"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>custom</type><listen>\(address)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("bus.conf"))
        (bus, _) = try Self.start([
            "dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile", "--print-address=1",
        ])
        (fake, output) = try Self.start(["python3", Self.script.path, "--address", address] + arguments)
    }

    /// Waits until the fake has written a line with this prefix.
    func line(_ beginning: String) throws -> String? {
        var text = ""
        while let more = try output.read(upToCount: 1), !more.isEmpty {
            text += String(decoding: more, as: UTF8.self)
            guard text.hasSuffix("\n") else { continue }
            if text.hasPrefix(beginning) { return text.trimmingCharacters(in: .whitespacesAndNewlines) }
            text = ""
        }
        return nil
    }

    func close() {
        for process in [fake, bus] {
            // Threads of Swift concurrency block SIGTERM, and a process started on one inherits that.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func command(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        return process
    }

    /// Returns when it has written its first line, which means that it is ready.
    private static func start(_ words: [String]) throws -> (Process, FileHandle) {
        let process = command(words)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        _ = try output.fileHandleForReading.read(upToCount: 1)
        return (process, output.fileHandleForReading)
    }
}
