import Engine
import HealthKit

extension HealthKitWorld {
    /// Kills the app and starts it again in the same world, as a crash in the middle of a workout does.
    ///
    /// The app's earlier sessions and queries are dead: no delegate or handler is called, sensors are not read, and the
    /// builders of those sessions fail. Store, permissions, clock and sensors stay. The test lets go of the app's
    /// objects and makes new ones, which get the session back from `HKHealthStore.recoverActiveWorkoutSession`:
    ///
    ///     let manager = WorkoutManager()
    ///     manager.start(.running)
    ///     try await world.strap.send(heartRate: 120)
    ///     try await world.restartApp()
    ///     let restarted = WorkoutManager()
    ///     try await restarted.recover()
    ///     try await world.strap.send(heartRate: 121)
    ///
    /// All that sessions collected before is recovered; a real crash may take up to a second of it away. Objects of the
    /// app that the test cannot release, such as a singleton's `HKHealthStore`, continue to work. A session that was
    /// mirrored has lost its companions.
    ///
    /// - Throws: ``WorldError`` for a world whose store is in memory, since nothing outlives the app there: give it `store: .file`.
    public func restartApp() async throws {
        guard let environment = lifetime.environment else { throw WorldError("The world of \(name) has ended.") }
        guard environment.journalFolder != nil else {
            throw WorldError(
                "The store of \(name) is in memory, and nothing in it outlives the app: give the world store: .file.")
        }
        background.endQueries()
        for recorder in workouts.all { try await recorder.crash() }
        strap.listener.forget()
        watch.listener.forget()
        lifetime.change { $0 = $0.beside }
    }
}
