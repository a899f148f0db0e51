import ArgumentParser
import Engine
import Foundation
import GATT
import HealthKit

/// Shell completions from this machine's data. The shell asks the command for them when somebody presses Tab. Data that
/// cannot be read completes nothing and reports nothing, since the line is not finished yet.
enum StoredCompletion {
    private static let mostWorkouts = 50

    /// The beginnings of workouts' IDs, newest first.
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
