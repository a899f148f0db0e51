import Foundation
import StoredWorkouts
import Testing

@Suite struct SummaryComparisonTests {
    private func differences(_ first: String, _ second: String, _ tolerance: String...) throws -> [String] {
        try SummaryComparison(SummaryTolerance(tolerance)).differences(Data(first.utf8), Data(second.utf8))
            .map(\.description)
    }

    @Test func `identities, sources and the day do not count, and times from the start do`() throws {
        let first = #"{"workout":{"id":"A","start":"2026-01-01T08:00:00.000Z","end":"2026-01-01T09:00:00.000Z"}}"#
        let second =
            #"{"workout":{"id":"B","source":"app","start":"2026-02-01T07:00:00.000Z","end":"2026-02-01T08:00:00.000Z"}}"#
        #expect(try differences(first, second) == [])
        let longer = second.replacingOccurrences(of: "T08:00:00", with: "T08:00:02")
        #expect(try differences(first, longer).count == 1)
        #expect(try differences(first, longer, "end=2") == [])
        #expect(try differences(first, longer, "end=1").count == 1)
    }

    @Test func `a value that only one of them has is a difference, in lists too`() throws {
        let first = #"{"workout":{"laps":2,"zones":[{"zone":1,"seconds":3}]}}"#
        let second = #"{"workout":{"zones":[{"zone":1,"seconds":3},{"zone":2,"seconds":4}]}}"#
        #expect(
            try differences(first, second) == [
                "workout.laps: 2 only in the first",
                #"workout.zones.1: {"seconds":4,"zone":2} only in the second"#,
            ])
    }

    @Test func `the tolerance with the longest name applies`() throws {
        let first = #"{"workout":{"statistics":{"HeartRate":{"average":100,"maximum":100}}}}"#
        let second = #"{"workout":{"statistics":{"HeartRate":{"average":102,"maximum":110}}}}"#
        #expect(try differences(first, second).count == 2)
        #expect(try differences(first, second, "10%") == [])
        #expect(
            try differences(first, second, "HeartRate=10%", "average=1")
                == ["workout.statistics.HeartRate.average: 100, not 102"])
    }

    @Test(arguments: ["x", "-1", "=1", "average=", "nan"])
    func `an invalid tolerance is rejected`(word: String) {
        let error = #expect(throws: HKError.self) { try SummaryTolerance([word]) }
        #expect(error?.localizedDescription.contains("'\(word)'") == true)
    }

    @Test(arguments: ["", "[]", "{}", "{\"at\":1}"]) func `a file that is not a summary is an error`(text: String) {
        #expect(throws: HKError.self) { try differences(text, #"{"workout":{}}"#) }
    }
}
