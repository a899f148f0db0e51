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

/// A questionnaire that is scored: what tells one from another.
struct Questionnaire: Sendable {
    let type: HKScoredAssessmentTypeIdentifier
    let name: String
    let questionCount: Int
    /// The score with which each band but the first begins.
    let bandStarts: [Int]
    /// The points of the last answer when it is withheld; nil where each question has to be answered.
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

    /// The sum of the answers. One that was withheld counts 0.
    func score(_ answers: [Int]) -> Int { answers.reduce(0) { $0 + ($1 == pointsWithheld ? 0 : $1) } }

    /// 1 for the lowest.
    func band(_ score: Int) -> Int { 1 + bandStarts.count { score >= $0 } }
}
