import Foundation

extension HealthExportReader {
    mutating func addClinicalRecord() {
        guard let type = text(.type), !type.isEmpty, let identifier = text(.identifier), !identifier.isEmpty,
            let path = text(.resourceFilePath), !path.isEmpty
        else { return skip(.clinicalRecord, "it has no type, no identifier or no file") }
        guard let received = date(.receivedDate) else {
            return skip(.clinicalRecord, "when it was received is missing or not readable as a date")
        }
        deliver(
            .clinicalRecord(
                HealthClinicalRecord(
                    type: type, identifier: identifier, sourceName: text(.sourceName) ?? "",
                    sourceURL: text(.sourceURL), fhirVersion: text(.fhirVersion) ?? "", receivedDate: received,
                    resourceFilePath: path)))
    }
}
