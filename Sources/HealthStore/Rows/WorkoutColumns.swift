import SessionLog

// The content of a workout's row, version 2, or version 1 without zones. Types, units, metadata and sources are
// referenced by their numbers in the store. 0 stands for none.
//
//     version     1 byte
//     activity    varint
//     duration    8 bytes
//     events      varint: how many; types, starts, durations, metadata: a column each
//     statistics  varint: how many; type, unit, options as varints, start, end, total, varint: how many sources; source
//                 as a varint and its figures, each
//     activities  varint: how many; UUID, configuration, start, end, duration, metadata, 1 byte: whether its statistics
//                 are the workout's; else its own
//     totals      four quantities
//     zones       only in version 2: of the workout, then of each activity: varint: how many types; type, source and
//                 number of bounds as varints, bounds, seconds in each zone
//
// A quantity is its unit as a varint, and 8 bytes if that is not 0. An optional number is 1 byte, and 8 more if that is
// 1. Only the results of statistics are stored, because nothing is added to those of a finished workout.

/// Writes the content of a workout's row.
struct WorkoutColumns {
    private let writer: any SharedNumbers
    private(set) var bytes: [UInt8] = []
    fileprivate static let versions: ClosedRange<UInt8> = 1...2
    /// A row has their places in this list.
    fileprivate static let zoneSources: [ZoneRecord.Source] = [.system, .user, .app]

    init(_ workout: HKWorkout, _ writer: any SharedNumbers) throws {
        self.writer = writer
        let hasZones =
            workout.zoneGroupsByType != nil || workout.workoutActivities.contains { $0.zoneGroupsByType != nil }
        bytes.append(hasZones ? 2 : 1)
        append(workout.workoutActivityType.rawValue)
        append(workout.duration)
        try append(workout.workoutEvents ?? [])
        try append(workout.allStatistics)
        append(workout.workoutActivities.count)
        for activity in workout.workoutActivities { try append(activity, of: workout) }
        for total in workout.totals.quantities { try append(total) }
        guard hasZones else { return }
        try append(workout.zoneGroupsByType)
        for activity in workout.workoutActivities { try append(activity.zoneGroupsByType) }
    }

    private mutating func append(_ zones: [HKQuantityType: HKWorkoutZoneGroup]?) throws {
        append(zones?.count ?? 0)
        for group in (zones ?? [:]).inOrder {
            let record = group.configuration.record
            append(try writer.id(of: group.configuration.quantityType))
            append(Self.zoneSources.firstIndex(of: record.source) ?? 0)
            append(record.upperBounds.count)
            for bound in record.upperBounds { append(bound) }
            for zone in group.zoneDurations { append(zone.duration) }
        }
    }

    private mutating func append(_ events: [HKWorkoutEvent]) throws {
        append(events.count)
        PackedIntegers.append(events.map { Int64($0.type.rawValue) }, to: &bytes)
        append(events.map(\.dateInterval.start.timeIntervalSinceReferenceDate))
        append(events.map(\.dateInterval.duration))
        PackedIntegers.append(try events.map { try number(ofMetadata: $0.metadata) }, to: &bytes)
    }

    private mutating func append(_ activity: HKWorkoutActivity, of workout: HKWorkout) throws {
        bytes += activity.uuid.bytes
        let configuration = activity.workoutConfiguration
        append(configuration.activityType.rawValue)
        append(Int64(configuration.locationType.rawValue))
        append(Int64(configuration.swimmingLocationType.rawValue))
        try append(configuration.lapLength)
        append(activity.startDate.timeIntervalSinceReferenceDate)
        append(activity.endDate?.timeIntervalSinceReferenceDate)
        append(activity.measuredDuration)
        append(try number(ofMetadata: activity.metadata))
        let isWhole =
            activity.allStatistics.count == workout.allStatistics.count
            && activity.allStatistics.allSatisfy { workout.allStatistics[$0.key] === $0.value }
        bytes.append(isWhole ? 1 : 0)
        if !isWhole { try append(activity.allStatistics) }
    }

    private mutating func append(_ all: [HKQuantityType: HKStatistics]) throws {
        append(all.count)
        for statistics in all.values.sorted(by: { $0.quantityType.identifier < $1.quantityType.identifier }) {
            append(try writer.id(of: statistics.quantityType))
            append(try writer.id(of: statistics.unit))
            append(statistics.options.rawValue)
            append(statistics.startDate.timeIntervalSinceReferenceDate)
            append(statistics.endDate.timeIntervalSinceReferenceDate)
            append(statistics.total)
            append(statistics.bySource.count)
            let parts = statistics.bySource.sorted { $0.key.bundleIdentifier < $1.key.bundleIdentifier }
            for (source, figures) in parts {
                append(try writer.id(of: source))
                append(figures)
            }
        }
    }

