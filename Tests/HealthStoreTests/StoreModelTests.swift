import Analytics
import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Testing

/// A store goes through random changes, and gives the same answers as a list of the samples that it should hold.
@Suite struct StoreModelTests {
    @Test(arguments: StoreUnderTest.allCases, seeds)
    func `a store answers as a list of its samples does`(_ store: StoreUnderTest, seed: Int) throws {
        try store.with { database in
            var life = StoreLife(database, seed: UInt64(seed))
            for _ in 0..<25 {
                try life.change()
                try life.check()
            }
            #expect(try database.checkIntegrity() == [])
        }
    }

    /// STORE_MODEL_SEEDS=100 runs more seeds, STORE_MODEL_FIRST sets the first one.
    private static let seeds: Range<Int> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STORE_MODEL_FIRST"].flatMap(Int.init) ?? 1
        return first..<first + (environment["STORE_MODEL_SEEDS"].flatMap(Int.init) ?? 2)
    }()
}

/// The store, the list, and an app that follows the changes.
private struct StoreLife {
    private struct Entry {
        var sample: HKSample
        var source: Int
    }

    /// An app that asks for changes from time to time, a limited number at once.
    private struct Follower {
        var selection: SampleSelection
        var limit: Int?
        var anchor: Int64 = 0
        var known: [UUID: HKSample] = [:]
    }

    private let database: any HealthDatabase
    private let seed: UInt64
    private var random: SeededGenerator
    /// In order of insertion.
    private var entries: [Entry] = []
    private var followers: [Follower] = []
    private var marks: [HKSampleType: Int64] = [:]
    /// A source is known from its first sample on. The latest one has priority.
    private var priorities: [Int] = []
    private var story: [String] = []

    private static let types: [HKSampleType] = [Made.heartRate, Made.steps, Made.sleep, pressure, systolic, diastolic]
    private static let pressure = HKCorrelationType(.bloodPressure)
    private static let systolic = HKQuantityType(.bloodPressureSystolic)
    private static let diastolic = HKQuantityType(.bloodPressureDiastolic)
    private static let span = 4000.0

    init(_ database: any HealthDatabase, seed: UInt64) {
        self.database = database
        self.seed = seed
        random = SeededGenerator(seed: seed)
        for type in Self.types {
            followers.append(Follower(selection: SampleSelection(type), limit: nil))
            followers.append(Follower(selection: SampleSelection(type, Self.window), limit: 3))
            followers.append(Follower(selection: SampleSelection(type, onlySource: "test.S1"), limit: 7))
        }
    }

    private static let window = starting(from: 500, until: 3000)

    private static func starting(from start: Double, until end: Double) -> SampleFilter {
        .and([.startDate(.greaterOrEqual, Made.start + start), .startDate(.less, Made.start + end)])
    }

    // MARK: Changes

    mutating func change() throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: try save(row(of: Made.heartRate))
        case 2, 3: try save(row(of: Made.steps))
        case 4: try save((0..<number(1...30)).map { _ in night() })
        case 5: try save((0..<number(1...12)).map { _ in synchronized() })
        case 6: try save((0..<number(1...5)).map { _ in correlation() })
        case 7: try save(row(of: Made.steps) + row(of: Made.heartRate) + [correlation(), night(), synchronized()])
        case 8:
            try delete(Set((0..<number(1...20)).compactMap { _ in entries.randomElement(using: &random)?.sample.uuid }))
        case 9, 10: try deleteMatching()
        default: try collect()
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func second() -> Double { Double(number(0...Int(Self.span))) }

    /// A row of consecutive samples of various spacing and length, sometimes overlapping another one.
    private mutating func row(of type: HKQuantityType) -> [HKObject] {
        var start = second()
        let step = [0.5, 1, 1, 5, 60, 300][number(0...5)]
        let length = type == Made.heartRate ? 0 : [0, step, step, step * 1.5, step / 3][number(0...4)]
        let metadata: [String: Any]? = number(0...3) == 0 ? ["K": number(0...2)] : nil
        return (0..<number(1...200)).map { _ in
            defer { start += step * (number(0...20) == 0 ? 7 : 1) }
            return HKQuantitySample(
                type: type,
                quantity: HKQuantity(
                    unit: type == Made.heartRate ? Made.perMinute : .count(), doubleValue: Double(number(50...180))),
                start: Made.start + start, end: Made.start + start + length, metadata: metadata)
        }
    }

