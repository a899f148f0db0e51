import Foundation
import HealthKit
import HealthKitTesting
import Synchronization
import Testing

@Suite struct CompanionTests {
    /// The phone's side, which takes over the watch's session.
    private final class Phone: NSObject, HKWorkoutSessionDelegate, Sendable {
        private let store = HKHealthStore()
        private let mirrored = Mutex<HKWorkoutSession?>(nil)

        func listen() {
            store.workoutSessionMirroringStartHandler = { [self] session in
                session.delegate = self
                mirrored.withLock { $0 = session }
            }
        }

        var session: HKWorkoutSession? { mirrored.withLock { $0 } }

        func workoutSession(
            _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
            from fromState: HKWorkoutSessionState, date: Date
        ) {}

        func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}
    }

    @Test(.healthKit(sensors: .script)) func `a session is mirrored to a companion across a broken link`()
        async throws
    {
        let watch = try HealthKitWorld.current
        let companion = try await watch.makeCompanion()
        let phone = companion.run { Phone() }
        phone.listen()
        let app = TestedApp()
        app.start()
        try await watch.strap.send(heartRate: 120)
        try await app.session?.startMirroringToCompanionDevice()
        try await companion.until(within: .seconds(30)) { phone.session?.state == .running }
        try await app.session?.sendToRemoteWorkoutSession(data: Data([1]))
        try await companion.until(within: .seconds(30)) { companion.calls.contains(.didReceiveData([Data([1])])) }
        await companion.cutLink()
        try await companion.until(within: .seconds(30)) {
            companion.calls.contains { if case .didDisconnect = $0 { true } else { false } }
        }
        app.session?.pause()
        try await companion.restoreLink()
        try await companion.until(within: .seconds(30)) {
            companion.calls.contains(.didChange(to: .paused, from: .running))
        }
        // The phone's stop also stops the watch.
        phone.session?.stopActivity(with: nil)
        try await watch.finished()
        try await companion.until(within: .seconds(30)) { phone.session?.state == .ended }
        #expect(try watch.savedWorkouts.count == 1)
        #expect(try companion.saved.isEmpty)
        #expect(!watch.calls.contains(.didReceiveData([Data([1])])))
    }

    @Test(.healthKit()) func `only a companion has a link to restore, and only a living world gets one`()
        async throws
    {
        let error = await #expect(throws: WorldError.self) { try await HealthKitWorld.current.restoreLink() }
        #expect(error?.description.contains("is not a companion") == true)
        let ended = HealthKitWorld(name: "a short test")
        ended.end()
        let late = await #expect(throws: WorldError.self) { try await ended.makeCompanion() }
        #expect(late?.description.contains("a short test has ended") == true)
    }
}
