import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct HistoryAppTests {
    /// 60 days of steps up to now, with one sample at noon of each day.
    @MainActor private func trend(_ authorization: String) throws -> (app: StepTrend, now: Date) {
        var environment = HealthEnvironment(variables: [
            "HEALTHKIT_STORE": "memory", "HEALTHKIT_AUTHORIZATION": authorization,
        ])
        environment.database = SQLiteHealthDatabase(.memory)
        let now = Date()
        let noons = (0..<60).map { now.addingTimeInterval(-Double($0) * 24 * 3600 - 12 * 3600) }
        let type = HKQuantityType(.stepCount)
        try environment.database.save(
            noons.map {
                HKQuantitySample(
                    type: type, quantity: HKQuantity(unit: .count(), doubleValue: 1000), start: $0, end: $0 + 60)
            }, from: Made.source("Watch"))
        let app = HealthEnvironment.$current.withValue(environment) { StepTrend() }
        return (app, now)
    }

    @MainActor @Test func `an app notices that it may read 30 days only`() async throws {
        let (app, now) = try trend("past-30-days")
        try await app.load(days: 60, until: now)
        #expect(app.days == Array(repeating: 1000, count: 30))
        #expect(app.notice != nil)
        let limit: Date? = try await withCheckedThrowingContinuation { continuation in
            app.showLimit { date, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(date))
            }
        }
        // The limit is fixed when the user answers.
        #expect(try #require(limit) >= now - 30 * 86400)
    }

    @MainActor @Test(arguments: [("allow", 60), ("deny", 0)])
    func `full and denied access look alike`(_ authorization: String, days: Int) async throws {
        let (app, now) = try trend(authorization)
        try await app.load(days: 60, until: now)
        #expect(app.days.count == days)
        #expect(app.notice == nil)
    }
}
