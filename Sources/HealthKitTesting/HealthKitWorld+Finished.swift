import Analytics
import Engine
public import HealthKit
import SessionLog

extension HealthKitWorld {
    /// Returns when the app has finished a workout and it is stored: the first one, then with each call the next one. The calls of
    /// the app's delegates and completion handlers until then have returned, on HealthKit's queues and on the main queue. To wait
    /// for anything later, use ``until(within:isolation:_:)``.
    ///
    /// - Parameter limit: The time limit, in real time.
    /// - Returns: The stored workout. Nil if it can't be read because the device is locked.
    /// - Throws: ``WorldError`` if the workout is discarded, or after the limit. The error describes the state of each workout.
    @discardableResult
    public func finished(within limit: Duration = .seconds(60)) async throws -> HKWorkout? {
        switch await workouts.next(within: limit) {
        case .finished(let id):
            await settle()
            let type = SampleSelection(.workoutType(), .ids([id]))
            return try database.samples([type], sortedBy: [], limit: 1).first as? HKWorkout
        case .discarded(let id):
            throw WorldError("The workout \(id) is not stored: the app has discarded it.")
        case nil:
            try Task.checkCancellation()
            let seconds = limit / .seconds(1)
            throw WorldError(
                "No workout was finished within \(seconds.formatted()) s in the world of \(name). \(status)")
        }
    }

    /// Returns once a condition holds. Use it to wait for work on the app's own queues and tasks.
    ///
    /// - Parameter limit: The time limit, in real time.
    /// - Throws: ``WorldError`` if the condition does not hold within the limit.
    public func until(
        within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
        _ condition: () async throws -> Bool
    ) async throws {
        let start = ContinuousClock.now
        while try await !condition() {
            guard start.duration(to: .now) < limit else {
                throw WorldError(
                    "The expected result did not come within \((limit / .seconds(1)).formatted()) s in the world of \(name). "
                        + status)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The progress of each workout and its obstacles, in sentences.
    var status: String {
        guard let environment = lifetime.environment else { return "The world has ended." }
        var sentences = workouts.all.map { recorder in
            let state = recorder.state
            let readings = state.quantities.values.map(\.statistics.count).reduce(0, +)
            return "A \(recorder.configuration.activity) workout: the session is \(state.phase.rawValue), "
                + "\(state.collection.sentence), with \(readings) readings."
        }
        if sentences.isEmpty { sentences.append("The app has begun none.") }
        let refused =
            environment.permissions.current.status(forSharing: HKObjectType.workoutType()) != .sharingAuthorized
        if refused { sentences.append("The app may not share workouts: it has not asked, or was refused.") }
        if !device.isEmpty {
            sentences.append("The device is \(device.map(\.rawValue).sorted().joined(separator: ", ")).")
        }
        if let fault { sentences.append("\(HKError.wrapping(fault).localizedDescription)") }
        return (sentences + told).joined(separator: " ")
    }
}

extension SessionState.Collection {
    fileprivate var sentence: String {
        switch self {
        case .notBegun: "beginCollection was not called or has failed"
        case .collecting: "it collects and endCollection was not called"
        case .ended: "collection has ended and finishWorkout was not called or has failed"
        case .finished: "it is finished"
        case .discarded: "it was discarded"
        }
    }
}
