public import Foundation

/// A questionnaire whose answers add up to a score. Abstract.
public class HKScoredAssessment: HKSample, NSCopying, @unchecked Sendable {
    /// The sum of the answers' points: 0 to 21 for GAD-7, 0 to 27 for PHQ-9.
    public final let score: Int
    /// What each question was answered with, in their order: raw values of the questionnaire's `Answer`.
    final let points: [Int]

    class var questionnaire: Questionnaire { preconditionFailure("\(Self.self) does not say what it asks") }

    /// 1 for the lowest.
    final var band: Int { Self.questionnaire.band(score) }

    /// The answers have been checked.
    required init(_ identity: ObjectIdentity, points: [Int], start: Date, end: Date) {
        self.points = points
        score = Self.questionnaire.score(points)
        super.init(
            identity, sampleType: HKScoredAssessmentType(Self.questionnaire.type), start: start, end: end)
    }

    /// Traps when the answers are not those of the questionnaire, and when metadata holds a value of a type that is not
    /// allowed.
    convenience init(asked date: Date, points: [Int], metadata: [String: Any]?) {
        raising(try Self.questionnaire.check(points))
        let identity = raising(try ObjectIdentity(metadata: metadata))
        self.init(identity, points: points, start: date, end: date)
    }

    /// An assessment from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
    convenience init(checking points: [Int], _ identity: ObjectIdentity, date: Date) throws(SampleError) {
        try Self.questionnaire.check(points)
        self.init(identity, points: points, start: date, end: date)
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKScoredAssessment {
        Self(identity, points: points, start: start, end: end)
    }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        guard let score = coder.decodeCount(forKey: "score"),
            let points = coder.decodeList(of: NSNumber.self, forKey: "answers")?.map(\.intValue),
            (try? Self.questionnaire.check(points)) != nil
        else { return nil }
        self.score = score
        self.points = points
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: score, forKey: "score")
        coder.encode(list: points.map { NSNumber(value: $0) }, forKey: "answers")
    }
}
