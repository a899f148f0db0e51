package import Foundation
package import SessionLog

// What a recorder knows of the objects that apps have of its session. All are called on the recorder's queue.

/// Is notified of a session's changes.
package protocol SessionObserver: AnyObject, Sendable {
    /// Whether somebody receives the notifications.
    var hasDelegate: Bool { get }

    func changed(to next: SessionPhase, from previous: SessionPhase, at date: Date)
    func generated(_ record: EventRecord)
    func began(_ activity: ActivityDescription, at date: Date)
    func ended(_ activity: ActivityDescription, at date: Date)
    func fail(_ error: any Error)
    func received(_ data: [Data])
    /// - Parameter error: The reason. Nil if the other machine ended the mirroring.
    func disconnected(_ error: (any Error)?)
}

/// Is notified of what a session collects for its workout.
package protocol BuilderObserver: AnyObject, Sendable {
    /// Whether somebody receives the notifications.
    var hasDelegate: Bool { get }

    func collected(_ types: Set<CollectedType>)
    func collectedEvent()
    func began(_ activity: SessionState.ActivityState)
    func ended(_ activity: SessionState.ActivityState)
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
package protocol SampleStore: SessionLogSink {
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
