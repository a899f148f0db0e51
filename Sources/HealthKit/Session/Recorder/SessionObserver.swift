import SessionLog

// The observers of the recorder, which also decide what to collect: Apple's classes, which know it. All are called on
// its queue.

/// Notifies a session's delegate.
protocol SessionObserver: AnyObject, Sendable {
    /// Whether there is a delegate.
    var hasDelegate: Bool { get }

    func changed(to next: SessionPhase, from previous: SessionPhase, at date: Date)
    func generated(_ record: EventRecord)
    func began(_ activity: ActivityDescription, at date: Date)
    func ended(_ activity: ActivityDescription, at date: Date)
    func fail(_ error: HKError)
    func received(_ data: [Data])
    func disconnected(_ error: HKError?)
}

/// Notifies a live builder's delegate.
protocol BuilderObserver: AnyObject, Sendable {
    /// Whether there is a delegate.
    var hasDelegate: Bool { get }

    func collected(_ types: Set<HKSampleType>)
    func collectedEvent()
    func began(_ activity: SessionState.ActivityState)
    func ended(_ activity: SessionState.ActivityState)
}

extension BuilderObserver {
    /// Notifies of quantity types, by their names in a log.
    func collected(_ types: Set<String>) {
        collected(Set(types.compactMap { TypeCatalogue.quantityType(named: $0) }))
    }
}

/// Decides which sensor readings are collected.
protocol CollectionPolicy: AnyObject, Sendable {
    func collects(_ reading: QuantityReading) -> Bool
    func activityChanged(to activity: ActivityDescription)
}
