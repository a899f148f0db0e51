/// Names a questionnaire whose answers add up to a score.
public struct HKScoredAssessmentTypeIdentifier: RawRepresentable, Hashable, Sendable {
    /// The string that stores and archives have.
    public let rawValue: String

    /// Of any string: whether there is such a type, ``HKObjectType/scoredAssessmentType(forIdentifier:)`` says.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Generalised anxiety, 7 questions. iOS 18.0, watchOS 11.0.
    public static let GAD7 = Self(rawValue: "HKScoredAssessmentTypeIdentifierGAD7")

    /// Patient health (depression), 9 questions. iOS 18.0, watchOS 11.0.
    public static let PHQ9 = Self(rawValue: "HKScoredAssessmentTypeIdentifierPHQ9")
}
