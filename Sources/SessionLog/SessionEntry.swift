public import Foundation

/// One line of a session's log: something that happened, and when.
///
/// A session *is* its log. State, statistics, crash recovery, mirroring and replay are all readers of the same ordered
/// list of entries; nothing about a workout is known that is not in it. Entries are neutral values: no HealthKit type
/// appears here, types and units are named by the strings of Apple's public API (`heartRate`, `count/min`).
public struct SessionEntry: Sendable, Equatable {
    /// When it happened, on the session's own time line (a replayed recording's, not the wall clock's).
    public var date: Date
    /// What happened.
    public var content: Content

    /// - Parameter date: On the session's own time line.
    public init(_ date: Date, _ content: Content) {
        self.date = date
        self.content = content
    }

    /// What is large and rare stands elsewhere, so that the millions of readings are small.
    public enum Content: Sendable, Equatable {
        /// What the log is of. The first entry of a log; a second one begins another workout.
        indirect case header(SessionHeader)
        /// The session changed to this state.
        case state(SessionPhase)
        /// The workout builder began, ended, finished or discarded its collection.
        case collection(CollectionPhase)
        /// A part of a multisport workout, or an interval, began; the one before it ended.
        indirect case activityBegan(ActivityRecord)
        /// Metadata was added to a part; later keys win.
        case activityMetadata(UUID, [String: MetadataValue])
        /// The current part ended.
        case activityEnded
        /// One value that a sensor or an app measured.
        case quantity(QuantityReading)
        /// RR intervals, oldest first.
        case beats(BeatReading)
        /// Where the wearer was.
        case position(PositionReading)
        /// An app gave up the route that it was adding positions to: those that it added until here are not part of the
        /// workout. What sensors measured is.
        case routeDiscarded
        /// A category value (sleep stage, symptom …) that an app added.
        indirect case category(CategoryReading)
        /// A sample of another kind (a correlation, an audiogram …) that an app added; the sample itself is in the store.
        case object(ObjectReference)
        /// A lap, segment, marker or motion event. Pauses and resumes of a session are `state` entries.
        case event(EventRecord)
        /// Metadata that was added to the workout; later keys win.
        case metadata([String: MetadataValue])
        /// A sensor came, went away or told its battery level.
        indirect case sensor(SensorStatus)
        /// Bytes of a Bluetooth characteristic, as the sensor sent them.
        case notification(NotificationRecord)
        /// Who wears the sensors.
        indirect case wearer(WearerProfile)
        /// Data handed to `sendToRemoteWorkoutSession`.
        case remoteData(Data)
        /// How far this session and a machine that it is mirrored to are with each other; the last one of a machine counts.
        indirect case companion(CompanionProgress)
        /// The machine's wall clock was set, by so many seconds: forward, or, below 0, back. The dates of the log go on as if
        /// it had not been.
        case clockSet(bySeconds: Double)
    }
}

/// What a session log is of.
public struct SessionHeader: Sendable, Equatable {
    /// The version of the log format that this build writes.
    public static let currentVersion = 1

    /// The version of the log format; ``currentVersion`` in a new log.
    public var version: Int
    /// The session's: that of the workout, once it is saved.
    public var id: UUID
    /// What the session was made for; what its parts are, their own entries say.
    public var activity: ActivityDescription
    /// The program that wrote the log, such as `workout 0.1`. For people; nothing depends on it.
    public var creator: String?

    /// Of the version that this build writes, unless another one is given.
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
    /// What names the workout wherever it is written; nil for logs that share their ID with others.
    package var ownID: UUID? {
        guard id != .ofUnnamedWorkout, creator?.hasPrefix("simulator") != true else { return nil }
        return id
    }
}

/// The states of a workout session, named as `HKWorkoutSessionState` names them.
public enum SessionPhase: String, Sendable, Equatable, CaseIterable {
    /// In the order in which a session comes to them; `paused` goes back to `running`.
    case notStarted, prepared, running, paused, stopped, ended
}

