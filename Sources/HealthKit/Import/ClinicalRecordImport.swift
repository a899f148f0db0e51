import Recordings

/// A record from a clinic, with its resource, as an object of the store.
enum ClinicalRecordImport {
    static func object(_ record: HealthClinicalRecord, resource data: Data) throws -> ImportedObject {
        let resource = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        guard let resource else {
            throw HealthExportError.notADocument(path: record.resourceFilePath, reason: "it is not a JSON object")
        }
        let type = HKFHIRResourceType(rawValue: record.type)
        guard let clinical = clinicalType(of: type, resource) else {
            throw HealthExportError.notADocument(
                path: record.resourceFilePath, reason: "Health keeps no resources of type \(record.type)")
        }
        let revision = HKSourceRevision(HealthSource(name: record.sourceName))
        let sample = try HKClinicalRecord.validated(
            ObjectIdentity(uuid: record.fingerprint.uuid, sourceRevision: revision), type: HKClinicalType(clinical),
            displayName: displayName(of: resource) ?? record.type,
            fhirResource: HKFHIRResource(
                fhirVersion: HKFHIRVersion(fromVersionString: record.fhirVersion), resourceType: type,
                identifier: record.identifier, data: data,
                sourceURL: record.sourceURL.flatMap { URL(string: $0) }),
            start: record.receivedDate, end: record.receivedDate)
        return ImportedObject(sample: sample)
    }

    /// Which of Health's types a resource is of (Apple's documentation of `HKClinicalTypeIdentifier`). An observation is a
    /// vital sign or a result of a laboratory by its category (HL7, "Observation Category Codes").
    private static func clinicalType(
        of type: HKFHIRResourceType, _ resource: [String: Any]
    ) -> HKClinicalTypeIdentifier? {
        switch type {
        case .allergyIntolerance: .allergyRecord
        case .condition: .conditionRecord
        case .immunization: .immunizationRecord
        case .medicationDispense, .medicationOrder, .medicationRequest, .medicationStatement: .medicationRecord
        case .procedure: .procedureRecord
        case .coverage: .coverageRecord
        case .documentReference: .clinicalNoteRecord
        case .diagnosticReport: .labResultRecord
        case .observation: codes(in: resource["category"]).contains("vital-signs") ? .vitalSignRecord : .labResultRecord
        default: nil
        }
    }

    /// The codes of a CodeableConcept, or of several.
    private static func codes(in concept: Any?) -> [String] {
        switch concept {
        case let list as [Any]: list.flatMap(codes)
        case let concept as [String: Any]:
            (concept["coding"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
        default: []
        }
    }

    /// The words for what the resource is about, by the element that each type has for it (HL7 FHIR DSTU2 and R4).
    private static func displayName(of resource: [String: Any]) -> String? {
        let elements = ["code", "vaccineCode", "medicationCodeableConcept", "substance", "type"]
        for element in elements {
            guard let concept = resource[element] as? [String: Any] else { continue }
            let coding = (concept["coding"] as? [[String: Any]])?.lazy.compactMap { $0["display"] as? String }.first
            if let words = concept["text"] as? String ?? coding, !words.isEmpty { return words }
        }
        let reference = resource["medicationReference"] as? [String: Any]
        return (reference?["display"] ?? resource["description"]) as? String
    }
}
