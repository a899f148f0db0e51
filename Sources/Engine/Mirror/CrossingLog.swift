import Foundation
package import Mirroring
package import SessionLog

/// The entries of a session's log that are sent to companions: all except raw notifications, unless these are requested.
///
/// A fold over the log. The number of an entry on the wire, from 1, is its position among the sent entries. The position of each
/// 256th one in the log is kept, so that any entry can be found again.
package struct CrossingLog: Sendable {
    package static let stride = 256

    package let includesNotifications: Bool
    /// The number of sent entries.
    package private(set) var count: UInt64 = 0
    /// The line of the first entry.
    private(set) var header = ""
    /// The numbers of the entries with data for the other side's app.
    package private(set) var data: [UInt64] = []
    /// The position of each companion, from the log.
    package private(set) var companions: [PeerFingerprint: CompanionPosition] = [:]
    /// The machines that the session was begun for, from the log.
    package private(set) var awaited: Set<String> = []
    private(set) var latest = Date.distantPast
    package private(set) var hasEnded = false
    /// The number of unreadable lines. Companions get an empty line for each, so that numbers are the same in every process.
    package private(set) var unreadable = 0
    private var collection = SessionState.Collection.notBegun
    /// The positions of the entries 1, 257, 513 … in the log.
    private var places: [Int] = []
    private var isWhole = true

    package init(includesNotifications: Bool) {
        self.includesNotifications = includesNotifications
    }

    /// Reads all entries of the log, in batches because it may be long.
    package init(of log: LiveSessionLog, includesNotifications: Bool) throws {
        self.init(includesNotifications: includesNotifications)
        var reader = SessionLogLines()
        var place = 0
        while case let lines = try log.lines(from: place, bytes: 1 << 16), !lines.isEmpty {
            for line in lines {
                if let line { add(reader.read(line), line, at: place) }
                place += 1
            }
        }
    }

    /// Adds an entry at a position of the log. Returns whether it is sent.
    @discardableResult
    package mutating func add(_ content: SessionLogLines.Line, _ line: [UInt8], at place: Int) -> Bool {
        guard crosses(content, line) else {
            isWhole = false
            return false
        }
        if count == 0 { header = String(decoding: line, as: UTF8.self) }
        if count.isMultiple(of: UInt64(Self.stride)) { places.append(place) }
        isWhole = isWhole && place == count
        count += 1
        switch content {
        case .entry(let entry): note(entry)
        case .unreadable:
            unreadable += 1
            isWhole = false
        case .blank, .unknown: break
        }
        return true
    }

    private func crosses(_ content: SessionLogLines.Line, _ line: [UInt8]) -> Bool {
        if case .unreadable = content { return true }
        if !includesNotifications, case .entry(let entry) = content, case .notification = entry.content { return false }
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
                companions[fingerprint] = CompanionPosition(progress)
            }
        default: break
        }
    }

    /// Whether the log is complete: the session has ended, and its workout was saved, discarded or never begun.
    package var isComplete: Bool { hasEnded && [.notBegun, .finished, .discarded].contains(collection) }

    /// Returns the lines of consecutive entries from a number on, about `limit` bytes of them, and at least one if
    /// there is one.
    package func lines(of log: LiveSessionLog, from number: UInt64, bytes limit: Int) throws -> [[UInt8]] {
        guard number >= 1, number <= count else { return [] }
        let index = Int(number - 1)
        if isWhole { return try log.lines(from: index, bytes: limit).compactMap { $0 } }
        var toSkip = index % Self.stride
        var place = places[index / Self.stride]
        var reader = SessionLogLines()
        var crossing: [[UInt8]] = []
        while crossing.isEmpty, case let lines = try log.lines(from: place, bytes: limit), !lines.isEmpty {
            place += lines.count
            for case let line? in lines {
                let content = reader.read(line)
                guard crosses(content, line) else { continue }
                if toSkip > 0 {
                    toSkip -= 1
                } else if case .unreadable = content {
                    crossing.append(Self.blank)
                } else {
                    crossing.append(line)
                }
            }
        }
        return crossing
    }

    /// An empty line that replaces another one.
    package static let blank: [UInt8] = [0x0A]
}
