import Analytics
import Recordings
import SessionLog

/// Creates a workout from an export.
///
/// Its statistics are those of the file. Which samples belong to it is found out when all are stored.
struct WorkoutImport {
    let workout: HKWorkout
    /// The facts that could not be kept, with reasons.
    private(set) var notes: [String] = []

    init(_ source: HealthWorkout) throws(SampleError) {
        var notes: [String] = []
        let metadata = ImportedMetadata.metadata(source.metadata)
        let configuration = Self.configuration(source, metadata)
        if Self.activityType(source.activityType) == nil {
            notes.append("\(source.activityType) is not a known activity; kept as other")
        }
        let identity = try ObjectIdentity(
            uuid: source.fingerprint.uuid, sourceRevision: HKSourceRevision(source.source),
            device: source.source.device.map(HKDevice.init), metadata: metadata)
        let statistics = Self.statistics(source.statistics, source.startDate, source.endDate)
        let events = Self.events(source.events, from: source.startDate, to: source.endDate, &notes)
        var activities: [HKWorkoutActivity] = []
        if Self.haveRoom(source.activities, in: source) {
            activities = source.activities.compactMap { Self.activity($0, of: source, configuration, events) }
        } else {
            notes.append("it has more than \(Self.activityLimit) activities, or they overlap; kept without them")
        }
        func workout(_ activities: [HKWorkoutActivity]) throws(SampleError) -> HKWorkout {
            try HKWorkout.validated(
                identity, configuration: configuration, start: source.startDate, end: source.endDate,
                duration: Self.seconds(source.duration), events: events, activities: activities,
                statistics: statistics, totals: Self.totals(source, configuration, statistics, activities))
        }
        do throws(SampleError) {
            self.workout = try workout(activities)
        } catch {
            guard !activities.isEmpty else { throw error }
            self.workout = try workout([])
            notes.append("its activities do not fit into it; kept without them")
        }
        self.notes = notes
    }

    // MARK: Parts

    /// The maximum number of activities. Each is compared with all events of the workout, so the time grows with the
    /// product.
    private static let activityLimit = 1000
    /// The tolerance for gaps between laps.
    private static let roundingInSeconds = 2.0

    /// Returns whether activities follow each other, in a plausible number.
    private static func haveRoom(_ activities: [HealthWorkoutActivity], in whole: HealthWorkout) -> Bool {
        guard activities.count <= activityLimit else { return false }
        let sorted = activities.sorted { $0.startDate < $1.startDate }
        return zip(sorted, sorted.dropFirst()).allSatisfy { ($0.endDate ?? whole.endDate) <= $1.startDate }
    }

    private static func activityType(_ text: String) -> HKWorkoutActivityType? {
        let prefix = "HKWorkoutActivityType"
        guard text.hasPrefix(prefix) else { return nil }
        let name = text.dropFirst(prefix.count)
        return HKWorkoutActivityType(caseName: name.prefix(1).lowercased() + name.dropFirst())
    }

