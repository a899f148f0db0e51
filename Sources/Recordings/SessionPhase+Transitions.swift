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
