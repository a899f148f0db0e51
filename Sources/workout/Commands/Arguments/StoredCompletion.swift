import ArgumentParser
import Foundation
import GATT
import HealthKit

/// What a shell completes from what there is on this machine: asked of the command when somebody presses Tab. What cannot be
/// read completes nothing, and says nothing: the line is not typed yet.
enum StoredCompletion {
    private static let mostWorkouts = 50

    /// The beginnings of workouts' IDs, the newest first.
    static let workouts = CompletionKind.custom { _, _, _ in
        let workouts = try? StoredWorkouts(environment.database).all(limit: mostWorkouts)
        return (workouts ?? []).map { String($0.uuid.uuidString.prefix(WorkoutListing.shortestID)) }
    }

    /// The names of paired sensors, and the addresses of those without one.
    static let sensors = CompletionKind.custom { _, _, _ in
        ((try? environment.readPairedSensors()) ?? []).map { $0.name ?? $0.address.description }
    }

    private static var environment: HealthEnvironment { HealthEnvironment.process.ofOwner }
}
