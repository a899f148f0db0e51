import Mirroring
import Recordings

/// What of a session's log crosses to companions: all but raw notifications, unless those are asked for.
///
/// A fold over the log. An entry's number on the way, from 1, is its place among those that cross; of each 256th it is known
/// where it stands in the log, so that any of them is found there again.
struct CrossingLog: Sendable {
    static let stride = 256

    let includesNotifications: Bool
    /// How many entries cross.
    private(set) var count: UInt64 = 0
    /// The line of the first entry.
    private(set) var header = ""
    /// The numbers of the entries with data for the other side's app.
    private(set) var data: [UInt64] = []
    /// What the log says of each companion.
    private(set) var companions: [PeerFingerprint: SessionMirror.Companion] = [:]
    /// For whom the log says that the session was begun.
    private(set) var awaited: Set<String> = []
    private(set) var latest = Date.distantPast
    private(set) var hasEnded = false
    private var collection = SessionState.Collection.notBegun
    /// Where in the log the entries 1, 257, 513 … stand.
    private var places: [Int] = []
    private var isWhole = true

    init(includesNotifications: Bool) {
        self.includesNotifications = includesNotifications
    }

    /// All that the log holds. In batches, as it may be long.
    init(of log: SessionLog, includesNotifications: Bool) throws {
        self.init(includesNotifications: includesNotifications)
        var decoder = SessionLogDecoder()
        var place = 0
        while case let lines = try log.lines(from: place, bytes: 1 << 16), !lines.isEmpty {
            for line in lines {
                let entry = line.flatMap { Self.entry($0, &decoder) }
                if let line { add(entry, line, at: place) }
                place += 1
            }
        }
    }

    /// Takes what stands at a place of the log, and says whether it crosses. A line that nobody can read crosses, too: it has
    /// its number in every process.
    @discardableResult
    mutating func add(_ entry: SessionEntry?, _ line: [UInt8], at place: Int) -> Bool {
        guard crosses(entry, line) else {
            isWhole = false
            return false
        }
        if count == 0 { header = String(decoding: line, as: UTF8.self) }
        if count.isMultiple(of: UInt64(Self.stride)) { places.append(place) }
        isWhole = isWhole && place == count
        count += 1
        if let entry { note(entry) }
        return true
    }

    private func crosses(_ entry: SessionEntry?, _ line: [UInt8]) -> Bool {
        if !includesNotifications, case .notification? = entry?.content { return false }
        return line.count <= MirrorLimits.entry
    }

    private mutating func note(_ entry: SessionEntry) {
        latest = max(latest, entry.date)
        switch entry.content {
        case .state(.ended): hasEnded = true
        case .collection(.began(let events)): collection = .collecting(events: events)
        case .collection(.ended): collection = .ended
        case .collection(.finished): collection = .finished
        case .collection(.discarded): collection = .discarded
        case .remoteData: data.append(count)
        case .companion(let progress) where progress.isAwaited: awaited.insert(progress.companion)
        case .companion(let progress):
            if let fingerprint = PeerFingerprint(progress.companion) {
                companions[fingerprint] = SessionMirror.Companion(
                    received: max(0, progress.received), done: MirrorPosition(progress))
            }
        default: break
        }
    }

    /// Whether nothing more is to come: the session has ended, and its workout is saved, or given up, or was never begun.
    var isComplete: Bool { hasEnded && [.notBegun, .finished, .discarded].contains(collection) }

    /// The lines of consecutive entries from a number on, about `limit` bytes of them, at least one if there is one.
    func lines(of log: SessionLog, from number: UInt64, bytes limit: Int) throws -> [[UInt8]] {
        guard number >= 1, number <= count else { return [] }
        let index = Int(number - 1)
        if isWhole { return try log.lines(from: index, bytes: limit).compactMap { $0 } }
        var toSkip = index % Self.stride
        var place = places[index / Self.stride]
        var decoder = SessionLogDecoder()
        var crossing: [[UInt8]] = []
        while crossing.isEmpty, case let lines = try log.lines(from: place, bytes: limit), !lines.isEmpty {
            place += lines.count
            for case let line? in lines where crosses(Self.entry(line, &decoder), line) {
                if toSkip > 0 { toSkip -= 1 } else { crossing.append(line) }
            }
        }
        return crossing
    }

    private static func entry(_ line: [UInt8], _ decoder: inout SessionLogDecoder) -> SessionEntry? {
        var entries: [SessionEntry] = []
        try? decoder.decode(line, into: &entries)
        return entries.first
    }
}
