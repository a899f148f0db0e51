import Engine
import SessionLog

/// The machine on which a mirrored session runs, as the recorder sees it.
protocol RemotePrimary: AnyObject, Sendable {
    /// Whether nothing more is exchanged with it.
    var isOver: Bool { get }
    /// Sends a request to the primary, or data for its app.
    func send(_ entry: SessionEntry) throws
}

/// A recorder's state about the other side of its session.
struct RemoteSide {
    /// The source of a mirrored session's entries.
    weak var primary: (any RemotePrimary)?
    var allowance = DataRateLimit()
    /// The state that apps know, if it comes from a discarded log.
    var known: SessionState?
    /// Data that arrived without a delegate. An app sets the delegate shortly after it gets the session.
    var held: [Data] = []

    /// The limit of held data. Beyond it, the oldest data is dropped.
    static let heldBytes = 1 << 20
}

extension WorkoutRecorder {
    /// Delivers data from the other side, oldest first.
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

    /// Sends data to the other side. Returns when it is in the log or sent. If the other side is out of reach, it gets it later.
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

/// Limits the data that an app may send to the other side: 100 KB in any ten seconds, as Apple documents. Here 100 ×
/// 1,024 bytes.
package struct DataRateLimit: Sendable {
    static let bytes = 100 * 1_024
    static let seconds = 10.0

    package init() {}

    private var sent: [(at: Date, bytes: Int)] = []

    /// Returns whether this amount may be sent now. If so, it counts as sent.
    package mutating func consume(_ count: Int, at now: Date) -> Bool {
        // If the clock is set back, nothing expires. If it is set ahead, everything does.
        sent.removeAll { now.timeIntervalSince($0.at) >= Self.seconds }
        guard sent.reduce(count, { $0 + $1.bytes }) <= Self.bytes else { return false }
        sent.append((now, count))
        return true
    }
}