/// What the workout builder does with the data.
public enum CollectionPhase: Sendable, Equatable {
    /// Collection began. `events` says whether the session's events become the workout's.
    case began(events: Bool)
    /// No more readings count.
    case ended
    /// The workout was saved.
    case finished
    /// The workout was given up: nothing is saved as a workout.
    case discarded
}

/// What kind of activity, where. Names are the Swift case names of Apple's enumerations.
public struct ActivityDescription: Sendable, Equatable, Hashable {
    /// A case of `HKWorkoutActivityType`, such as `running`, `swimBikeRun` or `other`.
    public var activity: String
    /// Under a roof or not; `unknown` where nobody says.
    public var location: Location
    /// Of a swim; `unknown` of anything else.
    public var swimmingLocation: SwimmingLocation
    /// Length of the pool.
    public var lapLengthInMeters: Double?

    /// As `HKWorkoutSessionLocationType` has them.
    public enum Location: String, Sendable, Equatable, CaseIterable {
        /// Nobody said.
        case unknown
        /// Under a roof.
        case indoor
        /// Under the sky.
        case outdoor
    }

    /// As `HKWorkoutSwimmingLocationType` has them.
    public enum SwimmingLocation: String, Sendable, Equatable, CaseIterable {
        /// Nobody said, or it is no swim.
        case unknown
        /// In a pool, whose length may be known.
        case pool
        /// In a lake, a river or the sea.
        case openWater
    }

    /// Without arguments: `other`, at an unknown place.
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

/// A part of a workout: one sport of several, or an interval.
public struct ActivityRecord: Sendable, Equatable {
    /// The UUID of the `HKWorkoutActivity`.
    public var id: UUID
    /// What this part is; of an interval the same as the workout's.
    public var activity: ActivityDescription
    /// What the app noted of it; empty when nothing is.
    public var metadata: [String: MetadataValue]

    /// - Parameter id: That of the `HKWorkoutActivity`.
    public init(id: UUID, activity: ActivityDescription, metadata: [String: MetadataValue] = [:]) {
        self.id = id
        self.activity = activity
        self.metadata = metadata
    }
}

extension SessionEntry {
    /// The same entry `seconds` later, with every date in it: how a recording is laid on a new session's time line.
    ///
    /// Dates inside metadata are facts about something else and stay.
    public func shifted(by seconds: TimeInterval) -> SessionEntry {
        var entry = self
        entry.date += seconds
        switch content {
        case .quantity(var reading):
            reading.start += seconds
            reading.end += seconds
            entry.content = .quantity(reading)
        case .category(var reading):
            reading.start += seconds
            reading.end += seconds
            entry.content = .category(reading)
        case .event(var event):
            event.start += seconds
            event.end += seconds
            entry.content = .event(event)
        case .header, .state, .collection, .activityBegan, .activityMetadata, .activityEnded, .beats, .position,
            .routeDiscarded, .metadata, .sensor, .object, .notification, .wearer, .remoteData, .companion,
            .clockSet:
            break
        }
        return entry
    }
}

extension SessionPhase {
    /// The states that a call may lead to from this one. Everything else is a call in the wrong order.
    ///
    /// | from | prepare | start | pause | resume | stop | end |
    /// | --- | --- | --- | --- | --- | --- | --- |
    /// | notStarted | prepared | running | | | | ended |
    /// | prepared | | running | | | | ended |
    /// | running | | | paused | | stopped | ended |
    /// | paused | | | | running | stopped | ended |
    /// | stopped | | | | | | ended |
    ///
    /// That a session may be ended before it ran (a countdown that was cancelled) and while it is paused is this
    /// library's reading; Apple's documentation names running and stopped only.
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

    /// Whether the session's clock has begun and not yet ended.
    package var isActive: Bool { self == .running || self == .paused }

    /// Whether the activity is over for good.
    package var isOver: Bool { self == .stopped || self == .ended }
}

extension UUID {
    /// In the header of a log that has none: the nil UUID of RFC 9562. The same log is the same recording, whenever it is
    /// read.
    package static let ofUnnamedWorkout = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
