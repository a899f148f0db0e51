import Foundation
import HealthKit
import Reports

/// Whether and when a run is stored.
enum SavedRun: Equatable {
    case never, now, before

    /// Checks whether the workout is stored already. Fails if the store cannot be read, before a run that may take
    /// hours.
    init(_ id: UUID, isWanted: Bool, environment: HealthEnvironment = .current) async throws {
        guard isWanted else {
            self = .never
            return
        }
        self = try await CommandFailure.ownFault {
            try environment.database.knowsWorkout(id) ? .before : .now
        }
    }

    /// Prints the result below a summary.
    func notify(_ id: UUID) {
        let sentence: String
        switch self {
        case .never: return
        case .now: sentence = localized("stored as %1", id.uuidString)
        case .before: sentence = localized("already stored as %1", id.uuidString)
        }
        print("")
        print(sentence)
    }
}
