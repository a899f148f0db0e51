import Foundation
import HealthKit
import HealthKitTesting
import Testing

/// Apple's documentation of workout sessions. Paths are those below developer.apple.com/documentation/healthkit.
@Suite(.healthKit(sensors: .script, authorization: .allowedBefore, clock: .byHand)) struct SessionTests {
    private static func states(_ world: HealthKitWorld) -> [DelegateCall] {
        world.calls.filter { call in
            switch call {
            case .didChange, .didFail, .didGenerate: true
            default: false
            }
        }
    }

    /// hkworkoutsession/startdate: nil at first, assigned when the session begins to run. hkworkoutsessionstate/prepared: ready, and
    /// no data yet.
    @Test func `a prepared session is ready, without a start or data`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        #expect(workout.session.state == .notStarted)
        workout.session.prepare()
        await world.settle()
        #expect(workout.session.state == .prepared)
        #expect(workout.session.startDate == nil)
        #expect(workout.builder.allStatistics.isEmpty)
        try await workout.begin()
        await world.settle()
        #expect(
            Self.states(world) == [
                .didChange(to: .prepared, from: .notStarted), .didChange(to: .running, from: .prepared),
            ])
    }

    /// hkworkoutsession/startactivity(with:) and hkworkoutsession/stopactivity(with:): they set the start and the end.
    /// hkworkoutsessiondelegate/workoutsession(_:didchangeto:from:date:): the date is when the change occurred.
    @Test func `the dates that an app passes are those of the session and of its changes`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        let start = Date()
        workout.session.startActivity(with: start)
        await world.settle()
        try await world.advance(by: .seconds(60))
        let end = world.now
        workout.session.stopActivity(with: end)
        await world.settle()
        #expect(workout.session.startDate == start)
        #expect(workout.session.endDate == end)
        #expect(workout.changes.map(\.state) == [.running, .stopped])
        #expect(workout.changes.map(\.date) == [start, end])
    }

    /// hkhealthstore/pause(_:) and hkhealthstore/resumeworkoutsession(_:): the state changes, and the delegate gets the event.
    @Test func `pause and resume are state changes and events`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        workout.session.pause()
        workout.session.resume()
        await world.settle()
        #expect(
            Self.states(world) == [
                .didChange(to: .running, from: .notStarted),
                .didChange(to: .paused, from: .running), .didGenerate(.pause),
                .didChange(to: .running, from: .paused), .didGenerate(.resume),
            ])
    }

    /// hkhealthstore/pause(_:): pauses a session that is running; hkhealthstore/resumeworkoutsession(_:): resumes one that is paused.
    @Test func `only a running session can be paused, and only a paused one resumed`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        workout.session.pause()
        workout.session.resume()
        await world.settle()
        #expect(workout.session.state == .notStarted)
        try await workout.begin()
        workout.session.resume()
        workout.session.pause()
        workout.session.pause()
        await world.settle()
        #expect(
            Self.states(world) == [
                .didChange(to: .running, from: .notStarted), .didChange(to: .paused, from: .running),
                .didGenerate(.pause),
            ])
    }

    /// hkhealthstore/start(_:): a session that has stopped cannot be restarted.
    @Test func `a stopped session stays stopped`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        workout.session.stopActivity(with: nil)
        await world.settle()
        workout.session.resume()
        workout.session.startActivity(with: nil)
        await world.settle()
        #expect(workout.session.state == .stopped)
        workout.session.end()
        await world.settle()
        #expect(workout.session.state == .ended)
        #expect(workout.changes.map(\.state) == [.running, .stopped, .ended])
    }

    /// hkworkoutsession: one session at a time. hkworkoutsessiondelegate/workoutsession(_:didfailwitherror:): the error comes before
    /// the change of the state.
    @Test func `a second session ends the first one, which gets an error and then the end`() async throws {
        let world = try HealthKitWorld.current
        let first = try WatchWorkout()
        try await first.begin()
        await world.settle()
        let second = try WatchWorkout(.cycling)
        try await second.begin()
        await world.settle()
        #expect(first.session.state == .ended)
        #expect(second.session.state == .running)
        let calls = Self.states(world)
        let failure = try #require(calls.firstIndex(of: .didFail(.errorAnotherWorkoutSessionStarted)))
        let end = try #require(calls.firstIndex(of: .didChange(to: .ended, from: .running)))
        #expect(failure < end)
    }

    /// hkworkoutsessiondelegate: called on an anonymous serial background queue. hkworkoutsession/delegate: held weakly.
    @Test func `the delegate is called in the background and held weakly`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout()
        try await workout.begin()
        try await world.strap.send(heartRate: 120)
        #expect(!workout.changes.isEmpty && !workout.heartRates.isEmpty)
        #expect(!workout.wasOnMainThread)
        let session = workout.session
        do {
            let other = try WatchWorkout()
            session.delegate = other
            #expect(session.delegate === other)
        }
        // A running call holds the delegate.
        await world.settle()
        #expect(session.delegate == nil)
    }

    /// hkworkoutsession/associatedworkoutbuilder() and hkliveworkoutbuilder/workoutsession.
    @Test func `a session and its builder know each other`() throws {
        let workout = try WatchWorkout()
        #expect(workout.session.associatedWorkoutBuilder() === workout.builder)
        #expect(workout.builder.workoutSession === workout.session)
        #expect(workout.builder.workoutConfiguration.activityType == .running)
        // A copy.
        workout.session.workoutConfiguration.activityType = .yoga
        #expect(workout.session.workoutConfiguration.activityType == .running)
    }

    /// hkhealthstore/recoveractiveworkoutsession(completion:): without a session that was active there is none.
    @Test func `without a crash there is no session to recover`() async throws {
        #expect(try await HKHealthStore().recoverActiveWorkoutSession() == nil)
    }

    /// hkworkoutactivitytype/swimbikerun, hkworkoutactivitytype/transition, dividing-a-healthkit-workout-into-activities.
    @Test func `a triathlon consists of its sports and the transitions between them`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout(.swimBikeRun)
        try await workout.begin()
        for activity in [HKWorkoutActivityType.swimming, .transition, .cycling] {
            workout.session.beginNewActivity(
                configuration: WatchWorkout.configuration(activity), date: world.now, metadata: nil)
            await world.settle()
            #expect(workout.session.currentActivity.workoutConfiguration.activityType == activity)
            try await world.advance(by: .seconds(100))
        }
        workout.session.endCurrentActivity(on: world.now)
        workout.session.beginNewActivity(
            configuration: WatchWorkout.configuration(.yoga), date: world.now, metadata: nil)
        await world.settle()
        #expect(world.calls.contains(.didFail(.errorWorkoutActivityNotAllowed)))
        #expect(world.calls.contains(.didEndActivity(.swimming)) && world.calls.contains(.builderDidEnd(.cycling)))
        let finished = try #require(try await workout.finish())
        #expect(
            finished.workoutActivities.map(\.workoutConfiguration.activityType) == [.swimming, .transition, .cycling])
        #expect(finished.workoutActivities.map(\.duration) == [100, 100, 100])
    }

    /// hkworkoutactivity: every workout has at least one activity, of the workout's own type if the app sets none.
    @Test func `a workout without activities has one of its own type`() async throws {
        let world = try HealthKitWorld.current
        let workout = try WatchWorkout(.rowing)
        try await workout.begin()
        try await world.advance(by: .seconds(60))
        let finished = try #require(try await workout.finish())
        #expect(finished.workoutActivities.map(\.workoutConfiguration.activityType) == [.rowing])
        #expect(finished.workoutActivities.first?.duration == 60)
    }
}
