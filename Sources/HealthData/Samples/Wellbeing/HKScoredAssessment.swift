public import Foundation

/// A questionnaire whose answers add up to a score. Abstract.
public class HKScoredAssessment: HKSample, NSCopying, @unchecked Sendable {
    public final let score: Int

    init(_ identity: ObjectIdentity, type: HKScoredAssessmentType, score: Int, start: Date, end: Date) {
        self.score = score
        super.init(identity, sampleType: type, start: start, end: end)
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    public required init?(coder: NSCoder) {
        guard let score = coder.decodeCount(forKey: "score") else { return nil }
        self.score = score
        super.init(coder: coder)
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(count: score, forKey: "score")
    }
}
