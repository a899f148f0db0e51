package import Analytics
import Recordings

/// The figures of a stored workout that HealthKit has a type for, saved as samples.
///
/// The figures are those of ``WorkoutAnalysis``, except for the variability, which is that of a minute at rest, as
/// `heartRateVariabilitySDNN` requires. The sync identifier names workout and type. So saving again keeps equal figures and
/// replaces changed ones.
package struct SavedFigures {
    package struct Row {
        package var type: HKQuantityType
        package var outcome: Figure<HKQuantitySample>
        /// Whether it was stored before and has not changed.
        package var wasStored = false
    }

    package private(set) var rows: [Row] = []

    /// The types, in order.
    package static let types = [
        HKQuantityType(.heartRateVariabilitySDNN), HKQuantityType(.heartRateRecoveryOneMinute), HKQuantityType(.vo2Max),
        HKQuantityType(.estimatedWorkoutEffortScore),
    ]

    private let workout: HKWorkout
    private let database: any HealthDatabase

    /// Saves the figures that can be computed.
    package init(
        saving analysis: WorkoutAnalysis, of workout: HKWorkout, in database: any HealthDatabase,
        from source: HKSourceRevision = .current
    ) throws {
        self.workout = workout
        self.database = database
        let heart = try heartRateDevice()
        let samples = [
            try variability(analysis), recovery(analysis, heart), uptake(analysis), effort(analysis, heart),
        ]
        for (type, sample) in zip(Self.types, samples) {
            switch sample {
            case .failure(let reason): rows.append(Row(type: type, outcome: .failure(reason)))
            case .success(let sample): rows.append(try save(sample, from: source))
            }
        }
    }

    private func save(_ sample: Unsaved, from source: HKSourceRevision) throws -> Row {
        let name = "\(workout.uuid.uuidString).\(sample.type.swiftName)"
        let own = SampleFilter.and([
            .metadata(HKMetadataKeySyncIdentifier, .equal, .string(name)), .sources([source.source.bundleIdentifier]),
        ])
        let stored =
            try database.samples([SampleSelection(sample.type, own)], sortedBy: [], limit: 1)
            .first as? HKQuantitySample
        if let stored, sample.says(what: stored) {
            return Row(type: sample.type, outcome: .success(stored), wasStored: true)
        }
        let version = (stored?.metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.intValue ?? 0
        var metadata = sample.metadata
        metadata[HKMetadataKeySyncIdentifier] = name
        metadata[HKMetadataKeySyncVersion] = version + 1
        let new = HKQuantitySample(
            type: sample.type, quantity: HKQuantity(unit: sample.type.recordingUnit, doubleValue: sample.value),
            start: sample.start, end: sample.end, device: sample.device, metadata: metadata)
        guard sample.type == HKQuantityType(.estimatedWorkoutEffortScore) else {
            try database.save([new], from: source)
            return Row(type: sample.type, outcome: .success(new))
        }
        if let stored { _ = try database.unrelateEffort(stored.uuid, fromWorkout: workout.uuid, activity: nil) }
        try database.relateEffort(new, toWorkout: workout.uuid, activity: nil, from: source)
        return Row(type: sample.type, outcome: .success(new))
    }

    /// A figure before it becomes a sample.
    private struct Unsaved {
        var type: HKQuantityType
        /// The value in the type's ``HKQuantityType/recordingUnit``.
        var value: Double
        var start: Date
        var end: Date
        var device: HKDevice?
        var metadata: [String: Any] = [:]

        func says(what stored: HKQuantitySample) -> Bool {
            let storedValue = stored.quantity.doubleValue(for: type.recordingUnit)
            return abs(storedValue - value) <= 1e-9 * max(1, abs(value)) && stored.startDate == start
                && stored.endDate == end
        }
    }

    // MARK: Figures

    private func variability(_ analysis: WorkoutAnalysis) throws -> Figure<Unsaved> {
        var resting = RestingVariability()
        let all = try database.heartbeatSeries(ofWorkout: workout.uuid)
        for (sample, beats) in all {
            let offset = sample.startDate.timeIntervalSince(workout.startDate)
            for stretch in beats.stretches {
                resting.add(stretch.intervalsInMilliseconds, from: offset + stretch.startInSeconds)
            }
        }
        let load = analysis.load
        return resting.atRest(restingHeartRate: load.restingHeartRate, maximumHeartRate: load.maximumHeartRate).map {
            let start = workout.startDate + $0.startInSeconds
            return Unsaved(
                type: HKQuantityType(.heartRateVariabilitySDNN), value: $0.sdnn, start: start,
                end: start + $0.lengthInSeconds, device: all.first?.sample.device ?? workout.device)
        }
    }

    private func recovery(_ analysis: WorkoutAnalysis, _ device: HKDevice?) -> Figure<Unsaved> {
        let seconds = RecoveryReadings.momentsInSeconds[0]
        return analysis.recovery.drop(after: seconds).flatMap { drop in
            guard drop > 0, let end = analysis.effortEnd else { return .failure(.noFall) }
            var metadata: [String: Any] = [
                HKMetadataKeyHeartRateRecoveryTestType: HKHeartRateRecoveryTestType.predictionSubMaxExercise.rawValue,
                HKMetadataKeyHeartRateRecoveryActivityType: Int(workout.workoutActivityType.rawValue),
                HKMetadataKeyHeartRateRecoveryActivityDuration: HKQuantity(
                    unit: .second(), doubleValue: workout.duration),
            ]
            metadata[HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate] =
                analysis.recovery.highestHeartRate.map {
                    HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: $0)
                }
            return .success(
                Unsaved(
                    type: HKQuantityType(.heartRateRecoveryOneMinute), value: drop, start: end, end: end + seconds,
                    device: device, metadata: metadata))
        }
    }

    /// Computed from the profile, so no device measured it.
    private func uptake(_ analysis: WorkoutAnalysis) -> Figure<Unsaved> {
        analysis.maximumOxygenUptake.map {
            Unsaved(
                type: HKQuantityType(.vo2Max), value: $0, start: workout.endDate, end: workout.endDate,
                metadata: [HKMetadataKeyVO2MaxTestType: HKVO2MaxTestType.predictionNonExercise.rawValue])
        }
    }

    private func effort(_ analysis: WorkoutAnalysis, _ device: HKDevice?) -> Figure<Unsaved> {
        analysis.load.effort.map {
            Unsaved(
                type: HKQuantityType(.estimatedWorkoutEffortScore), value: $0, start: workout.startDate,
                end: workout.endDate, device: device)
        }
    }

    private func heartRateDevice() throws -> HKDevice? {
        let heartRates = SampleSelection(HKQuantityType(.heartRate), .workout(workout.uuid))
        return try database.samples([heartRates], sortedBy: [], limit: 1).first?.device ?? workout.device
    }
}
