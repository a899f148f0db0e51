package import SessionLog

// The state of a session as Apple's types.

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
    /// Creates statistics with everything that the type allows. Returns nil for a unit that cannot be read or does not
    /// match the type.
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

extension HKWorkoutZoneGroup {
    /// Nil for impossible zones.
    init?(_ zones: SessionState.ZoneState) {
        self.init(zones.record, seconds: zones.durations.map { $0 / .seconds(1) })
    }
}

extension [HKQuantityType: HKWorkoutZoneGroup] {
    /// The zones in which time was spent. Nil without any.
    package static func of(_ zones: [SessionState.ZoneState]) -> Self? {
        let groups = zones.compactMap { zones -> HKWorkoutZoneGroup? in
            guard zones.durations.contains(where: { $0 > .zero }) else { return nil }
            return HKWorkoutZoneGroup(zones)
        }
        return groups.isEmpty
            ? nil : Dictionary(uniqueKeysWithValues: groups.map { ($0.configuration.quantityType, $0) })
    }
}

extension SessionState {
    /// The measured types that HealthKit does not have, which are in the log and in no store. In alphabetical order.
    package var typesUnknownToHealthKit: [String] {
        quantities.keys.filter { TypeCatalogue.quantityType(named: $0) == nil }.sorted()
    }
}

extension HKStatisticsOptions {
    /// Returns all options that a type allows, without separate sources.
    package static func everything(for type: HKQuantityType) -> HKStatisticsOptions {
        type.aggregationStyle == .cumulative
            ? [.cumulativeSum, .mostRecent, .duration]
            : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration]
    }
}

extension HKWorkoutConfiguration {
    /// Creates the configuration of a description. An activity unknown to this build becomes `other`.
    package convenience init(of description: ActivityDescription) {
        do {
            try self.init(description)
        } catch {
            self.init()
        }
    }
}

extension HKWorkoutActivity {
    /// Creates an activity of a session.
    /// - Parameter seconds: How long it has run without pauses, if it has not ended.
    package convenience init(_ activity: SessionState.ActivityState, seconds: TimeInterval? = nil) {
        let configuration = HKWorkoutConfiguration(of: activity.record.activity)
        do {
            try self.init(
                uuid: activity.record.id, configuration: configuration, start: activity.start, end: activity.end,
                metadata: MetadataCoding.readable(activity.record.metadata), duration: seconds,
                statistics: HKStatistics.byType(activity.quantities),
                zones: activity.end == nil ? nil : .of(activity.zones))
        } catch {
            // Never reached: in a state the end is never before the start, and the metadata was just read.
            self.init(workoutConfiguration: configuration, start: activity.start, end: nil, metadata: nil)
        }
    }
}

extension HKWorkout {
    /// Creates the workout of a finished session. Events that reach beyond the workout are cut.
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
                statistics: HKStatistics.byType(state.quantities), zones: .of(state.zones))
        }
    }
}

extension SessionState {
    /// The metadata of the finished workout: facts of the configuration, overridden by the metadata that the app added.
    ///
    /// A stored workout has no configuration on Apple's systems, so apps look for these facts in the metadata.
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
