import ArgumentParser
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

@Suite struct StoredWorkoutTests {
    let runs = StoredRuns()

    @Test(arguments: SampleRecordingsTests.names)
    func `a stored workout has the summary of its replay`(name: String) async throws {
        let replayed = try await runs.replay(name)
        let stored = try Show.parse([replayed.id.uuidString]).summary(runs.database, wearer: nil)
        #expect(stored.statistics == replayed.statistics)
        #expect(stored.events == replayed.events)
        #expect(stored.pauses == replayed.pauses)
        #expect(stored.laps == replayed.laps)
        #expect(stored.activities == replayed.activities)
        #expect(stored.durationInSeconds == replayed.durationInSeconds)
        #expect(stored.beats?.count == replayed.beats?.count)
        #expect(stored.route?.points == replayed.route?.points && replayed.route != nil)
        let meters = try #require(replayed.route?.distanceInMeters)
        #expect(abs((stored.route?.distanceInMeters ?? 0) - meters) < 0.01)
        #expect(stored.sensors.map(\.name).sorted() == replayed.sensors.map(\.name).sorted())
    }

    /// Laps of 100 s.
    private func laps(_ readings: [(range: ClosedRange<Double>, meters: Double)]) async throws -> [[Double?]] {
        let start = try Date("2026-01-01T08:00Z")
        let id = UUID()
        let distances = readings.map { range, meters in
            SessionEntry(
                start + range.upperBound,
                .quantity(
                    QuantityReading(
                        "distanceWalkingRunning", meters, unit: "m", start: start + range.lowerBound,
                        end: start + range.upperBound)))
        }
        let laps = (0..<3).map { lap in
            let (begin, end) = (start + 100 * Double(lap), start + 100 * Double(lap + 1))
            return SessionEntry(end, .event(EventRecord(.lap, start: begin, end: end)))
        }
        let entries =
            [
                SessionEntry(start, .header(SessionHeader(id: id, activity: ActivityDescription(activity: "running")))),
                SessionEntry(start, .state(.running)),
            ] + (distances + laps).sorted { $0.date < $1.date } + [SessionEntry(start + 300, .state(.stopped))]
        let recording = Recording(entries: entries, file: RecordingSummary(format: "jsonl"))
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, id: id, saves: true,
            environment: runs.environment)
        let live = try WorkoutSummary(await run.run())
        let stored = try Show.parse([id.uuidString]).summary(runs.database, wearer: nil)
        return [live, stored].map { $0.laps.map(\.distanceInMeters) }
    }

    @Test func `metres across the end of a lap are shared by time`() async throws {
        let shared = try await laps([(0...80, 200), (80...120, 100), (120...250, 260), (250...300, 100)])
        #expect(shared == [[250, 210, 200], [250, 210, 200]])
        // A device that writes its laps slightly late.
        let late = try await laps([(0...101, 202), (101...200, 198), (200...300, 200)])
        #expect(late == [[200, 200, 200], [200, 200, 200]])
    }

    @Test func `metres measured for several laps together belong to none`() async throws {
        #expect(try await laps([(0...300, 900)]) == [[nil, nil, nil], [nil, nil, nil]])
        #expect(try await laps([(0...100, 300), (100...300, 500)]) == [[300, nil, nil], [300, nil, nil]])
    }

    @Test func `the neighbours of a workout are those in the list, also for simultaneous ones`()
        throws
    {
        let start = try Date("2026-01-01T08:00Z")
        let days = [0.0, 1, 1, 1, 2, 3, 3]
        let workouts = days.map {
            HKWorkout(activityType: .running, start: start + $0 * 86_400, end: start + $0 * 86_400 + 60)
        }
        try runs.database.save(workouts, from: .current)
        let stored = StoredWorkouts(runs.database)
        let all = try stored.all()
        #expect(all.count == days.count)
        for (index, workout) in all.enumerated() {
            let (previous, next) = try stored.neighbours(of: workout)
            #expect(previous?.uuid == (index + 1 < all.count ? all[index + 1].uuid : nil))
            #expect(next?.uuid == (index > 0 ? all[index - 1].uuid : nil))
        }
    }

    @Test func `the old ID of an edited workout finds the new one, also shortened`() throws {
        let start = try Date("2026-01-01T08:00Z")
        let old = HKWorkout(activityType: .running, start: start, end: start + 60)
        try runs.database.save([old], from: .current)
        let store = HKHealthStore(environment: runs.environment)
        var change = WorkoutLabels.Change()
        var latest = old
        for title in ["One", "Two"] {
            change.title = title
            latest = try #require(try store.edit([latest], by: [.label(change)], named: "edit", at: start).first)
        }
        let stored = StoredWorkouts(runs.database)
        for length in [36, 18, 8, 4] {
            let prefix = String(old.uuid.uuidString.prefix(length)).lowercased()
            #expect(try stored.workout(prefix).uuid == latest.uuid, "\(length)")
        }
        let parts = try store.edit([latest], by: [.split(at: [start + 30])], named: "split", at: start)
        #expect { try stored.workout(String(old.uuid.uuidString.prefix(8))) } throws: { error in
            parts.allSatisfy { (error as? CommandFailure)?.message.contains($0.uuid.uuidString) == true }
        }
    }

    @Test func `zones are counted for a known wearer`() async throws {
        let id = try await runs.replay("easy-run").id.uuidString
        let wearer = WearerProfile(restingHeartRate: 60, maximumHeartRate: 190)
        let summary = try Show.parse([id]).summary(runs.database, wearer: wearer)
        #expect(summary.zones.count == 5)
        let inZones = summary.zones.reduce(0) { $0 + $1.seconds }
        #expect(inZones > 0 && inZones <= summary.durationInSeconds)
        #expect(try Show.parse([id]).summary(runs.database, wearer: nil).zones.isEmpty)
    }

    @Test func `an imported workout shows only what its file contains`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID()).xml")
        defer { try? FileManager.default.removeItem(at: file) }
        let source = #"sourceName="Watch" startDate="2026-01-01 08:00:00 +0000" endDate="2026-01-01 08:30:00 +0000""#
        let text = """
            <HealthData locale="en_US"><ExportDate value="2026-01-02 08:00:00 +0000"/>
            <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" \
            totalDistance="5" totalDistanceUnit="km" \(source)>
            <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" \
            startDate="2026-01-01 08:00:00 +0000" endDate="2026-01-01 08:30:00 +0000" \
            average="140" minimum="100" maximum="170" unit="count/min"/>
            </Workout></HealthData>
            """
        try Data(text.utf8).write(to: file)
        _ = try HealthImport.run(file, into: runs.database)
        let wearer = WearerProfile(restingHeartRate: 60, maximumHeartRate: 190)
        let id = try #require(try StoredWorkouts(runs.database).all().first).uuid.uuidString
        let summary = try Show.parse([id]).summary(runs.database, wearer: wearer)
        #expect(
            summary.statistics == [
                .init(identifier: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "m", sum: 5_000),
                .init(
                    identifier: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", minimum: 100, average: 140,
                    maximum: 170),
            ])
        #expect(summary.zones.isEmpty)
        let lines = SummaryTable(page: StoredRuns.utc).lines(workout: summary)
        #expect(!lines.contains { $0.contains("reading") })
        #expect(lines.contains { $0.contains("5.00 km") })
    }

    @Test func `a workout is listed and shown in its own time zone`() throws {
        func workout(_ start: String, _ zone: String?) throws -> HKWorkout {
            let start = try Date(start)
            return HKWorkout(
                activityType: .running, start: start, end: start + 1_800, duration: 0, totalEnergyBurned: nil,
                totalDistance: nil, metadata: zone.map { [HKMetadataKeyTimeZone: $0] })
        }
        let source = HKSourceRevision(source: HKSource(name: "Test", bundleIdentifier: "local.test"), version: "1")
        // 7:30 in Tokyo; the reader is elsewhere.
        let tokyo = try workout("2026-01-01T22:30Z", "Asia/Tokyo")
        try runs.database.save([tokyo], from: source)
        func list() throws -> [String] { try List.parse([]).lines(runs.database, StoredRuns.utc) }
        #expect(try list()[0].contains("start UTC+9"))
        #expect(try list()[1].contains("2026-01-02 07:30  Morning Run"))
        try runs.database.save([workout("2026-01-03T08:00Z", nil)], from: source)
        #expect(try list()[1].contains("2026-01-03 08:00 UTC    Morning Run"))
        #expect(try list()[2].contains("2026-01-02 07:30 UTC+9  Morning Run"))
        let summary = try Show.parse([tokyo.uuid.uuidString]).summary(runs.database, wearer: nil)
        let shown = SummaryTable(page: StoredRuns.utc).lines(workout: summary)
        #expect(shown[0].contains("Morning Run") && shown[0].contains("Fri 2 Jan 2026, 07:30:00 – 08:00:00 UTC+9"))
    }

    @Test func `a recording with its own dates is stored once`() async throws {
        let first = try await runs.replay("easy-run")
        let second = try await runs.replay("easy-run")
        #expect(first.id == second.id)
        #expect(try StoredWorkouts(runs.database).all().map(\.uuid) == [first.id])
    }

    @Test func `different recordings with one seed are different workouts`() async throws {
        for name in SampleRecordingsTests.names { try await runs.replay(name) }
        #expect(try StoredWorkouts(runs.database).all().count == SampleRecordingsTests.names.count)
    }

    @Test(arguments: SampleRecordingsTests.names)
    func `the file, the session and the store give one variability`(_ name: String) async throws {
        let recording = try RecordingFile.read(SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl"))
        let file = try #require(FileSummary(recording.file).rr)
        let session = try #require(try await runs.replay(name).beats)
        let workout = try #require(try StoredWorkouts(runs.database).all().first)
        let stored = try #require(try WorkoutSummary(workout, in: runs.database, wearer: nil).beats)
        for beats in [session, stored] {
            #expect(beats.count == file.count)
            #expect(abs(try #require(beats.rmssdInMilliseconds) - (file.rmssdInMilliseconds ?? 0)) < 1e-6)
            #expect(abs(try #require(beats.sdnnInMilliseconds) - (file.sdnnInMilliseconds ?? 0)) < 1e-6)
        }
    }

    @Test func `a replay stores nothing unless requested`() async throws {
        let recording = try RecordingFile.read(SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl"))
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, environment: runs.environment)
        _ = try await run.run()
        #expect(try StoredWorkouts(runs.database).all().isEmpty)
        #expect(
            try runs.database.samples([SampleSelection(HKQuantityType(.heartRate))], sortedBy: [], limit: 1).isEmpty)
    }

    // MARK: list

    @Test func `an empty list is a sentence`() throws {
        #expect(try List.parse([]).lines(runs.database, StoredRuns.utc).joined().contains("No workouts are stored yet"))
        #expect(try List.parse(["--from", "2020"]).lines(runs.database, StoredRuns.utc).joined().contains("matches"))
        #expect(try List.parse(["--json"]).lines(runs.database, StoredRuns.utc).isEmpty)
    }

    @Test(arguments: [20, 40, 60, 80, 120])
    func `the list fits the page`(columns: Int) async throws {
        try await runs.replay("easy-run")
        let lines = try List.parse([]).lines(runs.database, Page(columns: columns, timeZone: .gmt))
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
    }

    @Test func `the list has one object per line`() async throws {
        try await runs.replay("easy-run")
        try await runs.replay("ride-dropouts")
        let all = try List.parse(["--json"]).lines(runs.database, StoredRuns.utc)
        #expect(all.count == 2)
        for line in all { #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any]) }
        let rides = try List.parse(["--json", "--activity", "Cycling"]).lines(runs.database, StoredRuns.utc)
        #expect(rides.count == 1)
        #expect(rides.first?.contains(#""start":"2026-01-01T08:00:00.000Z""#) == true)
        #expect(try List.parse(["--json", "--to", "2025"]).lines(runs.database, StoredRuns.utc).isEmpty)
    }

    @Test func `an unknown activity gets a suggestion`() {
        let error = #expect(throws: (any Error).self) { try List.parse(["--activity", "runing"]) }
        #expect(error.map { List.message(for: $0) }?.contains("Did you mean 'running") == true)
    }

    // MARK: show and delete

    @Test func `an ID may be shortened as long as it is unique`() async throws {
        let id = try await runs.replay("easy-run").id
        let stored = StoredWorkouts(runs.database)
        #expect(try stored.workout(String(id.uuidString.prefix(5)).lowercased()).uuid == id)
        #expect(try stored.workout(id.uuidString.filter { $0 != "-" }).uuid == id)
        #expect(throws: CommandFailure.self) { try stored.workout("") }
        #expect(throws: CommandFailure.self) { try stored.workout("running") }
        #expect(throws: CommandFailure.self) { try stored.workout(UUID().uuidString) }
    }

    @Test func `an ambiguous ID is rejected`() async throws {
        for index in 0..<17 { try runs.saveEmptyWorkout(at: Date(timeIntervalSince1970: Double(index))) }
        let ids = try StoredWorkouts(runs.database).all().map(\.uuid.uuidString)
        let first = try #require(Dictionary(grouping: ids) { $0.prefix(1) }.first { $0.value.count > 1 }?.key)
        let error = #expect(throws: CommandFailure.self) { try StoredWorkouts(runs.database).workout(String(first)) }
        #expect(error?.exitCode == .badInput)
        #expect(error?.message.contains("write more of the ID") == true)
    }

    @Test func `a workout is deleted with its samples and nothing else`() async throws {
        let id = try await runs.replay("easy-run").id.uuidString
        let other = try runs.save(heartRates: [60, 61], from: try Date("2026-01-01T08:05Z"))
        let deletion = try Delete.parse([id, String(id.prefix(9))]).deletion(runs.database)
        #expect(deletion.lines(StoredRuns.utc).first?.hasPrefix("1 workout and ") == true)
        try deletion.carryOut(runs.database)
        #expect(try StoredWorkouts(runs.database).all().isEmpty)
        let left = try runs.database.samples([SampleSelection(HKQuantityType(.heartRate))], sortedBy: [], limit: nil)
        #expect(Set(left) == Set(other))
        #expect(
            try runs.database.samples([SampleSelection(HKSeriesType.heartbeat())], sortedBy: [], limit: nil).isEmpty)
    }

    @Test func `samples may stay`() async throws {
        let id = try await runs.replay("easy-run").id.uuidString
        try Delete.parse([id, "--keep-samples"]).deletion(runs.database).carryOut(runs.database)
        let left = try runs.database.samples([SampleSelection(HKQuantityType(.heartRate))], sortedBy: [], limit: 1)
        #expect(left.count == 1)
    }

    /// The series have their UUIDs again: the store had a second route afterwards.
    @Test(arguments: ["easy-run", "ride-dropouts"])
    func `samples that stayed belong to the workout when it is imported again`(name: String) throws {
        let recording = try StoredRuns.recording(name)
        let store = HKHealthStore(environment: runs.environment)
        func series(_ filter: SampleFilter) throws -> Set<UUID> {
            let types = [HKSeriesType.heartbeat(), .workoutRoute()].map { SampleSelection($0, filter) }
            return try Set(runs.database.samples(types, sortedBy: [], limit: nil).map(\.uuid))
        }
        _ = try store.save(recording, as: recording.id, findsEfforts: false, isCancelled: { false })
        let first = try series(.workout(recording.id))
        #expect(!first.isEmpty)
        try Delete.parse([recording.id.uuidString, "--keep-samples"]).deletion(runs.database).carryOut(runs.database)
        #expect(try series(.all) == first)
        _ = try store.save(recording, as: recording.id, findsEfforts: false, isCancelled: { false })
        #expect(try series(.workout(recording.id)) == first)
        #expect(try series(.all) == first)
    }

    @Test func `one wrong ID deletes nothing`() async throws {
        let id = try await runs.replay("easy-run").id.uuidString
        #expect(throws: CommandFailure.self) { try Delete.parse([id, "00"]).deletion(runs.database) }
        #expect(try StoredWorkouts(runs.database).all().count == 1)
    }
}

extension StoredRuns {
    fileprivate func saveEmptyWorkout(at start: Date) throws {
        let workout = try HKWorkout.validated(
            ObjectIdentity(), configuration: HKWorkoutConfiguration(), start: start, end: start.addingTimeInterval(60))
        try database.save([workout], from: .current)
    }
}
