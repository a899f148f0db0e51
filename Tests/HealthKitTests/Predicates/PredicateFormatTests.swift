import Analytics
import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct PredicateFormatTests {
    struct Row: @unchecked Sendable, CustomTestStringConvertible {
        // It is Sendable because the arguments are immutable values.
        var format: String
        var arguments: [Any?]
        var filter: SampleFilter
        var testDescription: String { format }

        init(_ format: String, _ arguments: Any?..., gives filter: SampleFilter) {
            self.format = format
            self.arguments = arguments
            self.filter = filter
        }
    }

    private static let id = UUID(uuidString: "7A9B8C7D-0000-4000-8000-000000000001") ?? UUID()
    private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
    private static let entered = SampleFilter.metadata("HKWasUserEntered", .equal, .number(1))

    static let rows = [
        Row("UUID == %@", id, gives: .ids([id])),
        Row("%K = %@", HKPredicateKeyPathUUID, id, gives: .ids([id])),
        Row("UUID IN %@", [id], gives: .ids([id])),
        Row("UUID == 7A9B8C7D-0000-4000-8000-000000000001", gives: .ids([id])),
        Row("metadata.%K != YES", HKMetadataKeyWasUserEntered, gives: .not(entered)),
        Row("metadata.HKWasUserEntered == true", gives: entered),
        Row("metadata.HKWasUserEntered == nil", gives: .not(.hasMetadata("HKWasUserEntered"))),
        Row("metadata.com.example.key >= 2.5", gives: .metadata("com.example.key", .greaterOrEqual, .number(2.5))),
        Row(
            "%K >= %@ AND %K < %@", HKPredicateKeyPathStartDate, date, HKPredicateKeyPathEndDate, date,
            gives: .and([.startDate(.greaterOrEqual, date), .endDate(.less, date)])),
        Row("%@ <= startDate", date, gives: .startDate(.greaterOrEqual, date)),
        Row(
            "startDate BETWEEN %@", [date, date + 1],
            gives: .and([.startDate(.greaterOrEqual, date), .startDate(.lessOrEqual, date + 1)])),
        Row("startDate > CAST(700000000.5, \"NSDate\")", gives: .startDate(.greater, date + 0.5)),
        Row("source.name BEGINSWITH 'App'", gives: .sourceText(.name, .beginsWith, "App")),
        Row("source.bundleIdentifier ENDSWITH %@", "watch", gives: .sourceText(.bundleIdentifier, .endsWith, "watch")),
        Row("sourceRevision.source.name like \"A*\"", gives: .sourceText(.name, .like, "A*")),
        Row("source.bundleIdentifier IN {'a', 'b'}", gives: .sources(["a", "b"])),
        Row("device.name == nil", gives: .deviceProperty(HKDevicePropertyKeyName, [])),
        Row(
            "device.localIdentifier IN %@", Set(["AA"]),
            gives: .deviceProperty(HKDevicePropertyKeyLocalIdentifier, ["AA"])),
        Row(
            "quantity > %@", HKQuantity(unit: .count(), doubleValue: 3),
            gives: .quantity(.greater, HKQuantity(unit: .count(), doubleValue: 3))),
        Row(
            "count >= 2 && value != %d", 1,
            gives: .and([.seriesCount(.greaterOrEqual, 2), .categoryValue(.notEqual, 1)])),
        Row(
            "workoutType == %lu OR duration > %f", UInt(37), 60.5,
            gives: .or([.workoutActivityType(.equal, 37), .workoutDuration(.greater, 60.5)])),
        Row(
            "NOT (value == 1 or value == 2) and count = 1",
            gives: .and([.not(.or([.categoryValue(.equal, 1), .categoryValue(.equal, 2)])), .seriesCount(.equal, 1)])),
        Row(
            "value == 1 OR value == 2 AND count == 3",
            gives: .or([.categoryValue(.equal, 1), .and([.categoryValue(.equal, 2), .seriesCount(.equal, 3)])])),
        Row("ANY workoutActivity.activityDuration > 60", gives: .workoutActivity(.activityDuration(.greater, 60))),
        Row("correlation == nil", gives: .withoutCorrelation),
        Row("TRUEPREDICATE", gives: .all),
        Row("!FALSEPREDICATE", gives: .not(.none)),
        Row("value == -1", gives: .categoryValue(.equal, -1)),
        Row(
            "value BETWEEN {1, 3}", gives: .and([.categoryValue(.greaterOrEqual, 1), .categoryValue(.lessOrEqual, 3)])),
        Row("source.name == \"a \\\"quoted\\\" name\"", gives: .sourceText(.name, .equal, "a \"quoted\" name")),
    ]

    @Test(arguments: rows)
    func `a format becomes a filter`(_ row: Row) throws {
        let predicate = try PredicateParser.predicate(row.format, row.arguments)
        #expect(SampleFilter(any: predicate) == row.filter)
        #expect(
            SampleFilter(any: NSPredicate(format: row.format, argumentArray: row.arguments.compactMap { $0 }))
                == row.filter)
    }

    @Test(arguments: rows.filter { !$0.format.hasPrefix("quantity") })
    func `the text of a filter parses again`(_ row: Row) throws {
        let again = try PredicateParser.predicate(row.filter.description, [])
        #expect(SampleFilter(any: again).description == row.filter.description)
    }

    @Test(arguments: [
        "", "startDate", "startDate >", "startDate > 3", "startDate > %@", "startDate ~ 3", "(value == 1",
        "value == 1)",
        "nothing == 1", "metadata == 1", "source.size == 1", "value == 'one'", "value BEGINSWITH 'a'", "value == 1.5",
        "source.name MATCHES '('", "source.name ==[x] 'a'", "source.name == 'a", "value IN 3", "value BETWEEN {1}",
        "%", "value == %q", "value == 1 AND", "NOT", "UUID < 'a'", "UUID == 'a'", "value == {", "CAST(", "metadata.",
        "workoutType == -1", "sumQuantity.HKQuantityTypeIdentifierHeartRate > 3", "dateComponents == 3", "\u{0}",
        "value == 1 value == 2",
    ])
    func `text that is not a predicate is an error`(_ format: String) {
        #expect(throws: PredicateFormatError.self) { try PredicateParser.predicate(format, []) }
    }

    /// Foundation's own parser accepts any key; HealthKit refuses the query, and key-value coding raises.
    @Test(arguments: [
        ("nothing == 1", "nothing is not a key path"), ("source.size == 1", "source.size is not a key path"),
        ("value == 'one'", "value cannot be compared"), ("startDate > endDate", "another key path"),
        ("value == 1 AND shoes.colour LIKE 'red'", "shoes.colour is not a key path"),
        ("'a' IN metadata.words", "on the left"),
    ])
    func `a valid format with an unknown key fails every query, with the name`(
        format: String, words: String
    ) async throws {
        let predicate = NSPredicate(format: format)
        #expect(predicate.description == format)
        let health = QueryStore()
        for predicate in [predicate, NSCompoundPredicate(notPredicateWithSubpredicate: predicate)] {
            let error = await #expect(throws: HKError.self) {
                try await HKSampleQueryDescriptor(
                    predicates: [.categorySample(type: Made.sleep, predicate: predicate)], sortDescriptors: []
                ).result(for: health.store)
            }
            #expect(error?.code == .errorInvalidArgument)
            #expect(error?.localizedDescription.contains(words) == true, "\(error?.localizedDescription ?? "")")
        }
        let summaries = await #expect(throws: HKError.self) {
            try await HKActivitySummaryQueryDescriptor(predicate: predicate).result(for: health.store)
        }
        #expect(summaries?.code == .errorInvalidArgument)
        await #expect(throws: HKError.self) {
            try await health.store.deleteObjects(of: Made.sleep, predicate: predicate)
        }
    }

    @Test func `an invalid format stops the program, and so does evaluating an unknown key`() async {
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "value == 1 AND") }
        await #expect(processExitsWith: .failure) {
            _ = NSPredicate(format: "nothing == 1").evaluate(with: HKQuantityType(.heartRate))
        }
    }

    @Test func `the number of arguments must fit the format`() {
        #expect(throws: PredicateFormatError("there is no argument for %d")) {
            try PredicateParser.predicate("value == %d", [])
        }
        #expect(throws: PredicateFormatError("1 of the arguments have no placeholder")) {
            try PredicateParser.predicate("value == 1", [2])
        }
    }

    @Test func `deep nesting is an error and not a crash`() {
        let format = String(repeating: "(", count: 100_000) + "value == 1" + String(repeating: ")", count: 100_000)
        #expect(throws: PredicateFormatError.self) { try PredicateParser.predicate(format, []) }
    }

    @Test func `truncated and corrupted formats are parsed or rejected`() {
        var random = SeededGenerator(seed: 11)
        let letters = Array("()<>=!&|%@K'\"{}[],. AND OR NOT value metadata startDate 12")
        for row in Self.rows {
            for _ in 0..<40 {
                var format = Array(row.format)
                let place = Int.random(in: 0..<format.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: format.removeSubrange(place...)
                case 1: format[place] = letters.randomElement(using: &random) ?? "x"
                default: format.insert(letters.randomElement(using: &random) ?? "x", at: place)
                }
                _ = try? PredicateParser.predicate(String(format), row.arguments)
            }
        }
    }

    @Test(arguments: [
        ("metadata.Text CONTAINS[cd] 'TAX'", true), ("metadata.Text CONTAINS 'TAX'", false),
        ("metadata.Text ==[c] 'TÄXT'", true), ("metadata.Text !=[c] 'TÄXT'", false),
        ("metadata.Text MATCHES 't.+t'", true), ("metadata.Text MATCHES 't.'", false),
        ("metadata.Text MATCHES[c] 'T\\\\S+T'", true), ("metadata.Text LIKE 't?xt'", true),
        ("metadata.Text LIKE '*x*'", true), ("metadata.Text LIKE 'x'", false), ("metadata.None CONTAINS 'a'", false),
        ("metadata.Text IN {'a', 'täxt'}", true),
    ])
    func `texts are compared with and without case`(_ format: String, _ expected: Bool) throws {
        let sample = Made.heartRate(60, at: 0, metadata: ["Text": "täxt"])
        #expect(NSPredicate(format: format).evaluate(with: sample) == expected)
    }

    @Test func `figures of discrete samples are compared on the sample`() throws {
        let sample = Made.heartRate(60, at: 0)
        #expect(NSPredicate(format: "%K >= %@", HKPredicateKeyPathMax, Made.bpm(60)).evaluate(with: sample))
        #expect(!NSPredicate(format: "min > %@", Made.bpm(60)).evaluate(with: sample))
    }

    @Test func `statistics of a workout follow the type`() throws {
        let energy = HKQuantityType(.activeEnergyBurned)
        let bound = HKQuantity(unit: .kilocalorie(), doubleValue: 100)
        let predicate = NSPredicate(
            format: "%K.%K > %@", HKPredicateKeyPathWorkoutSumQuantity, energy.identifier, bound)
        #expect(SampleFilter(any: predicate) == .workoutStatistic(energy, .sum, .greater, bound))
    }

    @Test func `predicates are archived by their text`() throws {
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            HKQuery.predicateForSamples(withStart: Self.date, end: Self.date + 1.25),
            NSPredicate(format: "metadata.HKWasUserEntered != YES"),
        ])
        let descriptor = HKQueryDescriptor(sampleType: Made.heartRate, predicate: predicate)
        let data = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryDescriptor.self, from: data))
        #expect(read.sampleType == Made.heartRate)
        #expect(SampleFilter(any: try #require(read.predicate)) == SampleFilter(any: predicate))
    }
}