    private static func configuration(
        _ source: HealthWorkout, _ metadata: [String: Any]?
    ) -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activityType(source.activityType) ?? .other
        if let indoor = metadata?[HKMetadataKeyIndoorWorkout] as? NSNumber {
            configuration.locationType = indoor.boolValue ? .indoor : .outdoor
        }
        if let place = metadata?[HKMetadataKeySwimmingLocationType] as? NSNumber {
            configuration.swimmingLocationType = HKWorkoutSwimmingLocationType(rawValue: place.intValue) ?? .unknown
        }
        if let length = metadata?[HKMetadataKeyLapLength] as? HKQuantity, length.is(compatibleWith: .meter()) {
            configuration.lapLength = length
        }
        return configuration
    }

    private static func seconds(_ duration: HealthQuantity?) -> Double? {
        guard let duration, duration.value >= 0, let unit = try? HKUnit.parse(duration.unit),
            unit.isCompatible(with: .second()), !duration.unit.isEmpty
        else { return nil }
        return HKQuantity(unit: unit, doubleValue: duration.value).doubleValue(for: .second())
    }

    /// Returns the events. Dates of a file are whole seconds and durations are not, so an event may end a little after
    /// the workout, and a lap a little before or after the next one begins.
    private static func events(
        _ events: [HealthWorkoutEvent], from start: Date, to end: Date, _ notes: inout [String]
    ) -> [HKWorkoutEvent] {
        let lapStarts = events.filter { $0.kind == .lap }.map(\.startDate).sorted()
        func lapEnd(_ event: HealthWorkoutEvent, _ stated: Date) -> Date {
            let place = lapStarts.partitioningIndex { $0 > event.startDate }
            let next = place < lapStarts.count ? min(lapStarts[place], end) : end
            return next.timeIntervalSince(stated) < Self.roundingInSeconds ? next : stated
        }
        return events.compactMap { event in
            guard let kind = event.kind else {
                notes.append("\(event.type) is not a known event; left out")
                return nil
            }
            guard event.startDate >= start, event.startDate <= end else {
                notes.append("an event lies outside the workout; left out")
                return nil
            }
            let hasDuration = kind == .lap || kind == .segment
            var last = hasDuration ? min(end, max(event.startDate, event.endDate)) : event.startDate
            if kind == .lap, last > event.startDate { last = lapEnd(event, last) }
            let type = HKWorkoutEventType(caseName: kind.rawValue)
            return type.map {
                HKWorkoutEvent(
                    type: $0, dateInterval: DateInterval(start: event.startDate, end: last),
                    metadata: ImportedMetadata.metadata(event.metadata))
            }
        }
    }

    private static func activity(
        _ part: HealthWorkoutActivity, of source: HealthWorkout, _ whole: HKWorkoutConfiguration,
        _ events: [HKWorkoutEvent]
    ) -> HKWorkoutActivity? {
        let end = min(part.endDate ?? source.endDate, source.endDate)
        let configuration = whole.duplicate()
        configuration.activityType = part.activityType.flatMap(activityType) ?? sport(of: part, in: whole.activityType)
        var print = source.fingerprint
        print.combine("WorkoutActivity")
        print.combine(part.startDate)
        return try? HKWorkoutActivity(
            uuid: part.uuid ?? print.uuid, configuration: configuration, start: max(part.startDate, source.startDate),
            end: end, metadata: ImportedMetadata.metadata(part.metadata), events: events,
            duration: seconds(part.duration), statistics: statistics(part.statistics, part.startDate, end))
    }

    /// Returns the sport of a leg. The legs of a multisport workout do not contain it, but their measurements show it.
    private static func sport(of part: HealthWorkoutActivity, in whole: HKWorkoutActivityType) -> HKWorkoutActivityType
    {
        guard whole == .swimBikeRun else { return whole }
        let types = Set(part.statistics.map(\.type))
        if types.contains(HKQuantityTypeIdentifier.distanceSwimming.rawValue) { return .swimming }
        if types.contains(HKQuantityTypeIdentifier.distanceCycling.rawValue) { return .cycling }
        if types.contains(HKQuantityTypeIdentifier.runningSpeed.rawValue) { return .running }
        return types.contains(HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue) ? .running : .transition
    }

    // MARK: Figures

    private static func statistics(
        _ list: [HealthWorkoutStatistics], _ start: Date, _ end: Date
    ) -> [HKQuantityType: HKStatistics] {
        var result: [HKQuantityType: HKStatistics] = [:]
        for item in list {
            guard let type = TypeCatalogue.quantityType(identifier: item.type),
                let unit = item.unit.flatMap({ try? HKUnit.parse($0) }), type.is(compatibleWith: unit)
            else { continue }
            result[type] = statistics(item, type, unit, item.startDate ?? start, item.endDate ?? end)
        }
        return result
    }

    /// Returns only the statistics in the file, which has no latest value and no duration.
    private static func statistics(
        _ item: HealthWorkoutStatistics, _ type: HKQuantityType, _ unit: HKUnit, _ start: Date, _ end: Date
    ) -> HKStatistics? {
        var options: HKStatisticsOptions = []
        if type.aggregationStyle == .cumulative {
            if item.sum != nil { options.insert(.cumulativeSum) }
        } else {
            if item.average != nil { options.insert(.discreteAverage) }
            if item.minimum != nil { options.insert(.discreteMin) }
            if item.maximum != nil { options.insert(.discreteMax) }
        }
        guard !options.isEmpty else { return nil }
        let average = item.average ?? item.minimum ?? item.maximum ?? 0
        let seconds = max(1, end.timeIntervalSince(start))
        let latest = TimedValue(value: average, start: start, end: end)
        let figures = RunningStatistics(
            type.averagingRule, count: 1, sum: item.sum ?? average, minimum: item.minimum ?? average,
            maximum: item.maximum ?? average, mostRecent: latest, coveredSeconds: 0,
            integral: seconds * (type.averagingRule == .continuousLevel ? pow(10, average / 10) : average),
            weightedSeconds: seconds, firstStart: start, last: latest)
        return HKStatistics(
            quantityType: type, startDate: start, endDate: end, options: options, unit: unit, total: figures)
    }

    /// Returns the totals. Older systems write two of them as attributes.
    private static func totals(
        _ source: HealthWorkout, _ configuration: HKWorkoutConfiguration, _ statistics: [HKQuantityType: HKStatistics],
        _ activities: [HKWorkoutActivity]
    ) -> WorkoutTotals {
        var totals = WorkoutTotals(
            statistics, activity: configuration.activityType,
            parts: activities.map(\.workoutConfiguration.activityType))
        func quantity(_ total: HealthQuantity?, _ unit: HKUnit) -> HKQuantity? {
            guard let total, let own = try? HKUnit.parse(total.unit), own.isCompatible(with: unit) else { return nil }
            return HKQuantity(unit: own, doubleValue: total.value)
        }
        totals.energyBurned = quantity(source.totalEnergyBurned, .kilocalorie()) ?? totals.energyBurned
        totals.distance = quantity(source.totalDistance, .meter()) ?? totals.distance
        return totals
    }

    // MARK: Routes

    /// Returns nil without points.
    static func route(
        _ route: HealthWorkoutRoute, points: [HealthRoutePoint], _ index: Int, of workout: HealthWorkout
    ) throws(SampleError) -> ImportedObject? {
        let sorted = points.sorted { $0.date < $1.date }
        guard let first = sorted.first, let last = sorted.last else { return nil }
        var print = workout.fingerprint
        print.combine("WorkoutRoute")
        print.combine(UInt64(index))
        let sample = try HKWorkoutRoute.validated(
            ObjectIdentity(
                uuid: print.uuid, sourceRevision: HKSourceRevision(route.source),
                device: route.source.device.map(HKDevice.init), metadata: ImportedMetadata.metadata(route.metadata)),
            count: sorted.count, start: first.date, end: last.date)
        return ImportedObject(
            sample: sample, series: .positions(sorted.map { ($0.date, $0.position) }),
            parent: workout.fingerprint.uuid)
    }
}
