import Recordings

/// The machine on which a mirrored session runs, as the recorder here reaches it.
protocol RemotePrimary: AnyObject, Sendable {
    /// Nothing more comes from it, nor goes to it.
    var isOver: Bool { get }
    /// Sends an entry that the primary is to do, or data for its app.
    func send(_ entry: SessionEntry) throws
}

/// What a recorder knows of the other side of its session.
struct RemoteSide {
    /// What brings a mirrored session its entries.
    weak var primary: (any RemotePrimary)?
    var allowance = DataRateLimit()
    /// What apps know of it, where that is of a log that is void.
    var known: SessionState?
    /// Data that came while nobody listened: an app sets the delegate a moment after it got the session.
    var held: [Data] = []

    /// Of held data. What is beyond it, oldest first, is given up.
    static let heldBytes = 1 << 20
}

extension WorkoutRecorder {
    /// Data from the other side, oldest first.
    func received(_ data: [Data]) {
        guard !data.isEmpty else { return }
        remote.held += data
        handOverHeldData()
    }

    func handOverHeldData() {
        guard let session, session.hasDelegate else {
            while remote.held.count > 1, remote.held.reduce(0, { $0 + $1.count }) > RemoteSide.heldBytes {
                remote.held.removeFirst()
            }
            return
        }
        guard !remote.held.isEmpty else { return }
        let data = remote.held
        remote.held = []
        session.received(data)
    }

    /// Hands data to the other side. Returns when it is in the log, or on its way; a side that is out of reach gets it when
    /// it is back.
    func send(_ data: Data) throws {
        guard session != nil else { return }
        guard read({ $0.phase != .notStarted }) else {
            throw HKError.make(
                .errorInvalidArgument,
                "Remote session delegate is not set up. The session has not started: prepare or start it before sending."
            )
        }
        guard read({ $0.phase != .ended }) else { throw misuse("The session has ended: nothing more can be sent.") }
        guard isMirrored ? remote.primary?.isOver == false : mirroring?.isRunning == true else {
            throw misuse(
                isMirrored
                    ? "The mirroring of this session has ended: nothing more can be sent."
                    : "The session is not mirrored: call startMirroringToCompanionDevice before sending.")
        }
        guard data.count <= DataRateLimit.bytes, remote.allowance.consume(data.count, at: time.now()) else {
            throw HKError.make(
                .errorDataSizeExceeded,
                "\(data.count) bytes are too much now: at most \(DataRateLimit.bytes) bytes can be sent to the other side "
                    + "in any \(Int(DataRateLimit.seconds)) seconds. Send less, or later.")
        }
        if let primary = remote.primary {
            try primary.send(SessionEntry(now, .remoteData(data)))
        } else {
            append(.remoteData(data), at: now)
        }
    }
}

/// How much data an app may send to the other side: 100 KB in any ten seconds, as Apple documents. Here 100 × 1,024 bytes.
package struct DataRateLimit: Sendable {
    static let bytes = 100 * 1_024
    static let seconds = 10.0

    package init() {}

    private var sent: [(at: Date, bytes: Int)] = []

    /// Whether so much may be sent now; it then counts as sent.
    package mutating func consume(_ count: Int, at now: Date) -> Bool {
        // A clock that was set back forgets nothing, and one that was set ahead everything.
        sent.removeAll { now.timeIntervalSince($0.at) >= Self.seconds }
        guard sent.reduce(count, { $0 + $1.bytes }) <= Self.bytes else { return false }
        sent.append((now, count))
        return true
    }
}
