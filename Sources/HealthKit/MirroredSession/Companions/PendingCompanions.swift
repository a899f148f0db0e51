import Mirroring
import Recordings

/// Which machines a session was begun for, as its log says it: they, and nobody who was paired later, get what is left of it.
struct PendingCompanions: Equatable {
    /// Those that are known: they were there, or it was certain who listens where they were looked for.
    private(set) var machines: Set<PeerFingerprint> = []
    /// Where others were looked for, while it was not known who that is.
    private(set) var places: Set<MirrorAddress> = []
    /// The log is one of an earlier version and of nobody who was there: it was begun for some machine that was paired then.
    private(set) var isUnsaid = true
    private var begun = Date.distantPast

    /// The log has no entry that can be read.
    var isOfNothing: Bool { begun == .distantPast }

    /// Whether the session was mirrored at all.
    var isSaid: Bool { !isUnsaid }

    init(_ log: some SessionEntries) throws {
        var begun: Date?
        var met: Set<PeerFingerprint> = []
        try log.forEach { entry in
            if begun == nil { begun = entry.date }
            guard case .companion(let progress) = entry.content else { return }
            isUnsaid = false
            guard let fingerprint = PeerFingerprint(progress.companion) else {
                if let place = MirrorAddress(progress.companion) { places.insert(place) }
                return
            }
            if progress.isAwaited { machines.insert(fingerprint) } else { met.insert(fingerprint) }
        }
        self.begun = begun ?? .distantPast
        // Each of them came, if under another name.
        if !met.isEmpty, met.count >= places.count + machines.count {
            machines = []
            places = []
        }
        machines.formUnion(met)
    }

    /// Where to look for them now.
    ///
    /// - Parameters:
    ///   - named: the only places where anybody may be looked for; nil for wherever the machines were last.
    ///   - isSearching: whether they may be at a place where nobody is known to be; else such a place is left alone.
    ///   - peers: the machines that are paired with this one, this one too.
    ///   - own: this one: processes of one user mirror to each other.
    func addresses(
        named: [MirrorAddress]?, isSearching: Bool, peers: [Peer], own: PeerFingerprint
    ) -> [CompanionAddress] {
        // A machine that was paired when the session had begun cannot be the one that it was begun for.
        let earlier = peers.filter { $0.added <= begun || $0.fingerprint == own }
        let owed = peers.filter { machines.contains($0.fingerprint) }
        let open = places.filter { place in !owed.contains { $0.address == place } }
        guard let named else {
            let known = isUnsaid ? earlier.filter { $0.fingerprint != own } : owed
            return known.compactMap { peer in
                peer.address.map { CompanionAddress(address: $0, fingerprint: peer.fingerprint) }
            } + open.map { CompanionAddress(address: $0, accepted: Set(earlier.map(\.fingerprint))) }
        }
        return named.compactMap { address in
            let isOpen = isUnsaid || open.contains(address)
            let candidates = isOpen ? owed + earlier : owed
            let there = peers.filter { $0.address == address }
            if there.count == 1 {
                return candidates.contains(there[0])
                    ? CompanionAddress(address: address, fingerprint: there[0].fingerprint) : nil
            }
            guard isOpen || isSearching else { return nil }
            // Who is known to be at another one of these places is not looked for here.
            let possible = candidates.filter { peer in
                peer.address.map { $0 == address || !named.contains($0) } ?? true
            }
            guard !possible.isEmpty else { return nil }
            return CompanionAddress(address: address, accepted: Set(possible.map(\.fingerprint)))
        }
    }

    /// Whether a link to each of these addresses is one to everybody who is owed the session and still paired.
    func isEverybody(at addresses: [CompanionAddress], peers: [Peer]) -> Bool {
        isUnsaid || addresses.count >= peers.count { machines.contains($0.fingerprint) } + places.count
    }
}
