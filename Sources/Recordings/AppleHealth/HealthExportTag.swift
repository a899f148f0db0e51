import XML

/// The elements of an export, numbered for the scanner.
enum HealthExportTag: UInt8, CaseIterable {
    // The case names, with an initial capital, are the names of the elements.
    case healthData, exportDate, me
    case record, correlation, workout, activitySummary, clinicalRecord, audiogram, visionPrescription
    case metadataEntry, heartRateVariabilityMetadataList, instantaneousBeatsPerMinute
    case workoutEvent, workoutStatistics, workoutActivity, workoutRoute, fileReference, location
    /// Everything else.
    case unknown

    static let names = allCases.dropLast().map { String(describing: $0).capitalizedFirst }

    /// Creates the tag with a number from the scanner.
    @inline(__always)
    init(number: UInt8) { self = HealthExportTag(rawValue: number) ?? .unknown }

    var name: String { String(describing: self).capitalizedFirst }

    /// Whether the element belongs directly in the document's root. It cannot be inside another element, so if it seems
    /// to be, the end of the other one was lost.
    var isTopLevel: Bool {
        Self.record.rawValue...Self.visionPrescription.rawValue ~= rawValue || self == .me || self == .exportDate
    }

    /// Returns whether the element may be inside `parent`. This allows more than the document type of the exports,
    /// which the exports do not follow.
    func mayBeIn(_ parent: HealthExportTag) -> Bool {
        switch self {
        case .healthData: false
        case .record: parent == .healthData || parent == .correlation
        case .exportDate, .me, .correlation, .workout, .activitySummary, .clinicalRecord, .audiogram,
            .visionPrescription:
            parent == .healthData
        case .metadataEntry:
            switch parent {
            case .record, .correlation, .workout, .workoutEvent, .workoutActivity, .workoutRoute: true
            default: false
            }
        case .heartRateVariabilityMetadataList: parent == .record
        case .instantaneousBeatsPerMinute: parent == .heartRateVariabilityMetadataList || parent == .record
        case .workoutEvent, .workoutStatistics: parent == .workout || parent == .workoutActivity
        case .workoutActivity, .workoutRoute: parent == .workout
        case .fileReference, .location: parent == .workoutRoute
        case .unknown: true
        }
    }

    /// The reason why an element is not read, or nil if it is.
    var reasonToSkip: String? {
        switch self {
        case .audiogram: "audiograms are not read"
        case .visionPrescription: "vision prescriptions are not read"
        case .unknown: "unknown element"
        default: nil
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// The attributes of an export's elements, numbered for the scanner. The case names are the names of the attributes.
enum HealthExportAttribute: Int, CaseIterable {
    case type, unit, value, sourceName, sourceVersion, device, creationDate, startDate, endDate
    case key, locale, bpm, time, date
    case workoutActivityType, duration, durationUnit
    case totalDistance, totalDistanceUnit, totalEnergyBurned, totalEnergyBurnedUnit
    case average, minimum, maximum, sum, uuid, path
    case latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, course, speed
    case dateComponents, activeEnergyBurned, activeEnergyBurnedGoal, activeEnergyBurnedUnit
    case appleMoveTime, appleMoveTimeGoal, appleExerciseTime, appleExerciseTimeGoal, appleStandHours,
        appleStandHoursGoal
    case identifier, sourceURL, fhirVersion, receivedDate, resourceFilePath

    static let names = allCases.map { String(describing: $0) }
}
