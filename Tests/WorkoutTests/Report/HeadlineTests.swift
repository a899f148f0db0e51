import ArgumentParser
import Foundation
import HealthKit
import Reports
import StoredWorkouts
import Testing

@testable import workout

@Suite struct HeadlineTests {
    private typealias Facts = Headline.Facts

    private static let calendar = Calendar.gregorian(.gmt)

    /// 15 May 2026, and days around it.
    private static func day(_ days: Double) -> Date { Date(timeIntervalSince1970: 1_778_803_200 + days * 86_400) }

    private static func run(_ days: Double, _ kilometers: Double?, minutes: Double = 60) -> Facts {
        Facts("running", day(days), seconds: minutes * 60, meters: kilometers.map { $0 * 1000 })
    }

    private static func headline(
        _ own: Facts, records: [BestEffort] = [], _ others: [Facts], load: Double? = nil, _ loads: [Double] = []
    ) -> Headline? {
        Headline(own, records: records, others: others, calendar) { (load, loads) }
    }

    private static func distance(_ meters: Double, _ seconds: Double) -> BestEffort {
        BestEffort(.init("running", .distance, meters), seconds)
    }

    @Test func `the record over the longest distance comes first`() {
        let records = [
            Self.distance(1_000, 220), Self.distance(10_000, 2_500), BestEffort(.init("running", .power, 1_200), 250),
            BestEffort(.init("running", .speed, 3_600), 4),
        ]
        let own = Self.run(0, 30)
        let others = [Self.run(-1, 10), Self.run(-2, 10)]
        #expect(Self.headline(own, records: records, others, load: 200, [1, 2]) == .record(records[1]))
        #expect(Self.headline(own, records: [records[2], records[3]], others) == .record(records[2]))
        #expect(Self.headline(own, records: [records[3]], others) == .longest(.allTime), "a mean speed is no headline")
    }

    @Test func `the first workout of a sport holds every record, and no headline`() {
        let ride = Facts("cycling", Self.day(-1), seconds: 3_600, meters: 20_000)
        #expect(Self.headline(Self.run(0, 10), records: [Self.distance(1_000, 240)], [ride]) == nil)
    }

    @Test func `the longest of all time is longer than at least two others of its sport`() {
        let ride = Facts("cycling", Self.day(-1), seconds: 36_000, meters: 200_000)
        #expect(Self.headline(Self.run(0, 10), [Self.run(-1, 9), Self.run(40, 8), ride]) == .longest(.allTime))
        #expect(Self.headline(Self.run(0, 10, minutes: 90), [Self.run(-1, 9)]) == nil)
        #expect(Self.headline(Self.run(0, 10, minutes: 90), [Self.run(-1, 9), Self.run(400, 10)]) == nil)
    }

    @Test func `without a distance the longest time counts`() {
        let others = [Self.run(-1, nil, minutes: 50), Self.run(-2, 30, minutes: 55)]
        #expect(Self.headline(Self.run(0, nil), others) == .longest(.allTime))
        #expect(Self.headline(Self.run(0, nil), others + [Self.run(-3, nil, minutes: 60)]) == nil)
    }

    @Test func `the fastest is compared with those of similar distance`() {
        let others = [Self.run(-1, 11, minutes: 66), Self.run(-2, 9.5, minutes: 60), Self.run(-3, 2, minutes: 7)]
        #expect(Self.headline(Self.run(0, 10, minutes: 50), others) == .fastest)
        #expect(Self.headline(Self.run(0, 10, minutes: 61), others) == nil)
        #expect(Self.headline(Self.run(0, 10, minutes: 50), [others[0], others[2]]) == nil, "one other is too few")
    }