/// Predicates written as format strings, and key paths that only one kind of sample has.
@Suite struct SamplePropertyTests {
    private let ecg: HKElectrocardiogram
    private let record: HKClinicalRecord
    private let dose: HKMedicationDoseEvent
    private let concept = HKHealthConceptIdentifier(domain: .medication, name: "1")

    init() throws {
        ecg = try HKElectrocardiogram.validated(
            ObjectIdentity(), classification: .sinusRhythm, symptomsStatus: .present, averageHeartRate: Made.bpm(64),
            samplingFrequency: nil, numberOfVoltageMeasurements: 0, start: Made.start, end: Made.start + 30)
        record = try HKClinicalRecord.validated(
            ObjectIdentity(), type: HKClinicalType(.labResultRecord), displayName: "Glucose",
            fhirResource: HKFHIRResource(
                fhirVersion: .primaryR4(), resourceType: .observation, identifier: "o1", data: Data(), sourceURL: nil),
            start: Made.start, end: Made.start)
        dose = try HKMedicationDoseEvent.validated(
            ObjectIdentity(), concept: concept,
            log: HKMedicationDoseEvent.Log(
                scheduledDate: Made.start, doseQuantity: 2, status: .taken, scheduleType: .schedule),
            start: Made.start, end: Made.start)
    }

