import Foundation
import GATT
import Glibc

/// A dbus-daemon and a fake bluetoothd, which end with ``close()``.
final class BluetoothScene {
    static let strap = DeviceAddress(value: 0xC0DE_0000_0001)

    let address: String
    private let folder: URL
    private let bus: Process
    private let fake: Process

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

    /// - Parameter arguments: Of the fake.
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
        bus = try Self.start([
            "dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile", "--print-address=1",
        ])
        fake = try Self.start(["python3", Self.script.path, "--address", address] + arguments)
    }

    func close() {
        for process in [fake, bus] {
            // A process that is started on one of the concurrency's threads has SIGTERM blocked, as they have.
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

    /// Returns once it has written its first line: it is ready then.
    private static func start(_ words: [String]) throws -> Process {
        let process = command(words)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        _ = try output.fileHandleForReading.read(upToCount: 1)
        return process
    }
}
