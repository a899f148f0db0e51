package import Mirroring
import Recordings
import Synchronization

/// The machines that this process mirrors sessions to and from: who they are, the listener, and the sessions that came in.
///
/// One listener and one identity a process. Nothing is read, made or opened before it is needed.
package final class Companions: Sendable {
    package let settings: CompanionSettings
    /// One line whenever somebody was refused or a link failed. Anything but standard error is the caller's choice.
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())
    let appStarts = AppLaunches()

    private struct State {
        var host: MirrorHost?
        var listening: Task<MirrorListener, any Error>?
        /// In the order in which they came.
        var receivers: [any MirrorReceiver] = []
        var sessions: [UUID: any FollowedSession] = [:]
        /// What data apps had of sessions that are over here; the last ones.
        var taken: [(session: UUID, pieces: [Int])] = []
        /// Of this process, so that nothing is saved twice at the same time.
        var saving: Set<UUID> = []
        var savesWorkouts: Bool
        var mirrorsNotifications = false

        init(savesWorkouts: Bool = false) { self.savesWorkouts = savesWorkouts }
    }

    package init(
        _ settings: CompanionSettings, report: @escaping @Sendable (String) -> Void = Companions.notifyOnStandardError
    ) {
        self.settings = settings
        self.report = report
        state.withLock { $0.savesWorkouts = settings.savesWorkouts }
    }

    package static let notifyOnStandardError: @Sendable (String) -> Void = { line in
        StandardError.notify(line)
    }

    func notify(_ line: String) { report(line) }

    // MARK: This machine and the others

    /// This machine's identity and the machines that it trusts. A process of the same user has the same identity, and is
    /// trusted without pairing.
    package func host() throws -> MirrorHost {
        try state.withLock { state in
            if let host = state.host { return host }
            try settings.check()
            guard let folder = settings.folder else {
                throw HKError.make(
                    .errorHealthDataUnavailable,
                    "This machine's key has no place to lie: neither XDG_CONFIG_HOME nor HOME is set. Set one of them.")
            }
            let host = try Self.wrapping {
                try MirrorHost(
                    folder: folder, name: ProcessInfo.processInfo.hostName,
                    network: settings.discovers ? .system : nil, report: report)
            }
            // Processes of one user are one machine to others, and trust each other.
            let own = host.identity.fingerprint
            try Self.wrapping {
                if try host.peers.peer(own) == nil { try host.peers.add(Peer(fingerprint: own, name: Self.ownName)) }
            }
            state.host = host
            return host
        }
    }

    /// Where sessions are mirrored to.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for what is no address; ``HKError/Code/errorHealthDataUnavailable``
    ///   where there is nobody.
    package func addresses(for what: String = "The session cannot be mirrored") throws -> [CompanionAddress] {
        if let named = try namedAddresses() {
            guard !named.isEmpty else { throw Self.nobody(what) }
            return named.map { CompanionAddress(address: $0) }
        }
        let addresses = try paired().compactMap { peer in
            peer.address.map { CompanionAddress(address: $0, fingerprint: peer.fingerprint) }
        }
        guard !addresses.isEmpty else { throw Self.nobody(what) }
        return addresses
    }

    /// Where `owed` may be found now: among the addresses that are named, where some are; and whether these are all of them.
    func addresses(
        of owed: PendingCompanions, isSearching: Bool
    ) throws -> (addresses: [CompanionAddress], areAll: Bool) {
        let named = try namedAddresses()
        let host = try host()
        let peers = try Self.wrapping { try host.peers.all() }
        let addresses = owed.addresses(
            named: named, isSearching: isSearching, peers: peers, own: host.identity.fingerprint)
        return (addresses, owed.isEverybody(at: addresses, peers: peers))
    }

    private func namedAddresses() throws -> [MirrorAddress]? { try settings.peers?.map { try Self.address($0) } }

    /// The machines that were paired with this one.
    package func paired() throws -> [Peer] {
        let host = try host()
        return try Self.wrapping { try host.peers.all() }.filter { $0.fingerprint != host.identity.fingerprint }
    }

    /// Of this machine in its own book, where no other machine's name may be.
    private static let ownName = "(this machine)"

    private static func nobody(_ what: String) -> HKError {
        HKError.make(
            .errorHealthDataUnavailable,
            "\(what): no other machine is known. Pair one with 'workout mirror pair' on both, or name "
                + "it in HEALTHKIT_MIRROR=HOST:PORT.")
    }

    private static func address(_ text: String) throws -> MirrorAddress {
        guard let address = MirrorAddress(text) else {
            throw HKError.make(
                .errorInvalidArgument, "'\(text)' is not an address; write HOST, HOST:PORT or [IPV6]:PORT.")
        }
        return address
    }

    /// An error of the transport in words that apps get.
    static func wrapped(_ error: MirrorError) -> HKError {
        HKError.make(.errorHealthDataUnavailable, error.description, cause: error)
    }

    package static func wrapping<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as MirrorError { throw Self.wrapped(error) }
    }

    // MARK: Listening

    /// Gives the receiver each session that another machine mirrors to this one, or none any more.
    func set(_ receiver: any MirrorReceiver, receives: Bool) {
        let isFirst = state.withLock { state in
            state.receivers.removeAll { $0 === receiver }
            if receives { state.receivers.append(receiver) }
            return receives && state.listening == nil
        }
        if isFirst { listenWherePaired() }
    }

    /// Listens where something says so, or where a machine is paired; what keeps this process from it is told.
    func listenWherePaired() {
        Task {
            do {
                guard try listenAddress() != nil else { return }
                _ = try await listen()
            } catch {
                notify(Self.sentence(error))
            }
        }
    }

    /// Where to listen; nil where nothing says so and nobody is paired.
    private func listenAddress() throws -> MirrorAddress? {
        if let text = settings.listen { return try Self.address(text) }
        guard let folder = settings.folder, FileManager.default.fileExists(atPath: folder.path),
            try !paired().isEmpty
        else { return nil }
        return .everywhere
    }

    /// Returns once no machine is connected to the listener, or when `limit` has passed.
    package func untilQuiet(within limit: Duration) async {
        guard let listening = state.withLock({ $0.listening }) else { return }
        await (try? listening.value)?.untilQuiet(within: limit)
    }

    /// Listens, if this process does not yet.
    /// - Returns: the address, with the port that was chosen.
    package func listen(at text: String? = nil) async throws -> MirrorAddress {
        let named = try text.map { try Self.address($0) }
        let address = try named ?? listenAddress() ?? .everywhere
        let task =
            try state.withLock { state in
                if let listening = state.listening { return listening }
                return nil
            } ?? beginListening(address, through: host())
        do {
            return try await task.value.address
        } catch {
            state.withLock { $0.listening = nil }
            if let error = error as? MirrorError { throw Self.wrapped(error) }
            throw error
        }
    }

    private func beginListening(_ address: MirrorAddress, through host: MirrorHost) -> Task<MirrorListener, any Error> {
        state.withLock { state in
            if let listening = state.listening { return listening }
            let accept: @Sendable (MirrorOffer) -> MirrorAnswer = { [weak self] in self?.answer($0, host) ?? .later }
            let task = Task { () async throws -> MirrorListener in
                try await host.listen(on: address, accept: accept)
            }
            state.listening = task
            return task
        }
    }

    /// Sessions that came in stay: their machines are out of reach.
    package func stopListening() async {
        let task = state.withLock { state in
            defer { state.listening = nil }
            return state.listening
        }
        await (try? task?.value)?.close()
    }

    /// On the network thread.
    private func answer(_ offer: MirrorOffer, _ host: MirrorHost) -> MirrorAnswer {
        if let request = AppLaunchRequest(offer.greeting) { return appStarts.answer(request, offer, apps) }
        guard let greeting = MirrorGreeting(offer.greeting), let header = greeting.parsedHeader else {
            notify(
                "\(offer.peer.name) offered a session of another version; it was declined. Install the same one there.")
            return .decline
        }
        let (known, taken, receiver) = state.withLock { state in
            let taken = state.taken.last { $0.session == greeting.session }?.pieces ?? []
            return (state.sessions[greeting.session], taken, state.receivers.first)
        }
        if let known, !known.isOver {
            guard known.origin == offer.peer.fingerprint else {
                notify(
                    "\(offer.peer.name) offered a session that is mirrored from \(known.peerName); it was declined. Restart "
                        + "the program that listens here if the session has moved.")
                return .decline
            }
            return known.channel(for: offer).map(MirrorAnswer.accept) ?? .later
        }
        guard let receiver else { return .later }
        let followed = receiver.follow(
            greeting, header, from: offer.peer, fingerprint: host.identity.fingerprint, taken: taken)
        state.withLock { $0.sessions[greeting.session] = followed }
        expireLostSessions(at: followed.wall)
        return followed.channel(for: offer).map(MirrorAnswer.accept) ?? .later
    }

    /// An app gets a session, or gets it again.
    func start(_ session: any SessionObserver) {
        for receiver in state.withLock({ $0.receivers }) { receiver.start(session) }
    }

    /// Ends the mirroring of sessions of which nobody has heard for too long, or of which there are too many.
    func expireLostSessions(at now: Date) {
        let sessions = state.withLock { Array($0.sessions.values) }
        let lost = sessions.compactMap { session in
            session.lostSince.map { (session: session, origin: session.origin, since: $0) }
        }
        for session in OrphanedSessions.expired(lost, at: now) { session.expire() }
    }

    func forget(_ followed: any FollowedSession) {
        state.withLock { state in
            guard state.sessions[followed.id] === followed else { return }
            state.sessions[followed.id] = nil
            // Should the session come again, its app does not get the same data again.
            state.taken.removeAll { $0.session == followed.id }
            let pieces = followed.taken
            if !pieces.isEmpty { state.taken.append((followed.id, pieces)) }
            if state.taken.count > OrphanedSessions.most { state.taken.removeFirst() }
        }
    }

    /// Where a mirrored session comes from, and whether that machine is there at present; nil when its mirroring is over.
    package func origin(of session: UUID) -> (peer: String, isConnected: Bool)? {
        state.withLock { $0.sessions[session] }.map { ($0.peerName, $0.isConnected) }
    }

    // MARK: Options

    package var savesWorkouts: Bool {
        get { state.withLock { $0.savesWorkouts } }
        set { state.withLock { $0.savesWorkouts = newValue } }
    }

    /// Whether sessions that run here are mirrored with the raw bytes of their sensors.
    package var mirrorsNotifications: Bool {
        get { state.withLock { $0.mirrorsNotifications } }
        set { state.withLock { $0.mirrorsNotifications = newValue } }
    }

    /// Does `body`, which saves the workout of a session that was finished on the other machine, where that is wanted; once,
    /// whoever asks. A failure is told and thrown, and may be tried again.
    func save(_ session: UUID, _ body: () throws -> Void) throws {
        let isNew = state.withLock { $0.savesWorkouts && $0.saving.insert(session).inserted }
        guard isNew else { return }
        do { try body() } catch {
            state.withLock { _ = $0.saving.remove(session) }
            notify("the mirrored workout \(session) cannot be saved: \(Self.sentence(error))")
            throw error
        }
    }

    static func sentence(_ error: any Error) -> String {
        (error as NSError).userInfo[NSLocalizedDescriptionKey] as? String ?? String(describing: error)
    }
}

/// Which mirrored sessions are kept while the machine that they come from is away.
enum OrphanedSessions {
    static let longestInSeconds: TimeInterval = 86_400
    /// Of one machine.
    static let most = 32
    /// A session that was lost just now counts as there: a short loss of the network takes all of a machine's at once.
    static let countedAfterSeconds: TimeInterval = 600

    /// Those that are not kept: a machine that was away for a day is not waited for, nor are the oldest of too many.
    static func expired<Session, Machine: Hashable>(
        _ lost: [(session: Session, origin: Machine, since: Date)], at now: Date
    ) -> [Session] {
        Dictionary(grouping: lost) { $0.origin }.values.flatMap { lost in
            let counted =
                lost
                .filter { now.timeIntervalSince($0.since) > countedAfterSeconds }
                .sorted { $0.since > $1.since }
            return counted.enumerated()
                .filter { $0.offset >= most || now.timeIntervalSince($0.element.since) > longestInSeconds }
                .map(\.element.session)
        }
    }
}
