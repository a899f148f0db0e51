import Dispatch
import Engine
import Synchronization

/// The sessions with samples that are not in a store yet.
package final class LiveSessions: Sendable {
    /// How long a query waits for a store that another process writes.
    private static let patience = DispatchTimeInterval.seconds(1)

    private let all = Mutex<[Member]>([])

    private struct Member {
        weak var samples: (any SampleStore)?
    }

    package init() {}

    func add(_ samples: any SampleStore) {
        all.withLock { all in
            all.removeAll { $0.samples == nil }
            all.append(Member(samples: samples))
        }
    }

    /// Saves what sessions have measured so far, so that the next reader of the store finds it.
    package func save() {
        let waiting = all.withLock { all in all.compactMap(\.samples) }.filter { !$0.isSaved }
        guard !waiting.isEmpty else { return }
        let saved = DispatchGroup()
        for samples in waiting {
            saved.enter()
            samples.save { saved.leave() }
        }
        _ = saved.wait(timeout: .now() + Self.patience)
    }
}
