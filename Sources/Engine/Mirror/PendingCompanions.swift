import Foundation
package import Mirroring
package import SessionLog

/// The machines that a session was begun for, from its log. Only they get the rest of it, not machines that were paired later.
package struct PendingCompanions: Equatable {
    /// Known machines: they were connected, or it was certain which machine listens at an address.
    package private(set) var machines: Set<PeerFingerprint> = []
    /// Addresses of machines that were not known.
    package private(set) var places: Set<MirrorAddress> = []
    /// Whether the log comes from an earlier version and names no machine: the session was begun for one that was
    /// paired then.
    private(set) var namesNoMachine = true
    private var begun = Date.distantPast

    /// Whether the log has no readable entry.
    package var isEmpty: Bool { begun == .distantPast }

    /// Whether the session was mirrored at all.
    package var wasMirrored: Bool { !namesNoMachine }

    package init(_ log: some SessionEntries) throws {
        var begun: Date?
        var met: Set<PeerFingerprint> = []
        try log.forEach { entry in
            if begun == nil { begun = entry.date }
            guard case .companion(let progress) = entry.content else { return }
            namesNoMachine = false
            guard let fingerprint = PeerFingerprint(progress.companion) else {
                if let place = MirrorAddress(progress.companion) { places.insert(place) }
                return
            }
            if progress.isAwaited { machines.insert(fingerprint) } else { met.insert(fingerprint) }
        }
        self.begun = begun ?? .distantPast
        // Each of them connected, possibly under another name.
        if !met.isEmpty, met.count >= places.count + machines.count {
            machines = []
            places = []
        }
        machines.formUnion(met)
    }

    /// Returns the addresses to try now.
    ///
    /// - Parameters:
    ///   - named: The only addresses to try. Nil for the machines' last addresses.
    ///   - isSearching: Whether to try addresses of unknown machines.
    ///   - peers: The paired machines and this one.
    ///   - own: This machine. Processes of one user mirror to each other.
    package func addresses(
        named: [MirrorAddress]?, isSearching: Bool, peers: [Peer], own: PeerFingerprint
    ) -> [CompanionAddress] {
        // A machine that was paired after the session began can't be meant.
        let earlier = peers.filter { $0.added <= begun || $0.fingerprint == own }
        let pending = peers.filter { machines.contains($0.fingerprint) }
        let open = places.filter { place in !pending.contains { $0.address == place } }
        guard let named else {
            let known = namesNoMachine ? earlier.filter { $0.fingerprint != own } : pending
            return known.compactMap { peer in
                peer.address.map { CompanionAddress(address: $0, fingerprint: peer.fingerprint) }
            } + open.map { CompanionAddress(address: $0, accepted: Set(earlier.map(\.fingerprint))) }
        }
        return named.compactMap { address in
            let isOpen = namesNoMachine || open.contains(address)
            let candidates = isOpen ? pending + earlier : pending
            let there = peers.filter { $0.address == address }
            if there.count == 1 {
                return candidates.contains(there[0])
                    ? CompanionAddress(address: address, fingerprint: there[0].fingerprint) : nil
            }
            guard isOpen || isSearching else { return nil }
            // Don't search for machines that are known to be at another one of these addresses.
            let possible = candidates.filter { peer in
                peer.address.map { $0 == address || !named.contains($0) } ?? true
            }
            guard !possible.isEmpty else { return nil }
            return CompanionAddress(address: address, accepted: Set(possible.map(\.fingerprint)))
        }
    }

    /// Returns whether links to these addresses reach all machines that lack the session and are still paired.
    package func isEverybody(at addresses: [CompanionAddress], peers: [Peer]) -> Bool {
        namesNoMachine || addresses.count >= peers.count { machines.contains($0.fingerprint) } + places.count
    }
}