    private mutating func append(_ figures: RunningStatistics) {
        bytes.append(figures.rule.code)
        guard figures.count > 0, let recent = figures.mostRecent, let first = figures.firstStart else {
            return append(0)
        }
        append(figures.count)
        for number in [
            figures.sum, figures.minimum, figures.maximum, figures.coveredSeconds, figures.integral,
            figures.weightedSeconds, first.timeIntervalSinceReferenceDate, recent.value,
            recent.start.timeIntervalSinceReferenceDate, recent.end.timeIntervalSinceReferenceDate,
        ] {
            append(number)
        }
    }

    private mutating func append(_ quantity: HKQuantity?) throws {
        append(try quantity.map { try writer.id(of: $0.unit) } ?? 0)
        if let quantity { append(quantity.value) }
    }

    private func number(ofMetadata metadata: [String: Any]?) throws -> Int64 {
        try metadata.map { try writer.id(ofMetadata: $0) } ?? 0
    }

    private mutating func append(_ number: some BinaryInteger) {
        PackedIntegers.appendVarint(UInt64(truncatingIfNeeded: number), to: &bytes)
    }

    private mutating func append(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ number: Double?) {
        bytes.append(number == nil ? 0 : 1)
        if let number { append(number) }
    }

    private mutating func append(_ column: [Double]) {
        let (scale, integers) = ColumnScale.best(for: column, among: ColumnScale.ofTimes)
        bytes.append(scale.rawValue)
        PackedIntegers.append(integers, to: &bytes)
    }
}

/// Reads the content of a workout's row.
struct WorkoutColumnsReader: ~Copyable {
    private var bytes: ByteReader
    private let reader: any SharedValues
    private static let mostEvents: UInt64 = 1 << 22

    init(_ bytes: UnsafeRawBufferPointer, _ reader: any SharedValues) {
        self.bytes = ByteReader(bytes)
        self.reader = reader
    }

    mutating func workout(_ identity: ObjectIdentity, _ run: StoredRun) throws -> HKWorkout {
        let version = try bytes.byte()
        guard WorkoutColumns.versions.contains(version) else { throw SampleRunError.damaged("a version \(version)") }
        let activity = try activityType()
        let duration = try double()
        let events = try events()
        let statistics = try statistics()
        var activities: [HKWorkoutActivity] = []
        for _ in 0..<(try count()) { activities.append(try self.activity(events, statistics)) }
        guard !activities.isEmpty, duration >= 0 else { throw SampleRunError.damaged("a workout without activities") }
        let totals = WorkoutTotals(
            energyBurned: try quantity(), distance: try quantity(), swimmingStrokeCount: try quantity(),
            flightsClimbed: try quantity())
        try totals.check()
        var groups: [HKQuantityType: HKWorkoutZoneGroup]?
        if version > 1 {
            groups = try zones()
            activities = try activities.map { $0.withZones(try zones()) }
        }
        guard bytes.remaining == 0 else { throw SampleRunError.damaged("more than belongs there") }
        return HKWorkout.stored(
            identity, activity, start: try Self.date(run.start), end: try Self.date(run.end), duration: duration,
            events: events,
            activities: activities, statistics: statistics, totals: totals, zones: groups)
    }

    private mutating func zones() throws -> [HKQuantityType: HKWorkoutZoneGroup]? {
        var groups: [HKQuantityType: HKWorkoutZoneGroup] = [:]
        for _ in 0..<(try count()) {
            guard let type = try reader.type(Int64(integer())) as? HKQuantityType,
                case let source = try integer(), WorkoutColumns.zoneSources.indices.contains(source)
            else { throw SampleRunError.damaged("zones of no quantity") }
            let numbers = try count()
            var bounds: [Double] = [], seconds: [Double] = []
            for _ in 0..<numbers { bounds.append(try double()) }
            for _ in 0...numbers { seconds.append(try double()) }
            let record = ZoneRecord(type.swiftName, upperBounds: bounds, source: WorkoutColumns.zoneSources[source])
            groups[type] = HKWorkoutZoneGroup(record, seconds: seconds)
            if groups[type] == nil { throw SampleRunError.damaged("impossible zones") }
        }
        return groups.isEmpty ? nil : groups
    }

    private mutating func events() throws -> [HKWorkoutEvent] {
        let count = try count()
        let types = try PackedIntegers.read(count, from: &bytes)
        let starts = try column(count)
        let durations = try column(count)
        let metadata = try PackedIntegers.read(count, from: &bytes)
        let reader = reader
        return try types.indices.map { index in
            guard let type = HKWorkoutEventType(rawValue: Int(types[index])), durations[index] >= 0 else {
                throw SampleRunError.damaged("an event of type \(types[index])")
            }
            return HKWorkoutEvent.stored(
                type, DateInterval(start: try Self.date(starts[index]), duration: durations[index]),
                try reader.metadata(metadata[index]))
        }
    }

