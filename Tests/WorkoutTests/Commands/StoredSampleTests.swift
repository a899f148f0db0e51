import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import Testing

@testable import workout

@Suite struct StoredSampleTests {
    let runs = StoredRuns()

    // MARK: samples

    @Test func `samples come oldest first or newest first, and in pages`() throws {
        try runs.save(heartRates: [60, 70, 80], from: try Date("2026-01-01T08:00Z"))
        let (oldest, more) = try Samples.parse(["heartRate", "--json", "--limit", "2"]).lines(
            runs.database, StoredRuns.utc)
        #expect(oldest.map { $0.contains(#""value":60,"unit":"count/min""#) } == [true, false])
        #expect(more != nil)
        let (newest, rest) = try Samples.parse(["heartRate", "--json", "--limit", "all", "--newest"]).lines(
            runs.database, StoredRuns.utc)
        #expect(newest.map { $0.contains(#""value":80"#) } == [true, false, false])
        #expect(rest == nil)
        let table = try Samples.parse(["heartrate"]).lines(runs.database, StoredRuns.utc).lines
        #expect(table.count == 4)
        #expect(table.dropFirst().first?.hasPrefix("2026-01-01 08:00:00") == true)
        #expect(table.dropFirst().first?.contains("60 bpm") == true)
    }

    @Test func `a range contains what begins in it`() throws {
        try runs.save(heartRates: [60, 70, 80], from: try Date("2026-01-01T08:00Z"))
        let lines = try Samples.parse([
            "heartRate", "--json", "--from", "2026-01-01T08:01Z", "--to", "2026-01-01T08:02Z",
        ]).lines(runs.database, StoredRuns.utc).lines
        #expect(lines.count == 1)
        #expect(lines.first?.contains(#""value":70"#) == true)
    }

