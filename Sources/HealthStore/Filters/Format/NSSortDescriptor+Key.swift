// Foundation on Linux has no sort descriptors with string keys. These sort HealthKit's samples.

/// A sort descriptor that keeps its key and sorts samples by it.
package final class KeySortDescriptor: NSSortDescriptor {
    package let name: String
    package let sort: SampleSort?

    package init(_ name: String, ascending: Bool) {
        self.name = name
        sort = SampleSort.Key(name: name).map { SampleSort($0, ascending: ascending) }
        super.init(keyPath: \KeySortDescriptor.name, ascending: ascending)
    }

    @available(*, unavailable)
    package required init?(coder: NSCoder) { nil }

    package override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        guard let sort, let a = object1 as? HKSample, let b = object2 as? HKSample else { return .orderedSame }
        return sort.compare(a, b)
    }

    package override var reversedSortDescriptor: Any { KeySortDescriptor(name, ascending: !ascending) }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeySortDescriptor else { return false }
        return name == other.name && ascending == other.ascending
    }

    package override var hash: Int { name.hashValue }

    package override func copy() -> Any { self }

    package override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Like ``PredicateCluster``, for sort descriptors.
package protocol SortDescriptorCluster {}

extension SortDescriptorCluster {
    fileprivate init(member make: () -> Self) {
        self = make()
    }
}

extension NSSortDescriptor: SortDescriptorCluster {
    /// Sorts samples by ``HKSampleSortIdentifierStartDate`` or a similar constant, or by the name of a property such as
    /// `startDate`. Without a key or with an unknown one, a query fails with an error.
    public convenience init(key: String?, ascending: Bool) {
        self.init(member: {
            guard let member = KeySortDescriptor(key ?? "self", ascending: ascending) as? Self else {
                preconditionFailure("a sort descriptor with a key is not a \(Self.self)")
            }
            return member
        })
    }

    /// The key. Nil if it was created with a key path.
    public var key: String? { (self as? KeySortDescriptor)?.name }
}
