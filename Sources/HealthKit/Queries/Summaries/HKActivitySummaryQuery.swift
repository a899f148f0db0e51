import SessionLog
import Synchronization

/// Reads the activity of days: once, or with an update handler also after each change.
///
/// Imported days are unchanged. Other days are computed from the samples of active energy, exercise time, move time and stand hours in the
/// current time zone, and have no goals.
// Sendable holds: properties that change before the execution are in a mutex, and the rest never changes.
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
    private typealias Handler = @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void

    private let handler: Handler
    private let update = LockedFunction<Handler?>(nil)

    /// - Parameters:
    ///   - predicate: The condition for days, such as ``HKQuery/predicate(forActivitySummariesBetweenStart:end:)``. Nil
    ///     for all.
    ///   - handler: Called on the query's background queue with the summaries sorted by day. There are none if reading
    ///     them was denied.
    @preconcurrency public init(
        predicate: NSPredicate?,
        resultsHandler handler: @escaping @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void
    ) {
        self.handler = handler
        super.init(objectType: HKObjectType.activitySummaryType(), predicate: predicate)
    }

    /// Called with all summaries after each change until the query is stopped. Set it before executing the query.
    @preconcurrency public var updateHandler:
        (@Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void)?
    {
        get { update.function }
        set {
            precondition(run.isWaiting, "the update handler of a query must be set before its execution")
            update.function = newValue
        }
    }

    package override func makePlan() -> QueryPlan {
        let update = updateHandler
        let latest = Mutex<[ActivityDay]?>(nil)
        return QueryPlan(
            watching: update == nil ? [] : ActivityCount.types,
            fail: { error in
                (latest.withLock { $0 == nil } ? self.handler : update ?? self.handler)(self, nil, error)
            },
            pass: { pass in
                if let refusal = self.predicate?.refusal { throw refusal }
                // Summaries need a separate permission to be read. If it was denied, the app sees none, since it has
                // saved none.
                let access = try pass.store.readAccess(to: HKObjectType.activitySummaryType())
                let days =
                    access == .own ? [] : try ActivityCount(pass.store.database, zone: .current).days(readable: access)
                let older = latest.withLock { latest in
                    defer { latest = days }
                    return latest
                }
                guard older != days else { return }
                let handler = older == nil ? self.handler : update ?? self.handler
                let summaries = days.map(HKActivitySummary.init).filter { self.predicate?.evaluate(with: $0) ?? true }
                pass.deliver { handler(self, summaries, nil) }
            })
    }
}

/// Counts the activity of days from samples.
struct ActivityCount {
    static let energy = HKQuantityType(.activeEnergyBurned)
    static let exercise = HKQuantityType(.appleExerciseTime)
    static let move = HKQuantityType(.appleMoveTime)
    static let stand = HKCategoryType(.appleStandHour)

    static var types: Set<HKSampleType> { [energy, exercise, move, stand] }

    private let database: any HealthDatabase
    private let zone: TimeZone

    init(_ database: any HealthDatabase, zone: TimeZone) {
        self.database = database
        self.zone = zone
    }

    /// - Parameter access: If it is limited, days before the one with the earliest date are left out.
    func days(readable access: ReadAccess) throws -> [ActivityDay] {
        var days: [CivilDay: ActivityDay] = [:]
        func add(_ day: CivilDay, _ change: (inout ActivityDay) -> Void) {
            change(&days[day, default: ActivityDay(day: day)])
        }
        try sums(Self.energy, .kilocalorie()) { day, sum in add(day) { $0.activeEnergyInKilocalories = sum } }
        try sums(Self.exercise, .minute()) { day, sum in add(day) { $0.exerciseTimeInMinutes = sum } }
        try sums(Self.move, .minute()) { day, sum in add(day) { $0.moveTimeInMinutes = sum } }
        let stood = SampleFilter.categoryValue(.equal, HKCategoryValueAppleStandHour.stood.rawValue)
        for sample in try database.samples([SampleSelection(Self.stand, stood)], sortedBy: [], limit: nil) {
            add(CivilDay(sample.startDate, in: zone)) { $0.standHours += 1 }
        }
        for imported in try database.activityDays() {
            if let day = imported.day { days[day] = imported }
        }
        if case .since(let date) = access {
            let first = CivilDay(date, in: zone)
            days = days.filter { $0.key >= first }
        }
        return days.sorted { $0.key < $1.key }.map(\.value)
    }

    private func sums(_ type: HKQuantityType, _ unit: HKUnit, _ add: (CivilDay, Double) -> Void) throws {
        let selection = SampleSelection(type)
        let calendar = Calendar.gregorian(zone)
        guard let range = try database.dateRange(selection),
            let grid = BucketGrid(
                anchor: calendar.startOfDay(for: range.lowerBound),
                components: DateComponents(calendar: calendar, day: 1))
        else { return }
        let buckets = try database.statistics(
            selection, bounds: .dates(grid.bounds(covering: range)), separatingSources: false)
        for bucket in buckets where bucket.total.count > 0 {
            let statistics = HKStatistics(bucket, of: type, options: .cumulativeSum)
            add(CivilDay(bucket.start, in: zone), statistics.sumQuantity()?.doubleValue(for: unit) ?? 0)
        }
    }
}

/// A query of the activity of days.
// Sendable holds: predicates are never changed and only evaluated.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery, @unchecked Sendable {
    /// Days in their order.
    public typealias Output = [HKActivitySummary]
    /// All days, again after each change.
    public typealias Sequence = Results
    /// The results of ``results(for:)``: the current summaries, then all summaries after each change.
    public typealias Results = QueryResults<[HKActivitySummary]>

    /// The condition for days. Nil for all.
    public var predicate: NSPredicate?

    /// - Parameter predicate: The condition for days. Nil for all.
    public init(predicate: NSPredicate?) {
        self.predicate = predicate
    }

    /// Returns the current summaries, sorted by day.
    public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
        try await healthStore.answer { answer in
            HKActivitySummaryQuery(predicate: predicate) { answer(Result($1, $2)) }
        }
    }

    /// Returns a sequence of the current summaries, then all summaries after each change. It doesn't end by itself.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(healthStore) { continuation in
            let query = HKActivitySummaryQuery(predicate: predicate) { continuation.give($1, $2) }
            query.updateHandler = { continuation.give($1, $2) }
            return query
        }
    }
}