    private mutating func night() -> HKSample {
        let start = second()
        return HKCategorySample(
            type: Made.sleep, value: number(0...5), start: Made.start + start,
            end: Made.start + start + Double(number(0...900)))
    }

    /// A sample that replaces an earlier version of itself.
    private mutating func synchronized() -> HKSample {
        let start = second()
        let metadata: [String: Any] = [
            HKMetadataKeySyncIdentifier: "id\(number(0...6))", HKMetadataKeySyncVersion: number(1...5),
        ]
        return number(0...1) == 0
            ? HKQuantitySample(
                type: Made.steps, quantity: HKQuantity(unit: .count(), doubleValue: Double(number(1...500))),
                start: Made.start + start, end: Made.start + start + Double(number(0...200)), metadata: metadata)
            : HKCategorySample(
                type: Made.sleep, value: number(0...5), start: Made.start + start,
                end: Made.start + start + Double(number(0...900)), metadata: metadata)
    }

    private mutating func correlation() -> HKSample {
        let date = Made.start + second()
        let unit = HKUnit.millimeterOfMercury()
        let parts = [(Self.systolic, 110...150), (Self.diastolic, 60...90)].map { type, range in
            HKQuantitySample(
                type: type, quantity: HKQuantity(unit: unit, doubleValue: Double(number(range))), start: date, end: date
            )
        }
        return HKCorrelation(type: Self.pressure, start: date, end: date, objects: Set(parts))
    }

    private mutating func save(_ objects: [HKObject]) throws {
        let source = number(0...2)
        let samples = objects.compactMap { $0 as? HKSample }.shuffled(using: &random)
        story.append("save \(samples.count) from S\(source)")
        try database.save(samples, from: Made.source("S\(source)"))
        note(source)
        for sample in samples { insert(sample, source) }
    }

    private mutating func note(_ source: Int) {
        if !priorities.contains(source) { priorities.append(source) }
    }

    private mutating func insert(_ sample: HKSample, _ source: Int) {
        if let identifier = sample.metadata?[HKMetadataKeySyncIdentifier] as? String {
            func version(_ sample: HKSample) -> Int { sample.metadata?[HKMetadataKeySyncVersion] as? Int ?? 0 }
            if let older = entries.firstIndex(where: {
                $0.source == source && $0.sample.sampleType == sample.sampleType
                    && $0.sample.metadata?[HKMetadataKeySyncIdentifier] as? String == identifier
            }) {
                guard version(entries[older].sample) < version(sample) else { return }
                entries.remove(at: older)
            }
        }
        if let correlation = sample as? HKCorrelation {
            entries += correlation.objects.map { Entry(sample: $0, source: source) }
        }
        entries.append(Entry(sample: sample, source: source))
    }

    private mutating func delete(_ ids: Set<UUID>) throws {
        story.append("delete \(ids.count)")
        _ = try database.delete(ids, owner: nil)
        forget(ids)
    }

    /// The members of a correlation stay.
    private mutating func forget(_ ids: Set<UUID>) { entries.removeAll { ids.contains($0.sample.uuid) } }

    private mutating func deleteMatching() throws {
        let type = Self.types[number(0...5)]
        let start = second()
        let source = number(0...2)
        let filter = Self.starting(from: start, until: start + Double(number(1...600)))
        story.append("delete \(type) of S\(source) at \(start)")
        let owner = Bool.random(using: &random) ? "test.S\(source)" : nil
        _ = try database.delete(SampleSelection(type, filter), owner: owner)
        forget(
            Set(
                entries.filter {
                    $0.sample.sampleType == type && (owner == nil || $0.source == source) && filter.matches($0.sample)
                }.map(\.sample.uuid)))
    }

    /// The samples of a session, some of them twice.
    private mutating func collect() throws {
        let source = number(0...2)
        let samples = row(of: Made.heartRate).compactMap { $0 as? HKSample }
        story.append("collect \(samples.count) from S\(source)")
        let session = UUID()
        try database.apply(.collect(samples, of: session, isDurable: true), from: Made.source("S\(source)"))
        try database.apply(
            .collect(Array(samples.suffix(number(1...samples.count))), of: session, isDurable: true),
            from: Made.source("S\(source)"))
        note(source)
        for sample in samples { insert(sample, source) }
    }

