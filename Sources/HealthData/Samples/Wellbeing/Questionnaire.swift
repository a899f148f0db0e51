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
