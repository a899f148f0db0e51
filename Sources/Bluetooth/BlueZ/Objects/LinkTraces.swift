#if Bluetooth
import GATT
import Foundation

/// Files for the links that this user's programs have opened. They distinguish links that a killed program left open
/// from those of other programs.
///
/// bluetoothd keeps a link whose program has died, and does not know which program opened it. Each program has a file
/// named by the device's address, with a lock that is released with the process.
struct LinkTraces: Sendable {
    let folder: URL

    /// The folder in the user's data, `$XDG_DATA_HOME/healthkit/links`. Nil if there is none.
    static var ofUser: LinkTraces? {
        let environment = ProcessInfo.processInfo.environment
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/share" : nil }
        return data.map { LinkTraces(folder: URL(fileURLWithPath: $0).appendingPathComponent("healthkit/links")) }
    }

    /// Leaves the trace of a link that this process has opened. It is removed with the returned value. Nil if it cannot
    /// be created, or belongs to another program.
    func leave(_ address: DeviceAddress) -> LinkTrace? {
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return LinkTrace.lock(file(address), creates: true)
    }

    /// Returns whether a program that has died opened the link.
    func isLeftover(_ address: DeviceAddress) -> Bool { trace(of: address) != nil }

    /// Returns the traces of programs that have died, each locked until it is released.
    func leftovers() -> [(address: DeviceAddress, trace: LinkTrace)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            let text = name.split(separator: "-").joined(separator: ":")
            return DeviceAddress(text).flatMap { address in trace(of: address).map { (address, $0) } }
        }
    }

    private func trace(of address: DeviceAddress) -> LinkTrace? { LinkTrace.lock(file(address), creates: false) }

    private func file(_ address: DeviceAddress) -> String {
        folder.appendingPathComponent(address.description.split(separator: ":").joined(separator: "-")).path
    }
}

/// A program's lock on a link's file, which it removes in the end.
final class LinkTrace: Sendable {
    private let descriptor: Int32
    private let path: String
    private let creates: Bool

    private init(_ descriptor: Int32, _ path: String, creates: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.creates = creates
    }

    /// Returns nil if there is no file, or if another process has locked it.
    static func lock(_ path: String, creates: Bool) -> LinkTrace? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (creates ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return LinkTrace(descriptor, path, creates: creates)
    }

    /// Removes the file after the link has ended.
    func remove() { unlink(path) }

    deinit {
        if creates { unlink(path) }
        // Closing is not enough: a program that another thread is just starting has the descriptor, too, until it runs.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
#endif
