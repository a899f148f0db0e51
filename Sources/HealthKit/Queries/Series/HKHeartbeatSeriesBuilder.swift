import Synchronization

/// Puts beats together into a heartbeat series and saves it. Completion handlers are called on a background queue.
///
/// After an error and after ``finishSeries(completion:)`` every call fails with ``HKError/Code/errorInvalidArgument``; after
/// ``discard()`` it stops the program, where HealthKit raises.
// Sendable holds: what changes is in a mutex.
public final class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
    /// At most so many beats: two days at 200 beats a minute. Apple does not publish its number.
    public class var maximumCount: Int { 576_000 }

    private struct Series {
        var beats: [StoredHeartbeat] = []
        var metadata: [String: Any] = [:]
        /// Why nothing more can be added; nil while it can.
        var closed: String?
        /// Whether the app said so.
        var isDiscarded = false
    }

    private let store: HKHealthStore
    private let device: HKDevice?
    private let start: Date
    /// Whether a workout under way saves the series when it is finished.
    private let isOfWorkout: Bool
    private let series = Mutex(Series())
    private let queue = DispatchQueue(label: "HealthKit.HKHeartbeatSeriesBuilder")

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
        requireUndiscarded()
        answer(completion) { try self.add(timeInterval, precededByGap) }
    }

    public func addHeartbeat(at timeInterval: TimeInterval, precededByGap: Bool) async throws {
        requireUndiscarded()
        try add(timeInterval, precededByGap)
    }

    /// Adds to the metadata of the series; a key that is there already gets the new value.
    @preconcurrency public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        requireUndiscarded()
        let added = Result { try merge(metadata) }
        answer(completion) { try added.get() }
    }

    public func addMetadata(_ metadata: [String: Any]) async throws {
        requireUndiscarded()
        try merge(metadata)
    }

    /// Saves the series, which ends with its last beat.
    @preconcurrency public func finishSeries(
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        requireUndiscarded()
        queue.async {
            do {
                completion(try self.finish(), nil)
            } catch {
                completion(nil, HKError.wrapping(error))
            }
        }
    }

    public func finishSeries() async throws -> HKHeartbeatSeriesSample {
        requireUndiscarded()
        return try HKError.translating(finish)
    }

    public override func discard() {
        series.withLock { $0 = Series(closed: "was discarded", isDiscarded: true) }
    }

    func close(_ reason: String) {
        series.withLock { $0 = Series(closed: $0.closed ?? reason, isDiscarded: $0.isDiscarded) }
    }

    /// What a workout saves; nil without beats.
    func gathered() throws -> (sample: HKHeartbeatSeriesSample, beats: [StoredHeartbeat])? {
        let (beats, metadata) = series.withLock { series in
            // Immutable values, as `MetadataCoding` makes them.
            nonisolated(unsafe) let metadata = series.metadata
            return (series.beats, metadata)
        }
        return beats.isEmpty ? nil : try sample(of: beats, metadata)
    }

    // MARK: -

    private func answer(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void, _ body: @escaping @Sendable () throws -> Void
    ) {
        queue.async {
            do {
                try body()
                completion(true, nil)
            } catch {
                completion(false, HKError.wrapping(error))
            }
        }
    }

    private func add(_ seconds: TimeInterval, _ precededByGap: Bool) throws {
        try change { series throws(HKError) in
            guard seconds > 0, seconds.isFinite else {
                throw .make(
                    .errorInvalidArgument,
                    "A heartbeat at \(seconds) s cannot be added: it must come after the start.")
            }
            guard series.beats.count < Self.maximumCount else {
                throw .make(.errorInvalidArgument, "A heartbeat series holds at most \(Self.maximumCount) beats.")
            }
            series.beats.append(StoredHeartbeat(secondsSinceStart: seconds, precededByGap: precededByGap))
        }
    }

    private func merge(_ metadata: [String: Any]) throws {
        let normal = try HKError.translating { try MetadataCoding.normalized(metadata) }
        nonisolated(unsafe) let added = normal ?? [:]  // Immutable values, as `MetadataCoding` makes them.
        try change { series throws(HKError) in series.metadata.merge(added) { _, new in new } }
    }

    /// An error is the end of the builder.
    private func change(_ body: (inout Series) throws(HKError) -> Void) throws {
        try series.withLock { series in
            try Self.requireOpen(series)
            do {
                try body(&series)
            } catch {
                series = Series(closed: "has failed")
                throw error
            }
        }
    }

    /// In the call itself: one that was made before the builder was discarded may come to its turn afterwards.
    private func requireUndiscarded() {
        precondition(
            !series.withLock { $0.isDiscarded }, "this heartbeat series builder was discarded: make a new one")
    }

    private static func requireOpen(_ series: borrowing Series) throws(HKError) {
        if let closed = series.closed {
            throw .make(.errorInvalidArgument, "This heartbeat series builder \(closed): make a new one.")
        }
    }

    private func sample(
        of beats: [StoredHeartbeat], _ metadata: [String: Any]
    ) throws -> (sample: HKHeartbeatSeriesSample, beats: [StoredHeartbeat]) {
        let sorted = beats.sorted { $0.secondsSinceStart < $1.secondsSinceStart }
        let end = start.addingTimeInterval(sorted.last?.secondsSinceStart ?? 0)
        let sample = try HKHeartbeatSeriesSample.validated(
            ObjectIdentity(device: device, metadata: metadata), count: sorted.count, start: start, end: end)
        return (sample, sorted)
    }

    private func finish() throws -> HKHeartbeatSeriesSample {
        guard !isOfWorkout else {
            throw HKError.make(
                .errorInvalidArgument,
                "This heartbeat series builder belongs to a workout builder, whose finishWorkout saves the series.")
        }
        // Before the builder closes: once the right is there, the series can be finished.
        try store.requireSharing([HKSeriesType.heartbeat()])
        let (beats, metadata) = try series.withLock { series in
            try Self.requireOpen(series)
            guard !series.beats.isEmpty else {
                throw HKError.make(
                    .errorInvalidArgument, "A heartbeat series without beats cannot be saved: add some first.")
            }
            // Immutable values, as `MetadataCoding` makes them.
            nonisolated(unsafe) let metadata = series.metadata
            let beats = series.beats
            series = Series(closed: "has finished")
            return (beats, metadata)
        }
        let (sample, sorted) = try sample(of: beats, metadata)
        try store.keep(.series(sample, .heartbeats(sorted)))
        return sample
    }
}
