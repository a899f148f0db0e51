package import Recordings

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

extension HKStatisticsOptions {
    /// All options that a type allows, sources not separated.
    package static func everything(for type: HKQuantityType) -> HKStatisticsOptions {
        type.aggregationStyle == .cumulative
            ? [.cumulativeSum, .mostRecent, .duration]
            : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration]
    }
}

extension HKQuantityType {
    /// The unit of this spelling, if it is one of the type's. No parsing for the unit that recordings use.
    func unit(named text: String) -> HKUnit? {
        if text == recordingUnit.unitString { return recordingUnit }
        guard let unit = try? HKUnit.parse(text), `is`(compatibleWith: unit) else { return nil }
        return unit
    }

    package var averagingRule: AveragingRule {
        switch aggregationStyle {
        case .cumulative, .discreteArithmetic: .arithmetic
        case .discreteTemporallyWeighted: .temporal
        case .discreteEquivalentContinuousLevel: .continuousLevel
        @unknown default: .arithmetic
        }
    }
}

extension TypeCatalogue {
    /// Types that are not known are averaged arithmetically.
    static func averagingRule(named swiftName: String) -> AveragingRule {
        quantityType(named: swiftName)?.averagingRule ?? .arithmetic
    }
}

extension QuantityReading {
    /// The value in another unit; nil when that unit does not fit, or the value is no number.
    func value(in other: String) -> Double? {
        guard value.isFinite else { return nil }
        guard unit != other else { return value }
        guard let from = try? HKUnit.parse(unit), let to = try? HKUnit.parse(other),
            let conversion = from.conversion(to: to)
        else { return nil }
        return value * conversion.scale + conversion.offset
    }
}

extension HKWorkoutActivity {
    package convenience init(_ activity: SessionState.ActivityState, events: [HKWorkoutEvent] = []) {
        self.init(
            id: activity.record.id, workoutConfiguration: HKWorkoutConfiguration(activity.record.activity),
            start: activity.start, end: activity.end, metadata: activity.record.metadata.foundationValues,
            workoutEvents: events, statistics: HKStatistics.byType(activity.quantities))
    }
}

extension HKWorkout {
    /// What a finished session amounts to.
    package convenience init(id: UUID, state: SessionState, device: HKDevice?) {
        let start = state.workoutStart ?? .distantPast
        let end = max(start, state.workoutEnd ?? start)
        let events = state.events.map(HKWorkoutEvent.init)
        self.init(
            id: id, configuration: HKWorkoutConfiguration(state.header?.activity ?? ActivityDescription()),
            start: start, end: end, duration: state.activeSeconds(at: end), events: events,
            activities: state.activities.map { activity in
                HKWorkoutActivity(activity, events: events.filter { activity.overlaps($0.dateInterval) })
            },
            statistics: HKStatistics.byType(state.quantities), device: device,
            metadata: state.metadata.foundationValues)
    }
}

extension SessionState.ActivityState {
    fileprivate func overlaps(_ interval: DateInterval) -> Bool {
        interval.end >= start && (end.map { interval.start <= $0 } ?? true)
    }
}
