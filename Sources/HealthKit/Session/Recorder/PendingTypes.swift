import SessionLog

/// The types of new data, until the builder's delegate is notified.
struct PendingTypes {
    private var kinds: [ReadingKind] = []
    private var others: Set<HKSampleType> = []

    mutating func note(_ content: SessionEntry.Content) {
        switch content {
        case .quantity(let reading):
            if !kinds.contains(reading.kind) { kinds.append(reading.kind) }
        case .category(let reading):
            if let type = TypeCatalogue.categoryType(named: reading.type) { others.insert(type) }
        case .object(let reference):
            if let type = TypeCatalogue.objectType(identifier: reference.type) as? HKSampleType { others.insert(type) }
        default: break
        }
    }

    /// Notifies the builder of new data since the last call, if there is any.
    mutating func notify(_ builder: (any BuilderObserver)?) {
        guard !kinds.isEmpty || !others.isEmpty else { return }
        if let builder, builder.hasDelegate {
            builder.collected(others.union(kinds.compactMap { TypeCatalogue.quantityType(named: $0.type) }))
        }
        kinds = []
        others = []
    }
}
