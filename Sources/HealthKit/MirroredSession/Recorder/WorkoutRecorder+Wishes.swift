import Recordings

/// What the other side of a mirrored session would like to see in the log.
extension WorkoutRecorder {
    /// Does what a call here would do. A wish that is dated later than now is one for now.
    ///
    /// What the session's state does not allow does nothing, or is reported to this side's delegate, as with any call. A
    /// wish is done once, also where this machine is killed before it could confirm it: the log says how far it got.
    func grant(_ wish: SessionEntry) {
        let now = now
        let date = min(wish.date, now)
        switch wish.content {
        case .state(.prepared): prepare()
        case .state(.running): begin(at: date)
        case .state(.stopped): change(to: .stopped, at: date)
        case .state(.ended): end()
        case .event(let event) where event.kind == .pause: pause()
        case .event(let event) where event.kind == .resume: resume()
        case .event(let event): add(event, now)
        case .activityBegan(let record):
            if !read({ $0.activities.contains { $0.record.id == record.id } }) { begin(record, at: date) }
        case .activityEnded: endOpenActivity(at: date)
        default: break
        }
    }

    private func add(_ event: EventRecord, _ now: Date) {
        var event = event
        event.start = min(event.start, now)
        event.end = min(event.end, now)
        guard isCollecting, !read({ $0.events.contains(event) }) else { return }
        append(.event(event), at: event.end)
        commitOrTell()
        tell(event)
    }
}