    // MARK: Questions

    mutating func check() throws {
        for type in Self.types {
            let expected = entries.filter { $0.sample.sampleType == type }.map(\.sample)
            try check(type, expected)
            try check(type, changedSince: expected)
        }
        try follow()
        for _ in 0..<3 { try checkSteps() }
        for _ in 0..<3 { try checkRates() }
    }

    private var life: Comment { "seed \(seed): \(story.joined(separator: ", "))" }

    private mutating func check(_ type: HKSampleType, _ expected: [HKSample]) throws {
        let all = try database.all(type)
        try #require(all.count == expected.count, life)
        let byID = Dictionary(uniqueKeysWithValues: expected.map { ($0.uuid, $0) })
        for sample in all {
            let one = try #require(byID[sample.uuid], life)
            #expect(sample.startDate == one.startDate && sample.endDate == one.endDate, life)
            #expect((sample as? HKQuantitySample)?.quantity == (one as? HKQuantitySample)?.quantity, life)
            #expect((sample as? HKCategorySample)?.value == (one as? HKCategorySample)?.value, life)
            #expect(sample.metadata?.keys.sorted() == one.metadata?.keys.sorted(), life)
        }
        let limit = number(1...20)
        let ascending = Bool.random(using: &random)
        let first = try database.samples(
            [SampleSelection(type)], sortedBy: [SampleSort(.endDate, ascending: ascending)], limit: limit)
        let ends = expected.map(\.endDate).sorted { ascending ? $0 < $1 : $0 > $1 }
        #expect(first.map(\.endDate) == Array(ends.prefix(limit)), life)
    }

    /// The times that have changed since the last question contain each new or deleted sample.
    private var before: [HKSampleType: [UUID: HKSample]] = [:]

