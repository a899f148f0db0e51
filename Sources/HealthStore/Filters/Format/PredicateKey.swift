/// A key path of HealthKit's objects in a format string.
package enum PredicateKey: Equatable, Sendable {
    case uuid
    case source
    case sourceText(SampleFilter.SourceField)
    case sourceRevision
    case device
    /// A property, by its ``HKDevicePropertyKeyName`` or similar.
    case deviceProperty(String)
    case metadata(String)
    case correlation
    case workout
    case startDate, endDate
    case quantity, count, categoryValue
    /// A figure of a discrete sample without a case in filters.
    case discrete(DiscreteFigure)
    case workoutType, workoutDuration
    case workoutTotal(SampleFilter.WorkoutTotal)
    case workoutStatistic(HKQuantityType, SampleFilter.Statistic)
    case activityType, activityDuration, activityStartDate, activityEndDate
    case activityStatistic(HKQuantityType, SampleFilter.Statistic)
    indirect case workoutActivity(PredicateKey)
    case dateComponents
    case property(SampleProperty)

    package enum DiscreteFigure: String, Sendable {
        case minimum = "min"
        case maximum = "max"
        case mostRecent = "most_recent"
        case mostRecentStart = "most_recent_start_date"
        case mostRecentEnd = "most_recent_end_date"
        case mostRecentDuration = "most_recent_duration"
    }

    /// The names of device properties in key paths, and their constants.
    package static let deviceProperties = [
        "name": HKDevicePropertyKeyName, "manufacturer": HKDevicePropertyKeyManufacturer,
        "model": HKDevicePropertyKeyModel, "hardwareVersion": HKDevicePropertyKeyHardwareVersion,
        "firmwareVersion": HKDevicePropertyKeyFirmwareVersion, "softwareVersion": HKDevicePropertyKeySoftwareVersion,
        "localIdentifier": HKDevicePropertyKeyLocalIdentifier,
        "UDIDeviceIdentifier": HKDevicePropertyKeyUDIDeviceIdentifier,
    ]

    package static func deviceKeyPath(_ property: String) -> String {
        deviceProperties.first { $0.value == property }?.key ?? property
    }

    /// The key paths of one name.
    package static let plain: [String: PredicateKey] = [
        HKPredicateKeyPathUUID: .uuid, "uuid": .uuid,
        HKPredicateKeyPathSource: .source, HKPredicateKeyPathSourceRevision: .sourceRevision,
        HKPredicateKeyPathDevice: .device, HKPredicateKeyPathCorrelation: .correlation,
        HKPredicateKeyPathWorkout: .workout,
        HKPredicateKeyPathStartDate: .startDate, HKPredicateKeyPathEndDate: .endDate,
        HKPredicateKeyPathQuantity: .quantity, HKPredicateKeyPathCount: .count,
        HKPredicateKeyPathCategoryValue: .categoryValue,
        HKPredicateKeyPathWorkoutType: .workoutType, "workoutActivityType": .workoutType,
        HKPredicateKeyPathWorkoutDuration: .workoutDuration,
        HKPredicateKeyPathWorkoutTotalDistance: .workoutTotal(.distance),
        HKPredicateKeyPathWorkoutTotalEnergyBurned: .workoutTotal(.energyBurned),
        HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount: .workoutTotal(.swimmingStrokeCount),
        HKPredicateKeyPathWorkoutTotalFlightsClimbed: .workoutTotal(.flightsClimbed),
        HKPredicateKeyPathWorkoutActivityType: .activityType,
        HKPredicateKeyPathWorkoutActivityDuration: .activityDuration,
        HKPredicateKeyPathWorkoutActivityStartDate: .activityStartDate,
        HKPredicateKeyPathWorkoutActivityEndDate: .activityEndDate,
        HKPredicateKeyPathDateComponents: .dateComponents,
    ]

    private static let statistics: [String: (SampleFilter.Statistic, ofActivity: Bool)] = [
        HKPredicateKeyPathWorkoutSumQuantity: (.sum, false),
        HKPredicateKeyPathWorkoutMinimumQuantity: (.minimum, false),
        HKPredicateKeyPathWorkoutMaximumQuantity: (.maximum, false),
        HKPredicateKeyPathWorkoutAverageQuantity: (.average, false),
        HKPredicateKeyPathWorkoutActivitySumQuantity: (.sum, true),
        HKPredicateKeyPathWorkoutActivityMinimumQuantity: (.minimum, true),
        HKPredicateKeyPathWorkoutActivityMaximumQuantity: (.maximum, true),
        HKPredicateKeyPathWorkoutActivityAverageQuantity: (.average, true),
    ]

    package init(path: [String]) throws(PredicateFormatError) {
        let unknown = PredicateFormatError.unusable(
            "\(path.joined(separator: ".")) is not a key path of HealthKit's objects")
        guard let first = path.first else { throw unknown }
        if first == HKPredicateKeyPathWorkoutEffortRelationship {
            guard path.count == 1 || (path.count == 2 && path[1].uppercased() == "UUID") else { throw unknown }
            self = .workout
            return
        }
        if let property = SampleProperty(rawValue: path.joined(separator: ".")) {
            self = .property(property)
            return
        }
        let rest = Array(path.dropFirst())
        if rest.isEmpty {
            if let figure = DiscreteFigure(rawValue: first) {
                self = .discrete(figure)
            } else if let key = Self.plain[first] {
                self = key
            } else {
                throw unknown
            }
            return
        }
        switch (first, rest.count) {
        case (HKPredicateKeyPathMetadata, _):
            self = .metadata(rest.joined(separator: "."))
        case (HKPredicateKeyPathSourceRevision, 2) where rest[0] == HKPredicateKeyPathSource:
            self = try PredicateKey(path: rest)
        case (HKPredicateKeyPathSource, 1):
            guard let field = SampleFilter.SourceField(rawValue: rest[0]) else { throw unknown }
            self = .sourceText(field)
        case (HKPredicateKeyPathDevice, 1):
            guard let property = Self.deviceProperties[rest[0]] else { throw unknown }
            self = .deviceProperty(property)
        case (HKPredicateKeyPathWorkout, 1) where rest[0].uppercased() == "UUID":
            self = .workout
        case (HKPredicateKeyPathWorkoutActivity, _):
            let inner = try PredicateKey(path: rest)
            switch inner {
            case .activityType, .activityDuration, .activityStartDate, .activityEndDate, .activityStatistic, .metadata,
                .uuid:
                self = .workoutActivity(inner)
            default: throw unknown
            }
        case (_, 1):
            guard let (statistic, ofActivity) = Self.statistics[first],
                let type = TypeCatalogue.quantityType(identifier: rest[0])
            else { throw unknown }
            self = ofActivity ? .activityStatistic(type, statistic) : .workoutStatistic(type, statistic)
        default: throw unknown
        }
    }
}

