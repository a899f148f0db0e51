import Archiving
import Foundation
import HealthData
import Testing

struct HKScoredAssessmentTests {
    /// Spreads this many points over this many questions.
    private static func points(_ total: Int, over questions: Int) -> [Int] {
        (0..<questions).map { min(3, max(0, total - 3 * $0)) }
    }

    @Test(arguments: [
        (0, HKGAD7Assessment.Risk.noneToMinimal), (4, .noneToMinimal), (5, .mild), (9, .mild), (10, .moderate),
        (14, .moderate), (15, .severe), (21, .severe),
    ])
    func `anxiety has four bands`(score: Int, risk: HKGAD7Assessment.Risk) throws {
        let answers = Self.points(score, over: 7).compactMap(HKGAD7Assessment.Answer.init)
        let assessment = HKGAD7Assessment(date: time(0), answers: answers)
        #expect(assessment.score == score)
        #expect(assessment.risk == risk)
        #expect(try archivedAndRead(assessment)?.answers == answers)
    }

    @Test(arguments: [
        (0, HKPHQ9Assessment.Risk.noneToMinimal), (4, .noneToMinimal), (5, .mild), (10, .moderate),
        (15, .moderatelySevere), (19, .moderatelySevere), (20, .severe), (27, .severe),
    ])
    func `depression has five bands`(score: Int, risk: HKPHQ9Assessment.Risk) throws {
        let answers = Self.points(score, over: 9).compactMap(HKPHQ9Assessment.Answer.init)
        let assessment = HKPHQ9Assessment(date: time(0), answers: answers)
        #expect(assessment.score == score)
        #expect(assessment.risk == risk)
        #expect(try archivedAndRead(assessment)?.answers == answers)
    }

    @Test func `only the last answer on depression may be withheld`() throws {
        let known = [HKPHQ9Assessment.Answer](repeating: .severalDays, count: 8)
        #expect(HKPHQ9Assessment(date: time(0), answers: known + [.preferNotToAnswer]).score == 8)
        #expect(throws: SampleError.self) {
            try HKPHQ9Assessment.validated(ObjectIdentity(), date: time(0), answers: [.preferNotToAnswer] + known)
        }
    }

    @Test func `a wrong number of answers is an error in data and a trap in code`() async {
        #expect(throws: SampleError.answers(assessment: "GAD7", count: 1, expected: 7)) {
            try HKGAD7Assessment.validated(ObjectIdentity(), date: time(0), answers: [.notAtAll])
        }
        await #expect(processExitsWith: .failure) { _ = HKGAD7Assessment(date: Date(), answers: []) }
    }
}
