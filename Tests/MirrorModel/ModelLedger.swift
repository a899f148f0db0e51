import Engine
import Foundation
import HealthKit
import Mirroring
import SessionLog

/// Everything that was sent and requested, by whom, and its outcome. Each piece of data and each request is unique.
final class ModelLedger {
    private let witness: ModelWitness
    private var pieceCount = 0
    private var requestCount = 0
    /// Of the primary's data: the companions at which it has arrived.
    private var arrivals: [Int: Set<Int>] = [:]
    private var openPieces: [Int: Set<Int>] = [:]
    private var openRequests: [Int: [Date]] = [:]
    private var grantedRequests: Set<Date> = []

    init(_ witness: ModelWitness) { self.witness = witness }

    // MARK: Data

    /// Data for the other side's app: its number, and the companion that sent it.
    func piece(from companion: Int?) -> Data {
        pieceCount += 1
        return Data("\(pieceCount) \(companion ?? -1)".utf8)
    }

    func read(_ piece: Data) -> (number: Int, companion: Int) {
        let words = String(decoding: piece, as: UTF8.self).split(separator: " ")
        return (words.first.flatMap { Int($0) } ?? 0, words.last.flatMap { Int($0) } ?? 0)
    }

    /// At the primary.
    func arrived(_ number: Int) {
        for companion in openPieces.keys { openPieces[companion]?.remove(number) }
    }

    func arrived(_ number: Int, at companion: Int) { arrivals[number, default: []].insert(companion) }

    // MARK: Requests

    /// Each has a unique date, which identifies it.
    func request(isForNow: Bool) -> SessionEntry {
        requestCount += 1
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(requestCount))
        return isForNow
            ? SessionEntry(.distantFuture, .event(EventRecord(.marker, start: date, end: date)))
            : SessionEntry(date, .event(EventRecord(.lap, start: date, end: date)))
    }

    private func key(_ content: SessionEntry.Content) -> Date? {
        if case .event(let event) = content { event.start } else { nil }
    }

    func asked(_ entry: SessionEntry, by companion: Int) {
        if case .remoteData(let piece) = entry.content { openPieces[companion, default: []].insert(read(piece).number) }
        if let date = key(entry.content) { openRequests[companion, default: []].append(date) }
    }

    func granted(_ request: SessionEntry) {
        guard let date = key(request.content) else { return }
        witness.check(grantedRequests.insert(date).inserted, "a request is done twice")
        for companion in openRequests.keys { openRequests[companion]?.removeAll { $0 == date } }
    }

    /// The session has ended. Its owner learns that, even if the primary forgets it again because the disk was full.
    func cameLate(_ request: SessionEntry) {
        guard let date = key(request.content) else { return }
        for companion in openRequests.keys { openRequests[companion]?.removeAll { $0 == date } }
    }

    func dropped(_ request: StaleRequest) {
        guard let date = key(request.content) else { return }
        for companion in openRequests.keys {
            witness.check(
                openRequests[companion]?.contains(date) != true || !grantedRequests.contains(date),
                "a request is done, and its owner is told that it is not")
            openRequests[companion]?.removeAll { $0 == date }
        }
    }

    // MARK: Ends of processes

    /// A companion's requests end with its process, or with the session.
    func lost(from companion: Int) {
        openPieces[companion] = []
        openRequests[companion] = []
    }

    /// The primary starts with this log, whatever it has done before.
    func recovered(_ log: [SessionEntry]) { grantedRequests = Set(log.compactMap { key($0.content) }) }

    // MARK: After the trouble

    func checkNothingIsOpen(exceptRequests: Bool) {
        for (companion, pieces) in openPieces {
            witness.check(pieces.isEmpty, "pieces \(pieces.sorted()) of phone \(companion) never reach the primary")
        }
        for (companion, requests) in openRequests where !exceptRequests {
            witness.check(requests.isEmpty, "\(requests.count) requests of phone \(companion) are never answered")
        }
    }

    /// The primary's data has reached everybody who joined before it, according to the log.
    func checkArrivals(of log: [SessionEntry], at companions: [ModelCompanion]) {
        for (place, entry) in log.enumerated() {
            guard case .remoteData(let piece) = entry.content else { continue }
            let number = read(piece).number
            for companion in companions {
                let isThere = log[..<place].contains {
                    if case .companion(let progress) = $0.content, !progress.isAwaited {
                        return progress.companion == companion.peer.fingerprint.description
                    }
                    return false
                }
                witness.check(
                    !isThere || arrivals[number]?.contains(companion.number) == true,
                    "piece \(number) never reaches \(companion.peer.name)")
            }
        }
    }
}
