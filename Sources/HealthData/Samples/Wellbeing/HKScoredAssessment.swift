public import Foundation

/// A questionnaire whose answers add up to a score. Abstract.
public class HKScoredAssessment: HKSample, NSCopying, @unchecked Sendable {
    /// The sum of the answers' points: 0 to 21 for GAD-7, 0 to 27 for PHQ-9.
    public final let score: Int
    /// The answers in the order of the questions: raw values of the questionnaire's `Answer`.
    final let points: [Int]

    class var questionnaire: Questionnaire { preconditionFailure("\(Self.self) does not say what it asks") }

    /// The band of the score. 1 is the lowest.
    final var band: Int { Self.questionnaire.band(score) }

    /// Creates an assessment. The answers have been checked.
    required init(_ identity: ObjectIdentity, points: [Int], start: Date, end: Date) {
        self.points = points
        score = Self.questionnaire.score(points)
        super.init(
            identity, sampleType: HKScoredAssessmentType(Self.questionnaire.type), start: start, end: end)
    }

    /// Creates an assessment. Traps if the answers do not match the questionnaire, and if metadata contains a value of
    /// a type that is not allowed.
    convenience init(asked date: Date, points: [Int], metadata: [String: Any]?) {
        raising(try Self.questionnaire.check(points))
        let identity = raising(try ObjectIdentity(metadata: metadata))
        self.init(identity, points: points, start: date, end: date)
    }

    /// Creates an assessment from a file or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
    convenience init(checking points: [Int], _ identity: ObjectIdentity, date: Date) throws(SampleError) {
        try Self.questionnaire.check(points)
        self.init(identity, points: points, start: date, end: date)
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKScoredAssessment {
        Self(identity, points: points, start: start, end: end)
    }

    // MARK: NSSecureCoding

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let score = coder.decodeCount(forKey: "score"),
            let points = coder.decodeList(of: NSNumber.self, forKey: "answers")?.map(\.intValue),
            (try? Self.questionnaire.check(points)) != nil
        else { return nil }
        self.score = score
        self.points = points
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: score, forKey: "score")
        coder.encode(list: points.map { NSNumber(value: $0) }, forKey: "answers")
    }
}

/// A questionnaire with a score.
struct Questionnaire: Sendable {
    let type: HKScoredAssessmentTypeIdentifier
    let name: String
    let questionCount: Int
    /// The scores at which the bands after the first begin.
    let bandStarts: [Int]
    /// The raw value of the last answer if it is withheld. Nil if each question has to be answered.
    let pointsWithheld: Int?

    /// Anxiety. Bands after Spitzer et al., Arch Intern Med 166 (2006) 1092: 0–4, 5–9, 10–14, 15–21.
    static let gad7 = Questionnaire(
        type: .GAD7, name: "GAD7", questionCount: 7, bandStarts: [5, 10, 15], pointsWithheld: nil)

    /// Depression. Bands after Kroenke, Spitzer and Williams, J Gen Intern Med 16 (2001) 606: 0–4, 5–9, 10–14, 15–19, 20–27.
    static let phq9 = Questionnaire(
        type: .PHQ9, name: "PHQ9", questionCount: 9, bandStarts: [5, 10, 15, 20], pointsWithheld: 4)

    private static let points = 0...3

    func check(_ answers: [Int]) throws(SampleError) {
        guard answers.count == questionCount else {
            throw .answers(assessment: name, count: answers.count, expected: questionCount)
        }
        for (place, answer) in answers.enumerated() where !Self.points.contains(answer) {
            guard place == questionCount - 1, answer == pointsWithheld else {
                throw .outOfRange(what: "answer \(place + 1)", value: Double(answer), range: 0...3)
            }
        }
    }

    /// Returns the sum of the answers. A withheld answer counts 0.
    func score(_ answers: [Int]) -> Int { answers.reduce(0) { $0 + ($1 == pointsWithheld ? 0 : $1) } }

    /// Returns the band of a score. 1 is the lowest.
    func band(_ score: Int) -> Int { 1 + bandStarts.count { score >= $0 } }
}
