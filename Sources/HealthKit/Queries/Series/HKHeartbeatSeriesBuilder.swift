/// Builds a heartbeat series and saves it. Completion handlers are called on a background queue.
///
/// An invalid beat ends the builder. A series that can't be saved can be finished again. Once the series is saved,
/// every call fails with ``HKError/Code/errorInvalidArgument``. Calls after ``discard()`` stop the program, as
/// HealthKit raises.
// Sendable holds: all stored properties are immutable, or behind a lock.
public final class HKHeartbeatSeriesBuilder: HKSeriesBuilder, SeriesOfWorkout, @unchecked Sendable {
    /// The largest number of beats: two days at 200 bpm. Apple doesn't publish its limit.
    public class var maximumCount: Int { 576_000 }

    // Sendable holds: `MetadataCoding` makes all values of metadata immutable.
    private struct Series: @unchecked Sendable {
        var beats: [StoredHeartbeat] = []
        var metadata: [String: Any] = [:]
    }

    private let store: HKHealthStore
    private let device: HKDevice?
    private let start: Date
    /// Whether a running workout saves the series when it is finished.
    private let isOfWorkout: Bool
    private let series = SeriesCollector("heartbeat series builder", Series())

    /// - Parameters:
    ///   - device: The device that measured the beats, saved with the sample.
    ///   - startDate: The start of the series. Times of beats are relative to it.
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
    ///   - timeInterval: Seconds since the start of the series, above 0, in any order.
    ///   - precededByGap: Whether beats are missing before this one.
    @preconcurrency public func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeInterval: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        series.requireUndiscarded()
        series.answer(completion, Result { try add(timeInterval, precededByGap) })
    }

    /// Adds a beat, at seconds after the start of the series.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the time is not above 0 and finite, and beyond ``maximumCount`` beats.
    public func addHeartbeat(at timeInterval: TimeInterval, precededByGap: Bool) async throws {
        series.requireUndiscarded()
        try add(timeInterval, precededByGap)
    }

    /// Adds metadata to the series. Existing keys get the new value.
    @preconcurrency public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        series.requireUndiscarded()
        series.answer(completion, Result { try merge(metadata) })
    }

    /// Adds metadata to the series. If a value is invalid, nothing is added.
    public func addMetadata(_ metadata: [String: Any]) async throws {
        series.requireUndiscarded()
        try merge(metadata)
    }

    /// Saves the series, which ends with its last beat. If this fails, call it again.
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

    /// Saves the series, which ends with its last beat. If this fails, call it again.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a series without beats, and for a series of a workout builder, which is
    ///   saved with the workout; ``HKError/Code/errorAuthorizationDenied`` without permission to share.
    public func finishSeries() async throws -> HKHeartbeatSeriesSample { try await series.finish(save) }

    /// Discards the beats. Any later call stops the program, except another `discard()`.
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

    /// Saves the series. Runs on the builder's queue.
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
