import Foundation
import MadeSamples
import Recordings
import SessionLog
import StoredWorkouts
import Synchronization
import Testing

@Suite struct HealthImportTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/data/applehealth")
    static let hasData = FileManager.default.fileExists(atPath: folder.path)

    static let files = [
        "mini-workout-route.xml", "phone-steps-v3.xml", "watch-attributes-multiline.xml", "watch-export.zip",
        "synthetic-v14.xml", "synthetic-ios16-broken-dtd.xml",
    ]

    struct Truth: Decodable {
        var file: String
        var truth: Facts
    }

    struct Facts: Decodable {
        var records_by_type: [String: Int]?
        var elements: [String: Int]?
        var workout_list: [Workout]?
        var me: [String: String]?
    }

    struct Workout: Decodable {
        var type: String
        var start_utc: String
        var elapsed_s: Double
        var duration: Double?
        var total_distance: String?
    }

    static func truth(_ name: String) throws -> Facts {
        struct Loose: Decodable {
            var facts: Truth?
            init(from decoder: any Decoder) { facts = try? Truth(from: decoder) }
        }
        let data = try Data(contentsOf: folder.deletingLastPathComponent().appending(path: "ground-truth.json"))
        let all = try JSONDecoder().decode([Loose].self, from: data).compactMap(\.facts)
        return try #require(all.first { $0.file == "applehealth/\(name)" }).truth
    }

    // The recordings are not part of this repository.
    @Test(.enabled(if: hasData), arguments: files)
    func `the store's counts are those of other tools`(name: String) throws {
        let truth = try Self.truth(name)
        let database = SQLiteHealthDatabase(.memory)
        let summary = try HealthImport.run(Self.folder.appending(path: name), into: database)
        for (identifier, count) in truth.records_by_type ?? [:] {
            let type = try #require(TypeCatalogue.objectType(identifier: identifier) as? HKSampleType)
            #expect(try database.all(type).count == count, "\(identifier)")
            #expect(summary.types[identifier]?.added == count, "\(identifier)")
        }
        #expect(summary.skipped.keys.allSatisfy { $0.what == "WorkoutRoute" }, "\(summary.skipped)")
        #expect(summary.activityDays == truth.elements?["ActivitySummary"] ?? 0)
        #expect(try database.all(.workoutType()).count == truth.elements?["Workout"] ?? 0)
        #expect(try database.checkIntegrity() == [])
    }

    @Test(.enabled(if: hasData), arguments: files)
    func `values, sums and averages equal those of the records`(name: String) throws {
        var records: [String: [HealthRecord]] = [:]
        try HealthExport.read(Self.folder.appending(path: name)) { element in
            if case .record(let record) = element { records[record.type, default: []].append(record) }
        }
        let database = SQLiteHealthDatabase(.memory)
        _ = try HealthImport.run(Self.folder.appending(path: name), into: database)
        for (identifier, list) in records {
            guard let type = TypeCatalogue.quantityType(identifier: identifier) else { continue }
            let unit = type.recordingUnit
            let expected = try list.map { record -> Double in
                guard case .number(let number) = record.value else { return .nan }
                return HKQuantity(unit: try HKUnit.parse(record.unit ?? ""), doubleValue: number).doubleValue(for: unit)
            }.sorted()
            let stored = try database.all(type).compactMap {
                ($0 as? HKQuantitySample)?.quantity.doubleValue(for: unit)
            }.sorted()
            #expect(stored == expected, "\(identifier)")
            let bySource = Dictionary(grouping: list, by: \.source.name)
            let buckets = try database.statistics(SampleSelection(type), bounds: .whole, separatingSources: true)
            for (source, statistics) in buckets.flatMap(\.bySource) {
                let count = bySource[source.name]?.count
                #expect(statistics.count == count, "\(identifier) of \(source.name)")
            }
        }
    }

    @Test(.enabled(if: hasData), arguments: files)
    func `importing a file twice adds nothing`(name: String) throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/health.sqlite"
            let url = Self.folder.appending(path: name)
            let first = try HealthImport.run(url, into: SQLiteHealthDatabase(.file(path)))
            let database = SQLiteHealthDatabase(.file(path))
            let before = try database.changes([], after: 0, limit: nil).anchor
            let second = try HealthImport.run(url, into: database)
            #expect(second.added == 0)
            #expect(second.known == first.added + first.known)
            #expect(try database.changes([], after: 0, limit: nil).anchor == before)
            #expect(try database.storedProfile().dateOfBirth != nil)
        }
    }

    @Test(.enabled(if: hasData))
    func `workouts have their durations, totals, events and activities`() throws {
        let truth = try Self.truth("synthetic-v14.xml")
        let database = SQLiteHealthDatabase(.memory)
        _ = try HealthImport.run(Self.folder.appending(path: "synthetic-v14.xml"), into: database)
        let workouts = try database.all(.workoutType()).compactMap { $0 as? HKWorkout }
        let expected = try #require(truth.workout_list).sorted { $0.start_utc < $1.start_utc }
        try #require(workouts.count == expected.count)
        for (workout, fact) in zip(workouts, expected) {
            #expect(workout.startDate == (try Date(fact.start_utc, strategy: .iso8601)))
            #expect(workout.endDate.timeIntervalSince(workout.startDate) == fact.elapsed_s)
            #expect(abs(workout.duration - (fact.duration ?? 0) * 60) < 0.001)
            let name = "HKWorkoutActivityType\(workout.workoutActivityType.caseName)"
            #expect(name.lowercased() == fact.type.lowercased())
            if let total = fact.total_distance.flatMap(Double.init) {
                let kilometers = try #require(workout.totalDistance?.doubleValue(for: .meterUnit(with: .kilo)))
                #expect(abs(kilometers - total) < 1e-9)
            }
        }
        #expect(workouts.contains { ($0.workoutEvents ?? []).contains { $0.type == .pause } })
        let heartRates = workouts.compactMap { $0.statistics(for: HKQuantityType(.heartRate)) }
        #expect(!heartRates.isEmpty)
        #expect(heartRates.allSatisfy { $0.averageQuantity() != nil && $0.mostRecentQuantity() == nil })
    }

    @Test(.enabled(if: hasData))
    func `the parts of a blood pressure are stored once`() throws {
        let database = SQLiteHealthDatabase(.memory)
        _ = try HealthImport.run(Self.folder.appending(path: "synthetic-v14.xml"), into: database)
        let type = try #require(HKObjectType.correlationType(forIdentifier: .bloodPressure))
        let pressure = try #require(try database.all(type).first as? HKCorrelation)
        #expect(pressure.objects.count == 2)
        let systolic = try database.all(HKQuantityType(.bloodPressureSystolic))
        #expect(systolic.count == 1)
        #expect(Set(systolic).isSubset(of: pressure.objects))
    }

    @Test(.enabled(if: hasData))
    func `a route, and the beats of a heart rate variability, are series`() throws {
        let database = SQLiteHealthDatabase(.memory)
        _ = try HealthImport.run(Self.folder.appending(path: "mini-workout-route.xml"), into: database)
        let route = try #require(try database.all(HKSeriesType.workoutRoute()).first)
        #expect(try database.positions(route.uuid).count == 2)
        let workout = try #require(try database.all(.workoutType()).first)
        #expect(try database.all(HKSeriesType.workoutRoute(), .workout(workout.uuid)) == [route])

        let other = SQLiteHealthDatabase(.memory)
        _ = try HealthImport.run(Self.folder.appending(path: "synthetic-v14.xml"), into: other)
        let series = try other.all(HKSeriesType.heartbeat())
        #expect(series.count == 4)
        #expect(try series.reduce(0) { $0 + (try other.heartbeats($1.uuid).count) } == 27)
    }

    // MARK: Made by hand

    private func imported(_ body: String, into database: SQLiteHealthDatabase) throws -> HealthImportSummary {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let url = URL(fileURLWithPath: folder + "/export.xml")
            try Data("<HealthData locale=\"en_US\">\(body)</HealthData>".utf8).write(to: url)
            return try HealthImport.run(url, into: database)
        }
    }

    private func steps(_ value: String, minute: String, type: String = "StepCount", unit: String = "count") -> String {
        """
        <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Phone" sourceVersion="1" unit="\(unit)" \
        startDate="2024-01-02 10:\(minute):00 +0100" endDate="2024-01-02 10:\(minute):30 +0100" value="\(value)"/>
        """
    }

    @Test func `a later export adds what is new, and exact duplicates stay`() throws {
        let database = SQLiteHealthDatabase(.memory)
        let early = steps("10", minute: "01") + steps("10", minute: "01") + steps("20", minute: "02")
        #expect(try imported(early, into: database).added == 3)
        let later = try imported(steps("5", minute: "00") + early + steps("30", minute: "03"), into: database)
        #expect(later.added == 2)
        #expect(later.known == 3)
        let values = try database.all(Made.steps).compactMap {
            ($0 as? HKQuantitySample)?.quantity.doubleValue(for: .count())
        }
        #expect(values == [5, 10, 10, 20, 30])
    }

    @Test func `two simultaneous imports of a file add it once`() throws {
        let database = SQLiteHealthDatabase(.memory)
        let body = (0..<5_000).map { steps("\($0)", minute: "\(10 + $0 % 40)") }.joined()
        let outcomes = Mutex<[Result<HealthImportSummary, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            let outcome = Result { try imported(body, into: database) }
            outcomes.withLock { $0.append(outcome) }
        }
        let summaries = try outcomes.withLock { try $0.map { try $0.get() } }
        #expect(summaries.map(\.added).reduce(0, +) == 5_000)
        #expect(summaries.map(\.known).reduce(0, +) == 5_000)
        #expect(try database.all(Made.steps).count == 5_000)
    }

    @Test func `data that cannot be stored is counted with its reason`() throws {
        let summary = try imported(
            steps("1", minute: "01", type: "Nonsense") + steps("1", minute: "02", unit: "kg")
                + steps("x", minute: "03"),
            into: SQLiteHealthDatabase(.memory))
        #expect(summary.added == 0)
        #expect(summary.skippedCount == 3)
        let reasons = summary.skipped.keys.map(\.reason)
        #expect(reasons.contains("the type is not known"))
        #expect(reasons.contains("a value in \"kg\" is none of this type"))
    }

    @Test func `tables beside an export that are not electrocardiograms are counted as left out`() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/electrocardiograms", withIntermediateDirectories: true)
            for name in ["ecg_2024-01-01.csv", "ecg_2024-01-02.csv", "notes.txt"] {
                try Data("Name,Kim".utf8).write(to: URL(fileURLWithPath: folder + "/electrocardiograms/" + name))
            }
            let url = URL(fileURLWithPath: folder + "/export.xml")
            try Data("<HealthData locale=\"en_US\">\(steps("1", minute: "01"))</HealthData>".utf8).write(to: url)
            let summary = try HealthImport.run(url, into: SQLiteHealthDatabase(.memory))
            #expect(summary.added == 1)
            let reasons = summary.skipped.filter { $0.key.what == "Electrocardiogram" }
            #expect(reasons.values.reduce(0, +) == 2)
            #expect(
                reasons.keys.allSatisfy { $0.reason.contains("it has no voltages") && $0.reason.contains("ecg_2024") })
        }
    }

    @Test func `an import fills only missing parts of the profile`() throws {
        let database = SQLiteHealthDatabase(.memory)
        var profile = StoredProfile()
        profile.sex = .female
        try database.store(profile)
        let summary = try imported(
            """
            <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-05-20" \
            HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexMale" \
            HKCharacteristicTypeIdentifierBloodType="HKBloodTypeABNegative" \
            HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeIII"/>
            """, into: database)
        #expect(summary.profile == ["date of birth", "blood type", "skin type"])
        let stored = try database.storedProfile()
        #expect(stored.sex == .female)
        #expect(stored.bloodType == .abNegative)
        #expect(stored.skinType == .III)
        #expect(stored.dateOfBirth?.description == "1990-05-20")
    }

    @Test func `metadata values have the types of their keys`() throws {
        let database = SQLiteHealthDatabase(.memory)
        _ = try imported(
            """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="App" unit="count" \
            startDate="2024-01-02 10:00:00 +0000" endDate="2024-01-02 10:00:00 +0000" value="1">\
            <MetadataEntry key="HKWasUserEntered" value="1"/><MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>\
            <MetadataEntry key="HKWeatherTemperature" value="56 degF"/><MetadataEntry key="own" value="7"/>\
            <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="2"/></Record>
            """, into: database)
        let metadata = try #require(try database.all(Made.steps).first?.metadata)
        #expect(metadata[HKMetadataKeyWasUserEntered] as? Bool == true)
        #expect(metadata[HKMetadataKeyTimeZone] as? String == "Europe/Berlin")
        let temperature = try #require(metadata[HKMetadataKeyWeatherTemperature] as? HKQuantity)
        #expect(temperature.doubleValue(for: .degreeFahrenheit()) == 56)
        #expect(metadata["own"] as? String == "7")
        #expect(metadata[HKMetadataKeyHeartRateMotionContext] as? Int == 2)
    }

    @Test func `a stopped import counts what it saved, and the next one adds the rest`() throws {
        let body = (0..<20_000).map { index in
            steps("\(index)", minute: "\(10 + index % 40)")
        }.joined()
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let url = URL(fileURLWithPath: folder + "/export.xml")
            try Data("<HealthData locale=\"en_US\">\(body)</HealthData>".utf8).write(to: url)
            let database = SQLiteHealthDatabase(.memory)
            // By then at least two batches have been read, and the second one waits until the first is saved.
            var isFarEnough = false
            let ended = try HealthImport.run(
                url, into: database, isCancelled: { isFarEnough }, samplesAtOnce: 4_000,
                progress: { isFarEnough = isFarEnough || $0.fraction > 0.7 })
            #expect(ended.wasInterrupted)
            #expect(ended.added >= 4_000)
            #expect(ended.added < 20_000)
            #expect(try database.all(Made.steps).count == ended.added)
            let rest = try HealthImport.run(url, into: database)
            #expect(!rest.wasInterrupted)
            #expect(rest.known == ended.added)
            #expect(rest.added + rest.known == 20_000)
        }
    }
}
