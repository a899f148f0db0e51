package import Foundation
package import SessionLog

// The recorder's view of the objects that apps have of its session. All are called on the recorder's queue.

/// An object that apps have of a session: the session itself, or the builder of its workout. It calls its delegate.
package protocol SessionObserver<Notice>: AnyObject, Sendable {
    associatedtype Notice: Sendable

    /// Whether somebody receives the notices.
    var hasDelegate: Bool { get }

    func notify(_ notice: Notice)
}

/// News of a session.
package enum SessionNotice: Sendable {
    case changed(to: SessionPhase, from: SessionPhase, at: Date)
    case generated(EventRecord)
    case began(ActivityDescription, at: Date)
    case ended(ActivityDescription, at: Date)
    case failed(any Error)
    case received([Data])
    /// The reason. Nil if the other machine ended the mirroring.
    case disconnected((any Error)?)
}

/// News of what a session collects for its workout.
package enum BuilderNotice: Sendable {
    case collected(Set<CollectedType>)
    case collectedEvent
    case began(SessionState.ActivityState)
    case ended(SessionState.ActivityState)
    case zoneChanged(ZoneChange)
}

/// A value came to lie in another zone than the value before it of its type.
package struct ZoneChange: Sendable {
    /// The zones and the time in each so far.
    package var zones: SessionState.ZoneState
    /// The index of the zone of the value before. Nil for the first value.
    package var previous: Int?
    package var current: Int
    /// The end of the reading that changed the zone.
    package var date: Date
}

/// The type of collected data, by its name in a log.
package enum CollectedType: Hashable, Sendable {
    case quantity(String)
    case category(String)
    case object(String)
}

/// Decides which sensor readings are collected.
package protocol CollectionPolicy: AnyObject, Sendable {
    func collects(_ reading: QuantityReading) -> Bool
    /// Called when another activity of the workout began.
    func activityChanged(to activity: ActivityDescription)
}

/// Stores what a session measures, while it runs. One more reader of its log.
package protocol SampleStore: AnyObject, SessionLogSink {
    /// Whether everything is stored.
    var isSaved: Bool { get }
    /// Stores what it has on a queue of its own, and calls `done`.
    func save(_ done: @escaping @Sendable () -> Void)
    /// Stores what is in the log already.
    func noteAll()
    /// Stores a reading that no workout collects, and no log contains.
    func measured(_ reading: QuantityReading)
    /// Stores nothing more: the workout has the samples, or another process will store them.
    func end()
    /// Stores the rest of the log at once, because its workout will not be finished.
    /// - Returns: Why it cannot be stored, or nil if it is.
    func saveRest() -> (any Error)?
    /// Removes the stored samples, and stores nothing more.
    /// - Returns: Why they cannot be removed, or nil if they are.
    func removeAll() -> (any Error)?
}
