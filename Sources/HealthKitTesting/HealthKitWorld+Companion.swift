import Foundation
import HealthKit
import Synchronization

extension HealthKitWorld {
    /// Creates a second device, to which this one's sessions are mirrored: the phone of a watch. Create and call its half of the app in
    /// ``run(_:)`` of the returned world. The two are connected by a real, encrypted link within this machine. The second world ends
    /// with this one.
    ///
    /// - Throws: `HKError` if this machine can't listen on its loopback interface; ``WorldError`` if the world has ended.
    public func makeCompanion(_ settings: Settings = Settings()) async throws -> HealthKitWorld {
        let folder = try companions.folder()
        let other = HealthKitWorld(settings, name: "\(name)'s companion", of: self)
        let notices = other.notices
        let listening = Companions(
            CompanionSettings(peers: [], listen: "127.0.0.1:0", folder: folder, discovers: false)
        ) { notices.add($0) }
        other.lifetime.change { $0.companions = listening }
        let address = try await other.lifetime.environment?.companions.listen()
        guard let address, lifetime.environment != nil else {
            other.end()
            throw WorldError("The world of \(name) has ended: it gets no companion.")
        }
        other.companions.listens(at: String(describing: address))
        let addresses = companions.add(other, at: String(describing: address))
        lifetime.change { [notices = self.notices] environment in
            environment.companions = Companions(
                CompanionSettings(peers: addresses, folder: folder, discovers: false)
            ) { notices.add($0) }
        }
        return other
    }

    /// Cuts the links of a companion, so it is out of reach. Nothing is lost meanwhile.
    public func cutLink() async { await lifetime.environment?.companions.stopListening() }

    /// Makes a companion reachable again at its address.
    /// - Throws: ``WorldError`` if the world is not a companion; `HKError` if its address is in use.
    public func restoreLink() async throws {
        guard let address = companions.address else {
            throw WorldError(
                "The world of \(name) is not a companion: restore the link of what makeCompanion() returned.")
        }
        _ = try await lifetime.environment?.companions.listen(at: address)
    }
}

/// The companions of a world, and where it is found if it is one itself.
final class CompanionWorlds: Sendable {
    private let state = Mutex(State())

    private struct State {
        var worlds: [(world: HealthKitWorld, address: String)] = []
        var ownAddress: String?
        var folder: URL?
    }

    var address: String? { state.withLock { $0.ownAddress } }

    func listens(at address: String) { state.withLock { $0.ownAddress = address } }

    /// - Returns: Where all of them are.
    func add(_ world: HealthKitWorld, at address: String) -> [String] {
        state.withLock { state in
            state.worlds.append((world, address))
            return state.worlds.map(\.address)
        }
    }

    /// The folder of the key with which they trust each other.
    func folder() throws -> URL {
        try state.withLock { state in
            if let folder = state.folder { return folder }
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "healthkit-link-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            state.folder = folder
            return folder
        }
    }

    func end() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        for (world, _) in ended.worlds {
            let companions = world.lifetime.environment?.companions
            Task { await companions?.stopListening() }
            world.end()
        }
        if let folder = ended.folder { try? FileManager.default.removeItem(at: folder) }
    }
}
