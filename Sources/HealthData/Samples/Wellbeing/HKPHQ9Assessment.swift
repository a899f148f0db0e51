public import Foundation

/// The nine questions on depression (PHQ-9); its bands are those of `Questionnaire.phq9`.
public final class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
    /// How often over the last two weeks.
    public enum Answer: Int, Sendable {
        case notAtAll = 0
        case severalDays = 1
        case moreThanHalfTheDays = 2
        case nearlyEveryDay = 3
        case preferNotToAnswer = 4
    }

    public enum Risk: Int, Sendable {
        case noneToMinimal = 1
        case mild = 2
        case moderate = 3
        case moderatelySevere = 4
        case severe = 5
    }

    override class var questionnaire: Questionnaire { .phq9 }

    /// In the order of the questions.
    public var answers: [Answer] { points.compactMap(Answer.init) }

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
