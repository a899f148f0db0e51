import Foundation
import HealthKit
import Synchronization
import Testing

@Suite struct PreferredUnitsTests {
    private let mass = HKQuantityType(.bodyMass)

    private func environment() -> HealthEnvironment {
        var environment = HealthEnvironment(variables: [
            "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": "allow",
        ])
        // Not the shared one of the process.
        environment.database = SQLiteHealthDatabase(.memory)
        return environment
    }

    @Test func `units are the chosen ones, or those of the locale`() async throws {
        let environment = environment()
        let store = HKHealthStore(environment: environment)
        try await store.requestAuthorization(toShare: [], read: [mass])
        let own = try await store.preferredUnits(for: [mass])[mass]
        #expect(own == PreferredUnits(locale: .current).unit(for: mass))
        for (units, unit) in [(UnitSystemName.us, HKUnit.pound()), (.uk, .stone()), (.metric, .gramUnit(with: .kilo))] {
            var profile = try environment.database.storedProfile()
            profile.units = units
            try environment.database.store(profile)
            #expect(try await store.preferredUnits(for: [mass]) == [mass: unit])
        }
    }

    /// Apple's documentation of `HKUserPreferencesDidChange`: each store posts it, with itself as the object.
    @Test func `stores post a notification once for each change of units`() async throws {
        let environment = environment()
        let store = HKHealthStore(environment: environment)
        let unasked = HKHealthStore(environment: environment)
        let posted = Mutex<[ObjectIdentifier]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .HKUserPreferencesDidChange, object: nil, queue: nil
        ) { notification in
            guard let store = notification.object as? HKHealthStore else { return }
            posted.withLock { $0.append(ObjectIdentifier(store)) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        var own: [ObjectIdentifier] { posted.withLock { $0.filter { $0 == ObjectIdentifier(store) } } }

        try await store.requestAuthorization(toShare: [], read: [mass])
        _ = try await store.preferredUnits(for: [mass])
        store.preferences.check()
        #expect(own.isEmpty)
        var profile = StoredProfile()
        profile.units = .us
        try environment.database.store(profile)
        store.preferences.check()
        store.preferences.check()
        #expect(own.count == 1)
        profile.units = nil
        try environment.database.store(profile)
        store.preferences.check()
        #expect(own.count == 2)
        // An app that never read units gets no notification of them.
        unasked.preferences.check()
        let isWoken = posted.withLock { $0.contains(ObjectIdentifier(unasked)) }
        #expect(!isWoken)
    }

    @Test func `health records are supported where health data is`() {
        #expect(HKHealthStore(environment: environment()).supportsHealthRecords())
        let none = HealthEnvironment(variables: ["HEALTHKIT_STORE": "memory", "HEALTHKIT_SIMULATE": "unavailable"])
        #expect(!HKHealthStore(environment: none).supportsHealthRecords())
    }
}
