import Foundation
import HealthKit
import HealthKitTesting
import Testing

@Suite struct DelegateCallTests {
    private static let heartRate = HKQuantityType(.heartRate)

    @Test(.healthKit(sensors: .script, clock: .byHand))
    func `calls of the app's delegates are recorded in order`() async throws {
        let world = try HealthKitWorld.current
        let app = TestedApp()
        app.start()
        try await world.strap.send(heartRate: 120)
        app.session?.pause()
        app.session?.resume()
        try await world.strap.send(heartRate: 121)
        app.stop()
        try await world.finished()
        try await world.until { app.session?.state == .ended }
        await world.settle()
        #expect(
            world.calls == [
                .didChange(to: .running, from: .notStarted), .didCollectData(of: [Self.heartRate]),
                .didChange(to: .paused, from: .running), .didGenerate(.pause), .didCollectEvent,
                .didChange(to: .running, from: .paused), .didGenerate(.resume), .didCollectEvent,
                .didCollectData(of: [Self.heartRate]), .didChange(to: .stopped, from: .running),
                .didChange(to: .ended, from: .stopped),
            ])
    }

    @Test(.healthKit(sensors: .script, clock: .byHand))
    func `calls without a delegate are not recorded, and worlds are separate`() async throws {
        let world = try HealthKitWorld.current
        let session = try HKWorkoutSession(healthStore: HKHealthStore(), configuration: HKWorkoutConfiguration())
        session.startActivity(with: nil)
        try await world.until { session.state == .running }
        let app = TestedApp()
        session.delegate = app
        session.pause()
        try await world.until { session.state == .paused }
        await world.settle()
        #expect(world.calls == [.didChange(to: .paused, from: .running), .didGenerate(.pause)])
        HealthKitWorld.run { #expect((try? HealthKitWorld.current.calls) == []) }
    }

    @Test(.healthKit(sensors: .script, clock: .byHand(from: Date(timeIntervalSince1970: 1_700_000_000))))
    func `a workout's log is available entry by entry`() async throws {
        let world = try HealthKitWorld.current
        let app = TestedApp()
        app.start(.cycling)
        try await world.strap.send(heartRate: 120, rrIntervalsInMilliseconds: [500])
        try await world.advance(by: .seconds(2))
        app.stop()
        try await world.finished()
        let entries = try await world.entries()
        #expect(entries.first?["activity"] == "cycling")
        let rate = try #require(entries.first { $0["sample"] == "heartRate" })
        #expect(rate["value"] == 120)
        #expect(rate.date == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(entries.first { $0["rr"] != nil }?["rr"] == .list([500]))
        #expect(entries.first { $0["collection"] == "began" }?["events"] == true)
        #expect(entries.last { $0["state"] == "stopped" }?.date == Date(timeIntervalSince1970: 1_700_000_002))
        #expect(try await world.log().split(separator: "\n").count == entries.count)
        await #expect(throws: WorldError.self) { try await world.entries(ofWorkout: 1) }
    }
}