    private mutating func activity(
        _ events: [HKWorkoutEvent], _ whole: [HKQuantityType: HKStatistics]
    ) throws -> HKWorkoutActivity {
        guard let id = UUID(bytes: try bytes.bytes(16)) else { throw SampleRunError.damaged("no UUID") }
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = try activityType()
        configuration.locationType = HKWorkoutSessionLocationType(rawValue: try integer()) ?? .unknown
        configuration.swimmingLocationType = HKWorkoutSwimmingLocationType(rawValue: try integer()) ?? .unknown
        if let length = try quantity(), length.is(compatibleWith: .meter()) { configuration.lapLength = length }
        let start = try Self.date(double())
        let endSeconds = try optional()
        let end = try endSeconds.map { try Self.date($0) }
        let duration = try optional()
        let metadata = try reader.metadata(Int64(integer()))
        let isWhole = try bytes.byte() == 1
        return try HKWorkoutActivity(
            uuid: id, configuration: configuration, start: start, end: end, metadata: metadata, events: events,
            duration: duration, statistics: isWhole ? whole : try statistics())
    }

    private mutating func statistics() throws -> [HKQuantityType: HKStatistics] {
        var all: [HKQuantityType: HKStatistics] = [:]
        for _ in 0..<(try count()) {
            guard let type = try reader.type(Int64(integer())) as? HKQuantityType,
                let unit = try reader.unit(Int64(integer()))
            else { throw SampleRunError.damaged("statistics of no quantity") }
            let options = HKStatisticsOptions(rawValue: UInt(try integer()))
            let start = try Self.date(double())
            let end = try Self.date(double())
            let total = try figures()
            var bySource: [HKSource: RunningStatistics] = [:]
            for _ in 0..<(try count()) {
                let source = try reader.source(Int64(integer()))
                bySource[source] = try figures()
            }
            all[type] = HKStatistics(
                quantityType: type, startDate: start, endDate: end, options: options, unit: unit, total: total,
                bySource: bySource)
        }
        return all
    }

    private mutating func figures() throws -> RunningStatistics {
        guard let rule = AveragingRule(code: try bytes.byte()) else { throw SampleRunError.damaged("an unknown rule") }
        let count = try integer()
        guard count > 0 else { return RunningStatistics(rule) }
        var numbers: [Double] = []
        for _ in 0..<10 { numbers.append(try double()) }
        let recent = TimedValue(value: numbers[7], start: try Self.date(numbers[8]), end: try Self.date(numbers[9]))
        return RunningStatistics(
            rule, count: count, sum: numbers[0], minimum: numbers[1], maximum: numbers[2], mostRecent: recent,
            coveredSeconds: numbers[3], integral: numbers[4], weightedSeconds: numbers[5],
            firstStart: try Self.date(numbers[6]), last: recent)
    }

    private mutating func activityType() throws -> HKWorkoutActivityType {
        let number = UInt(try integer())
        guard let type = HKWorkoutActivityType(rawValue: number) else {
            throw SampleRunError.damaged("an activity \(number)")
        }
        return type
    }

    private mutating func quantity() throws -> HKQuantity? {
        let unit = try integer()
        guard unit != 0, let unit = try reader.unit(Int64(unit)) else { return nil }
        return HKQuantity(unit: unit, doubleValue: try double())
    }

    // MARK: Numbers

    private mutating func integer() throws -> Int {
        let number = try bytes.varint()
        guard number <= Int.max else { throw SampleRunError.damaged("a number \(number)") }
        return Int(number)
    }

    private mutating func count() throws -> Int {
        let number = try bytes.varint()
        guard number <= Self.mostEvents else { throw SampleRunError.damaged("a count of \(number)") }
        return Int(number)
    }

    private mutating func double() throws -> Double {
        Double(bitPattern: UInt64(littleEndian: try bytes.bytes(8).loadUnaligned(as: UInt64.self)))
    }

    private mutating func optional() throws -> Double? { try bytes.byte() == 1 ? try double() : nil }

    private mutating func column(_ count: Int) throws -> [Double] {
        let code = try bytes.byte()
        guard let scale = ColumnScale(rawValue: code) else { throw SampleRunError.damaged("a scale \(code)") }
        return scale.doubles(try PackedIntegers.read(count, from: &bytes))
    }

    private static func date(_ seconds: Double) throws -> Date {
        guard !seconds.isNaN else { throw SampleRunError.damaged("an impossible date") }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}

extension WorkoutTotals {
    fileprivate var quantities: [HKQuantity?] { [energyBurned, distance, swimmingStrokeCount, flightsClimbed] }
}

extension AveragingRule {
    fileprivate var code: UInt8 {
        switch self {
        case .arithmetic: 0
        case .temporal: 1
        case .continuousLevel: 2
        }
    }

    fileprivate init?(code: UInt8) {
        switch code {
        case 0: self = .arithmetic
        case 1: self = .temporal
        case 2: self = .continuousLevel
        default: return nil
        }
    }
}
