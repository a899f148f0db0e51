import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct DeletingTests {
    @Test func `an app deletes only its own samples through the health store`() async throws {
        let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
        let own = Made.heartRate(60, at: 0)
        let foreign = Made.heartRate(60, at: 1)
        try await store.save(own)
        try store.database.save([foreign], from: Made.source("Other"))
        try await store.delete(own)
        await #expect(throws: HKError.self) { try await store.delete(own) }
        await #expect(throws: HKError.self) { try await store.delete(foreign) }
        await #expect(throws: HKError.self) { try await store.delete([]) }
    }
}
