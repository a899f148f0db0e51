import Foundation
import HealthKit
import Testing

@testable import MirroringApps

/// Both halves of an app, unchanged; `HEALTHKIT_MIRROR` and `HEALTHKIT_MIRROR_LISTEN` bring them together.
@Suite struct MirroringAppTests {
    @Test(.timeLimit(.minutes(10)))
    func `the watch's and the phone's halves of an app find each other, exchange data and end together`() async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("mirroring-app-\(UUID())")
        defer { try? FileManager.default.removeItem(at: home) }
        var variables = [
            "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": "allow", "XDG_CONFIG_HOME": home.path,
            "HEALTHKIT_SENSORS": "simulate:easyRun?seed=3&speed=60&duration=600",
        ]
        variables["HEALTHKIT_MIRROR_LISTEN"] = "127.0.0.1:0"
        let phoneEnvironment = HealthEnvironment(variables: variables)
        let phone = HealthEnvironment.$current.withValue(phoneEnvironment) { MirroringPhoneApp() }
        phone.retrieveRemoteSession()
        // The port that the system chose.
        variables["HEALTHKIT_MIRROR"] = try await phone.healthStore.listenForMirroredSessions()
        let watchEnvironment = HealthEnvironment(variables: variables)
        let watch = HealthEnvironment.$current.withValue(watchEnvironment) { MirroringWatchApp() }
        let finished = AsyncStream.makeStream(of: HKWorkout?.self)
        let over = AsyncStream.makeStream(of: Bool.self)
        watch.whenFinished = { finished.continuation.yield($0) }
        phone.whenOver = { over.continuation.yield($0 == nil) }

        try await watch.requestAuthorization()
        try await watch.startWorkout(.running)
        var workouts = finished.stream.makeAsyncIterator()
        var ends = over.stream.makeAsyncIterator()
        let ending = await workouts.next()
        let finishedWorkout = try #require(ending)
        let workout = try #require(finishedWorkout)
        #expect(await ends.next() == true)
        #expect(workout.workoutActivityType == .running)
        #expect(phone.activityType == .running)
        #expect(phone.messages.count >= phone.enough)
        // In order, each exactly once.
        #expect(phone.messages.map(\.elapsed) == phone.messages.map(\.elapsed).sorted())
        #expect(Set(phone.messages.map(\.elapsed)).count == phone.messages.count)
        #expect(phone.states.last == .ended)
        #expect(phone.states.contains(.stopped))
        #expect(watch.received == ["hello"])
    }
}
