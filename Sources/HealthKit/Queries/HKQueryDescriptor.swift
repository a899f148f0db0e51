/// A sample type with a predicate.
// Sendable holds: both properties are immutable, and a predicate is only evaluated.
public final class HKQueryDescriptor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The type of the samples.
    public let sampleType: HKSampleType
    /// The condition for samples. Nil for all samples that this app may read.
    public let predicate: NSPredicate?

    /// Creates a descriptor for queries of several types.
    public init(sampleType: HKSampleType, predicate: NSPredicate?) {
        self.sampleType = sampleType
        self.predicate = predicate
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether type and predicate are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryDescriptor else { return false }
        return sampleType == other.sampleType && predicate == other.predicate
    }

    /// The hash of the type. The hash of Foundation's predicates does not match their equality.
    public override var hash: Int { sampleType.hash }

    /// The identifier of the type, and the predicate.
    public override var description: String {
        "\(sampleType.identifier) \(SampleFilter(any: predicate ?? NSPredicate(value: true)))"
    }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no type or an unreadable predicate.
    public convenience init?(coder: NSCoder) {
        guard let type = coder.decodeValue(of: HKSampleType.self, forKey: "sampleType") else { return nil }
        guard coder.containsValue(forKey: "predicate") else {
            self.init(sampleType: type, predicate: nil)
            return
        }
        guard let predicate = coder.decodeValue(of: FilterPredicate.self, forKey: "predicate") else { return nil }
        self.init(sampleType: type, predicate: predicate)
    }

    /// Fails for predicates that text can't express: of devices, source revisions, quantities, and of the app's own code.
    public func encode(with coder: NSCoder) {
        coder.encode(sampleType, forKey: "sampleType")
        if let predicate { coder.encode(FilterPredicate(SampleFilter(any: predicate)), forKey: "predicate") }
    }
}
