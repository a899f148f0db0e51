public import Foundation

/// How somebody feels, at a moment or on a day.
public final class HKStateOfMind: HKSample, NSCopying, @unchecked Sendable {
    /// Of what span the feeling is.
    public enum Kind: Int, Sendable {
        /// Of the moment at which it was noted.
        case momentaryEmotion = 1
        /// Of the day on which it was noted, on the whole.
        case dailyMood = 2
    }

    /// Of a moment or of a day.
    public let kind: Kind
    /// −1 (very unpleasant) … +1 (very pleasant).
    public let valence: Double
    /// Words for the feeling, in the order in which they were given; may be empty.
    public let labels: [Label]
    /// What the feeling has to do with; may be empty.
    public let associations: [Association]

    /// The step of seven that the valence falls into. Where the limits lie Apple does not publish: see
    /// ``ValenceClassification/init(valence:)``.
    public var valenceClassification: ValenceClassification {
        ValenceClassification(valence: valence) ?? .neutral
    }

    /// Traps when the valence is not in −1 … +1, and when metadata holds a value of a type that is not allowed.
    public convenience init(
        date: Date, kind: Kind, valence: Double, labels: [Label], associations: [Association],
        metadata: [String: Any]? = [:]
    ) {
        raising(try Self.check(valence))
        let identity = raising(try ObjectIdentity(metadata: metadata))
        self.init(identity, kind, valence, labels, associations, date, date)
    }

    /// A state of mind from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
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

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: kind.rawValue, forKey: "kind")
        coder.encode(number: valence, forKey: "valence")
        coder.encode(list: labels.map { NSNumber(value: $0.rawValue) }, forKey: "labels")
        coder.encode(list: associations.map { NSNumber(value: $0.rawValue) }, forKey: "associations")
    }
}
