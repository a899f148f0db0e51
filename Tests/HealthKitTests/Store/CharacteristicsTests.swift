import Foundation
import HealthKit
import SessionLog
import Testing

@Suite struct CharacteristicsTests {
    private func store(_ profile: StoredProfile) throws -> HKHealthStore {
        let environment = HealthEnvironment(sensors: [])
        try environment.database.store(profile)
        return HKHealthStore(environment: environment)
    }

    private var full: StoredProfile {
        var profile = StoredProfile()
        profile.sex = .female
        profile.dateOfBirth = CivilDay(stated: "1985-02-28")
        profile.bloodType = .oNegative
        profile.skinType = .IV
        profile.wheelchairUse = false
        profile.moveMode = .appleMoveTime
        return profile
    }

    private var types: Set<HKObjectType> {
        [
            HKCharacteristicType(.biologicalSex), HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.bloodType),
            HKCharacteristicType(.fitzpatrickSkinType), HKCharacteristicType(.wheelchairUse),
            HKCharacteristicType(.activityMoveMode),
        ]
    }

    private func code(_ body: () throws -> Void) -> HKError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? HKError)?.code
        }
    }

    @Test func `characteristics are those of the profile`() async throws {
        let store = try store(full)
        try await store.requestAuthorization(toShare: [], read: types)
        #expect(try store.biologicalSex().biologicalSex == .female)
        #expect(try store.bloodType().bloodType == .oNegative)
        #expect(try store.fitzpatrickSkinType().skinType == .IV)
        #expect(try store.wheelchairUse().wheelchairUse == .no)
        #expect(try store.activityMoveMode().activityMoveMode == .appleMoveTime)
        let birth = try store.dateOfBirthComponents()
        #expect((birth.year, birth.month, birth.day) == (1985, 2, 28))
    }

    @Test func `a characteristic never requested is an error, and a denied one looks unset`() async throws {
        let store = try store(full)
        #expect(code { _ = try store.biologicalSex() } == .errorAuthorizationNotDetermined)
        var environment = store.environment
        environment.permissions = HealthKit.Permissions(answer: .success(.deny), app: "test")
        let refused = HKHealthStore(environment: environment)
        try await refused.requestAuthorization(toShare: [], read: types)
        #expect(try refused.biologicalSex().biologicalSex == .notSet)
        #expect(code { _ = try refused.dateOfBirthComponents() } == .errorNoData)
    }

    @Test func `a locked device returns no characteristics`() async throws {
        var environment = HealthEnvironment(sensors: [])
        environment.conditions = .success([.locked])
        let store = HKHealthStore(environment: environment)
        try await store.requestAuthorization(toShare: [], read: types)
        #expect(code { _ = try store.bloodType() } == .errorDatabaseInaccessible)
    }

    @Test func `zones and energy use the stored profile, overridden by code or the file`() throws {
        var environment = HealthEnvironment(sensors: [], time: ManualTime(Date(timeIntervalSince1970: 1_735_732_800)))
        #expect(environment.wearer == nil)
        try environment.database.store(full)
        #expect(environment.wearer == WearerProfile(sex: .female, ageInYears: 39))
        var configured = StoredProfile()
        configured.massInKilograms = 61
        configured.sex = .other
        environment.configuredProfile = configured
        #expect(environment.wearer == WearerProfile(sex: .other, ageInYears: 39, massInKilograms: 61))
        environment.wearer = WearerProfile(ageInYears: 20)
        #expect(environment.wearer == WearerProfile(ageInYears: 20))
    }

    @Test func `preferred units are those of the region`() {
        let american = PreferredUnits(locale: Locale(identifier: "en_US"))
        let german = PreferredUnits(locale: Locale(identifier: "de_DE"))
        #expect(american.unit(for: HKQuantityType(.bodyMass)) == .pound())
        #expect(german.unit(for: HKQuantityType(.bodyMass)) == .gramUnit(with: .kilo))
        #expect(american.unit(for: HKQuantityType(.distanceCycling)) == .mile())
        #expect(german.unit(for: HKQuantityType(.bodyTemperature)) == .degreeCelsius())
        for type in TypeCatalogue.quantityTypes {
            #expect(type.is(compatibleWith: american.unit(for: type)))
            #expect(type.is(compatibleWith: german.unit(for: type)))
        }
    }

    @Test func `simulated conditions are read from the variable`() throws {
        #expect(try DeviceCondition.list("locked, guest") == [.locked, .guest])
        #expect(try DeviceCondition.list(nil).isEmpty)
        #expect(code { _ = try DeviceCondition.list("broken") } == .errorInvalidArgument)
    }
}
