public import Foundation

/// The nine questions on depression (PHQ-9); its bands are those of `Questionnaire.phq9`.
public final class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
    /// How often over the last two weeks.
    public enum Answer: Int, Sendable {
        /// Worth 0 points.
        case notAtAll = 0
        /// Worth 1 point.
        case severalDays = 1
        /// Worth 2 points.
        case moreThanHalfTheDays = 2
        /// Worth 3 points.
        case nearlyEveryDay = 3
        /// For the last question only; worth 0 points.
        case preferNotToAnswer = 4
    }

    /// How severe the depression is, by score: Kroenke, Spitzer and Williams 2001.
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

    /// In the order of the questions.
    public var answers: [Answer] { points.compactMap(Answer.init) }

    /// The band that the score lies in.
    public var risk: Risk { Risk(rawValue: band) ?? .severe }

    /// Traps when there are not 9 answers or when any but the last is withheld, and when metadata holds a value of a type that is
    /// not allowed.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        self.init(asked: date, points: answers.map(\.rawValue), metadata: metadata)
    }

    /// An assessment from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
    package static func validated(
        _ identity: ObjectIdentity, date: Date, answers: [Answer]
    ) throws(SampleError) -> HKPHQ9Assessment {
        try HKPHQ9Assessment(checking: answers.map(\.rawValue), identity, date: date)
    }
}
