import Analytics
import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Testing

/// Which stored samples belong to an imported workout.
@Suite struct WorkoutAssignmentTests {
    private static let watch = Made.source("Watch")
    private static let phone = Made.source("Phone")
    private static let app = Made.source("App")

    /// A workout with statistics of some types, as imports make it.
    private static func workout(
        from start: Double, to end: Double, of source: HKSourceRevision, stating types: [HKQuantityType]
    ) throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let dates = (Made.start + start, Made.start + end)
        var statistics: [HKQuantityType: HKStatistics] = [:]
        for type in types {
            var total = RunningStatistics(type.averagingRule)
            total.add(100, start: dates.0, end: dates.1)
            statistics[type] = HKStatistics(
                quantityType: type, startDate: dates.0, endDate: dates.1,
                options: type.aggregationStyle == .cumulative ? .cumulativeSum : .discreteAverage,
                unit: type.recordingUnit, total: total)
        }
        return try HKWorkout.validated(
            ObjectIdentity(sourceRevision: source), configuration: configuration, start: dates.0, end: dates.1,
            statistics: statistics)
    }

    private static func assign(_ workouts: [HKWorkout], _ database: any HealthDatabase) throws -> Int {
        try database.assignSamples(toWorkouts: Set(workouts.map(\.uuid)), isEnded: { false })
    }

    private static func members(
        of workout: HKWorkout, _ database: any HealthDatabase, _ types: [HKQuantityType] = [Made.heartRate, Made.steps]
    ) throws -> [HKSample] {
        try types.flatMap { try database.all($0, .workout(workout.uuid)) }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a workout gets what its source measured within it`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let rates = (0..<300).map { Made.heartRate(100, at: Double($0)) }
            let steps = stride(from: 0.0, to: 300, by: 30).map { Made.steps(50, from: $0, to: $0 + 30) }
            try database.save(rates + steps, from: Self.watch)
            try database.save((0..<400).map { Made.heartRate(90, at: Double($0)) }, from: Self.phone)
            let workout = try Self.workout(from: 100, to: 200, of: Self.watch, stating: [Made.heartRate, Made.steps])
            try database.save([workout], from: Self.watch)
            let anchor = try database.changes([], after: 0, limit: nil).anchor
            let before = try database.all(Made.heartRate)

            #expect(try Self.assign([workout], database) == 1)
            // Steps from 90 to 120 and from 180 to 210 lie only partly in it.
            #expect(try Self.members(of: workout, database) == Array(rates[100...200]) + Array(steps[4..<6]))
            #expect(try database.all(Made.heartRate) == before)
            #expect(try database.changes([], after: 0, limit: nil).anchor == anchor)
            #expect(try Self.assign([workout], database) == 0)
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `without samples of its source, those of the most frequent other source count`(_ store: StoreUnderTest) throws
    {
        try store.with { database in
            let rates = (0..<100).map { Made.heartRate(100, at: Double($0)) }
            try database.save(rates, from: Self.watch)
            try database.save([Made.heartRate(90, at: 50)], from: Self.phone)
            let workout = try Self.workout(from: 10, to: 60, of: Self.app, stating: [Made.heartRate])
            try database.save([workout], from: Self.app)
            #expect(try Self.assign([workout], database) == 1)
            #expect(try Self.members(of: workout, database) == Array(rates[10...60]))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the samples of another workout are left to it`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let rates = (0..<100).map { Made.heartRate(100, at: Double($0)) }
            let recorded = try Self.workout(from: 0, to: 100, of: Self.phone, stating: [Made.heartRate])
            try database.save([recorded], from: Self.phone)
            try database.apply(.join(rates.map { ($0, nil) }, workout: recorded.uuid), from: Self.phone)
            let imported = try Self.workout(from: 10, to: 60, of: Self.app, stating: [Made.heartRate])
            try database.save([imported], from: Self.app)
            #expect(try Self.assign([imported], database) == 0)
            #expect(try Self.members(of: imported, database).isEmpty)
            #expect(try Self.members(of: recorded, database) == rates)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `types that a workout does not state, or has, stay as they are`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let rates = (0..<100).map { Made.heartRate(100, at: Double($0)) }
            let steps = [Made.steps(50, from: 20, to: 30)]
            try database.save(rates + steps, from: Self.watch)
            let stating = try Self.workout(from: 10, to: 60, of: Self.watch, stating: [Made.heartRate])
            let having = try Self.workout(from: 10, to: 60, of: Self.watch, stating: [Made.heartRate])
            try database.save([stating, having], from: Self.watch)
            try database.apply(.join([(rates[30], nil)], workout: having.uuid), from: Self.watch)
            #expect(try Self.assign([stating, having], database) == 1)
            #expect(try Self.members(of: stating, database) == Array(rates[10...60]))
            #expect(try Self.members(of: having, database) == [rates[30]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a workout without statistics gets the usual types of its own source`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let rates = (0..<100).map { Made.heartRate(100, at: Double($0)) }
            try database.save(rates + [Made.steps(50, from: 20, to: 30)], from: Self.watch)
            let own = try Self.workout(from: 10, to: 60, of: Self.watch, stating: [])
            let other = try Self.workout(from: 10, to: 60, of: Self.app, stating: [])
            try database.save([own], from: Self.watch)
            try database.save([other], from: Self.app)
            #expect(try Self.assign([own, other], database) == 1)
            #expect(try Self.assign([own, other], database) == 0)
            #expect(try Self.members(of: own, database) == Array(rates[10...60]))
            #expect(try Self.members(of: other, database).isEmpty)
            let stored = try #require(try database.all(.workoutType(), .ids([own.uuid])).first as? HKWorkout)
            let figures = try #require(stored.statistics(for: Made.heartRate))
            #expect(stored.allStatistics.count == 1)
            #expect(figures.averageQuantity() == Made.bpm(100) && figures.total.count == 51)
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `unknown workouts and an end before the first type change nothing`(_ store: StoreUnderTest) throws {
        try store.with { database in
            try database.save([Made.heartRate(100, at: 20)], from: Self.watch)
            let workout = try Self.workout(from: 10, to: 60, of: Self.watch, stating: [Made.heartRate])
            try database.save([workout], from: Self.watch)
            #expect(try database.assignSamples(toWorkouts: [UUID()], isEnded: { false }) == 0)
            #expect(try database.assignSamples(toWorkouts: [], isEnded: { false }) == 0)
            #expect(try database.assignSamples(toWorkouts: [workout.uuid], isEnded: { true }) == 0)
            #expect(try Self.members(of: workout, database).isEmpty)
        }
    }

    /// Overlapping workouts and sources, samples that cross the ends, and workouts that come later.
    @Test(arguments: StoreUnderTest.allCases, 1...6)
    func `random workouts get the samples that a list would give them`(_ store: StoreUnderTest, seed: Int) throws {
        try store.with { database in
            var random = SeededGenerator(seed: UInt64(seed))
            var list = Samples()
            for source in [Self.watch, Self.phone].prefix(Int.random(in: 1...2, using: &random)) {
                let made = Self.samples(&random)
                try database.save(made, from: source)
                list.samples += made.map { ($0, source) }
            }
            let before = try Self.figures(database)
            var expected: [UUID: Set<UUID>] = [:]
            for _ in 0..<3 {
                var workouts: [HKWorkout] = []
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let start = Double.random(in: 0..<8000, using: &random).rounded()
                    let source = [Self.watch, Self.phone, Self.app].randomElement(using: &random) ?? Self.app
                    let workout = try Self.workout(
                        from: start, to: start + Double.random(in: 1..<1500, using: &random).rounded(), of: source,
                        stating: Bool.random(using: &random) ? [Made.heartRate] : [Made.heartRate, Made.steps])
                    try database.save([workout], from: source)
                    workouts.append(workout)
                }
                expected.merge(list.assign(workouts)) { _, new in new }
                _ = try Self.assign(workouts, database)
                for (workout, ids) in expected {
                    let found = try [Made.heartRate, Made.steps].flatMap { try database.all($0, .workout(workout)) }
                    #expect(Set(found.map(\.uuid)) == ids)
                }
            }
            #expect(try database.checkIntegrity() == [])
            #expect(try Self.figures(database) == before)
        }
    }

    private static func samples(_ random: inout SeededGenerator) -> [HKQuantitySample] {
        var made: [HKQuantitySample] = []
        var time = Double.random(in: 0..<50, using: &random).rounded()
        while time < 9000 {
            made.append(Made.heartRate(100, at: time))
            let length = Double.random(in: 1...40, using: &random).rounded()
            if Bool.random(using: &random) { made.append(Made.steps(3, from: time, to: time + length)) }
            time += [1, 3, 60, 700].randomElement(using: &random) ?? 1
        }
        return made
    }

    /// Counts and sums of whole hours, which don't depend on how the samples are stored.
    private static func figures(_ database: any HealthDatabase) throws -> [[Double]] {
        let bounds = stride(from: 0.0, through: 10_800, by: 3600).map { Made.start + $0 }
        return try [Made.heartRate, Made.steps].flatMap { type in
            try database.statistics(SampleSelection(type), bounds: .dates(bounds), separatingSources: false).map {
                [Double($0.total.count), ($0.total.sum * 1000).rounded(), (($0.total.average ?? 0) * 1000).rounded()]
            }
        }
    }

    /// What the store should do, sample by sample.
    private struct Samples {
        var samples: [(sample: HKQuantitySample, source: HKSourceRevision)] = []
        private var owned: Set<UUID> = []

        mutating func assign(_ workouts: [HKWorkout]) -> [UUID: Set<UUID>] {
            var found: [UUID: Set<UUID>] = [:]
            for workout in workouts {
                found[workout.uuid] = []
                for type in workout.allStatistics.keys {
                    let within = samples.filter {
                        $0.sample.quantityType == type && $0.sample.startDate >= workout.startDate
                            && $0.sample.endDate <= workout.endDate
                    }
                    var own = within.filter { $0.source == workout.sourceRevision }
                    if own.isEmpty {
                        let free = within.filter { !owned.contains($0.sample.uuid) }
                        let parts = Dictionary(grouping: free) { $0.source == WorkoutAssignmentTests.watch }
                        let (watch, phone) = (parts[true] ?? [], parts[false] ?? [])
                        own = watch.count >= phone.count ? watch : phone
                    }
                    found[workout.uuid]?.formUnion(own.map(\.sample.uuid))
                }
            }
            owned.formUnion(found.values.flatMap(\.self))
            return found
        }
    }
}
