public import Foundation

/// The nine questions on depression (PHQ-9). `Questionnaire.phq9` has the bands.
public final class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
    /// How often a problem occurred in the last two weeks.
    public enum Answer: Int, Sendable {
        /// Worth 0 points.
        case notAtAll = 0
        /// Worth 1 point.
        case severalDays = 1
        /// Worth 2 points.
        case moreThanHalfTheDays = 2
        /// Worth 3 points.
        case nearlyEveryDay = 3
        /// Only for the last question. Worth 0 points.
        case preferNotToAnswer = 4
    }

    /// The severity of the depression by score: Kroenke, Spitzer and Williams 2001.
    public enum Risk: Int, Sendable {
        /// Scores 0 to 4.
        case noneToMinimal = 1
        /// Scores 5 to 9.
        case mild = 2
        /// Scores 10 to 14.
        case moderate = 3
        /// Scores 15 to 19.
        case moderatelySevere = 4
        /// Scores 20 to 27.
        case severe = 5
    }

    override class var questionnaire: Questionnaire { .phq9 }

    /// The answers in the order of the questions.
    public var answers: [Answer] { points.compactMap(Answer.init) }

    /// The band of the score.
    public var risk: Risk { Risk(rawValue: band) ?? .severe }

    /// Creates an assessment. Traps unless there are 9 answers, if any but the last is withheld, and if metadata
    /// contains a value of a type that is not allowed.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        self.init(asked: date, points: answers.map(\.rawValue), metadata: metadata)
    }

    /// Creates an assessment from a file or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
    package static func validated(
        _ identity: ObjectIdentity, date: Date, answers: [Answer]
    ) throws(SampleError) -> HKPHQ9Assessment {
        try HKPHQ9Assessment(checking: answers.map(\.rawValue), identity, date: date)
    }
}
