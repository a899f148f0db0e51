/// Which mirrored sessions are kept while the machine that they come from is away.
enum LostSessions {
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