    @Test func `the highest load of the month comes before the longest of the year`() {
        let others = [
            Self.run(-20, 8), Self.run(-40, 8), Self.run(-60, 8), Self.run(-80, 8), Self.run(-90, 8),
            Self.run(-400, 20),
            Self.run(-401, 19),
        ]
        let own = Self.run(0, 10, minutes: 120)
        #expect(Self.headline(own, others, load: 120, [60, 119]) == .highestLoad)
        #expect(Self.headline(own, others, load: 120, [60, 120]) == .longest(.year))
        #expect(Self.headline(own, others, load: nil, [60, 70]) == .longest(.year))
        #expect(Self.headline(own, others, load: 120, [60]) == .longest(.year), "one other load is too few")
    }

    @Test func `the longest of the month is that of a calendar month`() {
        let others = [Self.run(-400, 20), Self.run(-401, 19), Self.run(-60, 18), Self.run(-5, 8), Self.run(10, 9)]
        #expect(Self.headline(Self.run(0, 10, minutes: 120), others) == .longest(.month))
        #expect(Self.headline(Self.run(20, 10, minutes: 120), others) == nil)
    }

    @Test func `loads are read only if nothing better was found`() {
        var isAsked = false
        let own = Self.run(0, 10)
        _ = Headline(own, records: [], others: [Self.run(-1, 9), Self.run(-2, 9)], Self.calendar) {
            isAsked = true
            return (nil, [])
        }
        #expect(!isAsked)
    }

    @Test func `each headline is one sentence, in each language`() throws {
        let page = Page(timeZone: .gmt)
        let own = Self.run(0, 10.25)
        let all: [(Headline, String, String)] = [
            (
                .record(Self.distance(21_097.5, 6_310)), "Your fastest half marathon: 1:45:10.",
                "Deine Bestzeit (Halbmarathon): 1:45:10."
            ),
            (
                .longest(.allTime), "Your longest distance in running: 10.25 km.",
                "Deine längste Distanz (Laufen): 10,25 km."
            ),
            (
                .longest(.year), "Your longest distance in running of 2026: 10.25 km.",
                "Deine längste Distanz des Jahres 2026 (Laufen): 10,25 km."
            ),
            (
                .longest(.month), "Your longest distance in running of the month May 2026: 10.25 km.",
                "Deine längste Distanz im Monat Mai 2026 (Laufen): 10,25 km."
            ),
            (
                .fastest, "Your fastest average in running over such a distance: 5:51 /km.",
                "Dein schnellstes Mittel über so eine Distanz (Laufen): 5:51 /km."
            ),
            (
                .highestLoad, "Your highest training load of May 2026: 120.",
                "Deine höchste Trainingsbelastung im Mai 2026: 120."
            ),
        ]
        let german = try #require(Language.named("de"))
        for (headline, english, deutsch) in all {
            #expect(headline.sentence(own, load: 120, page) == english)
            #expect(Language.$ofTask.withValue(german) { headline.sentence(own, load: 120, page) } == deutsch)
        }
    }

    @Test func `a period names the longest record of each sport, three at most`() {
        #expect([BestEffort]().headlineOfPeriod == nil)
        #expect([BestEffort(.init("running", .power, 300), 250)].headlineOfPeriod == nil)
        let records = [
            Self.distance(1_000, 220), Self.distance(10_000, 2_500),
            BestEffort(.init("cycling", .distance, 40_000), 4_000),
            BestEffort(.init("swimming", .distance, 800), 900), BestEffort(.init("rowing", .distance, 500), 110),
        ]
        #expect(
            records.headlineOfPeriod
                == "Records of all time: 40 km (cycling), 10 km (running), 800 m (swimming).")
    }

    @Test func `a report begins with the headline, and a recording's has none`() async throws {
        let runs = StoredRuns()
        let id = try await runs.replay("intervals").id.uuidString
        try await runs.replay("easy-run")
        let stored = try await Report.parse([id]).report(runs.environment, StoredRuns.utc)
        #expect(stored.headline?.hasPrefix("Your ") == true)
        #expect(String(decoding: stored.document.bytes, as: UTF8.self).contains("<p class=\"headline\">Your "))
        let file = SampleRecordingsTests.folder.appendingPathComponent("intervals.jsonl").path
        #expect(try await Report.parse([file]).report(runs.environment, StoredRuns.utc).headline == nil)
    }
}
