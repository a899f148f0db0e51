package import SessionLog

// What the fold holds, as Apple's types.

extension HKWorkoutSessionState {
    package init(_ phase: SessionPhase) {
        switch phase {
        case .notStarted: self = .notStarted
        case .prepared: self = .prepared
        case .running: self = .running
        case .paused: self = .paused
        case .stopped: self = .stopped
        case .ended: self = .ended
        }
    }
}

extension HKStatistics {
    /// Everything that the type allows; nil for a unit that cannot be read or does not fit the type.
    convenience init?(_ type: HKQuantityType, _ quantity: SessionState.QuantityState) {
        guard let unit = type.unit(named: quantity.unit), let start = quantity.statistics.firstStart,
            let last = quantity.statistics.mostRecent
        else { return nil }
        self.init(
            quantityType: type, startDate: start, endDate: max(start, last.end), options: .everything(for: type),
            unit: unit, total: quantity.statistics)
    }

    package static func byType(_ quantities: [String: SessionState.QuantityState]) -> [HKQuantityType: HKStatistics] {
        var statistics: [HKQuantityType: HKStatistics] = [:]
        for (name, quantity) in quantities {
            guard let type = TypeCatalogue.quantityType(named: name) else { continue }
            statistics[type] = HKStatistics(type, quantity)
        }
        return statistics
    }
}

extension SessionState {
    /// What was measured and HealthKit has no type for: it is in the log, and in no store. In alphabetical order.
    package var typesUnknownToHealthKit: [String] {
        quantities.keys.filter { TypeCatalogue.quantityType(named: $0) == nil }.sorted()
    }
}

extension HKStatisticsOptions {
    /// All options that a type allows, sources not separated.
    package static func everything(for type: HKQuantityType) -> HKStatisticsOptions {
        type.aggregationStyle == .cumulative
            ? [.cumulativeSum, .mostRecent, .duration]
            : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration]
    }
}

extension HKWorkoutConfiguration {
    /// The configuration of a description; an activity that this build does not know is `other`.
    package convenience init(of description: ActivityDescription) {
        do {
            try self.init(description)
        } catch {
            self.init()
        }
    }
}

extension HKWorkoutActivity {
    /// An activity of a session.
    /// - Parameter seconds: How long it has run without pauses, for one that has not ended.
    package convenience init(_ activity: SessionState.ActivityState, seconds: TimeInterval? = nil) {
        let configuration = HKWorkoutConfiguration(of: activity.record.activity)
        do {
            try self.init(
                uuid: activity.record.id, configuration: configuration, start: activity.start, end: activity.end,
                metadata: MetadataCoding.readable(activity.record.metadata), duration: seconds,
                statistics: HKStatistics.byType(activity.quantities))
        } catch {
            // Not reached: in a state the end is never before the start, and the metadata has just been read.
            self.init(workoutConfiguration: configuration, start: activity.start, end: nil, metadata: nil)
        }
    }
}

extension HKWorkout {
    /// What a finished session amounts to. Events that reach beyond the workout are cut to it.
    package static func of(_ state: SessionState, id: UUID, device: HKDevice?) throws -> HKWorkout {
        let start = state.workoutStart ?? .distantPast
        let end = max(start, state.workoutEnd ?? start)
        let events = state.events.compactMap { event -> HKWorkoutEvent? in
            guard event.start <= end, event.end >= start else { return nil }
            var inside = event
            inside.start = max(event.start, start)
            inside.end = min(event.end, end)
            return try? HKWorkoutEvent(inside)
        }
        let activities = state.activities.compactMap { activity -> HKWorkoutActivity? in
            var inside = activity
            guard inside.cut(to: start, end) else { return nil }
            return HKWorkoutActivity(inside)
        }
        return try HKError.translating {
            try HKWorkout.validated(
                try ObjectIdentity(
                    uuid: id, device: device, metadata: MetadataCoding.readable(state.workoutMetadata)),
                configuration: HKWorkoutConfiguration(of: state.header?.activity ?? ActivityDescription()),
                start: start, end: end, duration: state.activeSeconds(at: end), events: events, activities: activities,
                statistics: HKStatistics.byType(state.quantities))
        }
    }
}

extension SessionState {
    /// The metadata of the finished workout: what the configuration states, and what the app added, which goes before it.
    ///
    /// A stored workout has no configuration on Apple's systems, so that is where apps look for it.
    var workoutMetadata: [String: MetadataValue] {
        (header?.activity.metadata ?? [:]).merging(metadata) { _, added in added }
    }
}

extension ActivityDescription {
    fileprivate var metadata: [String: MetadataValue] {
        var metadata: [String: MetadataValue] = [:]
        switch location {
        case .unknown: break
        case .indoor: metadata[HKMetadataKeyIndoorWorkout] = .bool(true)
        case .outdoor: metadata[HKMetadataKeyIndoorWorkout] = .bool(false)
        }
        guard activity == "swimming" else { return metadata }
        if let lapLengthInMeters { metadata[HKMetadataKeyLapLength] = .quantity(lapLengthInMeters, unit: "m") }
        switch swimmingLocation {
        case .unknown: break
        case .pool: metadata[HKMetadataKeySwimmingLocationType] = .number(1)
        case .openWater: metadata[HKMetadataKeySwimmingLocationType] = .number(2)
        }
        return metadata
    }
}
