import Brokers
package import Engine
package import Mirroring
import SessionLog
import Synchronization

/// Mirroring to and from other machines: paired machines, the listener, and sessions of other machines.
///
/// A process has one listener and one identity. Nothing is read, created or opened before it is needed.
package final class Companions: Sendable {
    package let settings: CompanionSettings
    /// Called with one line whenever a connection was refused or a link failed. Standard error by default.
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())
    let appStarts = AppLaunches()

    private struct State {
        var host: MirrorHost?
        var listening: Task<MirrorListener, any Error>?
        /// The receivers in the order in which they were set.
        var receivers: [any MirrorReceiver] = []
        var sessions: [UUID: FollowedSession] = [:]
        /// The received data of the latest sessions that are over.
        var taken: [(session: UUID, pieces: [Int])] = []
        /// Workouts that this process is saving, so that none is saved twice.
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

    /// This machine's identity and its paired machines. Processes of the same user share the identity, and need no pairing.
    package func host() throws -> MirrorHost {
        try state.withLock { state in
            if let host = state.host { return host }
            try settings.check()
            guard let folder = settings.folder else {
                throw HKError.make(
                    .errorHealthDataUnavailable,
                    "This machine's key cannot be stored: neither XDG_CONFIG_HOME nor HOME is set. Set one of them.")
            }
            let host = try Self.wrapping {
                try MirrorHost(
                    folder: folder, name: ProcessInfo.processInfo.hostName,
                    network: settings.discovers ? .system : nil,
                    carrier: BrokerCarrier(settings.brokers, report: report),
                    report: report)
            }
            // Processes of one user are one machine for others, and trust each other.
            let own = host.identity.fingerprint
            try Self.wrapping {
                if try host.peers.peer(own) == nil { try host.peers.add(Peer(fingerprint: own, name: Self.ownName)) }
            }
            state.host = host
            return host
        }
    }

    /// Returns the addresses to mirror sessions to.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an invalid address;
    ///   ``HKError/Code/errorHealthDataUnavailable`` if there is no companion.
    package func addresses(for what: String = "The session cannot be mirrored") throws -> [CompanionAddress] {
        if let named = try namedAddresses() {
            guard !named.isEmpty else { throw Self.nobody(what) }
            let direct = named.filter { !$0.isCarried }.map { CompanionAddress(address: $0) }
            let carried = named.filter(\.isCarried)
            guard !carried.isEmpty else { return direct }
            // Through servers that know no machine by its address, each paired one is looked for.
            let everybody = try paired()
            guard !everybody.isEmpty else { throw Self.nobodyPaired(carried[0]) }
            return direct
                + carried.flatMap { address in
                    everybody.map { CompanionAddress(address: address, fingerprint: $0.fingerprint) }
                }
        }
        let addresses = try paired().compactMap { peer in
            peer.address.map { CompanionAddress(address: $0, fingerprint: peer.fingerprint) }
        }
        guard !addresses.isEmpty else { throw Self.nobody(what) }
        return addresses
    }

    /// Returns the addresses to try for `pending` (only configured ones, if there are any), and whether these cover all
    /// machines.
    func addresses(
        of pending: PendingCompanions, isSearching: Bool
    ) throws -> (addresses: [CompanionAddress], areAll: Bool) {
        let named = try namedAddresses()
        let host = try host()
        let peers = try Self.wrapping { try host.peers.all() }
        var addresses = pending.addresses(
            named: named?.filter { !$0.isCarried }, isSearching: isSearching, peers: peers,
            own: host.identity.fingerprint)
        for address in named ?? [] where address.isCarried {
            let machines = peers.filter { pending.machines.contains($0.fingerprint) }
            addresses += machines.map { CompanionAddress(address: address, fingerprint: $0.fingerprint) }
        }
        return (addresses, pending.isEverybody(at: addresses, peers: peers))
    }

    private func namedAddresses() throws -> [MirrorAddress]? { try settings.peers?.map { try address($0) } }

    /// Returns the paired machines.
    package func paired() throws -> [Peer] {
        let host = try host()
        return try Self.wrapping { try host.peers.all() }.filter { $0.fingerprint != host.identity.fingerprint }
    }

    /// The name of this machine in its own peer book, which no other machine may have.
    private static let ownName = "(this machine)"

    private static func nobody(_ what: String) -> HKError {
        HKError.make(
            .errorHealthDataUnavailable,
            "\(what): no other machine is known. Pair one with 'workout mirror pair' on both, or name "
                + "it in HEALTHKIT_MIRROR=HOST:PORT.")
    }

    private static func nobodyPaired(_ address: MirrorAddress) -> HKError {
        HKError.make(
            .errorHealthDataUnavailable,
            "No machine is paired, and the servers of \(address) know none. Pair the machines first with 'workout mirror pair' on both, "
                + "in one network.")
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument``.
    private func address(_ text: String) throws -> MirrorAddress {
        if NATSAddress.isAddress(text) {
            try PublishSettings.refusePassword(in: text)
            return MirrorAddress(carriedBy: try settings.brokers.servers(text).text)
        }
        guard let address = MirrorAddress(text) else {
            throw HKError.make(
                .errorInvalidArgument,
                "'\(text)' is not an address; write HOST, HOST:PORT, [IPV6]:PORT or nats://HOST.")
        }
        return address
    }

    /// Wraps an error of the transport for apps.
    static func wrapped(_ error: MirrorError) -> HKError {
        HKError.make(.errorHealthDataUnavailable, error.description, cause: error)
    }

    package static func wrapping<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as MirrorError { throw Self.wrapped(error) }
    }

    // MARK: Listening

    /// Starts or stops passing sessions of other machines to the receiver.
    func set(_ receiver: any MirrorReceiver, receives: Bool) {
        let isFirst = state.withLock { state in
            state.receivers.removeAll { $0 === receiver }
            if receives { state.receivers.append(receiver) }
            return receives && state.listening == nil
        }
        if isFirst { listenWherePaired() }
    }

    /// Listens if an address is configured or a machine is paired. Reports errors.
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

    /// Returns the address to listen on, or nil if none is configured and no machine is paired.
    private func listenAddress() throws -> MirrorAddress? {
        if let text = settings.listen { return try address(text) }
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

    /// Listens, unless this process already does.
    /// - Returns: The address, with the chosen port.
    package func listen(at text: String? = nil) async throws -> MirrorAddress {
        let named = try text.map { try self.address($0) }
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

    /// Stops listening. Sessions of other machines remain, with their machines out of reach.
    package func stopListening() async {
        let task = state.withLock { state in
            defer { state.listening = nil }
            return state.listening
        }
        await (try? task?.value)?.close()
    }

    /// Called on the network thread.
    private func answer(_ offer: MirrorOffer, _ host: MirrorHost) -> MirrorAnswer {
        if let request = AppLaunchRequest(offer.greeting) { return appStarts.answer(request, offer, apps) }
        guard let greeting = MirrorGreeting(offer.greeting), let header = greeting.parsedHeader else {
            notify(
                "\(offer.peer.name) offered a session of another version; it was declined. Use the same version there.")
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

    /// Does what a followed session needs.
    /// - Parameter save: Saves its workout.
    func handle(_ event: FollowedSession.Event, of followed: FollowedSession, save: () throws -> Void) throws {
        switch event {
        case .announce:
            for receiver in state.withLock({ $0.receivers }) { receiver.start(followed.session) }
        case .save: try self.save(followed.id, save)
        case .expireOthers: expireLostSessions(at: followed.wall)
        case .report(let line): notify(line)
        case .forget: forget(followed)
        }
    }

    /// Ends the mirroring of sessions that were away for too long, or are too many.
    private func expireLostSessions(at now: Date) {
        let sessions = state.withLock { Array($0.sessions.values) }
        let lost = sessions.compactMap { session in
            session.lostSince.map { (session: session, origin: session.origin, since: $0) }
        }
        for session in OrphanedSessions.expired(lost, at: now) { session.expire() }
    }

    private func forget(_ followed: FollowedSession) {
        state.withLock { state in
            guard state.sessions[followed.id] === followed else { return }
            state.sessions[followed.id] = nil
            // If the session comes again, its app must not get the same data again.
            state.taken.removeAll { $0.session == followed.id }
            let pieces = followed.taken
            if !pieces.isEmpty { state.taken.append((followed.id, pieces)) }
            if state.taken.count > OrphanedSessions.most { state.taken.removeFirst() }
        }
    }

    /// Returns the machine that a mirrored session comes from, and whether it is connected. Returns nil if the
    /// mirroring has ended.
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

    /// If configured, calls `body` to save the workout of a session that was finished on the other machine, once for all callers. A
    /// failure is reported and thrown, and can be tried again.
    private func save(_ session: UUID, _ body: () throws -> Void) throws {
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

/// Receives the sessions that other machines mirror to this process: a store, for the app that set its start handler.
protocol MirrorReceiver: AnyObject, Sendable {
    /// Starts following a session of another machine.
    ///
    /// - Parameters:
    ///   - fingerprint: This machine's fingerprint, as the primary knows it.
    ///   - taken: The value of `FollowedSession.taken` when this process followed the session earlier.
    func follow(
        _ greeting: MirrorGreeting, _ header: SessionHeader, from peer: Peer, fingerprint: PeerFingerprint, taken: [Int]
    ) -> FollowedSession
    /// Gives the app a followed session, or gives it again.
    func start(_ session: any SessionObserver<SessionNotice>)
}

/// Decides which mirrored sessions are kept while their machine is away.
enum OrphanedSessions {
    static let longestInSeconds: TimeInterval = 86_400
    /// The largest number of sessions of one machine.
    static let most = 32
    /// A recently lost session counts as connected: a short network loss affects all sessions of a machine.
    static let countedAfterSeconds: TimeInterval = 600

    /// Returns the sessions to drop: those whose machine was away for a day, and the oldest ones if there are too many.
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
