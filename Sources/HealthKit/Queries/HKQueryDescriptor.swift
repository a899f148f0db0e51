/// A type of samples and which of them.
// Sendable holds: both properties are immutable, and a predicate is only evaluated.
public final class HKQueryDescriptor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    public let sampleType: HKSampleType
    public let predicate: NSPredicate?

    public init(sampleType: HKSampleType, predicate: NSPredicate?) {
        self.sampleType = sampleType
        self.predicate = predicate
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryDescriptor else { return false }
        return sampleType == other.sampleType && predicate == other.predicate
    }

    public override var hash: Int { sampleType.hash }

    public override var description: String {
        "\(sampleType.identifier) \(SampleFilter(any: predicate ?? NSPredicate(value: true)))"
    }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

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
