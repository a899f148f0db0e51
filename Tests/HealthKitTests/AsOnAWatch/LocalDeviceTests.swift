import Foundation
import HealthKit
import SessionLog
import Testing

/// Which device a session's samples name.
///
/// Apple: `HKQuery.predicateForObjects(from:)` for devices; its sample "SpeedySloth" (WWDC 2016, session 209) follows a workout's samples
/// with `predicateForObjects(from: [HKDevice.local()])`.
@Suite struct LocalDeviceTests {
    private static let wearer = WearerProfile(
        sex: .female, ageInYears: 30, massInKilograms: 60, restingHeartRate: 60, maximumHeartRate: 190)

    @Test func `estimates have the local device, and a strap's heart rates the strap`()
        async throws
    {
        let test = TestSession(wearer: Self.wearer)
        try await test.begin()
        let strap = DeviceDescription(name: "Strap", manufacturer: "Maker")
        await test.collect([
            SessionEntry(
                TestSession.start, .sensor(SensorStatus(id: "s", kind: .bluetooth, presence: .present, device: strap)))
        ])
        await test.pulse([140, 141, 142], sensor: "s")
        let local = HKQuery.predicateForObjects(from: [HKDevice.local()])
        let energy = HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.activeEnergyBurned), predicate: local)],
            sortDescriptors: [])
        #expect(try await energy.result(for: test.store).count == 2)
        #expect(try await test.heartRates(local).isEmpty)
        #expect(try await test.heartRates().allSatisfy { $0.device?.name == "Strap" })
        _ = try await test.finish(at: 10)
        #expect(try await energy.result(for: test.store).count == 2)
    }

    @Test func `the machine's own sensor is found as the local device`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.collect([
            SessionEntry(
                TestSession.start,
                .sensor(SensorStatus(id: "own", kind: .app, presence: .present, device: HKDevice.local().properties)))
        ])
        await test.pulse([100], sensor: "own")
        #expect(try await test.heartRates(HKQuery.predicateForObjects(from: [HKDevice.local()])).rates == [100])
    }

    /// On a watch, these samples have the watch's own source (github.com/tryVital/vital-ios/pull/51). Here the app's
    /// process measures.
    @Test func `the source of sensor samples is the app, which may delete them`() async throws {
        let test = TestSession()
        try await test.begin()
        await test.pulse([100], sensor: "s")
        let found = try await test.heartRates()
        #expect(found.map(\.sourceRevision.source) == [.default()])
        try await test.store.delete(found)
        #expect(try await test.heartRates().isEmpty)
    }
}
