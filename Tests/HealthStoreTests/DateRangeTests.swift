import Analytics
import Foundation
import MadeSamples
import Testing

@testable import HealthStore

/// A query for a range of dates uses the index that finds fewer rows.
@Suite struct DateRangeTests {
    private static let hours = 400

    private func history() throws -> SQLiteHealthDatabase {
        let database = SQLiteHealthDatabase(.memory)
        let workouts = try (0..<Self.hours).map { try Made.workout(.running, at: 3600 * Double($0), lasting: 4000) }
        try database.save(workouts, from: Made.source("App"))
        return database
    }

    private func filter(from hour: Double, to end: Double?) -> SampleFilter {
        let since = SampleFilter.startDate(.greaterOrEqual, Made.start + 3600 * hour)
        guard let end else { return since }
        return .and([since, .startDate(.less, Made.start + 3600 * end)])
    }

    @Test(arguments: [
        (0.0, 5.0, "runByStart"), (100, 110, "runByStart"), (300, 310, "runByEnd"), (398, nil, "runByEnd"),
        (-1000, 2000, "runByStart"), (5000, nil, "runByEnd"),
    ])
    func `early rows are found by their starts, late ones by their ends`(
        from: Double, to: Double?, index: String
    ) throws {
        let plan = try history().withReader { reader in
            let selection = SampleSelection(.workoutType(), filter(from: from, to: to))
            let condition = try #require(try reader.condition(selection))
            return try SQLRow.fetchAll(
                reader.db,
                sql: "EXPLAIN QUERY PLAN SELECT \(StoredRun.columns) FROM anyRun AS run WHERE \(condition.sql)",
                arguments: condition.arguments
            ).map { $0[3] as String }.joined(separator: "; ")
        }
        #expect(plan.contains("USING INDEX \(index) "), "\(plan)")
    }

    @Test func `both indexes find the same`() throws {
        let database = try history()
        let all = try database.all(.workoutType())
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let from = Double.random(in: -20...420, using: &random)
            let length = Double.random(in: 0...40, using: &random)
            let filter = filter(from: from, to: Bool.random(using: &random) ? from + length : nil)
            #expect(try Set(database.all(.workoutType(), filter)) == Set(all.filter(filter.matches)), "\(filter)")
        }
    }
}
