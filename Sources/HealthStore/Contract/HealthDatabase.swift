/// Where samples and workouts are kept: one contract, met by a file and by memory alike, and tested as one.
///
/// What changes is told in sets of changes, what is asked for in selections, sets and ranges: an implementation answers each
/// with a statement or two, however much it is about. What callers want of one thing stands beside it, in
/// `HealthDatabase+Shorthand.swift`.
///
/// Writes are atomic, and durable when they return: in a file they survive a loss of power. Every method may be called from
/// any thread and blocks until done; a reader never waits for a writer.
package protocol HealthDatabase: Sendable {
    // MARK: Writing

    /// Makes changes as coming from `source`, in their order, all or none.
    /// - Parameter mark: A name under the settings that is noted in the same transaction. Where it is noted already nothing
    ///   is done.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a UUID that is there already, and for a workout or an object that
    ///   is not there.
    func apply(_ changes: [StoreChange], from source: HKSourceRevision, once mark: String?) throws

    /// Takes something out of the store, all or none. `owner` (a bundle identifier) limits it to that app's objects; nil is
    /// the user.
    /// - Returns: How many objects or relations went.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a UUID that is not there,
    ///   ``HKError/Code/errorAuthorizationDenied`` for another app's object.
    func remove(_ removal: StoreRemoval, owner: String?) throws -> Int

    /// Takes back the latest change that ``StoreChange/replace(_:owner:)`` made, or the latest one of a workout, all or none. What the
    /// change put into the store goes, and what it took out is there again, under the same UUIDs.
    /// - Parameters:
    ///   - workout: One that the change took out of the store or put there; nil for any.
    ///   - owner: A bundle identifier limits it to changes of that app's workouts; nil is the user.
    ///   - date: Now. What is older than ``WorkoutReplacement/keptDays`` days is purged and cannot be undone.
    /// - Returns: Nil if there is no such change.
    func undo(changeOf workout: UUID?, owner: String?, at date: Date) throws -> UndoableChange?

    /// Saves what of a batch is not in the store yet, all or none; as much of it as is saved when `isEnded` says that it is
    /// enough.
    /// - Parameter own: What the import has added so far; gains what it adds now.
    /// - Returns: Counts by type identifier.
    func merge(
        _ batch: ImportBatch, own: inout ImportedSequences, isEnded: @escaping @Sendable () -> Bool
    ) throws -> [String: ImportCount]

    // MARK: Reading

    /// The samples of all selections, each once, sorted, and in order of insertion where nothing else decides; a limit of
    /// nil is all of them.
    func samples(_ selections: [SampleSelection], sortedBy: [SampleSort], limit: Int?) throws -> [HKSample]

    /// The samples of quantity types of all selections as numbers, sorted by their starts, and in order of insertion where
    /// these are the same. In the place of a sample that stands for a series are the quantities in it, in order.
    func measurements(_ selections: [SampleSelection]) throws -> [StoredMeasurement]

    /// The rows that hold a workout's quantities of some types, in order of their starts.
    func measurementRows(ofWorkout workout: UUID, _ types: Set<HKQuantityType>) throws -> [MeasurementRow]

    /// All quantities in a row, in order; nil if the row has changed since it was found.
    func measurements(in row: MeasurementRow) throws -> [StoredMeasurement]?

    /// What was added and deleted after an anchor, in order of insertion; additions and deletions count together for the
    /// limit. Anchor 0 is the beginning. Of deleted objects only the type and the source are known, so filters let all of
    /// a type through. Samples of a type that were saved together count as inserted in order of their start, those of a workout
    /// in the order of its log.
    func changes(_ selections: [SampleSelection], after anchor: Int64, limit: Int?) throws -> SampleChanges

    /// When samples of a type were that were added or deleted after a mark. Mark `Int64.max` gives the present one.
    func changedTimes(_ type: HKSampleType, after mark: Int64) throws -> ChangedTimes

    /// The figures of a quantity type in consecutive intervals: from each bound to the next. Buckets without samples are
    /// left out. Overlapping sources are merged as HealthKit does; with `separatingSources` each source's own figures come
    /// too.
    func statistics(
        _ selection: SampleSelection, bounds: StatisticsBounds, separatingSources: Bool
    ) throws -> [StatisticsBucket]

    /// From when to when, and of whom, there is what matches; nil when nothing does.
    func extent(_ selection: SampleSelection) throws -> SampleExtent?

    /// Those of some UUIDs whose objects are in the store.
    func stored(_ ids: Set<UUID>) throws -> Set<UUID>

    /// What is inside samples that stand for a series, in order of time; a lone quantity sample's own quantity. Without those
    /// that are not there or hold nothing.
    func contents(of samples: Set<UUID>) throws -> [UUID: SeriesContent]

    /// Some of the bytes of a stored route.
    /// - Parameter offset: Of the first byte.
    /// - Returns: `count` bytes, or as many as are left; none at the end, and if the route is not there.
    func bytes(ofRoute route: UUID, from offset: Int, atMost count: Int) throws -> [UInt8]

    /// Until when values of a quantity type are held, in order of time. What has no end of a hold in between may come in
    /// several pieces. The filter is to tell workouts, sources and devices apart and no more: pieces are not cut for it.
    func holds(_ selection: SampleSelection) throws -> [StoredHold]

    /// What effort samples were related to after a sequence, in order; 0 for all.
    func effortLinks(after sequence: Int64) throws -> [EffortLink]

    /// In the order in which they were added.
    func attachments(of object: UUID) throws -> [HKAttachment]

    /// What is in an attachment; nil when it is not there.
    func attachmentData(_ attachment: UUID) throws -> Data?

    /// The stored workouts that have taken the place of a workout, however often they were replaced meanwhile.
    func successors(of workout: UUID) throws -> Set<UUID>

    /// The workouts that were edited and whose UUIDs begin with these hexadecimal digits, in capitals and without hyphens.
    func replacedWorkouts(beginningWith digits: String) throws -> Set<UUID>

    /// The workouts whose place a workout has taken; none for one that nobody edited.
    func predecessors(of workout: UUID) throws -> Set<UUID>

    /// The changes that can be undone at a date, latest first.
    func undoableChanges(at date: Date) throws -> [UndoableChange]

    // MARK: Changes

    /// Calls `changed` with the types of samples that were added or deleted, by this process or another one, until the
    /// observation is cancelled. Calls come on a background queue and may be joined.
    /// - Parameter asksSessions: Whether what running sessions measure is to be told within a second; else it comes when they save it,
    ///   once a minute.
    func observe(
        askingSessions asksSessions: Bool, _ changed: @escaping @Sendable (Set<HKSampleType>) -> Void
    ) -> HealthObservation

    /// Calls `done` on a background queue once all observers were called with what is in the store already.
    func whenObserved(_ done: @escaping @Sendable () -> Void)

    // MARK: Background delivery

    /// Of one app, or of all of them, in order of their bundle identifiers; with what has changed since.
    func deliveries(to bundleIdentifier: String?) throws -> [AppDeliveries]

    /// Changes how deliveries to an app stand, in one step. `change` gets each type with its latest change, and nil for one
    /// of which nothing is delivered; what it leaves at nil is delivered no more.
    /// - Parameters:
    ///   - types: Nil for all of which something is delivered.
    ///   - app: How to start the app from now on; nil to leave it as it was.
    func updateDeliveries(
        of types: Set<HKSampleType>?, to bundleIdentifier: String, registering app: DeliveryApp?,
        _ change: (_ type: HKSampleType, _ latest: Int64, _ state: inout DeliveryState?) -> Void
    ) throws

    // MARK: Beside samples

    /// A small value kept under a name (permissions, profile), or nil.
    func setting(_ name: String) throws -> Data?

    /// Replaces a value by what becomes of it; no other process changes it meanwhile.
    func updateSetting(_ name: String, _ change: (Data?) throws -> Data?) throws

    /// Looks for damage; the problems found, none when it is sound.
    func checkIntegrity() throws -> [String]
}

/// From when to when samples are, and of whom.
package struct SampleExtent: Sendable {
    /// From the earliest start to the latest end.
    package var dates: ClosedRange<Date>
    package var sources: Set<HKSource>
}

package struct SampleChanges: Sendable {
    package var added: [HKSample]
    package var deleted: [HKDeletedObject]
    /// To continue from.
    package var anchor: Int64
}

/// The times of samples that changed.
package struct ChangedTimes: Sendable, Equatable {
    /// To continue from.
    package var mark: Int64
    /// Each from the start to the end of one or more samples, in order of their starts; nil when it is not known of all.
    package var ranges: [ClosedRange<Date>]?
}

/// Ends an observation when told to, or when it goes.
package final class HealthObservation: Sendable {
    private let end: @Sendable () -> Void

    package init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    package func cancel() { end() }

    deinit { end() }
}