    @Test func `electrocardiograms are selected by rhythm, symptoms and rate`() {
        let predicate = NSPredicate(
            format: "%K == %ld AND %K != %ld AND %K > %@", HKPredicateKeyPathECGClassification,
            HKElectrocardiogram.Classification.sinusRhythm.rawValue, HKPredicateKeyPathECGSymptomsStatus, 1,
            HKPredicateKeyPathAverageHeartRate, Made.bpm(60))
        #expect(predicate.evaluate(with: ecg) && !predicate.evaluate(with: dose))
        #expect(!NSPredicate(format: "ecg_average_heart_rate < %@", Made.bpm(60)).evaluate(with: ecg))
    }

    @Test func `clinical records are selected by their resource`() {
        let predicate = NSPredicate(
            format: "%K == %@ AND %K BEGINSWITH %@", HKPredicateKeyPathClinicalRecordFHIRResourceType,
            HKFHIRResourceType.observation.rawValue, HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier, "o")
        #expect(predicate.evaluate(with: record) && !predicate.evaluate(with: ecg))
        #expect(!NSPredicate(format: "FHIRResource.resourceType == 'Condition'").evaluate(with: record))
    }

    @Test func `doses are selected by their log`() {
        let predicate = NSPredicate(
            format: "%K IN %@ AND %K >= %@ AND %K == %@", HKPredicateKeyPathStatus, [4, 5],
            HKPredicateKeyPathScheduledDate, Made.start, HKPredicateKeyPathMedicationConceptIdentifier, concept)
        #expect(predicate.evaluate(with: dose) && !predicate.evaluate(with: record))
        #expect(NSPredicate(format: "scheduledDate == nil").evaluate(with: ecg))
        #expect(!NSPredicate(format: "scheduledDate == nil").evaluate(with: dose))
    }

