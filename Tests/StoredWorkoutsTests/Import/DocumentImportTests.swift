import Foundation
import MadeSamples
import Recordings
import StoredWorkouts
import Testing

/// Files beside the XML of an export: electrocardiograms and clinical records, generated here and read with queries.
@Suite struct DocumentImportTests {
    /// The elements and files have the form of Apple's document type and of HL7 FHIR R4 and DSTU2.
    private struct Export {
        var records = ""
        var files: [String: String] = [:]

        mutating func add(_ type: String, _ identifier: String, fhir: String = "4.0.1", _ json: String) {
            let path = "/clinical-records/\(type)-\(identifier).json"
            files[path] = json
            records += """
                <ClinicalRecord type="\(type)" identifier="\(identifier)" sourceName="Town Clinic" \
                sourceURL="https://clinic.example/\(type)/\(identifier)" fhirVersion="\(fhir)" \
                receivedDate="2024-03-01 10:00:00 +0000" resourceFilePath="\(path)"/>
                """
        }

        func imported(into database: SQLiteHealthDatabase) throws -> HealthImportSummary {
            try TemporaryFolder.with { folder in
                for (path, text) in files {
                    let url = URL(fileURLWithPath: folder + path)
                    try FileManager.default.createDirectory(
                        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(text.utf8).write(to: url)
                }
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let url = URL(fileURLWithPath: folder + "/export.xml")
                try Data("<HealthData locale=\"en_US\">\(records)</HealthData>".utf8).write(to: url)
                return try HealthImport.run(url, into: database)
            }
        }
    }

    private static func table(
        _ voltages: [String], at time: String = "08:15:30", _ result: String = "Sinus Rhythm", symptoms: String = ""
    ) -> String {
        """
        Name,Kim Doe
        Recorded Date,2024-03-02 \(time) +0100
        Classification,\(result)
        Symptoms,\(symptoms)
        Software Version,1.90
        Device,Apple Watch
        Sample Rate,512 hertz

        Lead,Lead I
        Unit,µV

        \(voltages.joined(separator: "\n"))
        """
    }

    // MARK: Electrocardiograms

    @Test func `an electrocardiogram is queried with the voltages of the file`() async throws {
        let health = HealthInMemory()
        let voltages = (0..<1024).map { String(format: "%.3f", 500 * sin(Double($0) / 20)) }
        var export = Export()
        export.files["/electrocardiograms/ecg_2024-03-02.csv"] = Self.table(voltages)
        export.files["/electrocardiograms/ecg_2024-03-02_1.csv"] =
            Self.table(["1", "2"], at: "09:00:00", "Atrial Fibrillation")
        let summary = try export.imported(into: health.database)
        #expect(summary.added == 2 && summary.skipped.isEmpty && summary.sources == ["Apple Watch": 2])
        let again = try export.imported(into: health.database)
        #expect(again.added == 0 && again.known == 2)

        let found = try await HKSampleQueryDescriptor(
            predicates: [.electrocardiogram()], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
        let ecg = try #require(found.first)
        #expect(found.map(\.classification) == [.sinusRhythm, .atrialFibrillation])
        #expect(ecg.startDate == Date(timeIntervalSince1970: 1_709_363_730))
        #expect(ecg.endDate.timeIntervalSince(ecg.startDate) == 2)
        #expect(ecg.numberOfVoltageMeasurements == 1024 && ecg.symptomsStatus == .notSet)
        #expect(ecg.samplingFrequency == HKQuantity(unit: .hertz(), doubleValue: 512))
        #expect(ecg.sourceRevision.source.name == "Apple Watch" && ecg.device?.softwareVersion == "1.90")

        var read: [HKElectrocardiogram.VoltageMeasurement] = []
        for try await one in HKElectrocardiogramQueryDescriptor(ecg).results(for: health.store) { read.append(one) }
        let microvolt = HKUnit.voltUnit(with: .micro)
        #expect(
            read.map { $0.quantity(for: .appleWatchSimilarToLeadI)?.doubleValue(for: microvolt) }
                == voltages.map { Double($0) })
        #expect(read.map(\.timeSinceSampleStart) == (0..<1024).map { Double($0) / 512 })

        let ends = AsyncStream.makeStream(of: Bool.self)
        health.store.execute(
            HKElectrocardiogramQuery(electrocardiogram: ecg) { _, measurement, done, error in
                if done || error != nil { ends.continuation.yield(measurement == nil && error == nil) }
            })
        var all = ends.stream.makeAsyncIterator()
        #expect(await all.next() == true)

        // The results of predicates, and what is deleted with its object.
        let fibrillating = HKQuery.predicateForElectrocardiograms(classification: .atrialFibrillation)
        let other = try await HKSampleQueryDescriptor(
            predicates: [.electrocardiogram(fibrillating)], sortDescriptors: []
        ).result(for: health.store)
        #expect(other.map(\.numberOfVoltageMeasurements) == [2])
        #expect(try health.database.voltages(UUID()).isEmpty)
    }

