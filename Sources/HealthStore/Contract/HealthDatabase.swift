/// A store of samples and workouts. One contract for files, memory and servers, with one suite of tests.
///
/// Methods take sets of changes, selections, UUIDs and ranges, so that an implementation needs one or two statements for each
/// call. Methods for single objects are in `HealthDatabase+Shorthand.swift`.
///
/// Writes are atomic, and durable when they return: in a file they survive a loss of power. Every method may be called from
/// any thread and blocks until done. A reader never waits for a writer.
package protocol HealthDatabase: Sendable {
    // MARK: Writing

    /// Applies changes from `source` in order, all or none.
    /// - Parameter mark: A name that is noted among the settings in the same transaction. If it was noted before, nothing is
    ///   changed.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a UUID that is already stored, and for a workout or an object that
    ///   is missing.
    func apply(_ changes: [StoreChange], from source: HKSourceRevision, once mark: String?) throws

    /// Removes objects or relations, all or none. `owner`, a bundle identifier, limits it to the objects of that app. Nil is the
    /// user.
    /// - Returns: The number of removed objects or relations.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a UUID that is not stored,
    ///   ``HKError/Code/errorAuthorizationDenied`` for an object of another app.
    func remove(_ removal: StoreRemoval, owner: String?) throws -> Int

    /// Undoes the latest change by ``StoreChange/replace(_:owner:)``, or the latest one of a workout, completely or not at all. What
    /// the change added is removed, and what it removed is restored under the same UUIDs.
    /// - Parameters:
    ///   - workout: A workout that the change removed or added. Nil for any.
    ///   - owner: A bundle identifier, to which changes are limited. Nil is the user.
    ///   - date: Now. Changes older than ``WorkoutReplacement/keptDays`` days are purged and cannot be undone.
    /// - Returns: Nil without such a change.
    func undo(changeOf workout: UUID?, owner: String?, at date: Date) throws -> UndoableChange?

    /// Saves the new objects of a batch, all or none. If `isEnded` returns true, keeps what is saved so far.
    /// - Parameter own: The samples that the import has added so far, including those of this call.
    /// - Returns: The counts by type identifier.
    func merge(
        _ batch: ImportBatch, own: inout ImportedSequences, isEnded: @escaping @Sendable () -> Bool
    ) throws -> [String: ImportCount]

    /// Makes stored quantity samples members of imported workouts, because a file may not contain which ones belong to them.
    ///
    /// A sample belongs to a workout if it lies within it, the workout has statistics of its type, and its source is that of
    /// the workout. If that source has none, those of the source that measured most often meanwhile belong to it, unless they
    /// belong to something else. A workout without any statistics gets heart rates, energy and its distance, of its own
    /// source alone. Types of which a workout has samples already stay as they are. If `isEnded` returns true, keeps what is
    /// done so far.
    /// - Returns: The number of workouts that got samples.
    func assignSamples(toWorkouts ids: Set<UUID>, isEnded: () -> Bool) throws -> Int

    // MARK: Reading

    /// The samples of all selections, each once, sorted, and then in order of insertion. A limit of nil means all.
    func samples(_ selections: [SampleSelection], sortedBy: [SampleSort], limit: Int?) throws -> [HKSample]

    /// The samples of quantity types of all selections as numbers, sorted by their starts, and then in order of insertion. A
    /// series is replaced by its quantities, in order.
    func measurements(_ selections: [SampleSelection]) throws -> [StoredMeasurement]

    /// The types of a workout's samples, each with every device that measured it, in order of insertion.
    func sampledTypes(ofWorkout workout: UUID) throws -> [SampledType]

    /// The rows with a workout's quantities of some types, in order of their starts.
    func measurementRows(ofWorkout workout: UUID, _ types: Set<HKQuantityType>) throws -> [MeasurementRow]

    /// All quantities of a row, in order. Nil if the row has changed since it was found.
    func measurements(in row: MeasurementRow) throws -> [StoredMeasurement]?

    /// Additions and deletions after an anchor, in order of insertion. Both count for the limit. Anchor 0 is the beginning. Only
    /// the type and the source of deleted objects are known, so filters pass all of a type. Samples of a type that were saved
    /// together are in order of their starts, those of a workout in the order of its log.
    func changes(_ selections: [SampleSelection], after anchor: Int64, limit: Int?) throws -> SampleChanges

    /// The times of samples of a type that were added or deleted after a mark. The mark `Int64.max` returns the current one.
    func changedTimes(_ type: HKSampleType, after mark: Int64) throws -> ChangedTimes

    /// The statistics of a quantity type in consecutive intervals, from each bound to the next. Intervals without samples are
    /// left out. Overlapping sources are merged as in HealthKit. With `separatingSources`, the statistics of each source are
    /// included.
    func statistics(
        _ selection: SampleSelection, bounds: StatisticsBounds, separatingSources: Bool
    ) throws -> [StatisticsBucket]

    /// The span and the sources of matching samples. Nil without any.
    func extent(_ selection: SampleSelection) throws -> SampleExtent?

    /// Returns those UUIDs whose objects are stored.
    func stored(_ ids: Set<UUID>) throws -> Set<UUID>

    /// The contents of series samples in order of time, or the quantity of a single sample. Without those that are missing or
    /// empty.
    func contents(of samples: Set<UUID>) throws -> [UUID: SeriesContent]

    /// Some bytes of a stored route.
    /// - Parameter offset: The offset of the first byte.
    /// - Returns: `count` bytes, or as many as are left. Empty at the end, and if the route is missing.
    func bytes(ofRoute route: UUID, from offset: Int, atMost count: Int) throws -> [UInt8]

    /// The ends of holds of a quantity type, in order of time. A span without such an end may come in several pieces. The filter
    /// should only distinguish workouts, sources and devices, because pieces are not cut for it.
    func holds(_ selection: SampleSelection) throws -> [StoredHold]

    /// The relations of effort samples after a sequence number, in order. 0 for all.
    func effortLinks(after sequence: Int64) throws -> [EffortLink]

    /// The attachments of an object, in order of their addition.
    func attachments(of object: UUID) throws -> [HKAttachment]

    /// The content of an attachment. Nil if it is missing.
    func attachmentData(_ attachment: UUID) throws -> Data?

    /// The stored workouts that have replaced a workout, also in several steps.
    func successors(of workout: UUID) throws -> Set<UUID>

    /// The workouts whose UUIDs begin with these hexadecimal digits, in capitals and without hyphens. At most 32.
    func workouts(beginningWith digits: String) throws -> Set<UUID>

    /// The edited workouts whose UUIDs begin with these hexadecimal digits, in capitals and without hyphens.
    func replacedWorkouts(beginningWith digits: String) throws -> Set<UUID>

    /// The workouts that a workout has replaced. Empty if it was never edited.
    func predecessors(of workout: UUID) throws -> Set<UUID>

    /// The changes that can be undone at a date, latest first.
    func undoableChanges(at date: Date) throws -> [UndoableChange]

    // MARK: Changes

    /// Calls `changed` with the types of samples that this or another process added or deleted, until the observation is
    /// cancelled. Calls come on a background queue and may be combined.
    /// - Parameter asksSessions: Whether changes of running sessions are reported within a second. Otherwise they are reported when
    ///   the sessions save them, once a minute.
    func observe(
        askingSessions asksSessions: Bool, _ changed: @escaping @Sendable (Set<HKSampleType>) -> Void
    ) -> HealthObservation

    /// Calls `done` on a background queue after all observers were called for earlier changes.
    func whenObserved(_ done: @escaping @Sendable () -> Void)

    // MARK: Background delivery

    /// The deliveries of one app, or of all apps in order of their bundle identifiers, with the changes since.
    func deliveries(to bundleIdentifier: String?) throws -> [AppDeliveries]

    /// Changes the states of deliveries to an app in one step. `change` receives each type with its latest change, and nil for a
    /// type without deliveries. If it leaves nil, deliveries of the type end.
    /// - Parameters:
    ///   - types: Nil for all types with deliveries.
    ///   - app: How to start the app from now on. Nil for no change.
    func updateDeliveries(
        of types: Set<HKSampleType>?, to bundleIdentifier: String, registering app: DeliveryApp?,
        _ change: (_ type: HKSampleType, _ latest: Int64, _ state: inout DeliveryState?) -> Void
    ) throws

    // MARK: Beside samples

    /// A small value with a name, such as permissions or the profile. Nil if missing.
    func setting(_ name: String) throws -> Data?

    /// Replaces a value by the result of `change`. No other process changes it meanwhile.
    func updateSetting(_ name: String, _ change: (Data?) throws -> Data?) throws

    /// Checks for damage, and returns the problems.
    func checkIntegrity() throws -> [String]
}

/// A type of samples and a device that measured some of them.
package struct SampledType: Sendable, Hashable {
    package var type: HKSampleType
    /// Nil for samples without a device.
    package var device: HKDevice?

    package init(type: HKSampleType, device: HKDevice?) {
        self.type = type
        self.device = device
    }
}

/// The span and the sources of samples.
package struct SampleExtent: Sendable {
    /// The earliest start and the latest end.
    package var dates: ClosedRange<Date>
    package var sources: Set<HKSource>
}

package struct SampleChanges: Sendable {
    package var added: [HKSample]
    package var deleted: [HKDeletedObject]
    /// To continue from.
    package var anchor: Int64
}

/// The times of changed samples.
package struct ChangedTimes: Sendable, Equatable {
    /// To continue from.
    package var mark: Int64
    /// Each from the start to the end of one or more samples, in order of their starts. Nil if unknown for some.
    package var ranges: [ClosedRange<Date>]?
}

/// Ends an observation when cancelled or released.
package final class HealthObservation: Sendable {
    private let end: @Sendable () -> Void

    package init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    package func cancel() { end() }

    deinit { end() }
}
