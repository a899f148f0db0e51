import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct ObjectPredicateTests {
    private let strap = HKDevice(
        name: "Strap", manufacturer: "Maker", model: nil, hardwareVersion: nil, firmwareVersion: nil,
        softwareVersion: nil, localIdentifier: "AA", udiDeviceIdentifier: nil)

    @Test func `a predicate for an object is described`() throws {
        let id = try #require(UUID(uuidString: "7A9B8C7D-0000-4000-8000-000000000001"))
        let predicate = HKQuery.predicateForObject(with: id)
        #expect(predicate.description == "UUID == 7A9B8C7D-0000-4000-8000-000000000001")
        #expect(!predicate.evaluate(with: Made.heartRate(60, at: 0)))
        #expect(predicate == HKQuery.predicateForObjects(with: [id]))
    }

    @Test func `devices match if every property does`() {
        let sample = Made.heartRate(60, at: 0, device: strap)
        let similar = HKDevice(
            name: "Strap", manufacturer: "Maker", model: "X", hardwareVersion: nil, firmwareVersion: nil,
            softwareVersion: nil, localIdentifier: "AA", udiDeviceIdentifier: nil)
        #expect(HKQuery.predicateForObjects(from: [strap]).evaluate(with: sample))
        #expect(!HKQuery.predicateForObjects(from: [similar]).evaluate(with: sample))
        #expect(!HKQuery.predicateForObjects(from: [strap]).evaluate(with: Made.heartRate(60, at: 0)))
    }

    @Test func `no allowed value of a device property means that it is absent`() {
        let sample = Made.heartRate(60, at: 0, device: strap)
        func matches(_ key: String, _ values: Set<String>) -> Bool {
            HKQuery.predicateForObjects(withDeviceProperty: key, allowedValues: values).evaluate(with: sample)
        }
        #expect(matches(HKDevicePropertyKeyName, ["Strap", "Watch"]))
        #expect(!matches(HKDevicePropertyKeyName, []))
        #expect(matches(HKDevicePropertyKeyModel, []))
        #expect(!matches(HKDevicePropertyKeyModel, ["X"]))
    }

    @Test func `an absent key is unequal and nothing else`() {
        let entered = Made.heartRate(60, at: 0, metadata: [HKMetadataKeyWasUserEntered: true])
        let measured = Made.heartRate(60, at: 0)
        func predicate(_ type: PredicateOperator) -> NSPredicate {
            HKQuery.predicateForObjects(withMetadataKey: HKMetadataKeyWasUserEntered, operatorType: type, value: true)
        }
        #expect(predicate(.equalTo).evaluate(with: entered) && !predicate(.equalTo).evaluate(with: measured))
        #expect(!predicate(.notEqualTo).evaluate(with: entered) && predicate(.notEqualTo).evaluate(with: measured))
        #expect(!predicate(.lessThanOrEqualTo).evaluate(with: measured))
        #expect(HKQuery.predicateForObjects(withMetadataKey: HKMetadataKeyWasUserEntered).evaluate(with: entered))
    }

    @Test func `metadata is compared by its type`() {
        let sample = Made.heartRate(
            60, at: 0,
            metadata: ["Text": "abc", "Number": 3, "Length": HKQuantity(unit: .meter(), doubleValue: 1000)])
        func matches(_ key: String, _ type: PredicateOperator, _ value: Any) -> Bool {
            HKQuery.predicateForObjects(withMetadataKey: key, operatorType: type, value: value).evaluate(with: sample)
        }
        #expect(matches("Text", .lessThan, "abd"))
        #expect(matches("Text", .beginsWith, "ab"))
        #expect(matches("Text", .in, ["x", "abc"]))
        #expect(!matches("Text", .equalTo, 3))
        #expect(matches("Number", .between, [2, 4]))
        #expect(matches("Length", .equalTo, HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 1)))
        #expect(!matches("Length", .greaterThan, HKQuantity(unit: .second(), doubleValue: 1)))
    }

    @Test func `a revision may leave properties open`() {
        let revision = Made.source("Watch", version: "2")
        let database = SampleFilter(
            any: HKQuery.predicateForObjects(from: [
                HKSourceRevision(source: revision.source, version: HKSourceRevisionAnyVersion)
            ]))
        let exact = SampleFilter(any: HKQuery.predicateForObjects(from: [Made.source("Watch", version: "1")]))
        let sample = Made.heartRate(60, at: 0)
        let moved = sample.with(sample.identity.with(sourceRevision: revision))
        #expect(database.matches(moved))
        #expect(!exact.matches(moved))
    }

    @Test func `compound predicates stay values, and code stays code`() {
        let id = UUID()
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForObject(with: id), NSPredicate(value: true),
            NSCompoundPredicate(notPredicateWithSubpredicate: HKQuery.predicateForObjectsWithNoCorrelation()),
        ])
        #expect(SampleFilter(any: compound) == .and([.ids([id]), .all, .not(.withoutCorrelation)]))
        let code = NSPredicate { _, _ in true }
        #expect(SampleFilter(any: code) == .custom(SampleFilter.CustomPredicate(code)))
    }

    @Test func `a predicate that does not fit the type is an invalid argument`() {
        let beats = HKQuery.predicateForQuantitySamples(with: .greaterThan, quantity: Made.bpm(100))
        let runs = HKQuery.predicateForWorkouts(with: .running)
        let parts = HKQuery.predicateForWorkoutActivities(workoutActivityType: .running)
        for (predicate, type) in [
            (beats, Made.steps as HKSampleType), (beats, Made.sleep), (runs, Made.heartRate), (parts, .workoutType()),
            (NSCompoundPredicate(orPredicateWithSubpredicates: [beats, runs]), Made.heartRate),
            (HKQuery.predicateForWorkouts(activityPredicate: runs), .workoutType()),
        ] {
            #expect { try SampleFilter(predicate: predicate, for: type) } throws: { error in
                (error as? HKError)?.code == .errorInvalidArgument
            }
        }
        #expect(throws: Never.self) { try SampleFilter(predicate: beats, for: Made.heartRate) }
    }
}
