import SessionLog

// Whom the recorder tells what happened, and asks what to collect: Apple's classes, which know it. All on its queue.

/// Tells a session's delegate.
protocol SessionObserver: AnyObject, Sendable {
    /// Whether anybody listens.
    var hasDelegate: Bool { get }

    func changed(to next: SessionPhase, from previous: SessionPhase, at date: Date)
    func generated(_ record: EventRecord)
    func began(_ activity: ActivityDescription, at date: Date)
    func ended(_ activity: ActivityDescription, at date: Date)
    func fail(_ error: HKError)
    func received(_ data: [Data])
    func disconnected(_ error: HKError?)
}

/// Tells a live builder's delegate.
protocol BuilderObserver: AnyObject, Sendable {
    /// Whether anybody listens.
    var hasDelegate: Bool { get }

    func collected(_ types: Set<HKSampleType>)
    func collectedEvent()
    func began(_ activity: SessionState.ActivityState)
    func ended(_ activity: SessionState.ActivityState)
}

extension BuilderObserver {
    /// Quantity types by their names in a log.
    func collected(_ types: Set<String>) {
        collected(Set(types.compactMap { TypeCatalogue.quantityType(named: $0) }))
    }
}

/// Says which readings of sensors are collected.
protocol CollectionPolicy: AnyObject, Sendable {
    func collects(_ reading: QuantityReading) -> Bool
    func activityChanged(to activity: ActivityDescription)
}
