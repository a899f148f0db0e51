/// Puts beats together into a heartbeat series and saves it. Completion handlers are called on a background queue.
///
/// A beat that is refused is the end of the builder; a series that cannot be saved now can be finished again. Once it is
/// finished every call fails with ``HKError/Code/errorInvalidArgument``; after ``discard()`` it stops the program, where
/// HealthKit raises.
// Sendable holds: all stored properties are immutable; what changes is behind a lock.
public final class HKHeartbeatSeriesBuilder: HKSeriesBuilder, SeriesOfWorkout, @unchecked Sendable {
    /// At most so many beats: two days at 200 beats a minute. Apple does not publish its number.
    public class var maximumCount: Int { 576_000 }

    // Sendable holds: metadata holds only immutable values, as `MetadataCoding` makes them.
    private struct Series: @unchecked Sendable {
        var beats: [StoredHeartbeat] = []
        var metadata: [String: Any] = [:]
    }

    private let store: HKHealthStore
    private let device: HKDevice?
    private let start: Date
    /// Whether a workout under way saves the series when it is finished.
    private let isOfWorkout: Bool
    private let series = SeriesCollector("heartbeat series builder", Series())

    /// - Parameters:
    ///   - device: What measured the beats; kept with the sample.
    ///   - startDate: What the times of the beats are counted from.
    public convenience init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
        self.init(healthStore: healthStore, device: device, start: startDate, isOfWorkout: false)
    }

    init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date, isOfWorkout: Bool) {
        store = healthStore
        self.device = device
        start = startDate
        self.isOfWorkout = isOfWorkout
    }

    /// Adds a beat.
    /// - Parameters:
    ///   - timeInterval: Seconds since the start of the series, positive. The order does not matter.
    ///   - precededByGap: Whether beats are missing before this one.
    @preconcurrency public func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeInterval: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        series.requireUndiscarded()
        series.answer(completion, Result { try add(timeInterval, precededByGap) })
    }

    /// Adds a beat, at seconds after the start of the series.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a time that is not positive and finite, and for more than
    ///   ``maximumCount`` beats.
    public func addHeartbeat(at timeInterval: TimeInterval, precededByGap: Bool) async throws {
        series.requireUndiscarded()
        try add(timeInterval, precededByGap)
    }

    /// Adds to the metadata of the series; a key that is there already gets the new value.
    @preconcurrency public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        series.requireUndiscarded()
        series.answer(completion, Result { try merge(metadata) })
    }

    /// Adds to the metadata of the series; an invalid value refuses all of it.
    public func addMetadata(_ metadata: [String: Any]) async throws {
        series.requireUndiscarded()
        try merge(metadata)
    }

    /// Saves the series, which ends with its last beat. When that fails, it can be tried again.
    @preconcurrency public func finishSeries(
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        series.finish(save) { result in
            switch result {
            case .success(let sample): completion(sample, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Saves the series, which ends with its last beat. When that fails, it can be tried again.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a series without beats, and for one of a workout builder,
    ///   which saves it itself; ``HKError/Code/errorAuthorizationDenied`` without the right to share.
    public func finishSeries() async throws -> HKHeartbeatSeriesSample { try await series.finish(save) }

    /// Gives up the beats. Any later call stops the program; another `discard()` does nothing.
    public override func discard() { series.discard() }

    func close(_ reason: String) { series.close(reason) }

    func add(to added: inout AddedSeries) throws {
        let gathered = series.content
        if !gathered.beats.isEmpty { added.heartbeats = try sample(of: gathered) }
    }

    // MARK: -

    private func add(_ seconds: TimeInterval, _ precededByGap: Bool) throws {
        try series.insert {
            guard seconds > 0, seconds.isFinite else {
                throw series.misuse("A heartbeat at \(seconds) s cannot be added: it must come after the start.")
            }
            try series.change { gathered in
                guard gathered.beats.count < Self.maximumCount else {
                    throw series.misuse("A heartbeat series holds at most \(Self.maximumCount) beats.")
                }
                gathered.beats.append(StoredHeartbeat(secondsSinceStart: seconds, precededByGap: precededByGap))
            }
        }
    }

    private func merge(_ metadata: [String: Any]) throws {
        let added = try HKError.translating { try MetadataCoding.normalized(metadata) } ?? [:]
        try series.change { $0.metadata.merge(added) { _, new in new } }
    }

    private func sample(of series: Series) throws -> (sample: HKHeartbeatSeriesSample, beats: [StoredHeartbeat]) {
        let sorted = series.beats.sorted { $0.secondsSinceStart < $1.secondsSinceStart }
        let end = start.addingTimeInterval(sorted.last?.secondsSinceStart ?? 0)
        let sample = try HKHeartbeatSeriesSample.validated(
            ObjectIdentity(device: device, metadata: series.metadata), count: sorted.count, start: start, end: end)
        return (sample, sorted)
    }

    /// On the builder's queue.
    @Sendable private func save(_ gathered: Series) throws -> HKHeartbeatSeriesSample {
        guard !isOfWorkout else {
            throw series.misuse(
                "This heartbeat series builder belongs to a workout builder, whose finishWorkout saves the series.")
        }
        guard !gathered.beats.isEmpty else {
            throw series.misuse("A heartbeat series without beats cannot be saved: add some first.")
        }
        try store.requireSharing([HKSeriesType.heartbeat()])
        let (sample, beats) = try sample(of: gathered)
        try store.keep(.series(sample, .heartbeats(beats)))
        return sample
    }
}
