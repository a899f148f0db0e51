import Foundation
import HealthKit
import MadeSamples
import Testing

/// Apple's documentation of `requestPerObjectReadAuthorization(for:predicate:completion:)`: the predicate filters the
/// objects that the user can choose from.
@Suite struct PickedObjectsTests {
    private let store: HKHealthStore
    private let prescriptions = HKObjectType.visionPrescriptionType()

    init() {
        var environment = HealthEnvironment(variables: [
            "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": "allow",
        ])
        // Not the shared one of the process.
        environment.database = SQLiteHealthDatabase(.memory)
        store = HKHealthStore(environment: environment)
    }

    private func prescription(_ day: Double) -> HKVisionPrescription {
        HKVisionPrescription(
            type: .contacts, dateIssued: Made.start + day * 86_400, expirationDate: nil, device: nil, metadata: nil)
    }

    private func read() async throws -> Set<UUID> {
        Set(
            try await HKSampleQueryDescriptor(predicates: [.visionPrescription()], sortDescriptors: [])
                .result(for: store).map(\.uuid))
    }

    @Test func `only the requested objects can be read`() async throws {
        let (old, new) = (prescription(0), prescription(10))
        try store.database.save([old, new], from: Made.source("Clinic"))
        let recent = HKQuery.predicateForSamples(withStart: Made.start + 5 * 86_400, end: nil)
        try await store.requestPerObjectReadAuthorization(for: prescriptions, predicate: recent)
        #expect(try await read() == [new.uuid])
        #expect(try store.maySee(new) && store.maySee(prescription(3)))
        let all = try store.database.samples([SampleSelection(prescriptions)], sortedBy: [], limit: nil)
        let stored = try #require(all.first { $0.uuid == old.uuid })
        #expect(try !store.maySee(stored))

        // The next call asks about later objects; earlier permissions remain.
        let newer = prescription(11)
        try store.database.save([newer], from: Made.source("Clinic"))
        #expect(try await read() == [new.uuid])
        try await store.requestPerObjectReadAuthorization(for: prescriptions, predicate: recent)
        #expect(try await read() == [new.uuid, newer.uuid])
        try await store.requestPerObjectReadAuthorization(for: prescriptions, predicate: nil)
        #expect(try await read() == [old.uuid, new.uuid, newer.uuid])
    }

    @Test func `an unusable predicate is rejected, and one without matches shows nothing`() async throws {
        try store.database.save([prescription(0)], from: Made.source("Clinic"))
        let error = await #expect(throws: HKError.self) {
            try await store.requestPerObjectReadAuthorization(
                for: prescriptions, predicate: NSPredicate(format: "lens == 'thick'"))
        }
        #expect(error?.code == .errorInvalidArgument)
        await #expect(throws: HKError.self) { try await read() }
        try await store.requestPerObjectReadAuthorization(
            for: prescriptions, predicate: HKQuery.predicateForSamples(withStart: Made.start + 1, end: nil))
        #expect(try await read().isEmpty)
    }

    @Test func `permissions stored by earlier versions are still read`() throws {
        let kept = #"{"share":{},"read":{"\#(prescriptions.identifier)":true}}"#
        let read = try JSONDecoder().decode(Authorization.self, from: Data(kept.utf8))
        #expect(read.mayRead(prescriptions) == true && read.readableObjects(of: prescriptions) == nil)
        var picked = Authorization()
        picked.allow(["A"], of: prescriptions)
        let again = try JSONDecoder().decode(Authorization.self, from: JSONEncoder().encode(picked))
        #expect(again == picked && again.readableObjects(of: prescriptions) == ["A"])
        picked.set(read: false, [prescriptions])
        #expect(picked.readableObjects(of: prescriptions) == nil && picked.mayRead(prescriptions) == false)
    }
}
