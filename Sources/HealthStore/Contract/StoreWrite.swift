package import SessionLog

/// Something to be saved, as a value: what goes into the store at once, or waits beside it while the device is locked.
// Sendable holds: samples are immutable.
package enum StoreWrite: @unchecked Sendable {
    /// Contained objects of a correlation are saved with it, or linked where they are there already. An object with a sync
    /// identifier replaces the source's own one of a lower version, in its workouts and correlations too; one whose version
    /// is not higher is passed over.
    case objects([HKObject])
    /// A finished workout together with what its log holds: its samples, associated with it; its beats as a heartbeat
    /// series; its positions as a route. `adding` is what belongs to it and is not in the log.
    case workout(HKWorkout, log: any SessionEntries, adding: AddedSeries)
    /// The same for a workout that is not known yet, because its log is being read elsewhere at the same time. Its own row is stored
    /// last.
    ///
    /// `finish` is called once, after the log was read, with the sensors of the stored readings, as far as the log had described them
    /// before each kind's first reading. If it throws, nothing is stored.
    case recording(UUID, log: any SessionEntries, finish: @Sendable ([StoredSensor]) throws -> FinishedRecording)
    /// A sample that stands for a series, with what is in it.
    case series(HKSample, SeriesContent)

    /// The log of a workout.
    var log: (any SessionEntries)? {
        switch self {
        case .workout(_, let log, _), .recording(_, let log, _): log
        case .objects, .series: nil
        }
    }

    /// The types that an app has to be allowed to share to save these. The parts of a correlation count, not the
    /// correlation.
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
    /// Samples of a session that still runs, in the order of its log. Those that are in the store are passed over, so the same
    /// ones may come again; what was deleted meanwhile does not come back. When the session's workout is saved, they become its
    /// samples. If `isDurable` is false, the session's journal has them too, and they may wait for a later change to reach the disk.
    case collect([HKSample], of: UUID, isDurable: Bool)
    /// The sensor that measured these samples has said meanwhile what it is. They keep their UUIDs, and no reader gets them anew.
    case setDevice(HKDevice, of: Set<UUID>)
    /// Associates samples, and series with what is in them, with a workout that is stored; those that are not stored yet are
    /// saved.
    case join([(sample: HKSample, series: SeriesContent?)], workout: UUID)
    /// An effort sample is about a stored workout, or about a part of it; saves the sample where it is not stored yet.
    case relateEffort(HKSample, workout: UUID, activity: UUID?)
    /// Keeps a file with a stored object. It goes when the object is deleted.
    case attach(HKAttachment, data: Data, to: UUID)
    /// Replaces stored workouts. `owner` (a bundle identifier) limits it to that app's workouts; nil is the user.
    case replace(WorkoutReplacement, owner: String?)
}

/// What is to go from a store.
package enum StoreRemoval: Sendable {
    case objects(Set<UUID>)
    /// What matches and the owner owns.
    case matches(SampleSelection)
    /// That an effort sample is about a workout, or a part of it; the sample stays.
    case effort(UUID, workout: UUID, activity: UUID?)
    /// What was collected of a session whose workout is not saved.
    case collected(session: UUID)
    /// The file of an object.
    case attachment(UUID, of: UUID)
}