    /// `HKPredicateKeyPathLogOrigin`: no dose here states its origin.
    @Test func `the origin of a log is unknown`() {
        #expect(!NSPredicate(format: "%K == 1", HKPredicateKeyPathLogOrigin).evaluate(with: dose))
        #expect(NSPredicate(format: "%K == nil", HKPredicateKeyPathLogOrigin).evaluate(with: dose))
    }

    @Test func `medications are selected by their use`() throws {
        func medication(archived: Bool, scheduled: Bool) -> HKUserAnnotatedMedication {
            HKUserAnnotatedMedication(
                nickname: nil, isArchived: archived, hasSchedule: scheduled,
                medication: HKMedicationConcept(
                    identifier: concept, displayText: "Salbutamol", generalForm: .inhaler, relatedCodings: []))
        }
        let predicate = NSPredicate(
            format: "%K == NO AND %K == YES", HKUserAnnotatedMedicationPredicateKeyPathIsArchived,
            HKUserAnnotatedMedicationPredicateKeyPathHasSchedule)
        #expect(predicate.evaluate(with: medication(archived: false, scheduled: true)))
        #expect(!predicate.evaluate(with: medication(archived: true, scheduled: true)))
        #expect(!predicate.evaluate(with: dose))
        let archived = HKQuery.predicateForUserAnnotatedMedications(isArchived: true)
        #expect(archived.evaluate(with: medication(archived: true, scheduled: false)))
        #expect(!archived.evaluate(with: medication(archived: false, scheduled: false)))
        #expect(
            NSCompoundPredicate(notPredicateWithSubpredicate: archived)
                .evaluate(with: medication(archived: false, scheduled: false)))
    }

    /// `HKPredicateKeyPathWorkoutEffortRelationship`.
    @Test func `an effort sample is selected by its workout`() throws {
        let workout = try Made.workout(.running, at: 0, lasting: 60)
        let key = HKPredicateKeyPathWorkoutEffortRelationship
        #expect(SampleFilter(any: NSPredicate(format: "%K == %@", key, workout)) == .workout(workout.uuid))
        #expect(
            SampleFilter(any: HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil))
                == SampleFilter(any: NSPredicate(format: "%K == %@", key, workout)))
    }

    @Test(arguments: [
        "ecg_public_classification == 'sinus'", "scheduledDate > 3", "medicationConceptIdentifier == '1'",
        "ecg_average_heart_rate == 60", "status BEGINSWITH 't'", "title > nil",
    ])
    func `a value of another type is rejected`(format: String) {
        #expect(throws: PredicateFormatError.self) { try PredicateParser.predicate(format, []) }
    }
}
