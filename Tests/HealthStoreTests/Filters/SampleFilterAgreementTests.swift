import Analytics
import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Testing

/// The store's SQL and run summaries find the same samples as the filter does one by one.
@Suite struct SampleFilterAgreementTests {
    @Test(arguments: StoreUnderTest.allCases, 0..<4)
    func `the store finds exactly what matches in memory`(_ store: StoreUnderTest, seed: Int) throws {
        try store.with { try Self.compare($0, seed) }
    }

    private static func compare(_ database: any HealthDatabase, _ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for source in 0..<3 {
            try database.save(
                try Self.samples(values: source == 2 ? 1 : 9, &random),
                from: Made.source("S\(source)", version: "\(source)"))
        }
        for type in [Made.heartRate, Made.steps, Made.sleep, HKObjectType.workoutType()] as [HKSampleType] {
            let all = try database.all(type)
            #expect(!all.isEmpty)
            for _ in 0..<60 {
                let filter = Self.filter(type, all, depth: 3, &random)
                let found = try database.all(type, filter)
                let expected = all.filter(filter.matches)
                #expect(Set(found.map(\.uuid)) == Set(expected.map(\.uuid)), "\(type): \(filter)")
                #expect(found.count == expected.count)
                let extent = try database.extent(SampleSelection(type, filter))
                #expect(extent?.dates.lowerBound == expected.map(\.startDate).min(), "\(type): \(filter)")
                #expect(extent?.dates.upperBound == expected.map(\.endDate).max(), "\(type): \(filter)")
                #expect(extent?.sources ?? [] == Set(expected.map(\.sourceRevision.source)), "\(type): \(filter)")
                if type == Made.heartRate {
                    let rates = expected.compactMap { $0 as? HKQuantitySample }
                        .map { $0.quantity.doubleValue(for: Made.perMinute) }
                    let total = try database.statistics(
                        SampleSelection(type, filter), bounds: .whole, separatingSources: false
                    ).first?.total
                    #expect(total?.count ?? 0 == rates.count, "\(filter)")
                    #expect(total?.minimum == rates.min() && total?.maximum == rates.max(), "\(filter)")
                }
            }
        }
    }

    private static let strap = HKDevice(
        name: "Strap", manufacturer: nil, model: "H", hardwareVersion: nil, firmwareVersion: nil, softwareVersion: nil,
        localIdentifier: nil, udiDeviceIdentifier: nil)

    /// - Parameter values: The number of different values. With one, runs have a single value.
    private static func samples(values: Int, _ random: inout SeededGenerator) throws -> [HKObject] {
        var samples: [HKObject] = []
        for _ in 0..<60 {
            let second = Double(Int.random(in: 0..<200, using: &random))
            let kinds: [[String: Any]?] = [nil, ["K": 1], ["K": "a"], ["K": 2.5, "L": true]]
            let metadata = kinds.randomElement(using: &random)!
            samples.append(
                Made.heartRate(
                    Double(50 + Int.random(in: 0..<values, using: &random)), at: second,
                    device: Bool.random(using: &random) ? strap : nil, metadata: metadata))
            let length = Double(Int.random(in: 0..<50, using: &random))
            samples.append(
                Made.steps(Double(Int.random(in: 0..<values, using: &random)), from: second, to: second + length))
            samples.append(
                HKCategorySample(
                    type: Made.sleep, value: Int.random(in: 0..<6, using: &random), start: Made.start + second,
                    end: Made.start + second + length, metadata: metadata))
        }
        for _ in 0..<8 {
            samples.append(
                try Made.workout(
                    [.running, .cycling, .walking].randomElement(using: &random)!,
                    at: Double(Int.random(in: 0..<200, using: &random)),
                    lasting: Double(Int.random(in: 0..<100, using: &random)),
                    kilocalories: Bool.random(using: &random) ? Double(Int.random(in: 0..<5, using: &random)) : nil))
        }
        return samples
    }

    private static func filter(
        _ type: HKSampleType, _ samples: [HKSample], depth: Int, _ random: inout SeededGenerator
    ) -> SampleFilter {
        let comparison = SampleFilter.Comparison.allCases.randomElement(using: &random)!
        let date = Made.start + Double(Int.random(in: -10..<260, using: &random))
        func part() -> SampleFilter { filter(type, samples, depth: depth - 1, &random) }
        switch Int.random(in: 0..<(depth > 0 ? 16 : 12), using: &random) {
        case 0: return .startDate(comparison, date)
        case 1: return .endDate(comparison, date)
        case 2: return .ids(Set((0..<5).compactMap { _ in samples.randomElement(using: &random)?.uuid }))
        case 3: return .sources(["test.S\(Int.random(in: 0..<4, using: &random))"])
        case 4: return .sourceText(.name, [.beginsWith, .contains, .like].randomElement(using: &random)!, "S1")
        case 5:
            return [
                .hasMetadata("K"), .metadata("K", comparison, .number(2)), .metadata("K", comparison, .string("a")),
                .metadata("L", comparison, .number(1)),
            ].randomElement(using: &random)!
        case 6:
            return [
                .devices([strap]), .deviceProperty(HKDevicePropertyKeyName, ["Strap"]),
                .deviceProperty(HKDevicePropertyKeyName, []), .deviceProperty(HKDevicePropertyKeyManufacturer, []),
            ].randomElement(using: &random)!
        case 7:
            return .sourceRevisions([
                SampleFilter.SourceRevisionPattern(
                    bundleIdentifier: "test.S1", version: ["0", "1"].randomElement(using: &random)!,
                    matchesAnyVersion: Bool.random(using: &random),
                    operatingSystem: [nil, "6.1.2", "5.0.0"].randomElement(using: &random)!)
            ])
        case 8: return [.all, .none, .withoutCorrelation].randomElement(using: &random)!
        case 9:
            return .custom(
                SampleFilter.CustomPredicate(
                    NSPredicate { object, _ in ((object as? HKSample)?.startDate ?? .distantPast) < date }))
        case 10, 11: return own(type, comparison, &random)
        case 12: return .not(part())
        case 13, 14: return .and((0..<Int.random(in: 0..<4, using: &random)).map { _ in part() })
        default: return .or((0..<Int.random(in: 0..<4, using: &random)).map { _ in part() })
        }
    }

    /// A filter on a property that only samples of the type have.
    private static func own(
        _ type: HKSampleType, _ comparison: SampleFilter.Comparison, _ random: inout SeededGenerator
    ) -> SampleFilter {
        switch type {
        case Made.heartRate:
            Bool.random(using: &random)
                ? .quantity(comparison, Made.bpm(Double(Int.random(in: 49..<61, using: &random))))
                : .quantity(
                    comparison,
                    HKQuantity(
                        unit: .count().unitDivided(by: .second()),
                        doubleValue: Double(Int.random(in: 49..<61, using: &random)) / 60))
        case Made.steps:
            .quantity(
                comparison, HKQuantity(unit: .count(), doubleValue: Double(Int.random(in: 0..<9, using: &random))))
        case Made.sleep: .categoryValue(comparison, Int.random(in: 0..<6, using: &random))
        default:
            [
                .workoutActivityType(comparison, HKWorkoutActivityType.running.rawValue),
                .workoutDuration(comparison, Double(Int.random(in: 0..<100, using: &random))),
                .workoutTotal(.energyBurned, comparison, HKQuantity(unit: .kilocalorie(), doubleValue: 2)),
                .workoutActivity(.activityDuration(comparison, 50)),
            ].randomElement(using: &random)!
        }
    }
}
