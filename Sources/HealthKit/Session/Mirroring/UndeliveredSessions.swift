import Recordings

/// Sessions that are over and saved, and that another machine has not heard to the end: it was away, and then the process
/// ended. Their journals wait in a folder apart.
package enum UndeliveredSessions {
    /// Mirrors what is left in `folder`, that of the journals, each until its machine has everything.
    ///
    /// - Returns: the mirroring under way; each task says whether every machine has everything.
    package static func deliver(
        in folder: URL, to companions: Companions, time: any TimeSource,
        within limit: Duration = SessionMirror.deliveryLimit
    ) async -> [Task<Bool, Never>] {
        var deliveries: [Task<Bool, Never>] = []
        for url in SessionJournal.left(in: folder.appendingPathComponent(SessionJournal.undelivered)) {
            do {
                // Another process may be at it.
                guard let journal = try SessionJournal(resuming: url) else { continue }
                let (log, state) = try SessionLog.left(in: journal)
                let recorder = WorkoutRecorder(resuming: log, state, time: time)
                if let delivery = try await recorder.deliver(to: companions, within: limit) {
                    deliveries.append(delivery)
                }
            } catch {
                companions.tell("\(url.path) cannot be mirrored: \(Companions.sentence(error))")
            }
        }
        return deliveries
    }
}

extension WorkoutRecorder {
    /// Ends a log of which the workout is saved, where a crash kept it from being ended, and mirrors it.
    fileprivate func deliver(to companions: Companions, within limit: Duration) throws -> Task<Bool, Never>? {
        let end = log.lastDate ?? now
        if read({ $0.collection == .ended }) { append(.collection(.finished), at: end) }
        if read({ $0.phase != .ended }) { append(.state(.ended), at: end) }
        try commit()
        return try mirror(to: companions).deliver(within: limit)
    }
}
