import ArgumentParser
import Foundation
import HealthKit
import Mirroring

/// A board that receives the sessions of paired machines, from the start to ``close()``.
struct MirrorListening: Sendable {
    let address: String
    /// The names of the paired machines.
    let peers: [String]
    private let store: HKHealthStore
    private let companions: Companions

    /// - Parameters:
    ///   - listen: HOST:PORT. Nil means the address of the environment.
    ///   - saves: Whether finished workouts are stored here too.
    ///   - began: Called with each session.
    ///   - report: Receives lines that concern no session.
    init(
        to board: MirrorBoard, on listen: String?, saves: Bool, _ environment: HealthEnvironment,
        began: @escaping @Sendable (HKWorkoutSession) -> Void = { _ in },
        report: @escaping @Sendable (String) -> Void
    ) async throws {
        var environment = environment
        var settings = environment.companions.settings
        settings.listen = listen ?? settings.listen
        settings.savesWorkouts = saves
        companions = Companions(settings, report: report)
        environment.companions = companions
        peers = try CommandFailure.mirroring { [companions] in try companions.paired().map(\.name) }
        store = HKHealthStore(environment: environment)
        do {
            address = try await store.listenForMirroredSessions()
        } catch let error as HKError where error.code == .errorInvalidArgument {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        } catch {
            throw CommandFailure(exitCode: .serviceMissing, message: CommandFailure.describe(error))
        }
        store.workoutSessionMirroringStartHandler = { session in
            board.add(session)
            began(session)
        }
    }

    /// Returns once no machine is connected, or when `limit` has passed.
    func untilQuiet(within limit: Duration) async {
        await companions.untilQuiet(within: limit)
    }

    /// Stops listening. A machine that comes only now waits until somebody listens again.
    func close() async {
        store.workoutSessionMirroringStartHandler = nil
        await store.stopListeningForMirroredSessions()
    }
}

extension HealthEnvironment {
    /// Returns whether an object is in the store. False if the store cannot be read.
    var isStored: @Sendable (UUID) -> Bool {
        { [database] id in (try? database.knowsWorkout(id)) == true }
    }
}
