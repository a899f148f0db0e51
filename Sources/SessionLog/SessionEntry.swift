public import Foundation

/// One line of a session's log: an event and its date.
///
/// A session *is* its log. State, statistics, crash recovery, mirroring and replay all read the same ordered list of
/// entries, and everything known about a workout is in it. Entries are neutral values: they use no HealthKit types, but
/// name types and units by the strings of Apple's public API (`heartRate`, `count/min`).
public struct SessionEntry: Sendable, Equatable {
    /// The date on the session's own timeline (that of a replayed recording, not of the wall clock).
    public var date: Date
    /// The content of the entry.
    public var content: Content

    /// - Parameter date: The date on the session's own timeline.
    public init(_ date: Date, _ content: Content) {
        self.date = date
        self.content = content
    }

    /// The content of an entry. Large and rare values are stored indirectly, so that the millions of readings stay
    /// small.
    public enum Content: Sendable, Equatable {
        /// The session and its activity. It is the first entry of a log; another header begins another workout.
        indirect case header(SessionHeader)
        /// The session changed to this state.
        case state(SessionPhase)
        /// The workout builder began, ended, finished or discarded its collection.
        case collection(CollectionPhase)
        /// A part of a multisport workout, or an interval, began; the part before it ended.
        indirect case activityBegan(ActivityRecord)
        /// Metadata added to a part. Later values replace earlier ones.
        case activityMetadata(UUID, [String: MetadataValue])
        /// The current part ended.
        case activityEnded
        /// A value that a sensor or an app measured.
        case quantity(QuantityReading)
        /// RR intervals, oldest first.
        case beats(BeatReading)
        /// A piece of an electrocardiogram, or of an acceleration.
        indirect case waveform(WaveformReading)
        /// The position of the wearer.
        case position(PositionReading)
        /// An app discarded the route that it was building: the positions that it added until here are not part of the
        /// workout. Positions of sensors are.
        case routeDiscarded
        /// A category value (sleep stage, symptom …) that an app added.
        indirect case category(CategoryReading)
        /// A sample of another kind (a correlation, an audiogram …) that an app added; the sample itself is in the
        /// store.
        case object(ObjectReference)
        /// A lap, segment, marker or motion event. Pauses and resumes of a session are `state` entries.
        case event(EventRecord)
        /// Metadata added to the workout. Later values replace earlier ones.
        case metadata([String: MetadataValue])
        /// A sensor connected, went away or reported its battery level.
        indirect case sensor(SensorStatus)
        /// The bytes of a Bluetooth characteristic, as the sensor sent them.
        case notification(NotificationRecord)
        /// Who wears the sensors.
        indirect case wearer(WearerProfile)
        /// The zones of a quantity in this workout.
        indirect case zones(ZoneRecord)
        /// Data handed to `sendToRemoteWorkoutSession`.
        case remoteData(Data)
        /// The progress between this session and a machine that it is mirrored to. The last entry for a machine counts.
        indirect case companion(CompanionProgress)
        /// The machine's wall clock was set by this many seconds: forward, or backward if negative. The dates of the
        /// log continue as if it had not been.
        case clockSet(bySeconds: Double)
    }
}

/// The session that a log holds.
public struct SessionHeader: Sendable, Equatable {
    /// The version of the log format that this build writes.
    public static let currentVersion = 1

    /// The version of the log format; ``currentVersion`` in a new log.
    public var version: Int
    /// The ID of the session, and of the workout once it is saved.
    public var id: UUID
    /// The activity of the session. The parts of a workout have entries of their own.
    public var activity: ActivityDescription
    /// The program that wrote the log, such as `workout 0.1`. It is only for information.
    public var creator: String?

    /// Creates a header, by default with the version that this build writes.
    public init(
        version: Int = currentVersion, id: UUID, activity: ActivityDescription, creator: String? = nil
    ) {
        self.version = version
        self.id = id
        self.activity = activity
        self.creator = creator
    }
}

extension SessionHeader {
    /// The ID of the workout wherever it is written. Nil for logs that share their ID with others.
    package var ownID: UUID? {
        guard id != .ofUnnamedWorkout, creator?.hasPrefix("simulator") != true else { return nil }
        return id
    }
}

/// The states of a workout session, named as `HKWorkoutSessionState` names them.
public enum SessionPhase: String, Sendable, Equatable, CaseIterable {
    /// The states in the order in which a session reaches them; `paused` returns to `running`.
    case notStarted, prepared, running, paused, stopped, ended
}

/// The phases of the workout builder's data collection.
public enum CollectionPhase: Sendable, Equatable {
    /// Collection began. `events` is true if the session's events become the workout's.
    case began(events: Bool)
    /// Collection ended; later readings do not count.
    case ended
    /// The workout was saved.
    case finished
    /// The workout was discarded; nothing is saved.
    case discarded
}

