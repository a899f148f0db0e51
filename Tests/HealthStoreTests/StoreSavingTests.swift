import Foundation
import HealthStore
import MadeSamples
import SessionLog
import Synchronization
import Testing

@Suite struct StoreSavingTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `a sample reads back as it was saved, with its source`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let device = HKDevice(
                name: "Strap", manufacturer: "Maker", model: "H10", hardwareVersion: nil, firmwareVersion: "1.2",
                softwareVersion: nil, localIdentifier: "AA:BB", udiDeviceIdentifier: nil)
            let metadata: [String: Any] = [
                HKMetadataKeyHeartRateMotionContext: 1, HKMetadataKeyWasUserEntered: true, "Text": "täxt",
                "Number": 0.1, "Large": Int64.max, "Date": Made.start,
                "Quantity": HKQuantity(unit: .meter(), doubleValue: 3),
            ]
            let saved = Made.heartRate(123, at: 0.123, device: device, metadata: metadata)
            try database.save([saved], from: Made.source("App"))
            let read = try #require(try database.all(Made.heartRate).first as? HKDiscreteQuantitySample)
            #expect(read.uuid == saved.uuid)
            #expect(read.startDate == saved.startDate)
            #expect(read.quantity == saved.quantity)
            #expect(read.quantity.description == "123 count/min")
            #expect(read.device == device)
            #expect(read.sourceRevision == Made.source("App"))
            #expect(Set(read.metadata?.keys.map { $0 } ?? []) == Set(metadata.keys))
            #expect(read.metadata?[HKMetadataKeyHeartRateMotionContext] as? Int == 1)
            #expect(read.metadata?["Text"] as? String == "täxt")
            #expect(read.metadata?["Number"] as? Double == 0.1)
            #expect(read.metadata?["Date"] as? Date == Made.start)
            #expect(read.metadata?["Quantity"] as? HKQuantity == HKQuantity(unit: .meter(), doubleValue: 3))
            #expect(read.metadata?["Large"] as? Int64 == .max)
            #expect(read.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `every kind of object can be saved and read back`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let pressure = HKCorrelation(
                type: HKCorrelationType(.bloodPressure), start: Made.start, end: Made.start,
                objects: [
                    HKQuantitySample(
                        type: HKQuantityType(.bloodPressureSystolic),
                        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 120), start: Made.start,
                        end: Made.start),
                    HKQuantitySample(
                        type: HKQuantityType(.bloodPressureDiastolic),
                        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 80), start: Made.start,
                        end: Made.start),
                ])
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = .running
            let workout = try HKWorkout.validated(
                ObjectIdentity(), configuration: configuration, start: Made.start, end: Made.start + 60,
                events: [
                    HKWorkoutEvent(
                        type: .lap, dateInterval: DateInterval(start: Made.start, duration: 30), metadata: nil)
                ])
            let sleep = HKCategorySample(type: Made.sleep, value: 3, start: Made.start, end: Made.start + 3600)
            try database.save([pressure, workout, sleep], from: Made.source("App"))

            let readPressure = try #require(
                try database.all(HKCorrelationType(.bloodPressure)).first as? HKCorrelation)
            #expect(readPressure == pressure)
            #expect(readPressure.objects == pressure.objects)
            #expect(readPressure.objects.allSatisfy { $0.sourceRevision == Made.source("App") })
            #expect(try database.all(HKQuantityType(.bloodPressureSystolic)).count == 1)
            let readWorkout = try #require(try database.all(.workoutType()).first as? HKWorkout)
            #expect(readWorkout == workout)
            #expect(readWorkout.workoutActivityType == .running)
            #expect(readWorkout.workoutEvents?.count == 1)
            #expect(readWorkout.sourceRevision == Made.source("App"))
            let readSleep = try #require(try database.all(Made.sleep).first as? HKCategorySample)
            #expect(readSleep == sleep)
            #expect(readSleep.value == 3)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `many samples saved at once read back one by one`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let samples = (0..<10_000).map { Made.heartRate(60 + Double($0 % 100), at: Double($0)) }
            try database.save(samples, from: Made.source("App"))
            let read = try database.all(Made.heartRate)
            #expect(read == samples)
            #expect(read.map(\.startDate) == samples.map(\.startDate))
            let newest = try database.samples(
                [SampleSelection(Made.heartRate)], sortedBy: [SampleSort(.endDate, ascending: false)], limit: 20)
            #expect(newest == Array(samples.reversed().prefix(20)))
            #expect(try database.all(Made.heartRate, .ids([samples[7000].uuid])) == [samples[7000]])
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [true, false])
    func `samples saved one by one read back in order`(
        _ store: StoreUnderTest, counted: Bool
    ) throws {
        try store.with { database in
            var saved: [HKQuantitySample] = []
            for second in 0..<300 {
                let date = Made.start + Double(second * 7)
                let sample = try HKQuantitySample.validated(
                    ObjectIdentity(uuid: counted ? .next() : UUID()), type: Made.heartRate,
                    quantity: HKQuantity(unit: Made.perMinute, doubleValue: Double(second % 90)), start: date, end: date
                )
                try database.save([sample], from: Made.source("App\(second / 20 % 2)"))
                saved.append(sample)
            }
            #expect(try database.all(Made.heartRate) == saved)
            #expect(try database.changes([SampleSelection(Made.heartRate)], after: 0, limit: nil).added == saved)
            #expect(try database.all(Made.heartRate, .ids([saved[222].uuid])) == [saved[222]])
            #expect(throws: HKError.self) { try database.save([saved[222]], from: Made.source("App0")) }
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a stored UUID rejects everything saved with it`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let first = Made.heartRate(60, at: 0)
            try database.save([first], from: Made.source("App"))
            let error = #expect(throws: HKError.self) {
                try database.save([Made.heartRate(61, at: 1), first], from: Made.source("App"))
            }
            #expect(error?.code == .errorInvalidArgument)
            #expect(try database.all(Made.heartRate) == [first])
            let twice = Made.heartRate(61, at: 1)
            #expect(throws: HKError.self) { try database.save([twice, twice], from: Made.source("App")) }
            #expect(try database.all(Made.heartRate).count == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `foreign UUIDs are kept and rejected a second time`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let samples = try (0..<300).map { index in
                try HKQuantitySample.validated(
                    ObjectIdentity(uuid: UUID()), type: Made.heartRate,
                    quantity: HKQuantity(unit: Made.perMinute, doubleValue: 60), start: Made.start + Double(index),
                    end: Made.start + Double(index))
            }
            try database.save(samples, from: Made.source("App"))
            #expect(try database.all(Made.heartRate) == samples)
            #expect(try database.all(Made.heartRate, .ids([samples[200].uuid])) == [samples[200]])
            #expect(throws: HKError.self) { try database.save([samples[150]], from: Made.source("App")) }
            #expect(try database.delete([samples[150].uuid], owner: nil) == 1)
            #expect(try database.all(Made.heartRate).count == 299)
            try database.save([samples[150]], from: Made.source("App"))
            #expect(Set(try database.all(Made.heartRate)) == Set(samples))
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a higher sync version replaces a lower one, and a lower one is skipped`(
        _ store: StoreUnderTest
    ) throws {
        func weight(_ value: Double, version: Int) -> HKQuantitySample {
            HKQuantitySample(
                type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: value),
                start: Made.start, end: Made.start,
                metadata: [HKMetadataKeySyncIdentifier: "scale-1", HKMetadataKeySyncVersion: version])
        }
        try store.with { database in
            let type = HKQuantityType(.bodyMass)
            let first = weight(70, version: 1)
            let second = weight(71, version: 2)
            try database.save([first], from: Made.source("App"))
            try database.save([second], from: Made.source("App"))
            #expect(try database.all(type) == [second])
            try database.save([weight(72, version: 2)], from: Made.source("App"))
            try database.save([weight(73, version: 1)], from: Made.source("App"))
            #expect(try database.all(type) == [second])
            try database.save([weight(74, version: 1)], from: Made.source("Other"))
            #expect(try database.all(type).count == 2)
            let deleted = try database.changes([SampleSelection(type)], after: 0, limit: nil).deleted
            #expect(deleted.map(\.uuid) == [first.uuid])
            #expect(deleted.first?.metadata?[HKMetadataKeySyncIdentifier] as? String == "scale-1")
            #expect(deleted.first?.metadata?[HKMetadataKeySyncVersion] as? Int == 1)
            let lone = HKQuantitySample(
                type: type, quantity: HKQuantity(unit: .gram(), doubleValue: 1), start: Made.start, end: Made.start,
                metadata: [HKMetadataKeySyncIdentifier: "x"])
            #expect(throws: HKError.self) { try database.save([lone], from: Made.source("App")) }
        }
    }

    /// Saves a workout in both orders: known before its log is stored, and after.
    private func save(
        _ workout: HKWorkout, _ log: [SessionEntry], isKnownFirst: Bool, in database: any HealthDatabase
    ) throws {
        guard !isKnownFirst else { return try database.save(workout, log: log, from: Made.source("App")) }
        let sensors = Mutex<[StoredSensor]>([])
        let write = StoreWrite.recording(workout.uuid, log: log) { stored in
            sensors.withLock { $0 = stored }
            return FinishedRecording(workout, adding: AddedSeries())
        }
        try database.apply(.save(write), from: Made.source("App"))
        #expect(sensors.withLock { $0 }.allSatisfy { $0.id == "s" && $0.device?.name == "Strap" })
    }

    @Test(arguments: StoreUnderTest.allCases, [true, false])
    func `a finished workout includes its samples, beats and route`(
        _ store: StoreUnderTest, isKnownFirst: Bool
    ) throws {
        try store.with { database in
            let own = Made.heartRate(99, at: 5)
            try database.save([own], from: Made.source("App"))
            let configuration = HKWorkoutConfiguration()
            let workout = try HKWorkout.validated(
                ObjectIdentity(), configuration: configuration, start: Made.start, end: Made.start + 60)
            let strap = SensorStatus(
                id: "s", kind: .bluetooth, presence: .present, device: DeviceDescription(name: "Strap"))
            var log: [SessionEntry] = [SessionEntry(Made.start, .sensor(strap))]
            for second in 0..<60 {
                let date = Made.start + Double(second)
                log.append(
                    SessionEntry(
                        date,
                        .quantity(
                            QuantityReading(
                                "heartRate", 100 + Double(second), unit: "count/min", start: date, end: date,
                                sensor: "s"))))
                log.append(SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [500, 500]))))
                log.append(
                    SessionEntry(
                        date,
                        .position(
                            PositionReading(latitudeInDegrees: 48.1 + Double(second) / 1e5, longitudeInDegrees: 11))))
            }
            log.append(
                SessionEntry(
                    own.endDate,
                    .quantity(
                        QuantityReading(
                            "heartRate", 99, unit: "count/min", start: own.startDate, end: own.endDate,
                            origin: SampleOrigin(id: own.uuid)))))
            try save(workout, log, isKnownFirst: isKnownFirst, in: database)

            let inside = try database.all(Made.heartRate, .workout(workout.uuid))
            #expect(inside.count == 61)
            #expect(inside.contains(own))
            #expect(inside.first?.device?.name == "Strap")
            let series = try #require(try database.all(HKSeriesType.heartbeat()).first as? HKHeartbeatSeriesSample)
            let beats = try database.heartbeats(series.uuid)
            #expect(beats.count == series.count)
            #expect(beats.count == 121)
            #expect(beats.first == StoredHeartbeat(secondsSinceStart: 0, precededByGap: false))
            #expect(beats.last == StoredHeartbeat(secondsSinceStart: 60, precededByGap: false))
            let route = try #require(try database.all(HKSeriesType.workoutRoute(), .workout(workout.uuid)).first)
            let positions = try database.positions(route.uuid)
            #expect(positions.count == 60)
            #expect(positions.last?.date == Made.start + 59)
            #expect(
                positions.last?.position == PositionReading(latitudeInDegrees: 48.1 + 59 / 1e5, longitudeInDegrees: 11))
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [true, false])
    func `a later version in the same log replaces a sample of a workout`(
        _ store: StoreUnderTest, isKnownFirst: Bool
    ) throws {
        try store.with { database in
            let workout = try Made.workout(.running, at: 0, lasting: 60)
            let log = (1...3).map { version in
                let date = Made.start + Double(version)
                let metadata: [String: MetadataValue] = [
                    HKMetadataKeySyncIdentifier: .string("rate"), HKMetadataKeySyncVersion: .number(Double(version)),
                ]
                return SessionEntry(
                    date,
                    .quantity(
                        QuantityReading(
                            "heartRate", Double(version), unit: "count/min", start: date, end: date,
                            origin: SampleOrigin(id: UUID(), metadata: metadata))))
            }
            try save(workout, log, isKnownFirst: isKnownFirst, in: database)
            let inside = try database.all(Made.heartRate, .workout(workout.uuid))
            #expect(inside.map(\.startDate) == [Made.start + 3])
            #expect(try database.all(Made.heartRate) == inside)
            #expect(try database.checkIntegrity() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a series is saved with its contents`(_ store: StoreUnderTest) throws {
        try store.with { database in
            let quantities = (0..<10).map { index in
                StoredQuantity(
                    quantity: HKQuantity(unit: .count(), doubleValue: Double(index)),
                    start: Made.start + Double(index) * 10, end: Made.start + Double(index) * 10 + 10)
            }
            let series = HKCumulativeQuantitySample.make(
                ObjectIdentity(), type: Made.steps, sum: HKQuantity(unit: .count(), doubleValue: 45), count: 10,
                start: Made.start, end: Made.start + 100)
            try database.save(series, series: .quantities(quantities), from: Made.source("App"))
            let read = try #require(try database.all(Made.steps).first as? HKCumulativeQuantitySample)
            #expect(read.count == 10)
            #expect(read.sumQuantity == series.quantity)
            #expect(
                try database.quantities(series.uuid).map { $0.quantity.doubleValue(for: .count()) }
                    == (0..<10).map(Double.init))
            let halves = try database.statistics(
                SampleSelection(Made.steps), bounds: .dates([Made.start, Made.start + 50, Made.start + 100]),
                separatingSources: false)
            #expect(halves.map(\.total.sum) == [10, 35])
        }
    }

    @Test func `a reopened file has the saved data`() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/deep/health.sqlite"
            let saved = (0..<100).map { Made.heartRate(60, at: Double($0)) }
            try SQLiteHealthDatabase(.file(path)).save(saved, from: Made.source("App"))
            #expect(try SQLiteHealthDatabase(.file(path)).all(Made.heartRate) == saved)
            let file = try FileManager.default.attributesOfItem(atPath: path)
            #expect(file[.posixPermissions] as? Int == 0o600)
            let around = try FileManager.default.attributesOfItem(atPath: folder + "/deep")
            #expect(around[.posixPermissions] as? Int == 0o700)
        }
    }
}