    // https://developer.apple.com/documentation/healthkit/hkquery/predicateforobjectsassociated(electrocardiogram:)
    @Test func `symptoms noted with an electrocardiogram are found by its predicate`() async throws {
        let health = HealthInMemory()
        var export = Export()
        let second = Array(repeating: "1", count: 512)
        export.files["/electrocardiograms/a.csv"] = Self.table(second, symptoms: "\"Dizziness, Fatigue\"")
        export.files["/electrocardiograms/b.csv"] = Self.table(second, at: "09:00:00")
        func record(_ type: String, _ time: String, _ value: String) -> String {
            """
            <Record type="\(type)" sourceName="ECG" creationDate="2024-03-02 \(time) +0100" \
            startDate="2024-03-02 \(time) +0100" endDate="2024-03-02 \(time) +0100" \(value)/>
            """
        }
        let mild = "value=\"HKCategoryValueSeverityMild\""
        for (type, time) in [
            ("Dizziness", "08:15:30"), ("Fatigue", "08:15:31"), ("Fatigue", "08:15:32"), ("Nausea", "09:00:00"),
        ] {
            export.records += record("HKCategoryTypeIdentifier" + type, time, mild)
        }
        export.records += record(
            "HKCategoryTypeIdentifierMindfulSession", "08:15:30", "value=\"HKCategoryValueNotApplicable\"")
        export.records += record("HKQuantityTypeIdentifierHeartRate", "08:15:30", "unit=\"count/min\" value=\"70\"")
        let summary = try export.imported(into: health.database)
        #expect(summary.skipped.isEmpty && summary.added == 8)

        func symptoms(of ecg: HKElectrocardiogram) async throws -> [String] {
            let associated = HKQuery.predicateForObjectsAssociated(electrocardiogram: ecg)
            var found: [HKSample] = []
            for identifier in [
                HKCategoryTypeIdentifier.dizziness, .fatigue, .nausea, .mindfulSession,
            ] {
                found += try await HKSampleQueryDescriptor(
                    predicates: [.sample(type: HKCategoryType(identifier), predicate: associated)], sortDescriptors: []
                ).result(for: health.store)
            }
            found += try await HKSampleQueryDescriptor(
                predicates: [.sample(type: HKQuantityType(.heartRate), predicate: associated)], sortDescriptors: []
            ).result(for: health.store)
            #expect(found.allSatisfy { associated.evaluate(with: $0) })
            return found.map(\.sampleType.identifier)
        }
        let found = try await HKSampleQueryDescriptor(
            predicates: [.electrocardiogram()], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
        #expect(found.map(\.symptomsStatus) == [.present, .notSet])
        #expect(
            try await symptoms(of: found[0])
                == ["HKCategoryTypeIdentifierDizziness", "HKCategoryTypeIdentifierFatigue"])
        #expect(try await symptoms(of: found[1]) == [])
    }

    @Test func `unknown words for a rhythm are kept`() async throws {
        let health = HealthInMemory()
        var export = Export()
        export.files["/electrocardiograms/a.csv"] = Self.table(["1"], at: "08:00:00", "Ritmo sinusal")
        _ = try export.imported(into: health.database)
        let ecg = try #require(
            try health.database.all(HKObjectType.electrocardiogramType()).first as? HKElectrocardiogram)
        #expect(ecg.classification == .unrecognized)
        #expect(ecg.metadata?["Classification"] as? String == "Ritmo sinusal")
    }

    // MARK: Clinical records

