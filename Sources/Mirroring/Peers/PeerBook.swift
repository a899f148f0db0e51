public import Foundation
import Synchronization

/// The paired machines. Several processes may use the same book: each change is made under a lock, the file is replaced atomically, and
/// other processes notice it within a second.
public final class PeerBook: Sendable {
    public let file: URL
    private let lock: URL
    private let cache = Mutex(Cache())

    private struct Cache {
        var stamp: Stamp?
        var peers: [PeerFingerprint: Peer] = [:]
    }

    /// A version of the file. Each version is a new file, so inode and time never repeat together.
    private struct Stamp: Equatable {
        var inode: Int?
        var modified: Date?
        var size: Int?
    }

    /// - Parameter folder: The folder of the book. It must exist when a peer is added.
    public init(folder: URL) {
        file = folder.appendingPathComponent("peers.json")
        lock = folder.appendingPathComponent("peers.lock")
    }

    /// All peers, oldest first.
    public func all() throws(MirrorError) -> [Peer] {
        try current().values.sorted { ($0.added, $0.fingerprint.short) < ($1.added, $1.fingerprint.short) }
    }

    public func peer(_ fingerprint: PeerFingerprint) throws(MirrorError) -> Peer? { try current()[fingerprint] }

    /// Returns the last peer that listened at an address, or nil if there are several.
    public func peer(at address: MirrorAddress) throws(MirrorError) -> Peer? {
        let peers = try all().filter { $0.address == address }
        return peers.count == 1 ? peers[0] : nil
    }

    /// Returns the peer with this name, fingerprint or prefix of a fingerprint (8 digits or more).
    public static func find(_ text: String, among peers: [Peer]) throws(MirrorError) -> Peer {
        let found = Set(
            peers.filter {
                $0.name == text || (text.count >= 8 && $0.fingerprint.description.hasPrefix(text.lowercased()))
            })
        guard let peer = found.first else { throw .unknownPeer(text) }
        guard found.count == 1 else { throw .ambiguousPeer(text, count: found.count) }
        return peer
    }

    /// The longest name of a peer, in characters.
    public static let longestName = 64

    /// Adds a peer, or replaces the one with the same fingerprint.
    public func add(_ peer: Peer) throws(MirrorError) {
        try change { $0[peer.fingerprint] = peer }
    }

    /// - Throws: ``MirrorError/badName(_:reason:)`` if the peer could not be found by this name.
    public func rename(_ fingerprint: PeerFingerprint, to name: String) throws(MirrorError) {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        if let fault = try fault(of: name, for: fingerprint) { throw .badName(name, reason: fault) }
        var isKnown = false
        try change { peers in
            isKnown = peers[fingerprint] != nil
            peers[fingerprint]?.name = name
        }
        if !isKnown { throw .unknownPeer(fingerprint.short) }
    }

    private func fault(of name: String, for fingerprint: PeerFingerprint) throws(MirrorError) -> String? {
        if name.isEmpty { return "a name needs at least one character" }
        if name.count > Self.longestName { return "it is longer than \(Self.longestName) characters" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "it has characters that cannot be shown"
        }
        if name.count >= 8, name.allSatisfy(\.isHexDigit) { return "it looks like a fingerprint" }
        if try all().contains(where: { $0.name == name && $0.fingerprint != fingerprint }) {
            return "another machine has this name"
        }
        return nil
    }

    /// Removes a peer: its connections end within seconds, and it can't connect anymore.
    public func forget(_ fingerprint: PeerFingerprint) throws(MirrorError) {
        var isKnown = false
        try change { isKnown = $0.removeValue(forKey: fingerprint) != nil }
        if !isKnown { throw .unknownPeer(fingerprint.short) }
    }

    /// Stores the address of a peer. Does nothing for a peer that was removed.
    func note(_ address: MirrorAddress, of fingerprint: PeerFingerprint) throws(MirrorError) {
        guard let known = try current()[fingerprint], known.address != address else { return }
        try change { $0[fingerprint]?.address = address }
    }

    // MARK: The file

    private struct Entry: Codable {
        var fingerprint: String
        var name: String
        var host: String?
        var port: Int?
        var added: Double
    }

    private func change(_ body: (inout [PeerFingerprint: Peer]) -> Void) throws(MirrorError) {
        try PrivateFile.makeFolder(file.deletingLastPathComponent())
        try PrivateFile.exclusively(lock) { () throws(MirrorError) in
            var peers = try read()
            body(&peers)
            let entries = peers.values.map {
                Entry(
                    fingerprint: $0.fingerprint.description, name: $0.name, host: $0.address?.host,
                    port: $0.address?.port, added: $0.added.timeIntervalSince1970)
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let data: Data
            do { data = try encoder.encode(entries.sorted { $0.added < $1.added }) } catch {
                throw .file(path: file.path, reason: "\(error)")
            }
            try PrivateFile.write(data, to: file)
        }
    }

    private func current() throws(MirrorError) -> [PeerFingerprint: Peer] {
        let stamp = stamp()
        if let stamp, let peers = cache.withLock({ $0.stamp == stamp ? $0.peers : nil }) { return peers }
        let peers = try read()
        // The file may have been replaced in between. Then the old stamp makes the next check read it again.
        cache.withLock { $0 = Cache(stamp: stamp, peers: peers) }
        return peers
    }

    private func stamp() -> Stamp? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else { return nil }
        return Stamp(
            inode: attributes[.systemFileNumber] as? Int, modified: attributes[.modificationDate] as? Date,
            size: attributes[.size] as? Int)
    }

    private func read() throws(MirrorError) -> [PeerFingerprint: Peer] {
        guard let data = try PrivateFile.read(file) else { return [:] }
        let entries: [Entry]
        do { entries = try JSONDecoder().decode([Entry].self, from: data) } catch {
            throw .damagedBook(path: file.path, reason: "its JSON cannot be read")
        }
        var peers: [PeerFingerprint: Peer] = [:]
        for entry in entries {
            guard let fingerprint = PeerFingerprint(entry.fingerprint) else {
                throw .damagedBook(path: file.path, reason: "\(entry.fingerprint) is not a fingerprint")
            }
            let address = entry.host.map {
                MirrorAddress(host: $0, port: entry.port ?? MirrorAddress.defaultPort)
            }
            peers[fingerprint] = Peer(
                fingerprint: fingerprint, name: entry.name, address: address,
                added: Date(timeIntervalSince1970: entry.added))
        }
        return peers
    }
}