    @Test func `a category is shown by its name`() throws {
        let start = try Date("2026-01-01T23:00Z")
        let sleep = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepREM.rawValue, start: start,
            end: start + 600)
        let mindful = HKCategorySample(
            type: HKCategoryType(.mindfulSession), value: 0, start: start, end: start + 600)
        try runs.database.save([sleep, mindful], from: .current)
        func lines(_ arguments: String...) throws -> [String] {
            try Samples.parse(arguments).lines(runs.database, StoredRuns.utc).lines
        }
        #expect(try lines("sleepAnalysis").last?.contains("  asleepREM  ") == true)
        #expect(try lines("sleepAnalysis", "--json").first?.contains(#""value":5,"name":"asleepREM""#) == true)
        #expect(try lines("mindfulSession").last?.contains("notApplicable") == false)
    }

    @Test func `an empty result is a sentence`() throws {
        #expect(
            try Samples.parse(["bodyMass"]).lines(runs.database, StoredRuns.utc).lines == [
                "No samples of bodyMass are stored."
            ])
        #expect(try Samples.parse(["bodyMass", "--json"]).lines(runs.database, StoredRuns.utc).lines.isEmpty)
    }

    @Test(arguments: [
        ("hartRate", "Did you mean 'heartRate'"), ("steps", "Did you mean"), ("biologicalSex", "not a sample type"),
        ("zzzzzzzzzzzz", "Unknown type"),
    ])
    func `an unknown type lists the existing ones`(name: String, says: String) {
        let error = #expect(throws: (any Error).self) { try Samples.parse([name]) }
        #expect(error.map { Samples.message(for: $0) }?.contains(says) == true)
    }

    @Test(arguments: ["heartRate", "HEARTRATE", "HKQuantityTypeIdentifierHeartRate"])
    func `a type may be given by name or identifier`(name: String) throws {
        #expect(try TypeArgument.sampleType(name) == HKQuantityType(.heartRate))
    }

    // MARK: stats

    @Test func `an hour without samples is a gap and not a zero`() throws {
        try runs.save(heartRates: [60, 80], from: try Date("2026-01-01T08:00Z"))
        try runs.save(heartRates: [100], from: try Date("2026-01-01T10:30Z"))
        let stats = try Stats.parse(["heartRate", "--every", "1h"])
        let report = try stats.report(runs.database, timeZone: .gmt)
        #expect(report.buckets.map(\.total.count) == [2, 0, 1])
        #expect(report.buckets.map(\.total.arithmeticMean) == [70, nil, 100])
        #expect(report.json.contains(#""end":"2026-01-01T10:00:00.000Z","count":0}"#))
        let lines = report.lines(StoredRuns.utc)
        #expect(lines.count == 4)
        #expect(lines[2].hasSuffix("–"))
    }

    @Test func `days are local`() throws {
        try runs.save(heartRates: [60], from: try Date("2026-01-01T23:30Z"))
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let report = try Stats.parse(["heartRate", "--every", "1d"]).report(runs.database, timeZone: zone)
        #expect(report.buckets.map(\.start) == [try Date("2026-01-01T23:00Z")])
        #expect(report.areWholeDays)
    }

    @Test func `a range cuts the first and last interval`() throws {
        try runs.save(heartRates: Array(repeating: 60, count: 60), from: try Date("2026-01-01T08:00Z"))
        let report = try Stats.parse([
            "heartRate", "--every", "30m", "--from", "2026-01-01T08:10Z", "--to", "2026-01-01T08:40Z",
        ]).report(runs.database, timeZone: .gmt)
        #expect(report.buckets.map(\.total.count) == [20, 10])
    }

    @Test func `without an interval there is one figure`() throws {
        try runs.save(heartRates: [60, 61, 62], from: try Date("2026-01-01T08:00Z"))
        let report = try Stats.parse(["heartRate"]).report(runs.database, timeZone: .gmt)
        #expect(report.buckets.map(\.total.count) == [3])
    }

    @Test func `a source is selected by name or bundle identifier`() throws {
        try runs.save(heartRates: [60], from: try Date("2026-01-01T08:00Z"), source: "local.a")
        try runs.save(heartRates: [90, 90], from: try Date("2026-01-01T08:00Z"), source: "local.b")
        for name in ["local.b", "test LOCAL.B"] {
            let report = try Stats.parse(["heartRate", "--source", name]).report(runs.database, timeZone: .gmt)
            #expect(report.buckets.map(\.total.count) == [2])
        }
        let error = #expect(throws: CommandFailure.self) {
            try Stats.parse(["heartRate", "--source", "c"]).report(runs.database, timeZone: .gmt)
        }
        #expect(error?.message.contains("Test local.a (local.a)") == true)
    }

    @Test func `an empty count is a sentence`() throws {
        #expect(
            try Stats.parse(["heartRate"]).lines(runs.database, StoredRuns.utc) == [
                "No samples of heartRate are stored."
            ])
        try runs.save(heartRates: [60], from: try Date("2026-01-01T08:00Z"))
        for range in [
            ["--from", "2030"], ["--to", "2020", "--every", "1d"],
            ["--from", "2020", "--to", "2021", "--every", "1mo"],
        ] {
            #expect(
                try Stats.parse(["heartRate"] + range).lines(runs.database, StoredRuns.utc)
                    == ["No samples of heartRate fall in this period."])
        }
    }

    @Test(arguments: [
        ["sleepAnalysis"], ["heartRate", "--from", "today", "--to", "yesterday"], ["heartRate", "--every", "0d"],
    ])
    func `wrong usage is rejected with 64`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Stats.parse(arguments) }
        #expect(error.map { Stats.exitCode(for: $0) } == .wrongUsage)
    }

    // MARK: watch

    @Test func `a watch prints samples that are stored from then on`() async throws {
        let start = try Date("2026-01-01T08:00Z")
        try runs.save(heartRates: [50], from: start)
        let (found, continuation) = AsyncStream.makeStream(of: [UUID].self)
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let watch = SampleWatch(type: HKQuantityType(.heartRate), database: runs.database)
        let work = Task {
            try await watch.run(whenReady: { isReady.yield() }) { continuation.yield($0.map(\.uuid)) }
        }
        for await _ in ready { break }
        let new = try runs.save(heartRates: [60, 61], from: start.addingTimeInterval(600)).map(\.uuid)
        for await ids in found {
            #expect(ids == new)
            break
        }
        work.cancel()
        try await work.value
    }
}
