import SessionLog

/// The types of new data, until the builder's observer is notified.
struct PendingTypes {
    private var kinds: [ReadingKind] = []
    private var others: Set<CollectedType> = []
    private var zoneChanges: [ZoneChange] = []

    mutating func note(_ content: SessionEntry.Content) {
        switch content {
        case .quantity(let reading):
            if !kinds.contains(reading.kind) { kinds.append(reading.kind) }
        default:
            if let type = CollectedType(content) { others.insert(type) }
        }
    }

    mutating func note(_ change: ZoneChange) { zoneChanges.append(change) }

    /// Notifies the builder of new data since the last call, if there is any.
    mutating func notify(_ builder: (any SessionObserver<BuilderNotice>)?) {
        guard !kinds.isEmpty || !others.isEmpty else { return }
        if let builder, builder.hasDelegate {
            builder.notify(.collected(others.union(kinds.map { .quantity($0.type) })))
            for change in zoneChanges { builder.notify(.zoneChanged(change)) }
        }
        kinds = []
        others = []
        zoneChanges = []
    }
}

extension CollectedType {
    /// The type of an entry's sample. Nil for an entry without one.
    init?(_ content: SessionEntry.Content) {
        switch content {
        case .quantity(let reading): self = .quantity(reading.type)
        case .category(let reading): self = .category(reading.type)
        case .object(let reference): self = .object(reference.type)
        default: return nil
        }
    }
}
