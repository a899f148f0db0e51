import Foundation
import HealthKit
import SessionLog
import Web

/// A session's own log, entry by entry as the log writes them, from any place on, and continuing as it grows.
///
/// Nothing is buffered for a browser: entries are read from the log when the browser takes them.
struct EntryStream {
    /// The position of a browser in the log. A new log of another machine's session may replace the old one, and its
    /// positions are different.
    struct Place: Equatable, CustomStringConvertible {
        var epoch = 0
        /// The index of the next entry, from 0 on: how many were sent.
        var index = 0

        init(epoch: Int = 0, index: Int = 0) {
            self.epoch = epoch
            self.index = index
        }

        /// Parses `Last-Event-ID`: `120`, or `2.120` for the third log.
        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
            switch parts.count {
            case 1: epoch = 0
            case 2:
                guard let first = parts[0], first > 0 else { return nil }
                epoch = first
            default: return nil
            }
            guard let last = parts.last ?? nil, last >= 0 else { return nil }
            index = last
        }

        var description: String { epoch == 0 ? "\(index)" : "\(epoch).\(index)" }
    }

    enum Form: Sendable { case events, lines }

    private static let chunkBytes = 1 << 16

    let session: ServedSession
    let changes: ServedChanges
    let form: Form
    let start: Place

    /// Whether a browser at this position has everything.
    var isAtEnd: Bool {
        get async {
            let (log, epoch) = await session.log
            return session.isOver && start.epoch == epoch && start.index >= log.count
        }
    }

    /// Writes entries until the session is over and all of them are written.
    func write(to stream: WebStream) async throws {
        var place = start
        for await _ in changes.stream {
            // Read before the log: entries that come later may contain the end.
            let isOver = session.isOver
            let (log, epoch) = await session.log
            if place.epoch != epoch || place.index > log.count {
                place = Place(epoch: epoch)
                if form == .events { try await stream.write(WebEvent.bytes("began", data: "{}".utf8)) }
            }
            while true {
                let lines = try log.lines(from: place.index, bytes: Self.chunkBytes)
                guard !lines.isEmpty else { break }
                var bytes: [UInt8] = []
                for line in lines {
                    place.index += 1
                    // Nil stands for an entry that a log cannot represent.
                    guard let line else { continue }
                    bytes += form == .lines ? line : WebEvent.bytes(id: "\(place)", data: line.dropLast())
                }
                try await stream.write(bytes)
            }
            if isOver {
                if form == .events { try await stream.write(WebEvent.bytes("ended", data: "{}".utf8)) }
                return
            }
        }
    }
}
