import Recordings

/// What becomes of entries that came together, in the primary's order: neighbours of one kind are one effect.
struct FollowedRun {
    private var done: [FollowState.Effect] = []
    private var silent: [SessionEntry] = []
    private var told: [SessionEntry] = []
    private var pieces: [Data] = []

    mutating func follow(_ entry: SessionEntry) {
        if told.isEmpty { flush() }
        told.append(entry)
    }

    mutating func followSilently(_ entry: SessionEntry) {
        if !told.isEmpty { flush() }
        silent.append(entry)
    }

    /// The piece's entry is in the log by then.
    mutating func hand(_ piece: Data) { pieces.append(piece) }

    mutating func add(_ effect: FollowState.Effect) {
        flush()
        done.append(effect)
    }

    var effects: [FollowState.Effect] {
        var run = self
        run.flush()
        return run.done
    }

    private mutating func flush() {
        if !silent.isEmpty { done.append(.followSilently(silent)) }
        if !told.isEmpty { done.append(.follow(told)) }
        if !pieces.isEmpty { done.append(.hand(pieces)) }
        (silent, told, pieces) = ([], [], [])
    }
}
