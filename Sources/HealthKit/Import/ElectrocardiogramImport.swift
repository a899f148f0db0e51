import Recordings

/// An electrocardiogram of an export as an object of the store, with its voltages.
enum ElectrocardiogramImport {
    /// What is kept of the file that an `HKElectrocardiogram` has no place for.
    private static let symptomsKey = "Symptoms"
    private static let resultKey = "Classification"

    static func object(_ file: HealthElectrocardiogram) throws(SampleError) -> ImportedObject {
        var metadata: [String: Any] = [:]
        if !file.symptoms.isEmpty { metadata[symptomsKey] = file.symptoms }
        if case .unrecognized(let words) = file.rhythm { metadata[resultKey] = words }
        let identity = try ObjectIdentity(
            uuid: file.fingerprint.uuid, sourceRevision: HKSourceRevision(file.source),
            device: file.source.device.map(HKDevice.init), metadata: metadata.isEmpty ? nil : metadata)
        let sample = try HKElectrocardiogram.validated(
            identity, classification: classification(file.rhythm),
            // A file without symptoms does not say whether somebody was asked.
            symptomsStatus: file.symptoms.isEmpty ? .notSet : .present, averageHeartRate: nil,
            samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: file.samplingFrequencyInHertz),
            numberOfVoltageMeasurements: file.voltagesInMicrovolts.count, start: file.startDate,
            end: file.startDate + file.durationInSeconds)
        return ImportedObject(sample: sample, series: .voltages(inMicrovolts: file.voltagesInMicrovolts))
    }

    private static func classification(_ rhythm: HealthElectrocardiogram.Rhythm?) -> HKElectrocardiogram.Classification
    {
        switch rhythm {
        case nil: .notSet
        case .sinusRhythm: .sinusRhythm
        case .atrialFibrillation: .atrialFibrillation
        case .lowHeartRate: .inconclusiveLowHeartRate
        case .highHeartRate: .inconclusiveHighHeartRate
        case .poorRecording: .inconclusivePoorReading
        case .inconclusive: .inconclusiveOther
        case .unrecognized: .unrecognized
        }
    }
}