    private func records(
        _ type: HKClinicalTypeIdentifier, _ predicate: NSPredicate? = nil, in health: HealthInMemory
    ) async throws -> [HKClinicalRecord] {
        try await HKSampleQueryDescriptor(
            predicates: [.clinicalRecord(type: HKClinicalType(type), predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
    }

    @Test func `records are queried by type, resource and identifier, with the resource unchanged`()
        async throws
    {
        let health = HealthInMemory()
        var export = Export()
        let glucose = """
            {"resourceType": "Observation", "id": "g1", "category": [{"coding": [{"code": "laboratory"}]}],
             "code": {"text": "Glucose"}, "valueQuantity": {"value": 5.4, "unit": "mmol/L"}}
            """
        export.add("Observation", "g1", glucose)
        export.add(
            "Observation", "v1", fhir: "1.0.2",
            #"{"resourceType": "Observation", "category": {"coding": [{"code": "vital-signs"}]}, "code": {"coding": [{"display": "Heart rate"}]}}"#
        )
        export.add("AllergyIntolerance", "a1", fhir: "1.0.2", #"{"substance": {"text": "Peanuts"}}"#)
        export.add("Immunization", "i1", #"{"vaccineCode": {"text": "Tetanus"}}"#)
        export.add("MedicationRequest", "m1", #"{"medicationReference": {"display": "Ibuprofen"}}"#)
        export.add("DocumentReference", "d1", #"{"description": "Discharge letter"}"#)
        let summary = try export.imported(into: health.database)
        #expect(summary.added == 6 && summary.skipped.isEmpty && summary.sources == ["Town Clinic": 6])
        #expect(try export.imported(into: health.database).known == 6)

        let results = try await records(.labResultRecord, in: health)
        let record = try #require(results.first)
        #expect(results.count == 1 && record.displayName == "Glucose")
        #expect(record.startDate == Date(timeIntervalSince1970: 1_709_287_200))
        let resource = try #require(record.fhirResource)
        #expect(resource.data == Data(glucose.utf8) && resource.identifier == "g1")
        #expect(resource.resourceType == .observation && resource.fhirVersion.fhirRelease == .r4)
        #expect(resource.sourceURL?.absoluteString == "https://clinic.example/Observation/g1")
        #expect(try await records(.vitalSignRecord, in: health).map(\.displayName) == ["Heart rate"])
        #expect(try await records(.vitalSignRecord, in: health).first?.fhirResource?.fhirVersion.fhirRelease == .dstu2)
        for (type, name) in [
            (HKClinicalTypeIdentifier.allergyRecord, "Peanuts"), (.immunizationRecord, "Tetanus"),
            (.medicationRecord, "Ibuprofen"), (.clinicalNoteRecord, "Discharge letter"),
        ] {
            #expect(try await records(type, in: health).map(\.displayName) == [name], "\(name)")
        }

        let source = record.sourceRevision.source
        let own = HKQuery.predicateForClinicalRecords(from: source, fhirResourceType: .observation, identifier: "g1")
        #expect(try await records(.labResultRecord, own, in: health).map(\.uuid) == [record.uuid])
        let others = HKQuery.predicateForClinicalRecords(from: source, fhirResourceType: .condition, identifier: "g1")
        #expect(try await records(.labResultRecord, others, in: health).isEmpty)
        let byKey = NSPredicate(
            format: "%K == %@", HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier, "g1")
        #expect(try await records(.labResultRecord, byKey, in: health).count == 1)
    }

    @Test func `records that cannot be stored are counted with the reason`() throws {
        var export = Export()
        export.add("Observation", "gone", "{}")
        export.files = [:]
        export.add("Observation", "torn", "{\"code\": ")
        export.add("Starship", "s", "{}")
        export.add("Observation", "v", fhir: "four", "{}")
        export.records += """
            <ClinicalRecord type="Observation" identifier="x" sourceName="S" fhirVersion="4.0.1" \
            receivedDate="2024-03-01 10:00:00 +0000" resourceFilePath="/../../etc/passwd"/>
            """
        let summary = try export.imported(into: SQLiteHealthDatabase(.memory))
        #expect(summary.added == 0)
        let reasons = summary.skipped.keys.filter { $0.what == "ClinicalRecord" }.map(\.reason).sorted()
        #expect(reasons.count == 4, "\(reasons)")
        for words in [
            "is not a JSON object", "no resources of type Starship", "is not a FHIR version", "unpack the whole",
        ] {
            #expect(reasons.contains { $0.contains(words) }, "\(words)")
        }
        #expect(summary.skipped.values.reduce(0, +) == 5)
    }
}

/// A store in memory, for imports and queries.
private struct HealthInMemory {
    let database = SQLiteHealthDatabase(.memory)
    let store: HKHealthStore

    init() { store = HKHealthStore(environment: HealthEnvironment(sensors: []), database: database) }
}
