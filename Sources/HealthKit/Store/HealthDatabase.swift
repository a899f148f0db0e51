package import Recordings
import Synchronization

/// Where samples and workouts are kept.
package protocol HealthDatabase: Sendable {
    /// Saves a finished workout together with everything its log holds.
    func save(_ workout: HKWorkout, log: [SessionEntry]) throws
    /// Saves objects, all or none.
    func save(_ objects: [HKObject]) throws
}

/// A store that lasts as long as the process.
package final class MemoryDatabase: HealthDatabase {
    private let contents = Mutex(Contents())

    private struct Contents {
        var objects: [UUID: HKObject] = [:]
        var logs: [UUID: [SessionEntry]] = [:]
    }

    package init() {}

    package func save(_ workout: HKWorkout, log: [SessionEntry]) throws {
        try save([workout])
        contents.withLock { $0.logs[workout.uuid] = log }
    }

    package func save(_ objects: [HKObject]) throws {
        try contents.withLock { contents in
            for object in objects where contents.objects[object.uuid] != nil {
                throw HKError.make(
                    .errorInvalidArgument, "An object with the UUID \(object.uuid) is in the store already.")
            }
            for object in objects { contents.objects[object.uuid] = object }
        }
    }
}
