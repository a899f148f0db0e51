public import Foundation

/// A person's feeling, at a moment or over a day.
public final class HKStateOfMind: HKSample, NSCopying, @unchecked Sendable {
    /// The time that the feeling refers to.
    public enum Kind: Int, Sendable {
        /// The moment at which it was recorded.
        case momentaryEmotion = 1
        /// The whole day on which it was recorded.
        case dailyMood = 2
    }

    /// Whether the feeling refers to a moment or to a day.
    public let kind: Kind
    /// The pleasantness: −1 (very unpleasant) … +1 (very pleasant).
    public let valence: Double
    /// Words for the feeling, in the given order. May be empty.
    public let labels: [Label]
    /// The parts of life that the feeling is related to. May be empty.
    public let associations: [Association]

    /// The step of seven that contains the valence. Apple does not publish the limits: see
    /// ``ValenceClassification/init(valence:)``.
    public var valenceClassification: ValenceClassification {
        ValenceClassification(valence: valence) ?? .neutral
    }

    /// Creates a state of mind. Traps if the valence is not in −1 … +1, and if metadata contains a value of a type that
    /// is not allowed.
    public convenience init(
        date: Date, kind: Kind, valence: Double, labels: [Label], associations: [Association],
        metadata: [String: Any]? = [:]
    ) {
        raising(try Self.check(valence))
        let identity = raising(try ObjectIdentity(metadata: metadata))
        self.init(identity, kind, valence, labels, associations, date, date)
    }

    /// Creates a state of mind from a file or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
    package static func validated(
        _ identity: ObjectIdentity, date: Date, kind: Kind, valence: Double, labels: [Label],
        associations: [Association]
    ) throws(SampleError) -> HKStateOfMind {
        try check(valence)
        return HKStateOfMind(identity, kind, valence, labels, associations, date, date)
    }

    private static func check(_ valence: Double) throws(SampleError) {
        guard (-1...1).contains(valence) else { throw .outOfRange(what: "valence", value: valence, range: -1...1) }
    }

    private init(
        _ identity: ObjectIdentity, _ kind: Kind, _ valence: Double, _ labels: [Label], _ associations: [Association],
        _ start: Date, _ end: Date
    ) {
        self.kind = kind
        self.valence = valence
        self.labels = labels
        self.associations = associations
        super.init(identity, sampleType: .stateOfMindType(), start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKStateOfMind {
        HKStateOfMind(identity, kind, valence, labels, associations, start, end)
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let kind = coder.decodeCount(forKey: "kind").flatMap(Kind.init),
            let valence = coder.decodeNumber(forKey: "valence"), (-1...1).contains(valence),
            let labels = coder.decodeList(of: NSNumber.self, forKey: "labels"),
            let associations = coder.decodeList(of: NSNumber.self, forKey: "associations")
        else { return nil }
        self.kind = kind
        self.valence = valence
        self.labels = labels.compactMap { Label(rawValue: $0.intValue) }
        self.associations = associations.compactMap { Association(rawValue: $0.intValue) }
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: kind.rawValue, forKey: "kind")
        coder.encode(number: valence, forKey: "valence")
        coder.encode(list: labels.map { NSNumber(value: $0.rawValue) }, forKey: "labels")
        coder.encode(list: associations.map { NSNumber(value: $0.rawValue) }, forKey: "associations")
    }
}
