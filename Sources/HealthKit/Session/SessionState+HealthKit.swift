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

extension MetadataCoding {
    /// Metadata as apps read it; nil when there is none. A quantity whose unit cannot be read is left out.
    static func readable(_ metadata: [String: MetadataValue]) -> [String: Any]? {
        if let all = try? Self.metadata(metadata) { return all }
        let readable = metadata.filter { (try? Self.metadata([$0.key: $0.value])) != nil }
        return try? Self.metadata(readable)
    }
}

extension HKWorkoutActivity {
    /// A part of a session.
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
                    uuid: id, device: device, metadata: MetadataCoding.readable(state.metadata)),
                configuration: HKWorkoutConfiguration(of: state.header?.activity ?? ActivityDescription()),
                start: start, end: end, duration: state.activeSeconds(at: end), events: events, activities: activities,
                statistics: HKStatistics.byType(state.quantities))
        }
    }
}

extension HKQuantitySample {
    /// A reading as a sample. Throws for a type or unit that does not exist, and for values that are no numbers.
    package static func of(_ reading: QuantityReading) throws -> HKQuantitySample {
        guard let type = TypeCatalogue.quantityType(named: reading.type), let unit = type.unit(named: reading.unit)
        else {
            throw HKError.make(
                .errorInvalidArgument, "There is no quantity type \(reading.type) in \(reading.unit).")
        }
        return try validated(
            try reading.origin.map { try ObjectIdentity($0) } ?? ObjectIdentity(), type: type,
            quantity: HKQuantity(unit: unit, doubleValue: reading.value), start: reading.start, end: reading.end)
    }
}

extension HKSample {
    /// What the session log keeps of a sample that an app adds.
    func logContent() throws -> SessionEntry.Content {
        switch self {
        case let sample as HKQuantitySample where sample.count == 1:
            let unit = sample.quantityType.recordingUnit
            return .quantity(
                QuantityReading(
                    sample.quantityType.swiftName, sample.quantity.doubleValue(for: unit), unit: unit.unitString,
                    start: startDate, end: endDate, origin: try identity.origin()))
        case let sample as HKCategorySample:
            return .category(
                CategoryReading(
                    sample.categoryType.swiftName, sample.value, start: startDate, end: endDate,
                    origin: try identity.origin()))
        default:
            return .object(ObjectReference(id: uuid, type: sampleType.identifier))
        }
    }
}
