public import Foundation

/// The seven questions on anxiety (GAD-7). `Questionnaire.gad7` has the bands.
public final class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
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
    }

    /// The severity of the anxiety by score: Spitzer et al. 2006.
    public enum Risk: Int, Sendable {
        /// Scores 0 to 4.
        case noneToMinimal = 1
        /// Scores 5 to 9.
        case mild = 2
        /// Scores 10 to 14.
        case moderate = 3
        /// Scores 15 to 21.
        case severe = 4
    }

    override class var questionnaire: Questionnaire { .gad7 }

    /// The answers in the order of the questions.
    public var answers: [Answer] { points.compactMap(Answer.init) }

    /// The band of the score.
    public var risk: Risk { Risk(rawValue: band) ?? .severe }

    /// Creates an assessment. Traps unless there are 7 answers, and if metadata contains a value of a type that is not
    /// allowed.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        self.init(asked: date, points: answers.map(\.rawValue), metadata: metadata)
    }

    /// Creates an assessment from a file or the store. Throws ``SampleError`` instead of trapping if the data is
    /// invalid.
    package static func validated(
        _ identity: ObjectIdentity, date: Date, answers: [Answer]
    ) throws(SampleError) -> HKGAD7Assessment {
        try HKGAD7Assessment(checking: answers.map(\.rawValue), identity, date: date)
    }
}
