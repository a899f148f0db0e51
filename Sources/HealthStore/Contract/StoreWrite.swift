package import SessionLog

/// Data to be saved: in the store at once, or beside it while the device is locked.
// Sendable holds: samples are immutable.
package enum StoreWrite: @unchecked Sendable {
    /// The objects of a correlation are saved with it, or linked if they are already stored. An object with a sync
    /// identifier replaces the source's object of a lower version, also in workouts and correlations. If its version is
    /// not higher, it is ignored.
    case objects([HKObject])
    /// A finished workout with the contents of its log: associated samples, the beats as a heartbeat series, and the
    /// positions as a route. `adding` is data that is not in the log.
    case workout(HKWorkout, log: any SessionEntries, adding: AddedSeries)
    /// The same for a workout that is not known yet, because its log is being read elsewhere at the same time. Its own row is stored
    /// last.
    ///
    /// `finish` is called after the log was read, with the sensors of the stored readings, as far as the log had described them
    /// before each kind's first reading. If it throws, nothing is stored.
    case recording(UUID, log: any SessionEntries, finish: @Sendable ([StoredSensor]) throws -> FinishedRecording)
    /// A series sample with its contents.
    case series(HKSample, SeriesContent)

    /// The log of a workout.
    var log: (any SessionEntries)? {
        switch self {
        case .workout(_, let log, _), .recording(_, let log, _): log
        case .objects, .series: nil
        }
    }

    /// The types that an app must be allowed to share to save these objects. For a correlation, these are the types of
    /// its parts.
    package static func types(of objects: [HKObject]) -> Set<HKSampleType> {
        var types: Set<HKSampleType> = []
        var latest: HKSampleType?
        for case let sample as HKSample in objects where sample.sampleType !== latest {
            latest = sample.sampleType
            if let correlation = sample as? HKCorrelation {
                types.formUnion(correlation.objects.map(\.sampleType))
                latest = nil
            } else {
                types.insert(sample.sampleType)
            }
        }
        return types
    }
}

/// A sensor and the device that was stored with its readings. Nil without a description.
// Sendable holds: devices are immutable.
package struct StoredSensor: @unchecked Sendable {
    package let id: String
    package let device: HKDevice?
}

/// The workout of a recording, and what belongs to it and is not in the log.
// Sendable holds: samples are immutable.
package struct FinishedRecording: @unchecked Sendable {
    /// Without a sync identifier: an object that a later version replaces has to be looked for before its log is stored.
    package let workout: HKWorkout
    package let added: AddedSeries

    package init(_ workout: HKWorkout, adding added: AddedSeries) {
        self.workout = workout
        self.added = added
    }
}

/// One change of a store.
// Sendable holds: samples are immutable.
package enum StoreChange: @unchecked Sendable {
    case save(StoreWrite)
    /// Samples of a running session in the order of its log. Samples that are already stored are ignored, so the same
    /// ones may come again. Samples that were deleted meanwhile are not stored again. When the session's workout is
    /// saved, they become its samples. If `isDurable` is false, the session's journal has them too, and they may reach
    /// the disk with a later change.
    case collect([HKSample], of: UUID, isDurable: Bool)
    /// The sensor of these samples has described itself meanwhile. They keep their UUIDs, and readers do not receive
    /// them again.
    case setDevice(HKDevice, of: Set<UUID>)
    /// Associates samples, and series with their contents, with a stored workout. Saves those that are not stored yet.
    case join([(sample: HKSample, series: SeriesContent?)], workout: UUID)
    /// Relates an effort sample to a stored workout or one of its activities. Saves the sample if it is not stored yet.
    case relateEffort(HKSample, workout: UUID, activity: UUID?)
    /// Attaches a file to a stored object. It is deleted with the object.
    case attach(HKAttachment, data: Data, to: UUID)
    /// Replaces stored workouts. `owner` (a bundle identifier) limits it to that app's workouts. Nil is the user.
    case replace(WorkoutReplacement, owner: String?)
}

/// Data to be removed from a store.
package enum StoreRemoval: Sendable {
    case objects(Set<UUID>)
    /// The owner's matching samples.
    case matches(SampleSelection)
    /// The relation of an effort sample to a workout or one of its activities. The sample stays.
    case effort(UUID, workout: UUID, activity: UUID?)
    /// The collected samples of a session whose workout is not saved.
    case collected(session: UUID)
    /// An attachment of an object.
    case attachment(UUID, of: UUID)
}