/// The kind of an activity, and where it takes place. Names are the Swift case names of Apple's enumerations.
public struct ActivityDescription: Sendable, Equatable, Hashable {
    /// A case of `HKWorkoutActivityType`, such as `running`, `swimBikeRun` or `other`.
    public var activity: String
    /// Whether it takes place indoors; `unknown` if nothing is stated.
    public var location: Location
    /// The location of a swim; `unknown` for other activities.
    public var swimmingLocation: SwimmingLocation
    /// The length of the pool.
    public var lapLengthInMeters: Double?

    /// The cases of `HKWorkoutSessionLocationType`.
    public enum Location: String, Sendable, Equatable, CaseIterable {
        /// Nothing is stated.
        case unknown
        /// Inside a building.
        case indoor
        /// In the open air.
        case outdoor
    }

    /// The cases of `HKWorkoutSwimmingLocationType`.
    public enum SwimmingLocation: String, Sendable, Equatable, CaseIterable {
        /// Nothing is stated, or it is not a swim.
        case unknown
        /// In a pool, whose length may be known.
        case pool
        /// In a lake, a river or the sea.
        case openWater
    }

    /// Creates a description. Without arguments it is `other` at an unknown place.
    public init(
        activity: String = "other", location: Location = .unknown, swimmingLocation: SwimmingLocation = .unknown,
        lapLengthInMeters: Double? = nil
    ) {
        self.activity = activity
        self.location = location
        self.swimmingLocation = swimmingLocation
        self.lapLengthInMeters = lapLengthInMeters
    }
}

/// A part of a workout: one of several sports, or an interval.
public struct ActivityRecord: Sendable, Equatable {
    /// The UUID of the `HKWorkoutActivity`.
    public var id: UUID
    /// The activity of this part. For an interval it is that of the workout.
    public var activity: ActivityDescription
    /// Metadata from the app, which may be empty.
    public var metadata: [String: MetadataValue]

    /// - Parameter id: The UUID of the `HKWorkoutActivity`.
    public init(id: UUID, activity: ActivityDescription, metadata: [String: MetadataValue] = [:]) {
        self.id = id
        self.activity = activity
        self.metadata = metadata
    }
}

extension SessionEntry {
    /// Returns the entry with all its dates `seconds` later, to place a recording on a new session's timeline.
    ///
    /// Dates inside metadata stay, because they are about something else.
    public func shifted(by seconds: TimeInterval) -> SessionEntry {
        var entry = self
        entry.date += seconds
        switch content {
        case .quantity(var reading):
            reading.start += seconds
            reading.end += seconds
            entry.content = .quantity(reading)
        case .waveform(var reading):
            reading.start += seconds
            entry.content = .waveform(reading)
        case .category(var reading):
            reading.start += seconds
            reading.end += seconds
            entry.content = .category(reading)
        case .event(var event):
            event.start += seconds
            event.end += seconds
            entry.content = .event(event)
        case .header, .state, .collection, .activityBegan, .activityMetadata, .activityEnded, .beats, .position,
            .routeDiscarded, .metadata, .sensor, .object, .notification, .wearer, .zones, .remoteData, .companion,
            .clockSet:
            break
        }
        return entry
    }
}

extension SessionPhase {
    /// Returns whether a call may change this state to `next`. Every other call comes in the wrong order.
    ///
    ///  from | prepare | start | pause | resume | stop | end |
    ///  --- | --- | --- | --- | --- | --- | --- |
    ///  notStarted | prepared | running | | | | ended |
    ///  prepared | | running | | | | ended |
    ///  running | | | paused | | stopped | ended |
    ///  paused | | | | running | stopped | ended |
    ///  stopped | | | | | | ended |
    ///
    /// This library also lets a session end before it ran (a cancelled countdown) and while it is paused; Apple's
    /// documentation only mentions running and stopped.
    package func canChange(to next: SessionPhase) -> Bool {
        switch (self, next) {
        case (.notStarted, .prepared), (.notStarted, .running), (.notStarted, .ended): true
        case (.prepared, .running), (.prepared, .ended): true
        case (.running, .paused), (.running, .stopped), (.running, .ended): true
        case (.paused, .running), (.paused, .stopped), (.paused, .ended): true
        case (.stopped, .ended): true
        default: false
        }
    }

    /// Whether the session has started and not yet stopped.
    package var isActive: Bool { self == .running || self == .paused }

    /// Whether the activity is over for good.
    package var isOver: Bool { self == .stopped || self == .ended }
}

extension UUID {
    /// The ID in the header of a log without one: the nil UUID of RFC 9562. It is constant, so that the same log is
    /// always the same recording.
    package static let ofUnnamedWorkout = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
