/// A type of samples and which of them.
// Sendable holds: both properties are immutable, and a predicate is only evaluated.
public final class HKQueryDescriptor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The type that is asked for.
    public let sampleType: HKSampleType
    /// Which samples of it; nil for all that this app may see.
    public let predicate: NSPredicate?

    /// For the queries that ask for several types at once.
    public init(sampleType: HKSampleType, predicate: NSPredicate?) {
        self.sampleType = sampleType
        self.predicate = predicate
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when type and predicate are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryDescriptor else { return false }
        return sampleType == other.sampleType && predicate == other.predicate
    }

    /// That of the type alone: Foundation's predicates have no hash that goes with their equality.
    public override var hash: Int { sampleType.hash }

    /// The identifier of the type, and the predicate.
    public override var description: String {
        "\(sampleType.identifier) \(SampleFilter(any: predicate ?? NSPredicate(value: true)))"
    }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no type, or a predicate that cannot be read.
    public convenience init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKSampleType.self, forKey: "sampleType") else { return nil }
        guard coder.containsValue(forKey: "predicate") else {
            self.init(sampleType: type, predicate: nil)
            return
        }
        guard let predicate = coder.decodeValue(of: FilterPredicate.self, forKey: "predicate") else { return nil }
        self.init(sampleType: type, predicate: predicate)
    }

    /// Fails for predicates whose text does not say everything: those of devices, source revisions, quantities and of the
    /// app's own code.
    public func encode(with coder: NSCoder) {
        coder.encode(sampleType, forKey: "sampleType")
        if let predicate { coder.encode(FilterPredicate(SampleFilter(any: predicate)), forKey: "predicate") }
    }
}
