import CoreLocation
import Foundation
package import HealthStore
package import SessionLog

/// One of everything that apps, sensors and imports store, the same each time.
package enum EarlierSamples {
    package static let start = Made.start
    package static let source = Made.source("Earlier", version: "1.2")

    private static func identity(_ number: UInt8, metadata: [String: Any]? = nil) throws -> ObjectIdentity {
        let id = UUID(uuid: (0xE1, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
        return try ObjectIdentity(
            uuid: id, device: HKDevice(DeviceDescription(name: "Watch", manufacturer: "Maker")), metadata: metadata)
    }

    private static func quantity(_ value: Double, _ unit: String) -> HKQuantity {
        HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }

    package static func objects() throws -> [HKSample] {
        try vitals() + clinical() + wellbeing() + [workout()]
    }

    private static func vitals() throws -> [HKSample] {
        let rates = (0..<300).map { Made.heartRate(60 + Double($0 % 17), at: Double($0)) }
        let own = try rates.enumerated().map { index, sample in
            try HKQuantitySample.validated(
                ObjectIdentity(
                    uuid: UUID(
                        uuid: (
                            0xE2, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, UInt8(index / 256),
                            UInt8(index % 256)
                        )), metadata: index == 7 ? [HKMetadataKeyHeartRateMotionContext: 2] : nil),
                type: Made.heartRate, quantity: sample.quantity, start: sample.startDate, end: sample.endDate)
        }
        let sleep = try HKCategorySample.validated(
            identity(1, metadata: [HKMetadataKeyTimeZone: "Europe/Berlin"]), type: Made.sleep,
            value: HKCategoryValueSleepAnalysis.asleepREM.rawValue, start: start + 100, end: start + 4000)
        let steps = try HKQuantitySample.validated(
            identity(2), type: Made.steps, quantity: HKQuantity(unit: .count(), doubleValue: 812), start: start,
            end: start + 600)
        let parts = try [
            (UInt8(3), HKQuantityTypeIdentifier.bloodPressureSystolic, 121.0), (4, .bloodPressureDiastolic, 79),
        ]
        .map { number, type, value in
            try HKQuantitySample.validated(
                identity(number), type: HKQuantityType(type), quantity: quantity(value, "mmHg"), start: start + 5,
                end: start + 5)
        }
        let pressure = try HKCorrelation.validated(
            identity(5, metadata: ["cuff": "left"]), type: HKCorrelationType(.bloodPressure), start: start + 5,
            end: start + 5, objects: Set(parts))
        return own + [sleep, steps, pressure]
    }

    private static func clinical() throws -> [HKSample] {
        let lens = HKGlassesLensSpecification(
            sphere: quantity(-2, "D"), cylinder: quantity(0.5, "D"), axis: quantity(90, "deg"), addPower: nil,
            vertexDistance: quantity(12, "mm"),
            prism: HKVisionPrism(amount: quantity(2, "pD"), angle: quantity(90, "deg"), eye: .right),
            farPupillaryDistance: quantity(31, "mm"), nearPupillaryDistance: nil)
        let contact = HKContactsLensSpecification(
            sphere: quantity(-2, "D"), cylinder: nil, axis: nil, addPower: nil, baseCurve: quantity(8.6, "mm"),
            diameter: quantity(14, "mm"))
        let points = try [
            HKAudiogramSensitivityPoint(
                frequency: quantity(500, "Hz"), leftEarSensitivity: quantity(5, "dBHL"),
                rightEarSensitivity: quantity(7, "dBHL")),
            HKAudiogramSensitivityPoint(
                frequency: quantity(1000, "Hz"), leftEarSensitivity: quantity(10, "dBHL"), rightEarSensitivity: nil),
        ]
        let document = """
            <?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><title>Visit</title></ClinicalDocument>
            """
        let resource = HKFHIRResource(
            fhirVersion: try HKFHIRVersion(fromVersionString: "4.0.1"), resourceType: .immunization, identifier: "i-1",
            data: Data(#"{"resourceType":"Immunization","id":"i-1"}"#.utf8),
            sourceURL: URL(string: "https://clinic.example/i-1"))
        return [
            HKGlassesPrescription(
                rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: start + 10,
                expirationDate: start + 1000, device: nil, metadata: nil),
            HKContactsPrescription(
                rightEyeSpecification: nil, leftEyeSpecification: contact, brand: "Brand", dateIssued: start + 11,
                expirationDate: nil, device: nil, metadata: ["x": 1]),
            HKAudiogramSample(sensitivityPoints: points, start: start + 12, end: start + 60, metadata: nil),
            try HKCDADocumentSample(data: Data(document.utf8), start: start + 13, end: start + 13, metadata: nil),
            try HKElectrocardiogram.validated(
                identity(6), classification: .sinusRhythm, symptomsStatus: .present,
                averageHeartRate: quantity(64, "count/min"), samplingFrequency: quantity(512, "Hz"),
                numberOfVoltageMeasurements: 15_360, start: start + 14, end: start + 44),
            try HKClinicalRecord.validated(
                identity(7), type: HKClinicalType(.immunizationRecord), displayName: "Measles", fhirResource: resource,
                start: start + 15, end: start + 15),
        ]
    }

    private static func wellbeing() throws -> [HKSample] {
        [
            HKStateOfMind(
                date: start + 20, kind: .dailyMood, valence: 0.4, labels: [.calm, .satisfied], associations: [.weather]),
            HKGAD7Assessment(date: start + 21, answers: [HKGAD7Assessment.Answer](repeating: .severalDays, count: 7)),
            HKPHQ9Assessment(
                date: start + 22,
                answers: [HKPHQ9Assessment.Answer](repeating: .severalDays, count: 8) + [.preferNotToAnswer]),
        ]
    }

    package static func workout() throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configuration.locationType = .outdoor
        let events = [
            HKWorkoutEvent(type: .pause, dateInterval: DateInterval(start: start + 10, duration: 0), metadata: nil),
            HKWorkoutEvent(type: .resume, dateInterval: DateInterval(start: start + 12, duration: 0), metadata: nil),
        ]
        return try HKWorkout.validated(
            identity(8, metadata: [HKMetadataKeyIndoorWorkout: false]), configuration: configuration, start: start,
            end: start + 60, duration: 58, events: events,
            totals: WorkoutTotals(
                energyBurned: quantity(12.5, "kcal"), distance: quantity(150, "m"), swimmingStrokeCount: nil,
                flightsClimbed: nil))
    }

    package static func beats() throws -> (HKHeartbeatSeriesSample, [StoredHeartbeat]) {
        let beats = (0..<40).map { StoredHeartbeat(secondsSinceStart: Double($0) * 0.8, precededByGap: $0 == 20) }
        return (
            try HKHeartbeatSeriesSample.validated(identity(9), count: beats.count, start: start, end: start + 32), beats
        )
    }

    package static func route() throws -> (HKWorkoutRoute, [(date: Date, position: PositionReading)]) {
        let positions = (0..<5).map { index -> (date: Date, position: PositionReading) in
            let seconds = Double(index)
            let position = PositionReading(
                latitudeInDegrees: 48 + seconds / 1000, longitudeInDegrees: 11, altitudeInMeters: 500)
            return (start + seconds, position)
        }
        return (
            try HKWorkoutRoute.validated(identity(10), count: positions.count, start: start, end: start + 4), positions
        )
    }

    package static func quantities() throws -> (HKQuantitySample, [StoredQuantity]) {
        let values = (0..<4).map { index -> StoredQuantity in
            let seconds = Double(index)
            return StoredQuantity(
                quantity: quantity(seconds + 1, "m"), start: start + seconds, end: start + seconds + 1)
        }
        return (
            HKCumulativeQuantitySeriesSample(
                try identity(11), type: HKQuantityType(.distanceWalkingRunning), quantity: quantity(10, "m"), count: 4,
                start: start, end: start + 4), values
        )
    }

    package static func effort() throws -> HKQuantitySample {
        try HKQuantitySample.validated(
            identity(12), type: HKQuantityType(.workoutEffortScore), quantity: quantity(7, "appleEffortScore"),
            start: start, end: start + 60)
    }

    package static let attachment = UUID(uuid: (0xE3, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))
    package static let lockedWorkout = UUID(uuid: (0xE3, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0, 2))
    private static let liveWorkout = UUID(uuid: (0xE3, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0, 3))

    /// A workout with its log.
    package static func session(
        id: UUID = liveWorkout, from offset: Double = 1000
    ) throws -> (HKWorkout, [SessionEntry]) {
        let begin = start + offset
        let readings = (0..<30).map { index in
            SessionEntry(
                begin + Double(index),
                .quantity(
                    QuantityReading(
                        "heartRate", 120 + Double(index), unit: "count/min", start: begin + Double(index),
                        end: begin + Double(index))))
        }
        let beats = (0..<30).map { index in
            SessionEntry(
                begin + Double(index), .beats(BeatReading(intervalsInMilliseconds: [500, 500 + Double(index)])))
        }
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .cycling
        let workout = try HKWorkout.validated(
            ObjectIdentity(uuid: id), configuration: configuration, start: begin, end: begin + 30)
        return (workout, zip(readings, beats).flatMap { [$0, $1] })
    }
}
