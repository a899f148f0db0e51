#if Bluetooth
import GATT
import Foundation

/// Which links this user's programs have opened, as files: what a killed program leaves connected can be told from what
/// another program holds.
///
/// bluetoothd keeps a link whose opener has died, and does not know whose it was. Each opener has a file of the device's
/// address, and a lock on it that goes with the process.
struct LinkTraces: Sendable {
    let folder: URL

    /// Below the user's data: `$XDG_DATA_HOME/healthkit/links`. Nil where there is no place.
    static var ofUser: LinkTraces? {
        let environment = ProcessInfo.processInfo.environment
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/share" : nil }
        return data.map { LinkTraces(folder: URL(fileURLWithPath: $0).appendingPathComponent("healthkit/links")) }
    }

    /// The trace of a link that this process has opened; it goes with the value. Nil where it cannot be left, or is another
    /// program's.
    func leave(_ address: BluetoothAddress) -> LinkTrace? {
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return LinkTrace.lock(file(address), creates: true)
    }

    /// Whether a program that has died opened the link.
    func isLeftover(_ address: BluetoothAddress) -> Bool { trace(of: address) != nil }

    /// What programs have left that have died, each held until it goes.
    func leftovers() -> [(address: BluetoothAddress, trace: LinkTrace)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            let text = name.split(separator: "-").joined(separator: ":")
            return BluetoothAddress(text).flatMap { address in trace(of: address).map { (address, $0) } }
        }
    }

    private func trace(of address: BluetoothAddress) -> LinkTrace? { LinkTrace.lock(file(address), creates: false) }

    private func file(_ address: BluetoothAddress) -> String {
        folder.appendingPathComponent(address.description.split(separator: ":").joined(separator: "-")).path
    }
}

/// One program's lock on a link's file, which it removes in the end.
final class LinkTrace: Sendable {
    private let descriptor: Int32
    private let path: String
    private let creates: Bool

    private init(_ descriptor: Int32, _ path: String, creates: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.creates = creates
    }

    /// Nil for a file that is not there, or another process's.
    static func lock(_ path: String, creates: Bool) -> LinkTrace? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (creates ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return LinkTrace(descriptor, path, creates: creates)
    }

    /// Nothing is connected any more.
    func remove() { unlink(path) }

    deinit {
        if creates { unlink(path) }
        close(descriptor)
    }
}
#endif
