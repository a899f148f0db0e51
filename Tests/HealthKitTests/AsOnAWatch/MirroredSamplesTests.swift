import Engine
import Foundation
import HealthKit
import HealthStore
import Mirroring
import Testing

/// Which machine stores the samples of a mirrored session.
///
/// Apple: the primary session runs on the watch (hkworkoutsessiontype/primary), whose builder finishes the workout; the phone gets it
/// from there ("Build a multidevice workout app", WWDC 2023, session 10023). Here the phone saves it too if it is asked to
/// (`savesMirroredWorkouts`).
@Suite(.timeLimit(.minutes(10))) struct MirroredSamplesTests {
    private let folder = MachineFolder()

    @Test(arguments: [false, true])
    func `a mirrored session's samples are in each store once, and on the companion only if it saves`(
        saves: Bool
    ) async throws {
        let phone = try await Phone(folder.url, saves: saves)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        for value in 100..<120 { await watch.measure(Double(value)) }
        // A query saves them, only on the primary.
        #expect(try await TestSession.heartRates(in: watch.store).count == 20)
        #expect(try await TestSession.heartRates(in: phone.store).isEmpty)
        for value in 120..<140 { await watch.measure(Double(value)) }
        let finished = try await watch.finish()
        let workout = try #require(finished)
        await mirrored.diary.waitForDisconnect()
        _ = await mirrored.session.recorder.log
        let own = try await TestSession.heartRates(in: watch.store)
        let others = try await TestSession.heartRates(in: phone.store)
        #expect(own.rates == (100..<140).map(Double.init))
        #expect(Set(own.map(\.uuid)).count == 40)
        #expect(others.map(\.uuid) == (saves ? own.map(\.uuid) : []))
        #expect(try phone.store.database.contains(workout.uuid) == saves)
        let related = try await TestSession.heartRates(in: watch.store, HKQuery.predicateForObjects(from: workout))
        #expect(related.map(\.uuid) == own.map(\.uuid))
        await phone.stop()
    }
}
