import Foundation
import HealthKit
import MadeSamples
import Synchronization
import Testing

/// Medications and doses of a test, read with the queries, predicates and limits of Apple's documentation.
@Suite struct MedicationQueryTests {
    private let ibuprofen = HKMedicationConcept(
        named: "Ibuprofen 200 mg", form: .tablet,
        codings: [HKClinicalCoding(system: "http://www.nlm.nih.gov/research/umls/rxnorm", version: nil, code: "310965")]
    )
    private let salbutamol = HKMedicationConcept(named: "Salbutamol", form: .inhaler)
    private let iron = HKMedicationConcept(named: "Iron")

    private var all: [HKUserAnnotatedMedication] {
        [
            HKUserAnnotatedMedication(ibuprofen, nickname: "for headaches"),
            HKUserAnnotatedMedication(salbutamol, hasSchedule: true),
            HKUserAnnotatedMedication(iron, isArchived: true, hasSchedule: true),
        ]
    }

    private func names(
        _ store: HKHealthStore, _ predicate: NSPredicate? = nil, limit: Int? = nil
    ) async throws -> [String] {
        try await HKUserAnnotatedMedicationQueryDescriptor(predicate: predicate, limit: limit).result(for: store)
            .map(\.medication.displayText)
    }

    @Test func `medications are queried with predicates and limits`() async throws {
        let store = QueryStore().store
        try await store.keepMedications(all)
        #expect(try await names(store) == ["Ibuprofen 200 mg", "Salbutamol", "Iron"])
        #expect(try await names(store, limit: 2) == ["Ibuprofen 200 mg", "Salbutamol"])
        let current = HKQuery.predicateForUserAnnotatedMedications(isArchived: false)
        let scheduled = HKQuery.predicateForUserAnnotatedMedications(hasSchedule: true)
        #expect(try await names(store, current) == ["Ibuprofen 200 mg", "Salbutamol"])
        #expect(try await names(store, scheduled, limit: 1) == ["Salbutamol"])
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [current, scheduled])
        #expect(try await names(store, both) == ["Salbutamol"])
        #expect(try await names(store, NSPredicate(format: "isArchived == YES")) == ["Iron"])
        await #expect(throws: HKError.self) { try await names(store, NSPredicate(format: "isTasty == YES")) }

        // New notes replace the earlier ones of the same medication.
        try await store.keepMedications([HKUserAnnotatedMedication(iron, nickname: "again")])
        let found = try await HKUserAnnotatedMedicationQueryDescriptor(predicate: current).result(for: store)
        #expect(found.map(\.nickname) == ["for headaches", nil, "again"])
        #expect(found.first?.medication.relatedCodings == ibuprofen.relatedCodings)
        #expect(found.first?.medication.generalForm == .tablet)
    }

    @Test func `a query returns medications one by one, and marks the end`() async throws {
        let store = QueryStore().store
        try await store.keepMedications(all)
        let calls = AsyncStream.makeStream(of: (String?, Bool).self)
        store.execute(
            HKUserAnnotatedMedicationQuery(predicate: nil, limit: HKObjectQueryNoLimit) { _, medication, isDone, _ in
                calls.continuation.yield((medication?.medication.displayText, isDone))
                if isDone { calls.continuation.finish() }
            })
        var heard: [String] = []
        for await (name, isDone) in calls.stream { heard.append("\(name ?? "-") \(isDone)") }
        #expect(heard == ["Ibuprofen 200 mg false", "Salbutamol false", "Iron false", "- true"])
    }

    @Test func `an app gets the medications it was allowed to read`() async throws {
        var environment = HealthEnvironment(variables: [
            "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": "allow",
        ])
        // Not the shared one of the process.
        environment.database = SQLiteHealthDatabase(.memory)
        let store = HKHealthStore(environment: environment)
        try await store.keepMedications(all)
        await #expect(throws: HKError.self) { try await names(store) }
        try await store.requestPerObjectReadAuthorization(
            for: HKObjectType.userAnnotatedMedicationType(),
            predicate: HKQuery.predicateForUserAnnotatedMedications(isArchived: true))
        #expect(try await names(store) == ["Iron"])
        try await store.requestPerObjectReadAuthorization(
            for: HKObjectType.userAnnotatedMedicationType(), predicate: nil)
        #expect(try await names(store).count == 3)
    }

    @Test func `doses are queried by status, schedule, medication and limit`() async throws {
        let store = QueryStore().store
        let due = Made.start + 3600
        let doses = [
            HKMedicationDoseEvent.logged(.taken, of: ibuprofen, at: Made.start, quantity: 2),
            .logged(.skipped, of: salbutamol, at: due + 5, scheduledDate: due, scheduledQuantity: 1),
            .logged(.taken, of: salbutamol, at: due + 7200, quantity: 1, scheduledDate: due + 7200),
        ]
        try await store.keepDoses(doses)
        func found(_ predicate: NSPredicate?, limit: Int? = nil) async throws -> [UUID] {
            try await HKSampleQueryDescriptor(
                predicates: [.sample(type: .medicationDoseEventType(), predicate: predicate)],
                sortDescriptors: [SortDescriptor(\.startDate)], limit: limit
            ).result(for: store).map(\.uuid)
        }
        let ids = doses.map(\.uuid)
        #expect(try await found(nil) == ids)
        #expect(try await found(nil, limit: 1) == [ids[0]])
        #expect(try await found(HKQuery.predicateForMedicationDoseEvent(status: .taken)) == [ids[0], ids[2]])
        #expect(try await found(HKQuery.predicateForMedicationDoseEvent(scheduledDate: due)) == [ids[1]])
        #expect(
            try await found(HKQuery.predicateForMedicationDoseEvent(scheduledStart: due, end: due + 7200)) == [ids[1]])
        #expect(
            try await found(
                HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifier: ibuprofen.identifier)) == [ids[0]])
        let read = try await HKSampleQueryDescriptor(
            predicates: [.sample(type: .medicationDoseEventType())], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store).compactMap { $0 as? HKMedicationDoseEvent }
        #expect(
            read.map(\.doseQuantity) == [2, nil, 1] && read.map(\.scheduleType) == [.asNeeded, .schedule, .schedule])
        #expect(read[0].medicationConceptIdentifier == ibuprofen.identifier)
    }
}
