// App code: electrocardiograms, moods, records, prescriptions and audiograms, as research apps export them.

import HealthKit

extension HKElectrocardiogram.Classification: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSet: "Not set"
        case .sinusRhythm: "Sinus rhythm"
        case .atrialFibrillation: "Atrial fibrillation"
        case .inconclusiveLowHeartRate: "Inconclusive: low heart rate"
        case .inconclusiveHighHeartRate: "Inconclusive: high heart rate"
        case .inconclusivePoorReading: "Inconclusive: poor reading"
        case .inconclusiveOther: "Inconclusive"
        case .unrecognized: "Unrecognized"
        @unknown default: "unknown"
        }
    }
}

extension HKElectrocardiogram.SymptomsStatus: @retroactive CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSet: "not set"
        case .none: "none"
        case .present: "present"
        @unknown default: "unknown"
        }
    }
}

extension HKElectrocardiogram {
    struct Figures: Codable {
        let averageHeartRate: Double?
        let samplingFrequency: Double?
        let classification: String
        let count: Int
    }

    var figures: Figures {
        Figures(
            averageHeartRate: averageHeartRate?.doubleValue(for: HKUnit.count().unitDivided(by: HKUnit.minute())),
            samplingFrequency: samplingFrequency?.doubleValue(for: HKUnit.hertz()),
            classification: classification.description + symptomsStatus.description,
            count: numberOfVoltageMeasurements)
    }
}

extension HKElectrocardiogram.VoltageMeasurement {
    var point: (TimeInterval, Double)? {
        guard let voltage = quantity(for: .appleWatchSimilarToLeadI) else { return nil }
        return (timeSinceSampleStart, voltage.doubleValue(for: HKUnit.voltUnit(with: .micro)))
    }
}

enum ClinicalNotes {
    static let recordTypes: [HKClinicalType] = [
        HKClinicalTypeIdentifier.allergyRecord, .conditionRecord, .immunizationRecord, .labResultRecord,
        .medicationRecord, .procedureRecord, .vitalSignRecord, .coverageRecord, .clinicalNoteRecord,
    ].compactMap { HKObjectType.clinicalType(forIdentifier: $0) }

    static func json(of record: HKClinicalRecord) throws -> Any? {
        guard let resource = record.fhirResource else { return nil }
        switch resource.fhirVersion.fhirRelease {
        case .r4: break
        case .dstu2: break
        case .unknown: return nil
        default: return nil
        }
        switch resource.resourceType {
        case .observation, .condition, .allergyIntolerance, .coverage, .procedure, .immunization: break
        default: return nil
        }
        _ = (record.displayName, record.clinicalType, resource.fhirVersion.stringRepresentation)
        return try JSONSerialization.jsonObject(with: resource.data)
    }

    static func mood(_ valence: Double, at date: Date) -> HKStateOfMind {
        HKStateOfMind(
            date: date, kind: .momentaryEmotion, valence: valence, labels: [.satisfied, .confident, .calm],
            associations: [.work, .friends, .selfCare], metadata: [HKMetadataKeyWasUserEntered: true])
    }

    static func words(of mood: HKStateOfMind) -> String {
        let kind =
            switch mood.kind {
            case .momentaryEmotion: "emotion"
            case .dailyMood: "mood"
            @unknown default: "unknown"
            }
        let tone =
            switch mood.valenceClassification {
            case .veryUnpleasant, .unpleasant, .slightlyUnpleasant: "unpleasant"
            case .neutral: "neutral"
            case .slightlyPleasant, .pleasant, .veryPleasant: "pleasant"
            @unknown default: "unknown"
            }
        return "\(kind) \(tone) \(mood.valence) \(mood.labels.count) \(mood.associations.count)"
    }

    static let labels: [HKStateOfMind.Label] = [
        .amazed, .amused, .angry, .anxious, .ashamed, .brave, .calm, .content, .disappointed, .discouraged, .disgusted,
        .embarrassed, .excited, .frustrated, .grateful, .guilty, .happy, .hopeless, .irritated, .jealous, .joyful,
        .lonely,
        .passionate, .peaceful, .proud, .relieved, .sad, .scared, .stressed, .surprised, .worried, .annoyed, .confident,
        .drained, .hopeful, .indifferent, .overwhelmed, .satisfied,
    ]

    static let associations: [HKStateOfMind.Association] = [
        .community, .currentEvents, .dating, .education, .family, .fitness, .friends, .health, .hobbies, .identity,
        .money,
        .partner, .selfCare, .spirituality, .tasks, .travel, .work, .weather,
    ]

    static func hearing(at date: Date) throws -> HKAudiogramSample {
        let level = HKUnit.decibelHearingLevel()
        let points = try [500.0, 1000, 2000].map { frequency in
            try HKAudiogramSensitivityPoint(
                frequency: HKQuantity(unit: .hertz(), doubleValue: frequency),
                leftEarSensitivity: HKQuantity(unit: level, doubleValue: 10),
                rightEarSensitivity: HKQuantity(unit: level, doubleValue: 15))
        }
        return HKAudiogramSample(sensitivityPoints: points, start: date, end: date + 60, metadata: nil)
    }

    static func loss(_ sample: HKAudiogramSample) -> [Double] {
        sample.sensitivityPoints.compactMap { point in
            guard let left = point.leftEarSensitivity, let right = point.rightEarSensitivity else { return nil }
            return max(left.doubleValue(for: .decibelHearingLevel()), right.doubleValue(for: .decibelHearingLevel()))
        }
    }

    static func words(of prescription: HKVisionPrescription) -> String {
        switch prescription.prescriptionType {
        case .glasses: "glasses \(prescription.dateIssued)"
        case .contacts: "contacts \(String(describing: prescription.expirationDate))"
        @unknown default: "unknown"
        }
    }

    static func score(_ assessment: HKScoredAssessment) -> Int { assessment.score }
}
