import Foundation
import HealthKit

/// What becomes of a run in the store.
enum SavedRun: Equatable {
    case never, now, before

    /// Fails where the store does, before a run that may take hours.
    init(_ id: UUID, isWanted: Bool, environment: HealthEnvironment = .current) async throws {
        guard isWanted else {
            self = .never
            return
        }
        self = try await CommandFailure.ownFault {
            try environment.database.knowsWorkout(id) ? .before : .now
        }
    }

    /// Below a summary.
    func notify(_ id: UUID) {
        let sentence: String
        switch self {
        case .never: return
        case .now: sentence = "stored as \(id.uuidString)"
        case .before: sentence = "already stored as \(id.uuidString)"
        }
        print("")
        print(sentence)
    }
}
