public import Foundation

/// The nine questions on depression (PHQ-9).
///
/// Bands after Kroenke, Spitzer and Williams, J Gen Intern Med 16 (2001) 606: 0–4, 5–9, 10–14, 15–19, 20–27.
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

    /// The number of questions.
    package static let questionCount = 9

    /// In the order of the questions.
    public let answers: [Answer]

    public var risk: Risk {
        switch score {
        case ..<5: .noneToMinimal
        case ..<10: .mild
        case ..<15: .moderate
        case ..<20: .moderatelySevere
        default: .severe
        }
    }

    /// Traps when there are not 9 answers or when any but the last is withheld, and when metadata holds a value of a type that is not allowed.
    public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
        raising(try Self.check(answers))
        let identity = raising(try ObjectIdentity(metadata: metadata))
        self.init(identity, answers, date, date)
    }

    /// An assessment from a file or the store; ``SampleError`` instead of a trap when the data is wrong.
    package static func validated(
        _ identity: ObjectIdentity, date: Date, answers: [Answer]
    ) throws(SampleError) -> HKPHQ9Assessment {
        try check(answers)
        return HKPHQ9Assessment(identity, answers, date, date)
    }

    private static func check(_ answers: [Answer]) throws(SampleError) {
        guard answers.count == questionCount else {
            throw .answers(assessment: "PHQ9", count: answers.count, expected: questionCount)
        }
        if let place = answers.dropLast().firstIndex(of: .preferNotToAnswer) {
            throw .outOfRange(what: "answer \(place + 1)", value: 4, range: 0...3)
        }
    }

    private init(_ identity: ObjectIdentity, _ answers: [Answer], _ start: Date, _ end: Date) {
        self.answers = answers
        super.init(identity, type: HKScoredAssessmentType(.PHQ9), score: Self.score(answers), start: start, end: end)
    }

    /// The sum of the answers. An answer that was withheld counts 0.
    private static func score(_ answers: [Answer]) -> Int {
        answers.reduce(0) { $0 + ($1 == .preferNotToAnswer ? 0 : $1.rawValue) }
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKPHQ9Assessment {
        HKPHQ9Assessment(identity, answers, start, end)
    }

    // MARK: NSSecureCoding

    public required init?(coder: NSCoder) {
        guard let numbers = coder.decodeList(of: NSNumber.self, forKey: "answers") else { return nil }
        answers = numbers.compactMap { Answer(rawValue: $0.intValue) }
        guard (try? Self.check(answers)) != nil else { return nil }
        super.init(coder: coder)
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(list: answers.map { NSNumber(value: $0.rawValue) }, forKey: "answers")
    }
}
