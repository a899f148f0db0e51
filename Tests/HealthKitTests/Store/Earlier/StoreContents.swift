import Foundation
import HealthKit
import MadeSamples
import SessionLog

/// The contents of a store as lines of text, one per sample, sorted, with everything that a version must not lose.
enum StoreContents {
    static func lines(of database: SQLiteHealthDatabase) throws -> [String] {
        var lines: [String] = []
        for type in types {
            for sample in try database.all(type) {
                var line = [
                    type.identifier, sample.uuid.uuidString, "\(sample.startDate.timeIntervalSinceReferenceDate)",
                    "\(sample.endDate.timeIntervalSinceReferenceDate)", sample.sourceRevision.source.bundleIdentifier,
                    sample.sourceRevision.version ?? "-", sample.device?.name ?? "-", metadata(sample.metadata),
                ]
                line += try own(sample, database)
                lines.append(line.joined(separator: " | "))
            }
        }
        return lines.sorted()
    }

    private static let types: [HKSampleType] =
        TypeCatalogue.quantityTypes.map { $0 } + [
            Made.sleep, HKCorrelationType(.bloodPressure), .workoutType(), .audiogramSampleType(),
            .electrocardiogramType(), HKSeriesType.heartbeat(), HKSeriesType.workoutRoute(), .visionPrescriptionType(),
            .stateOfMindType(), HKClinicalType(.immunizationRecord), HKDocumentType(.CDA),
            HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9),
        ]

    private static func metadata(_ metadata: [String: Any]?) -> String {
        (metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    }

    /// The values that only this class of samples has.
    private static func own(_ sample: HKSample, _ database: SQLiteHealthDatabase) throws -> [String] {
        switch sample {
        case let sample as HKQuantitySample:
            let inner = try database.quantities(sample.uuid)
            return ["\(sample.quantity)", "\(sample.count)"] + inner.map { "\($0.quantity)@\($0.start)" }
        case let sample as HKCategorySample: return ["\(sample.value)"]
        case let sample as HKCorrelation: return sample.objects.map(\.uuid.uuidString).sorted()
        case let sample as HKElectrocardiogram:
            return [
                "\(sample.classification.rawValue)", "\(sample.symptomsStatus.rawValue)",
                text(sample.averageHeartRate), text(sample.samplingFrequency),
                "\(sample.numberOfVoltageMeasurements)",
            ]
        case let sample as HKHeartbeatSeriesSample:
            return try database.heartbeats(sample.uuid).map { "\($0.secondsSinceStart)\($0.precededByGap ? "!" : "")" }
        case let sample as HKWorkoutRoute:
            return try database.positions(sample.uuid).map {
                "\($0.position.latitudeInDegrees),\($0.position.longitudeInDegrees)"
            }
        case let sample as HKWorkout: return try own(sample, database)
        default: return clinical(sample)
        }
    }

    private static func clinical(_ sample: HKSample) -> [String] {
        switch sample {
        case let sample as HKGlassesPrescription:
            [
                text(sample.rightEye?.sphere), text(sample.rightEye?.vertexDistance),
                text(sample.rightEye?.prism?.amount), "\(sample.leftEye == nil)",
            ]
        case let sample as HKContactsPrescription: [sample.brand, text(sample.leftEye?.diameter)]
        case let sample as HKAudiogramSample:
            sample.sensitivityPoints.map {
                "\($0.frequency)/\(text($0.leftEarSensitivity))/\(text($0.rightEarSensitivity))"
            }
        case let sample as HKCDADocumentSample: [sample.document?.title ?? "-"]
        case let sample as HKClinicalRecord:
            [
                sample.displayName, sample.fhirResource?.identifier ?? "-",
                String(decoding: sample.fhirResource?.data ?? Data(), as: UTF8.self),
            ]
        case let sample as HKStateOfMind: ["\(sample.valence)", "\(sample.labels.map(\.rawValue))"]
        case let sample as HKScoredAssessment: ["\(sample.score)"]
        default: []
        }
    }

    private static func own(_ workout: HKWorkout, _ database: SQLiteHealthDatabase) throws -> [String] {
        let statistics = workout.allStatistics.sorted { $0.key.identifier < $1.key.identifier }.map { type, figures in
            "\(type.identifier) \(text(figures.averageQuantity())) \(text(figures.sumQuantity()))"
        }
        let attachments = try database.attachments(of: workout.uuid).map {
            "\($0.name) \(try database.attachmentData($0.identifier)?.count ?? -1)"
        }
        return ["\(workout.workoutActivityType.rawValue)", "\(workout.duration)"]
            + (workout.workoutEvents ?? []).map { "\($0.type.rawValue)@\($0.dateInterval.start)" } + statistics
            + attachments
    }

    private static func text(_ quantity: HKQuantity?) -> String { quantity.map { "\($0)" } ?? "-" }
}