    private mutating func check(_ type: HKSampleType, changedSince now: [HKSample]) throws {
        let changed = try database.changedTimes(type, after: marks[type] ?? .max)
        defer { marks[type] = changed.mark }
        let current = Dictionary(uniqueKeysWithValues: now.map { ($0.uuid, $0) })
        defer { before[type] = current }
        guard marks[type] != nil, let ranges = changed.ranges else { return }
        let earlier = before[type] ?? [:]
        let different =
            current.values.filter { earlier[$0.uuid] == nil } + earlier.values.filter { current[$0.uuid] == nil }
        for sample in different {
            #expect(
                ranges.contains { $0.lowerBound <= sample.startDate && sample.endDate <= $0.upperBound },
                "\(type) \(sample.startDate) in \(ranges) \(life)")
        }
    }

    /// Every second follower asks, and then knows the present samples.
    private mutating func follow() throws {
        for index in followers.indices where number(0...1) == 0 {
            let (selection, limit) = (followers[index].selection, followers[index].limit)
            while true {
                let page = try database.changes([selection], after: followers[index].anchor, limit: limit)
                for deleted in page.deleted { followers[index].known[deleted.uuid] = nil }
                for sample in page.added {
                    #expect(followers[index].known[sample.uuid] == nil, life)
                    followers[index].known[sample.uuid] = sample
                }
                followers[index].anchor = page.anchor
                let count = page.added.count + page.deleted.count
                if let limit { #expect(count <= limit, life) }
                if limit == nil || count < limit! { break }
            }
            let expected = entries.filter {
                $0.sample.sampleType == selection.type && selection.filter.matches($0.sample)
                    && (selection.onlySource == nil || $0.source == 1)
            }
            #expect(
                Set(followers[index].known.keys) == Set(expected.map(\.sample.uuid)),
                "\(selection.type) limit \(String(describing: limit)) \(life)")
        }
    }

    private mutating func bounds() -> [Date] {
        var bounds = [Double(number(-500...2000))]
        let width = [7, 60, 333.25, 900][number(0...3)]
        while bounds.count < number(2...40) { bounds.append(bounds.last! + width) }
        return bounds.map { Made.start + $0 }
    }

    private mutating func filter() -> SampleFilter {
        switch number(0...4) {
        case 0: Self.window
        case 1: Self.twoSources
        case 2: .metadata("K", .equal, .number(1))
        case 3: .endDate(.lessOrEqual, Made.start + second())
        default: .all
        }
    }

    private static let twoSources = SampleFilter.sources(["test.S0", "test.S2"])

    /// Samples of the list don't have a source yet.
    private static func matches(_ entry: Entry, _ filter: SampleFilter) -> Bool {
        if case .sources = filter { entry.source != 1 } else { filter.matches(entry.sample) }
    }

    /// Steps of several sources: at each moment, the source with the highest priority counts.
    private mutating func checkSteps() throws {
        let (bounds, filter) = (bounds(), filter())
        let buckets = try database.statistics(
            SampleSelection(Made.steps, filter), bounds: .dates(bounds), separatingSources: true)
        var sums: [Date: Double] = [:]
        var own: [Int: [Date: Double]] = [:]
        func matching(_ source: Int) -> [HKQuantitySample] {
            entries.filter {
                $0.source == source && $0.sample.sampleType == Made.steps && Self.matches($0, filter)
            }.compactMap { $0.sample as? HKQuantitySample }
        }
        var covered: [ClosedRange<Date>] = []
        for source in priorities.reversed() {
            let samples = matching(source)
            for sample in samples {
                let value = sample.quantity.doubleValue(for: .count())
                for (start, end) in zip(bounds, bounds.dropFirst()) {
                    own[source, default: [:]][start, default: 0] += value * Self.share(sample, start, end, [])
                    sums[start, default: 0] += value * Self.share(sample, start, end, covered)
                }
            }
            covered += samples.map { $0.startDate...$0.endDate }
        }
        for start in bounds.dropLast() {
            let bucket = buckets.first { $0.start == start }
            #expect(abs((bucket?.total.sum ?? 0) - (sums[start] ?? 0)) < 1e-6, "\(filter) \(life)")
            for source in priorities {
                let sum = bucket?.bySource[Made.source("S\(source)").source]?.sum ?? 0
                #expect(abs(sum - (own[source]?[start] ?? 0)) < 1e-6, "S\(source) \(filter) \(life)")
            }
        }
    }

    /// The share of a sample within an interval, without covered times.
    private static func share(
        _ sample: HKSample, _ start: Date, _ end: Date, _ covered: [ClosedRange<Date>]
    ) -> Double {
        guard sample.endDate > sample.startDate else {
            let date = sample.startDate
            return start <= date && date < end && !covered.contains { $0.lowerBound <= date && date < $0.upperBound }
                ? 1 : 0
        }
        let (from, to) = (max(start, sample.startDate), min(end, sample.endDate))
        guard from < to else { return 0 }
        let cuts = ([from, to] + covered.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 > from && $0 < to })
            .sorted()
        var seconds = 0.0
        for (one, next) in zip(cuts, cuts.dropFirst())
        where !covered.contains(where: { $0.lowerBound <= one && next <= $0.upperBound }) {
            seconds += next.timeIntervalSince(one)
        }
        return seconds / sample.endDate.timeIntervalSince(sample.startDate)
    }

    private mutating func checkRates() throws {
        let (bounds, filter) = (bounds(), filter())
        let buckets = try database.statistics(
            SampleSelection(Made.heartRate, filter), bounds: .dates(bounds), separatingSources: true)
        let rates = entries.filter { $0.sample.sampleType == Made.heartRate && Self.matches($0, filter) }
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            let bucket = buckets.first { $0.start == start }
            let inside = rates.filter { start <= $0.sample.startDate && $0.sample.startDate < end }
            func values(_ source: Int?) -> [Double] {
                inside.filter { source == nil || $0.source == source }.compactMap { $0.sample as? HKQuantitySample }
                    .map { $0.quantity.doubleValue(for: Made.perMinute) }
            }
            Self.compare(bucket?.total, values(nil), "\(filter) \(life)")
            for source in priorities {
                Self.compare(
                    bucket?.bySource[Made.source("S\(source)").source], values(source), "S\(source) \(filter) \(life)")
            }
            let last = inside.map(\.sample.startDate).max()
            #expect(bucket?.total.mostRecent?.start == last, life)
        }
    }

    private static func compare(_ figures: RunningStatistics?, _ values: [Double], _ text: Comment) {
        #expect(figures?.count ?? 0 == values.count, text)
        #expect(figures?.minimum == values.min() && figures?.maximum == values.max(), text)
        #expect(abs((figures?.sum ?? 0) - values.reduce(0, +)) < 1e-6, text)
    }
}
