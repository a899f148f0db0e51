public import Foundation

/// The seven questions on anxiety (GAD-7); its bands are those of `Questionnaire.gad7`.
public final class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
    /// How often over the last two weeks.
    public enum Answer: Int, Sendable {
        case notAtAll = 0
        case severalDays = 1
        case moreThanHalfTheDays = 2
        case nearlyEveryDay = 3
    }

    public enum Risk: Int, Sendable {
        case noneToMinimal = 1
        case mild = 2
        case moderate = 3
        case severe = 4
    }

    override class var questionnaire: Questionnaire { .gad7 }

    /// In the order of the questions.
    public var answers: [Answer] { points.compactMap(Answer.init) }

    public var risk: Risk { Risk(rawValue: band) ?? .severe }

    /// Traps when there are not 7 answers, and when metadata holds a value of a type that is not allowed.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        self.init(asked: date, points: answers.map(\.rawValue), metadata: metadata)
    }

    /// An assessment from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
    package static func validated(
        _ identity: ObjectIdentity, date: Date, answers: [Answer]
    ) throws(SampleError) -> HKGAD7Assessment {
        try HKGAD7Assessment(checking: answers.map(\.rawValue), identity, date: date)
    }
}