/// A property of one kind of object without a case in filters. Predicates with it are evaluated on samples.
package enum SampleProperty: String, Sendable {
    case averageHeartRate = "ecg_average_heart_rate"
    case classification = "ecg_public_classification"
    case symptomsStatus = "ecg_symptoms_status"
    case title
    case patientName = "patient_name"
    case authorName = "author_name"
    case custodianName = "custodian_name"
    case resourceIdentifier = "FHIRResource.identifier"
    case resourceType = "FHIRResource.resourceType"
    case logStatus = "status"
    case scheduledDate
    case medicationConcept = "medicationConceptIdentifier"
    /// The origin of a dose, which only Apple's systems know.
    case logOrigin
    case isArchived
    case hasSchedule

    /// Also nil for a sample of another kind.
    package func value(of object: Any) -> Any? {
        switch (self, object) {
        case (.averageHeartRate, let ecg as HKElectrocardiogram): ecg.averageHeartRate
        case (.classification, let ecg as HKElectrocardiogram): NSNumber(value: ecg.classification.rawValue)
        case (.symptomsStatus, let ecg as HKElectrocardiogram): NSNumber(value: ecg.symptomsStatus.rawValue)
        case (.title, let sample as HKCDADocumentSample): sample.document?.title
        case (.patientName, let sample as HKCDADocumentSample): sample.document?.patientName
        case (.authorName, let sample as HKCDADocumentSample): sample.document?.authorName
        case (.custodianName, let sample as HKCDADocumentSample): sample.document?.custodianName
        case (.resourceIdentifier, let record as HKClinicalRecord): record.fhirResource?.identifier
        case (.resourceType, let record as HKClinicalRecord): record.fhirResource?.resourceType.rawValue
        case (.logStatus, let event as HKMedicationDoseEvent): NSNumber(value: event.logStatus.rawValue)
        case (.scheduledDate, let event as HKMedicationDoseEvent): event.scheduledDate
        case (.medicationConcept, let event as HKMedicationDoseEvent): event.medicationConceptIdentifier
        case (.isArchived, let medication as HKUserAnnotatedMedication): NSNumber(value: medication.isArchived)
        case (.hasSchedule, let medication as HKUserAnnotatedMedication): NSNumber(value: medication.hasSchedule)
        default: nil
        }
    }

    /// Nil if the value does not fit.
    package func filter(_ comparison: SampleFilter.Comparison, _ value: Any?) -> SampleFilter? {
        let plain = (value as? any RawRepresentable)?.rawValue ?? value
        let test: (Any?) -> Bool
        switch (self, plain) {
        case (.medicationConcept, let concept as HKHealthConceptIdentifier) where comparison == .equal:
            test = { $0 as? HKHealthConceptIdentifier == concept }
        case (_, nil) where comparison == .equal:
            test = { $0 == nil }
        case (_, let plain?):
            guard self != .medicationConcept, let constant = SampleFilter.Value(plain), isComparable(constant) else {
                return nil
            }
            test = { constant.compares(comparison, to: $0) }
        default: return nil
        }
        let words = "\(rawValue) \(comparison) \(value.map { "\($0)" } ?? "nil")"
        return .custom(SampleFilter.CustomPredicate(TestPredicate(words) { test(self.value(of: $0)) }))
    }

    package var isText: Bool { isComparable(.string("")) }

    private func isComparable(_ constant: SampleFilter.Value) -> Bool {
        switch (self, constant) {
        case (.averageHeartRate, .quantity), (.classification, .number), (.symptomsStatus, .number),
            (.logStatus, .number), (.scheduledDate, .date), (.title, .string), (.patientName, .string),
            (.authorName, .string), (.custodianName, .string), (.resourceIdentifier, .string),
            (.resourceType, .string), (.logOrigin, .number), (.isArchived, .number), (.hasSchedule, .number):
            true
        default: false
        }
    }
}
