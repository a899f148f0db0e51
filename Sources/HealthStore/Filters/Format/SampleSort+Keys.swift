extension SampleSort.Key {
    /// Keys by constants and property names.
    package init?(name: String) {
        switch name {
        case HKSampleSortIdentifierStartDate, "startDate": self = .startDate
        case HKSampleSortIdentifierEndDate, "endDate": self = .endDate
        case "UUID", "uuid": self = .uuid
        case "quantity": self = .quantity
        case "value": self = .categoryValue
        case HKWorkoutSortIdentifierDuration, "duration": self = .workoutDuration
        case HKWorkoutSortIdentifierTotalDistance, "totalDistance": self = .workoutTotalDistance
        case HKWorkoutSortIdentifierTotalEnergyBurned, "totalEnergyBurned": self = .workoutTotalEnergyBurned
        case HKWorkoutSortIdentifierTotalSwimmingStrokeCount: self = .workoutTotalSwimmingStrokeCount
        case HKWorkoutSortIdentifierTotalFlightsClimbed: self = .workoutTotalFlightsClimbed
        default: return nil
        }
    }

    /// A name that ``init(name:)`` reads.
    package var name: String {
        switch self {
        case .startDate: HKSampleSortIdentifierStartDate
        case .endDate: HKSampleSortIdentifierEndDate
        case .uuid: HKPredicateKeyPathUUID
        case .quantity: HKPredicateKeyPathQuantity
        case .categoryValue: HKPredicateKeyPathCategoryValue
        case .workoutDuration: HKWorkoutSortIdentifierDuration
        case .workoutTotalDistance: HKWorkoutSortIdentifierTotalDistance
        case .workoutTotalEnergyBurned: HKWorkoutSortIdentifierTotalEnergyBurned
        case .workoutTotalSwimmingStrokeCount: HKWorkoutSortIdentifierTotalSwimmingStrokeCount
        case .workoutTotalFlightsClimbed: HKWorkoutSortIdentifierTotalFlightsClimbed
        }
    }

    /// Keys by key path. A property has a path from each class that has it.
    package init?(_ path: AnyKeyPath?) {
        switch path {
        case \HKSample.startDate, \HKQuantitySample.startDate, \HKCategorySample.startDate, \HKWorkout.startDate,
            \HKCorrelation.startDate, \HKHeartbeatSeriesSample.startDate, \HKWorkoutRoute.startDate,
            \HKElectrocardiogram.startDate, \HKAudiogramSample.startDate, \HKVisionPrescription.startDate,
            \HKStateOfMind.startDate, \HKGAD7Assessment.startDate, \HKPHQ9Assessment.startDate,
            \HKClinicalRecord.startDate, \HKMedicationDoseEvent.startDate:
            self = .startDate
        case \HKSample.endDate, \HKQuantitySample.endDate, \HKCategorySample.endDate, \HKWorkout.endDate,
            \HKCorrelation.endDate, \HKHeartbeatSeriesSample.endDate, \HKWorkoutRoute.endDate,
            \HKElectrocardiogram.endDate, \HKAudiogramSample.endDate, \HKVisionPrescription.endDate,
            \HKStateOfMind.endDate, \HKGAD7Assessment.endDate, \HKPHQ9Assessment.endDate,
            \HKClinicalRecord.endDate, \HKMedicationDoseEvent.endDate:
            self = .endDate
        case \HKCategorySample.value: self = .categoryValue
        case \HKWorkout.duration: self = .workoutDuration
        default: return nil
        }
    }
}

extension SampleSort {
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a key that samples cannot be sorted by.
    package init(_ descriptor: NSSortDescriptor) throws {
        if let key = descriptor as? KeySortDescriptor {
            guard let sort = key.sort else {
                throw HKError.make(
                    .errorInvalidArgument,
                    "Samples cannot be sorted by \(key.name): use HKSampleSortIdentifierStartDate or another one.")
            }
            self = sort
        } else if let key = Key(descriptor.keyPath) {
            self.init(key, ascending: descriptor.ascending)
        } else {
            throw HKError.make(
                .errorInvalidArgument,
                "Samples cannot be sorted by \(descriptor): give the start date, the end date or a figure of workouts.")
        }
    }

    /// The order of two samples. Missing values come first.
    package func compare(_ a: HKSample, _ b: HKSample) -> ComparisonResult {
        let order =
            switch key {
            case .startDate: Self.compare(a.startDate, b.startDate)
            case .endDate: Self.compare(a.endDate, b.endDate)
            case .uuid: Self.compare(a.uuid.uuidString, b.uuid.uuidString)
            case .quantity: Self.compare((a as? HKQuantitySample)?.quantity, (b as? HKQuantitySample)?.quantity)
            case .categoryValue: Self.compare((a as? HKCategorySample)?.value, (b as? HKCategorySample)?.value)
            case .workoutDuration: Self.compare((a as? HKWorkout)?.duration, (b as? HKWorkout)?.duration)
            case .workoutTotalDistance:
                Self.compare((a as? HKWorkout)?.totalDistance, (b as? HKWorkout)?.totalDistance)
            case .workoutTotalEnergyBurned:
                Self.compare((a as? HKWorkout)?.totalEnergyBurned, (b as? HKWorkout)?.totalEnergyBurned)
            case .workoutTotalSwimmingStrokeCount:
                Self.compare((a as? HKWorkout)?.totalSwimmingStrokeCount, (b as? HKWorkout)?.totalSwimmingStrokeCount)
            case .workoutTotalFlightsClimbed:
                Self.compare((a as? HKWorkout)?.totalFlightsClimbed, (b as? HKWorkout)?.totalFlightsClimbed)
            }
        return ascending ? order : ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame
    }

    private static func compare<Value: Comparable>(_ a: Value?, _ b: Value?) -> ComparisonResult {
        guard let a, let b else { return presence(a != nil, b != nil) }
        return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
    }

    private static func compare(_ a: HKQuantity?, _ b: HKQuantity?) -> ComparisonResult {
        guard let a, let b, a.is(compatibleWith: b.unit) else { return presence(a != nil, b != nil) }
        return a.compare(b)
    }

    private static func presence(_ a: Bool, _ b: Bool) -> ComparisonResult {
        a == b ? .orderedSame : a ? .orderedDescending : .orderedAscending
    }
}
