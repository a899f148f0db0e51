import Recordings

/// Of which types data came in, until the builder's delegate is told.
struct UntoldTypes {
    private var quantities: Set<String> = []
    private var others: Set<HKSampleType> = []

    mutating func note(_ content: SessionEntry.Content) {
        switch content {
        case .quantity(let reading):
            quantities.insert(reading.type)
        case .category(let reading):
            if let type = TypeCatalogue.categoryType(named: reading.type) { others.insert(type) }
        case .object(let reference):
            if let type = TypeCatalogue.objectType(identifier: reference.type) as? HKSampleType { others.insert(type) }
        default: break
        }
    }

    /// Tells of what came in since the last time, if anything did.
    mutating func tell(_ builder: (any BuilderTelling)?) {
        guard !quantities.isEmpty || !others.isEmpty else { return }
        builder?.collected(others.union(quantities.compactMap { TypeCatalogue.quantityType(named: $0) }))
        quantities = []
        others = []
    }
}
