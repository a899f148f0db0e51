/// A type of questionnaire whose answers add up to a score.
// Immutable, as HKObjectType explains.
public final class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
    /// Traps when there is no questionnaire of that identifier; `scoredAssessmentType(forIdentifier:)` gives nil instead.
    public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
        guard let type = HKObjectType.scoredAssessmentType(forIdentifier: identifier) else {
            preconditionFailure("there is no questionnaire with the identifier \(identifier.rawValue)")
        }
        self.init(like: type)
    }
}
