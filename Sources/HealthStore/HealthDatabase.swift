package import Recordings

/// Where samples and workouts are kept: one contract, met by a file and by memory alike, and tested as one.
///
/// Writes are atomic, and durable when they return: in a file they survive a loss of power. Every method may be called from any thread and blocks until done; a
/// reader never waits for a writer.
package protocol HealthDatabase: Sendable {
    // MARK: Writing

    /// Saves objects, all or none, as coming from `source`. Contained objects of a correlation are saved with it, or
    /// linked where they are there already. An object with a sync identifier replaces the source's own one of a lower
    /// version, in its workouts and correlations too; one whose version is not higher is passed over.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a UUID that is there already.
    func save(_ objects: [HKObject], from source: HKSourceRevision) throws

    /// Saves a finished workout together with what its log holds: its samples, associated with it; its beats as a
    /// heartbeat series; its positions as a route.
    /// - Parameter added: What belongs to its series and is not in the log.
    func save(
        _ workout: HKWorkout, log: any SessionEntries, adding added: AddedSeries, from source: HKSourceRevision
    ) throws

    /// Saves a sample that stands for a series, with what is in it.
    func save(_ sample: HKSample, series: SeriesContent, from source: HKSourceRevision) throws

    /// Saves what waited while the device was locked, and notes `mark` under the settings in the same transaction; does
    /// nothing when it is noted already.
    func applyOnce(_ write: StoreWrite, from source: HKSourceRevision, mark: String) throws

    /// Deletes objects by UUID, all or none. `owner` (a bundle identifier) limits it to that app's objects; nil is the user.
    /// - Returns: How many were deleted.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a UUID that is not there,
    ///   ``HKError/Code/errorAuthorizationDenied`` for another app's object.
    func delete(_ ids: Set<UUID>, owner: String?) throws -> Int

    /// Deletes what matches and `owner` owns.
    func delete(_ selection: SampleSelection, owner: String?) throws -> Int

    /// Associates samples, and series with what is in them, with a workout that is stored; those that are not stored yet
    /// are saved. All or none.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a workout that is not there.
    func add(
        _ samples: [(sample: HKSample, series: SeriesContent?)], toWorkout workout: UUID, from source: HKSourceRevision
    ) throws

    /// Associates samples that are stored with a workout that is stored.
    func associate(_ ids: Set<UUID>, withWorkout workout: UUID) throws

    /// Says that an effort sample is about a stored workout, or about a part of it; saves the sample where it is not stored
    /// yet.
    func relateEffort(
        _ sample: HKSample, toWorkout workout: UUID, activity: UUID?, from source: HKSourceRevision
    ) throws

    /// Takes that back; the sample stays.
    /// - Returns: Whether they were related so.
    func unrelateEffort(_ sample: UUID, fromWorkout workout: UUID, activity: UUID?) throws -> Bool

    // MARK: Reading

    /// What effort samples were related to after a sequence, in order; 0 for all.
    func effortLinks(after sequence: Int64) throws -> [EffortLink]

    /// The samples of all selections, each once, sorted, and in order of insertion where nothing else decides; a limit of
    /// nil is all of them.
    func samples(_ selections: [SampleSelection], sortedBy: [SampleSort], limit: Int?) throws -> [HKSample]

    /// What was added and deleted after an anchor, in order of insertion; additions and deletions count together for the
    /// limit. Anchor 0 is the beginning. Of deleted objects only the type and the source are known, so filters let all of
    /// a type through. Samples of a type that were saved together count as inserted in order of their start.
    func changes(_ selections: [SampleSelection], after anchor: Int64, limit: Int?) throws -> SampleChanges

    /// When samples of a type were that were added or deleted after a mark. Mark `Int64.max` gives the present one.
    func changedTimes(_ type: HKSampleType, after mark: Int64) throws -> ChangedTimes

    /// The figures of a quantity type in consecutive intervals: from each bound to the next. Buckets without samples are
    /// left out. Overlapping sources are merged as HealthKit does; with `separatingSources` each source's own figures come
    /// too.
    func statistics(
        _ selection: SampleSelection, bounds: StatisticsBounds, separatingSources: Bool
    ) throws -> [StatisticsBucket]

    /// Whether an object of this UUID is in the store.
    func contains(_ id: UUID) throws -> Bool

    func sources(_ selection: SampleSelection) throws -> Set<HKSource>

    /// The earliest start and latest end of what matches; nil when nothing does.
    func dateRange(_ selection: SampleSelection) throws -> ClosedRange<Date>?

    /// The beats of a heartbeat series in order, seconds since its start.
    func heartbeats(_ series: UUID) throws -> [StoredHeartbeat]

    /// The positions of a route in order.
    func positions(_ route: UUID) throws -> [(date: Date, position: PositionReading)]

    /// The voltages of an electrocardiogram in order, in microvolts; none where it was saved without them.
    func voltages(_ electrocardiogram: UUID) throws -> [Double]

    /// The quantities inside a series sample in order of time; a lone sample's own one.
    func quantities(_ sample: UUID) throws -> [StoredQuantity]

    // MARK: Attachments

    /// Keeps a file with an object. It goes when the object is deleted.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an object that is not there.
    func add(_ attachment: HKAttachment, data: Data, to object: UUID) throws

    /// - Returns: Whether the object had it.
    func removeAttachment(_ attachment: UUID, from object: UUID) throws -> Bool

    /// In the order in which they were added.
    func attachments(of object: UUID) throws -> [HKAttachment]

    /// What is in an attachment; nil when it is not there.
    func attachmentData(_ attachment: UUID) throws -> Data?

    // MARK: Changes

    /// Calls `changed` with the types of samples that were added or deleted, by this process or another one, until the
    /// observation is cancelled. Calls come on a background queue and may be joined.
    func observe(_ changed: @escaping @Sendable (Set<HKSampleType>) -> Void) -> HealthObservation

    // MARK: Background delivery

    /// Has an app started for changes of a type, or changes how often. What was there before is not news to it.
    func enableDelivery(of type: HKSampleType, _ frequency: HKUpdateFrequency, to app: DeliveryApp) throws

    /// Nil ends all of an app's deliveries.
    func disableDelivery(of type: HKSampleType?, to bundleIdentifier: String) throws

    /// Of one app, or of all of them, in order of their bundle identifiers; with what has changed since.
    func deliveries(to bundleIdentifier: String?) throws -> [AppDeliveries]

    /// Changes how deliveries of some types to an app stand.
    func updateDeliveries(
        of types: Set<HKSampleType>, to bundleIdentifier: String, _ change: (HKSampleType, inout DeliveryState) -> Void
    ) throws

    // MARK: Beside samples

    /// A small value kept under a name (permissions, profile, background deliveries), or nil.
    func setting(_ name: String) throws -> Data?
    func setSetting(_ name: String, _ value: Data?) throws
    /// Replaces a value by what becomes of it; no other process changes it meanwhile.
    func updateSetting(_ name: String, _ change: (Data?) throws -> Data?) throws

    /// Looks for damage; the problems found, none when it is sound.
    func checkIntegrity() throws -> [String]
}

