package import Engine
import Mirroring
import SessionLog

/// Saved sessions whose end another machine has missed: it was away when the process ended. Their journals wait in a separate folder.
package enum UndeliveredSessions {
    /// Mirrors the sessions in `folder` to the machines that they were begun for. If addresses are configured, only
    /// these are tried.
    ///
    /// - Parameter isSearching: Whether to try configured addresses of unknown machines.
    /// - Returns: The running deliveries. The value of each task is whether every machine has everything.
    package static func deliver(
        in folder: URL, to companions: Companions, time: any TimeSource,
        isSearching: Bool = true, within limit: Duration = MirrorTimeouts.deliveryLimit
    ) async -> [Task<Bool, Never>] {
        var deliveries: [Task<Bool, Never>] = []
        do { try TrustedFolder.check(folder.path) } catch {
            companions.notify(Companions.sentence(error))
            return []
        }
        for url in SessionJournal.left(in: folder.appendingPathComponent(SessionJournal.undelivered))
        where !Task.isCancelled {
            do {
                // Another process may be delivering it.
                guard let journal = try SessionJournal(resuming: url) else { continue }
                let (log, state) = try LiveSessionLog.left(in: journal)
                let (addresses, areAll) = try companions.addresses(of: PendingCompanions(log), isSearching: isSearching)
                guard !addresses.isEmpty else { continue }
                let recorder = WorkoutRecorder(resuming: log, state, time: time)
                let delivery = try await recorder.deliver(
                    to: companions, at: addresses, keepsJournal: !areAll, within: limit)
                if let delivery { deliveries.append(delivery) }
            } catch {
                companions.notify("\(url.path) cannot be mirrored: \(Companions.sentence(error))")
            }
        }
        return deliveries
    }

    /// Returns the machines that undelivered sessions wait for, by name or address.
    package static func waitingFor(in folder: URL, _ companions: Companions) throws -> (sessions: Int, names: [String])
    {
        try HKError.translating { try TrustedFolder.check(folder.path) }
        let left = SessionJournal.left(in: folder.appendingPathComponent(SessionJournal.undelivered))
        guard !left.isEmpty else { return (0, []) }
        let host = try companions.host()
        let pending = left.compactMap { try? PendingCompanions(LoggedEntries(url: $0)) }.filter { !$0.isEmpty }
        let machines = try Set(pending.flatMap(\.machines)).map {
            try host.peers.peer($0)?.name ?? "machine \($0.short)"
        }
        return (pending.count, (machines + Set(pending.flatMap(\.places)).map(\.typed)).sorted())
    }
}

extension WorkoutRecorder {
    /// Ends the log of a saved workout, if a crash prevented that, and mirrors it.
    fileprivate func deliver(
        to companions: Companions, at addresses: [CompanionAddress], keepsJournal: Bool, within limit: Duration
    ) throws -> Task<Bool, Never>? {
        let end = log.lastDate ?? now
        if read({ $0.collection == .ended }) { append(.collection(.finished), at: end) }
        if read({ $0.phase != .ended }) { append(.state(.ended), at: end) }
        try commit()
        return try mirror(to: companions, at: addresses, keepsJournal: keepsJournal).deliver(within: limit)
    }
}
