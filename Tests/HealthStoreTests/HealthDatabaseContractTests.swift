import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Synchronization
import Testing
import UniformTypeIdentifiers

/// The contract of ``HealthDatabase`` on sets and ranges, for every implementation. Samples, changes and statistics are
/// in `StoreSavingTests`, `StoreChangesTests` and `StoreStatisticsTests`.
@Suite struct HealthDatabaseContractTests {
    private static let source = Made.source("App")

    @Test(arguments: StoreUnderTest.allCases)
    func `a set of changes is made completely or not at all`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let workout = try Made.workout(.running, at: 0, lasting: 60)
            let rates = [Made.heartRate(60, at: 1), Made.heartRate(61, at: 2)]
            #expect(throws: HKError.self) {
                try database.apply(
                    [.save(.objects(rates)), .join([(Made.heartRate(62, at: 3), nil)], workout: workout.uuid)],
                    from: Self.source, once: "mark")
            }
            #expect(try database.all(Made.heartRate).isEmpty)
            #expect(try database.setting("mark") == nil)
            let file = HKAttachment(
                identifier: UUID(), name: "a", contentType: .plainText, size: 1, creationDate: Made.start, metadata: nil
            )
            try database.apply(
                [
                    .save(.objects(rates + [workout])), .join([(rates[0], nil)], workout: workout.uuid),
                    .attach(file, data: Data([1]), to: rates[1].uuid),
                ], from: Self.source, once: nil)
            #expect(try database.all(Made.heartRate) == rates)
            #expect(try database.all(Made.heartRate, .workout(workout.uuid)) == [rates[0]])
            #expect(try database.attachments(of: rates[1].uuid).map(\.identifier) == [file.identifier])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `changes under a mark are made once`(_ store: StoreUnderTest) throws {
        try store.with { database in
            for second in 0..<3 {
                try database.apply(
                    [.save(.objects([Made.heartRate(60, at: Double(second))]))], from: Self.source, once: "mark")
            }
            #expect(try database.all(Made.heartRate).map(\.startDate) == [Made.start])
            #expect(try database.setting("mark") != nil)
            try database.setSetting("mark", nil)
            try database.apply([.save(.objects([Made.heartRate(60, at: 9)]))], from: Self.source, once: "mark")
            #expect(try database.all(Made.heartRate).count == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the stored objects of a set are found`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let rates = (0..<600).map { Made.heartRate(60, at: Double($0)) }
            let workout = try Made.workout(.running, at: 0, lasting: 60)
            try database.save(rates.filter { $0 !== rates[7] } + [workout], from: Self.source)
            let asked = Set(rates.map(\.uuid) + [workout.uuid, UUID()])
            let stored = try database.stored(asked)
            #expect(stored == Set(rates.map(\.uuid) + [workout.uuid]).subtracting([rates[7].uuid]))
            #expect(try database.stored([]).isEmpty)
            #expect(try database.contains(workout.uuid) && !database.contains(rates[7].uuid))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `samples with one value among them are found by it`(_ store: StoreUnderTest) throws {
        try store.with { database in
            try database.save((0..<5).map { Made.heartRate(60, at: Double($0)) }, from: Self.source)
            try database.save([Made.steps(8, from: 0, to: 9)], from: Self.source)
            func count(
                _ type: HKSampleType, _ comparison: SampleFilter.Comparison, _ quantity: HKQuantity
            ) throws
                -> Int
            {
                try database.all(type, .quantity(comparison, quantity)).count
            }
            let eight = HKQuantity(unit: .count(), doubleValue: 8)
            #expect(try count(Made.heartRate, .equal, Made.bpm(60)) == 5)
            #expect(try count(Made.heartRate, .notEqual, Made.bpm(60)) == 0)
            #expect(try count(Made.heartRate, .equal, Made.bpm(61)) == 0)
            #expect(try count(Made.heartRate, .notEqual, Made.bpm(61)) == 5)
            #expect(try count(Made.steps, .equal, eight) == 1)
            #expect(try count(Made.steps, .notEqual, eight) == 0)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `workouts are found by the first digits of their UUIDs`(_ store: StoreUnderTest) throws {
        try store.with { database in
            #expect(try database.workouts(beginningWith: "A").isEmpty)
            let workouts = try (0..<40).map { try Made.workout(.running, at: 100 * Double($0), lasting: 60) }
            try database.save(workouts + [Made.heartRate(60, at: 1)], from: Self.source)
            for workout in workouts {
                let digits = workout.uuid.uuidString.filter { $0 != "-" }
                #expect(try database.workouts(beginningWith: digits) == [workout.uuid])
                for length in [1, 2, 7, 8, 27, 28, 29, 31] {
                    let first = String(digits.prefix(length))
                    let expected = workouts.map(\.uuid).filter {
                        $0.uuidString.filter { $0 != "-" }.hasPrefix(first)
                    }
                    #expect(try database.workouts(beginningWith: first) == Set(expected), "\(first)")
                }
            }
            #expect(try database.workouts(beginningWith: "") == Set(workouts.map(\.uuid)))
            #expect(try database.workouts(beginningWith: "XYZ").isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a workout's types are found with all devices, in order of insertion`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let workout = try Made.workout(.running, at: 0, lasting: 60)
            #expect(try database.sampledTypes(ofWorkout: workout.uuid).isEmpty)
            let devices = ["Strap", "Watch"].map { HKDevice(DeviceDescription(name: $0)) }
            func rates(_ times: Range<Int>, by device: HKDevice?) -> [HKSample] {
                times.map { Made.heartRate(60, at: Double($0), device: device) }
            }
            let own =
                rates(0..<5, by: nil) + rates(5..<10, by: devices[1]) + rates(10..<20, by: devices[0])
                + rates(20..<25, by: nil) + [Made.steps(5, from: 0, to: 60), Made.sleep(.awake, from: 1, to: 2)]
            try database.apply(
                [.save(.objects([workout])), .join(own.map { ($0, nil) }, workout: workout.uuid)], from: Self.source,
                once: nil)
            try database.save(
                [Made.heartRate(60, at: 3, device: HKDevice(DeviceDescription(name: "Other")))], from: Self.source)
            #expect(
                try database.sampledTypes(ofWorkout: workout.uuid) == [
                    SampledType(type: Made.heartRate, device: nil),
                    SampledType(type: Made.heartRate, device: devices[1]),
                    SampledType(type: Made.heartRate, device: devices[0]),
                    SampledType(type: Made.steps, device: nil),
                    SampledType(type: HKCategoryType(.sleepAnalysis), device: nil),
                ])
            #expect(try database.measurementRows(ofWorkout: workout.uuid, [Made.heartRate]).count == 3)
            #expect(try database.measurementRows(ofWorkout: workout.uuid, []).isEmpty)
            #expect(try database.all(Made.heartRate, .sources([])).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an extent has the dates and sources of a selection`(_ store: StoreUnderTest) throws {
        try store.with { database in
            #expect(try database.extent(SampleSelection(Made.heartRate)) == nil)
            try database.save((0..<100).map { Made.heartRate(60, at: Double($0)) }, from: Self.source)
            try database.save(
                [Made.heartRate(150, at: 50), Made.steps(1, from: -9, to: 900)], from: Made.source("Watch"))
            let all = try #require(try database.extent(SampleSelection(Made.heartRate)))
            #expect(all.dates == Made.start...Made.start + 99)
            #expect(Set(all.sources.map(\.name)) == ["App", "Watch"])
            let some = SampleFilter.startDate(.greaterOrEqual, Made.start + 60)
            let late = try #require(try database.extent(SampleSelection(Made.heartRate, some)))
            #expect(late.dates == Made.start + 60...Made.start + 99)
            #expect(late.sources.map(\.name) == ["App"])
            let none = SampleFilter.startDate(.greater, Made.start + 99)
            #expect(try database.extent(SampleSelection(Made.heartRate, none)) == nil)
            #expect(
                try database.extent(SampleSelection(Made.heartRate, onlySource: "test.Watch"))?.dates
                    == Made.start + 50...Made.start + 50)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `measurements are the samples as numbers, and those inside series`(
        _ store: StoreUnderTest
    ) throws {
        try store.with { database in
            let watch = HKDevice(
                name: "Watch", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
                softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
            let perSecond = HKUnit.count().unitDivided(by: .second())
            let rates = (0..<300).map { Made.heartRate(60 + Double($0 % 9), at: Double($0)) }
            let other = try HKQuantitySample.validated(
                ObjectIdentity(device: watch), type: Made.heartRate,
                quantity: HKQuantity(unit: perSecond, doubleValue: 2), start: Made.start + 7, end: Made.start + 8)
            let steps = try EarlierSamples.quantities()
            try database.save(rates + [other, Made.sleep(.asleepREM, from: 0, to: 60)], from: Self.source)
            try database.save(steps.0, series: .quantities(steps.1), from: Self.source)

            let selections = [
                SampleSelection(Made.heartRate, .startDate(.less, Made.start + 100)), SampleSelection(Made.heartRate),
            ]
            let measured = try database.measurements(selections)
            let samples = try database.samples(selections, sortedBy: [SampleSort(.startDate)], limit: nil)
            #expect(measured.map(\.sample) == samples.map(\.uuid))
            for case (let one, let sample as HKQuantitySample) in zip(measured, samples) {
                #expect(one.shared.type == sample.quantityType && one.shared.device == sample.device)
                #expect(one.value == sample.quantity.doubleValue(for: Made.perMinute))
                #expect(one.start == sample.startDate.timeIntervalSinceReferenceDate)
                #expect(one.end == sample.endDate.timeIntervalSinceReferenceDate)
            }
            #expect(measured.first { $0.sample == other.uuid }?.value == 120)

            let inside = try database.measurements([
                SampleSelection(steps.0.sampleType), SampleSelection(Made.sleep),
            ])
            #expect(inside.map(\.sample) == steps.1.map { _ in steps.0.uuid })
            #expect(inside.map(\.start) == steps.1.map(\.start.timeIntervalSinceReferenceDate))
            let unit = try #require(inside.first?.shared.type.recordingUnit)
            #expect(inside.map(\.value) == steps.1.map { $0.quantity.doubleValue(for: unit) })
            #expect(try database.measurements([]).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the contents of a set of samples are read at once, unchanged`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let beats = try EarlierSamples.beats()
            let route = try EarlierSamples.route()
            let steps = try EarlierSamples.quantities()
            try database.save(beats.0, series: .heartbeats(beats.1), from: Self.source)
            try database.save(route.0, series: .positions(route.1), from: Self.source)
            try database.save(steps.0, series: .quantities(steps.1), from: Self.source)
            let rates = (0..<3).map { Made.heartRate(60 + Double($0), at: Double($0)) }
            let sleep = Made.sleep(.asleepREM, from: 0, to: 60)
            try database.save(rates + [sleep], from: Self.source)
            let asked: Set = [
                beats.0.uuid, route.0.uuid, steps.0.uuid, rates[1].uuid, rates[2].uuid, sleep.uuid, UUID(),
            ]
            let contents = try database.contents(of: asked)
            #expect(Set(contents.keys) == asked.intersection(try database.stored(asked)).subtracting([sleep.uuid]))
            guard case .heartbeats(let read)? = contents[beats.0.uuid],
                case .positions(let places)? = contents[route.0.uuid],
                case .quantities(let lone)? = contents[rates[2].uuid]
            else {
                Issue.record("\(contents)")
                return
            }
            #expect(read == beats.1)
            #expect(places.map(\.position) == route.1.map(\.position))
            #expect(lone.map(\.quantity) == [Made.bpm(62)])
            #expect(try database.quantities(steps.0.uuid).count == steps.1.count)
            #expect(try database.heartbeats(route.0.uuid).isEmpty && database.positions(UUID()).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `deliveries are enabled, changed and ended by one call each`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let app = DeliveryApp(bundleIdentifier: "test.app", name: "App", executable: "/bin/app")
            try database.save([Made.heartRate(60, at: 0)], from: Self.source)
            try database.enableDelivery(of: Made.heartRate, .hourly, to: app)
            try database.enableDelivery(of: Made.steps, .daily, to: app)
            var deliveries = try #require(try database.deliveries(to: "test.app").first).deliveries
            // Earlier samples are no changes.
            #expect(deliveries.allSatisfy { $0.latest == $0.state.answered })
            try database.save([Made.heartRate(61, at: 1)], from: Self.source)
            deliveries = try #require(try database.deliveries(to: nil).first).deliveries
            #expect(deliveries.filter { $0.latest > $0.state.answered }.map(\.type) == [Made.heartRate])
            var moved = app
            moved.executable = "/bin/moved"
            try database.enableDelivery(of: Made.heartRate, .immediate, to: moved)
            try database.updateDeliveries(of: [Made.heartRate, Made.sleep], to: "test.app") { _, state in
                state.started(at: Made.start)
            }
            let own = try #require(try database.deliveries(to: "test.app").first)
            #expect(own.app == moved)
            #expect(own.deliveries.map(\.type) == [Made.heartRate, Made.steps])
            #expect(own.deliveries.map(\.state.frequency) == [.immediate, .daily])
            #expect(own.deliveries.map(\.state.unanswered) == [1, 0])
            try database.disableDelivery(of: Made.heartRate, to: "test.app")
            #expect(try database.deliveries(to: nil).first?.deliveries.map(\.type) == [Made.steps])
            try database.disableDelivery(of: nil, to: "test.app")
            #expect(try database.deliveries(to: nil).isEmpty)
            // Changing a registration that does not exist creates none.
            try database.updateDeliveries(of: [Made.steps], to: "test.app") { _, state in state.started(at: Made.start)
            }
            #expect(try database.deliveries(to: nil).isEmpty)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an import batch adds what is missing, and counts both`(_ store: StoreUnderTest) throws {
        try store.with { database in
            var columns = ImportedColumns(
                type: Made.heartRate, unit: Made.perMinute, revision: Self.source, device: nil, metadata: nil)
            columns.starts = (0..<50).map { Made.start.timeIntervalSinceReferenceDate + Double($0 / 2) }
            columns.ends = columns.starts
            columns.values = columns.starts.map { _ in 60 }
            var batch = ImportBatch(fullCount: 1000)
            batch.columns = [columns]
            // One of the first pair is already stored. Exact duplicates within the file are kept.
            try database.save([Made.heartRate(60, at: 0)], from: Self.source)
            var own = ImportedSequences()
            let counts = try database.merge(batch, own: &own) { false }
            #expect(counts == [Made.heartRate.identifier: .init(added: 49, known: 1)])
            #expect(try database.all(Made.heartRate).count == 50)
            var second = ImportedSequences()
            #expect(
                try database.merge(batch, own: &second) { false }
                    == [Made.heartRate.identifier: .init(added: 0, known: 50)])
            #expect(try database.merge(ImportBatch(fullCount: 1), own: &own) { true }.isEmpty)
            #expect(try database.checkIntegrity() == [])
        }
    }
}