extension HealthDatabase {
    package func save(_ workout: HKWorkout, log: any SessionEntries, from source: HKSourceRevision) throws {
        try save(workout, log: log, adding: AddedSeries(), from: source)
    }
}

package struct SampleChanges: Sendable {
    package var added: [HKSample]
    package var deleted: [HKDeletedObject]
    /// To continue from.
    package var anchor: Int64

    package init(added: [HKSample], deleted: [HKDeletedObject], anchor: Int64) {
        self.added = added
        self.deleted = deleted
        self.anchor = anchor
    }
}

/// The times of samples that changed.
package struct ChangedTimes: Sendable, Equatable {
    /// To continue from.
    package var mark: Int64
    /// Each from the start to the end of one or more samples, in order of their starts; nil when it is not known of all.
    package var ranges: [ClosedRange<Date>]?

    package init(mark: Int64, ranges: [ClosedRange<Date>]?) {
        self.mark = mark
        self.ranges = ranges
    }
}

/// Where buckets begin and end.
package enum StatisticsBounds: Sendable {
    /// One bucket from the first to the last sample.
    case whole
    /// Ascending; n + 1 dates are n buckets. Samples outside are left out; one that reaches over a bound is split
    /// in proportion to time.
    case dates([Date])
}

package struct StatisticsBucket: Sendable {
    package var start: Date
    package var end: Date
    /// In ``HKQuantityType/recordingUnit``: the canonical unit, but rates per minute, since 123 count/min do not survive
    /// the way to count/s and back.
    package var total: RunningStatistics
    package var bySource: [HKSource: RunningStatistics]

    package init(start: Date, end: Date, total: RunningStatistics, bySource: [HKSource: RunningStatistics] = [:]) {
        self.start = start
        self.end = end
        self.total = total
        self.bySource = bySource
    }
}

/// What is inside a series sample.
package enum SeriesContent: Sendable {
    case heartbeats([StoredHeartbeat])
    case positions([(date: Date, position: PositionReading)])
    case quantities([StoredQuantity])
    /// Of an electrocardiogram, at its sampling frequency.
    case voltages(inMicrovolts: [Double])
}

package struct StoredHeartbeat: Sendable, Equatable, Codable {
    package var secondsSinceStart: Double
    package var precededByGap: Bool

    package init(secondsSinceStart: Double, precededByGap: Bool) {
        self.secondsSinceStart = secondsSinceStart
        self.precededByGap = precededByGap
    }
}

package struct StoredQuantity: Sendable {
    package var quantity: HKQuantity
    package var start: Date
    package var end: Date

    package init(quantity: HKQuantity, start: Date, end: Date) {
        self.quantity = quantity
        self.start = start
        self.end = end
    }
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
