import Foundation
import HealthKit
import Recordings
import SessionLog
import Testing

@testable import workout

/// Folders, archives and patterns as arguments of `workout import`.
@Suite(.needsCommand) struct ImportManyTests {
    private let command: BuiltCommand
    private var folder: URL { command.home.appending(path: "files") }

    init() throws {
        command = try BuiltCommand()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    // MARK: Files

    /// A ride at 140 bpm, with one row a second.
    private static func ride(
        seconds: Int, start: Date = Date(timeIntervalSince1970: 1_772_359_200), isRich: Bool = false,
        heartRate: Int = 140
    ) -> String {
        var text = isRich ? "time,hr,distance,lat,lon,rr\n" : "time,hr\n"
        for second in 0..<seconds {
            text += "\((start + Double(second)).ISO8601Format()),\(heartRate + second % 2)"
            if isRich { text += ",\(second * 5),\(52 + Double(second) * 1e-5),13,430" }
            text += "\n"
        }
        return text
    }

    @discardableResult
    private func write(_ name: String, _ text: String) throws -> String {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func list() async throws -> [[String: Any]] {
        try await command.run("list", "--json").output.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    private func day(_ number: Int) -> Date { Date(timeIntervalSince1970: 1_772_359_200 + Double(number) * 86_400) }

    // MARK: Tests

    @Test func `a takeout of archives within archives, packed files and pictures is one import`() async throws {
        defer { command.remove() }
        try write("inner/a.csv", Self.ride(seconds: 30, start: day(0)))
        try write("inner/settings.json", "{\"name\": 1}")
        try write("outer/activities/b.csv", Self.ride(seconds: 30, start: day(1)))
        try write("outer/activities/c.csv", Self.ride(seconds: 30, start: day(2)))
        try write("outer/profile.jpg", "\u{FFFD}\u{1}\u{2}")
        try write(
            "outer/activities.csv",
            "Activity ID,Activity Date,Activity Name,Elapsed Time,Max Heart Rate,Average Speed\n1,x,y,2,3,4\n")
        let made = try await command.shell(
            """
            cd '\(folder.path)' && gzip outer/activities/c.csv && mkdir -p outer/DI_CONNECT \
            && cd inner && python3 -m zipfile -c ../outer/DI_CONNECT/UploadedFiles_1.zip a.csv settings.json \
            && cd ../outer && python3 -m zipfile -c ../takeout.zip activities activities.csv profile.jpg DI_CONNECT
            """)
        #expect(made.status == 0, "\(made.errors)")
        let archive = folder.appending(path: "takeout.zip").path
        let outcome = try await command.run("import", archive)
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.all)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 5, "\(outcome.output)")
        #expect(lines.contains { $0.hasPrefix("\(archive)/activities/c.csv.gz: 2026-03-03 10:00") })
        #expect(lines.contains { $0.hasPrefix("\(archive)/DI_CONNECT/UploadedFiles_1.zip/a.csv: ") })
        #expect(lines[3] == "3 files hold no workout of their own (1 .csv, 1 .jpg, 1 .json)")
        #expect(lines[4] == "3 recordings: 3 imported")
        // The same files are recognised in a folder, renamed and unpacked.
        try write("again/renamed.txt", Self.ride(seconds: 30, start: day(2)))
        let again = try await command.run("import", folder.appending(path: "again").path)
        #expect(again.output.hasSuffix("1 recording: 0 imported, 1 already stored\n"), "\(again.all)")
        let all = try await command.run("import", "--json", archive)
        #expect(all.output.split(separator: "\n").last?.contains(#""stored":0,"known":3,"#) == true)
        #expect(try await list().count == 3)
    }

    @Test func `patterns and folders name many files, and a bad one does not block the others`() async throws {
        defer { command.remove() }
        for number in 0..<3 { try write("ride-\(number).csv", Self.ride(seconds: 20, start: day(number))) }
        try write("ride-x.csv", "time,hr\nlater,x\n")
        let outcome = try await command.run("import", folder.path + "/ride-*.csv")
        #expect(outcome.status == 65)
        #expect(outcome.output.hasSuffix("4 recordings: 3 imported, 1 unreadable\n"), "\(outcome.all)")
        #expect(outcome.errors.contains("ride-x.csv: line 2, column 1 ('time'): 'later' is not a time"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        let none = try await command.run("import", folder.path + "/*.fit")
        #expect(none.status == 65 && none.errors.contains("no file matches"))
    }

    /// As with `import "$FILE"` if the variable is not set.
    @Test func `an empty name is an error, and not the current folder`() throws {
        for names in [{ try ImportSearch.names("") }, { [try RecordingArgument("").name] }] {
            let error = #expect(throws: CommandFailure.self) { try names() }
            #expect(error?.exitCode == .wrongUsage)
        }
    }

    @Test func `an intact copy replaces a damaged one, and not vice versa`() async throws {
        defer { command.remove() }
        let sound = folder.appending(path: "sound.fit").path
        let damaged = folder.appending(path: "damaged.fit").path
        let run = SampleRecordingsTests.folder.appendingPathComponent("easy-run.jsonl").path
        #expect(try await command.run("convert", run, sound).status == 0)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: sound))
        // A byte of the checksum.
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: damaged))
        let outcome = try await command.run("import", damaged, sound)
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("sound.fit: ") && outcome.output.contains("replaced"), "\(outcome.all)")
        let again = try await command.run("import", damaged)
        #expect(again.output.contains("the same workout is stored as"), "\(again.all)")
        #expect(try await list().count == 1)
    }

    @Test func `of one ride in two files the more complete one is stored, whichever comes first`() async throws {
        defer { command.remove() }
        let poor = try write("poor.csv", Self.ride(seconds: 120))
        let rich = try write("rich.csv", Self.ride(seconds: 118, start: day(0) + 3, isRich: true, heartRate: 141))
        let first = try await command.run("import", poor, rich)
        #expect(first.status == 0, "\(first.all)")
        #expect(first.output.contains("replaced"), "\(first.output)")
        #expect(first.output.contains("1 replaced by a more complete file"))
        var stored = try await list()
        #expect(stored.count == 1)
        let again = try await command.run("import", poor, rich)
        #expect(again.output.contains("poor.csv: duplicate skipped; the same workout is stored as"), "\(again.output)")
        #expect(
            again.output.contains("a more complete recording (with beats, distance, positions)"),
            "\(again.output)")
        #expect(again.output.contains("0 imported, 1 already stored, 1 duplicate skipped"))
        stored = try await list()
        #expect(stored.count == 1)
        // Nothing remains of the other one: neither its workout nor its samples.
        let samples = try await command.run("samples", "heartRate", "--json", "--limit", "1000")
        #expect(samples.output.split(separator: "\n").count == 118)
        let both = try await command.run("import", "--keep-duplicates", poor)
        #expect(both.status == 0)
        #expect(try await list().count == 2)
    }

    /// The same ride from the Health app, with more kinds of figures if `rich` is true.
    private static func export(seconds: Int, isRich: Bool = false) -> String {
        let start = Date(timeIntervalSince1970: 1_772_359_200)
        func attributes(_ from: Int, _ to: Int) -> String {
            func date(_ second: Int) -> String {
                (start + Double(second)).ISO8601Format().replacing("T", with: " ").replacing("Z", with: " +0000")
            }
            return #"sourceName="Watch" startDate="\#(date(from))" endDate="\#(date(to))""#
        }
        func figures(_ type: String, _ unit: String, _ values: String) -> String {
            #"<WorkoutStatistics type="HKQuantityTypeIdentifier\#(type)" \#(values) unit="\#(unit)"/>"#
        }
        func levels(_ type: String, _ unit: String) -> String {
            figures(type, unit, #"average="140.5" minimum="140" maximum="141""#)
        }
        let rates = (0..<seconds).map { second in
            #"<Record type="HKQuantityTypeIdentifierHeartRate" \#(attributes(second, second)) unit="count/min" "#
                + #"value="\#(140 + second % 2)"/>"#
        }
        let more =
            figures("DistanceCycling", "mi", #"sum="\#(Double(seconds) * 5 / 1609.344)""#)
            + figures("StepCount", "count", #"sum="9""#)
            + levels("CyclingPower", "W") + levels("CyclingSpeed", "m/s") + levels("CyclingCadence", "count/min")
        return "<HealthData>\(rates.joined(separator: "\n"))"
            + #"<Workout workoutActivityType="HKWorkoutActivityTypeCycling" \#(attributes(0, seconds - 1))>"#
            + "\(levels("HeartRate", "count/min"))\(isRich ? more : "")</Workout></HealthData>"
    }

    private func sources() async throws -> [String] {
        try await list().compactMap { ($0["source"] as? [String: Any])?["name"] as? String }
    }

    private func heartRateCount() async throws -> Int {
        let samples = try await command.run("samples", "heartRate", "--json", "--limit", "10000")
        return samples.output.split(separator: "\n").count
    }

    @Test func `a workout of an Apple Health export replaces a less complete recording only`() async throws {
        defer { command.remove() }
        let poor = try write("poor.csv", Self.ride(seconds: 600))
        let export = try write("export/export.xml", Self.export(seconds: 600))
        let richExport = try write("rich/export.xml", Self.export(seconds: 600, isRich: true))
        let rows = Self.ride(seconds: 600).split(separator: "\n").dropFirst().enumerated().map { "\($1),\($0 * 5)" }
        let distance = try write("distance.csv", (["time,hr,distance"] + rows).joined(separator: "\n"))
        _ = try await command.run("import", distance)
        let left = try await command.run("import", export).output
        #expect(left.contains("1 workout: left out, because the store has a recording that is as complete"), "\(left)")
        #expect(try await sources() == ["workout"])
        let replacing = try await command.run("import", richExport).output
        #expect(replacing.contains("1 workout: removed, because the export has a more complete"), "\(replacing)")
        #expect(try await sources() == ["Watch"])
        #expect(try await heartRateCount() == 600)
        let again = try await command.run("import", poor, distance).output
        #expect(again.contains("0 imported, 2 duplicates skipped"), "\(again)")
        #expect(try await sources() == ["Watch"])
        let kept = try await command.run("import", "--keep-duplicates", poor)
        #expect(kept.status == 0)
        #expect(try await sources().sorted() == ["Watch", "workout"])
    }

    @Test func `a more complete recording replaces a workout of an Apple Health export, but not its samples`()
        async throws
    {
        defer { command.remove() }
        let rich = try write("rich.csv", Self.ride(seconds: 600, isRich: true))
        let export = try write("export/export.xml", Self.export(seconds: 600))
        _ = try await command.run("import", export)
        #expect(try await sources() == ["Watch"])
        let replacing = try await command.run("import", rich).output
        #expect(replacing.contains("a less complete recording of the same workout"), "\(replacing)")
        #expect(try await sources() == ["workout"])
        #expect(try await heartRateCount() == 1200)
        let again = try await command.run("import", export).output
        #expect(again.contains("0 added, 600 already stored") && again.contains("left out"), "\(again)")
        #expect(try await sources() == ["workout"])
    }

    @Test func `a route whose file is not with the export does not replace positions`() async throws {
        defer { command.remove() }
        _ = try await command.run("import", try write("rich.csv", Self.ride(seconds: 600, isRich: true)))
        let route = #"<WorkoutRoute sourceName="Watch"><FileReference path="/routes/1.gpx"/></WorkoutRoute></Workout>"#
        let text = Self.export(seconds: 600, isRich: true).replacing("</Workout>", with: route)
        let left = try await command.run("import", try write("export/export.xml", text)).output
        #expect(left.contains("1 workout: left out"), "\(left)")
        let point = #"<trkpt lon="13" lat="52"><time>2026-03-01T10:00:00Z</time></trkpt>"#
        try write("export/routes/1.gpx", "<gpx>\(point)</gpx>")
        let replacing = try await command.run("import", folder.appending(path: "export").path).output
        #expect(replacing.contains("1 workout: removed"), "\(replacing)")
        #expect(try await sources() == ["Watch"])
    }

    @Test func `heart rates that the more complete recording lacks are named, with a way to keep them`() async throws {
        defer { command.remove() }
        let rows = (0..<120).map {
            "\((day(0) + Double($0)).ISO8601Format()),\($0 * 5),\(52 + Double($0) * 1e-5),13"
        }
        let bike = try write("bike.csv", "time,distance,lat,lon\n" + rows.joined(separator: "\n"))
        let strap = try write("strap.csv", Self.ride(seconds: 120))
        let outcome = try await command.run("import", bike, strap)
        #expect(outcome.output.contains("strap.csv: duplicate skipped"), "\(outcome.all)")
        #expect(
            outcome.output.contains("strap.csv: the stored workout has no heart rate; keep both with"),
            "\(outcome.all)")
    }

    @Test func `another ride at the same time is another ride`() async throws {
        defer { command.remove() }
        let mine = try write("mine.csv", Self.ride(seconds: 120))
        let yours = try write("yours.csv", Self.ride(seconds: 120, heartRate: 160))
        let later = try write("later.csv", Self.ride(seconds: 120, start: day(0) + 31))
        let longer = try write("longer.csv", Self.ride(seconds: 300))
        let outcome = try await command.run("import", mine, yours, later, longer)
        #expect(outcome.output.hasSuffix("4 recordings: 4 imported\n"), "\(outcome.all)")
    }

    private static let rides = 80

    /// So many of these names that their lines exceed a terminal's buffer: an import cannot be at its end before more
    /// is read.
    private func writeRides() throws {
        for number in 0..<Self.rides {
            let name = "\(number)-" + String(repeating: "ride-", count: 40) + ".csv"
            try write(name, Self.ride(seconds: 40, start: day(number), isRich: true))
        }
    }

    /// An import of all rides, at the moment when the first one is stored.
    private func importInTheMiddle() async throws -> BuiltCommand.Running {
        try writeRides()
        let running = try command.start(["import", folder.path], onTerminal: true)
        #expect(await running.says("stored as"))
        return running
    }

    /// Every stored workout is complete.
    private func expectWholeRides() async throws -> Int {
        let stored = try await list()
        for workout in stored { #expect(workout["duration"] as? Double == 39) }
        return stored.count
    }

    @Test func `a killed import leaves nothing partial, and the next one adds the rest`() async throws {
        defer { command.remove() }
        let running = try await importInTheMiddle()
        running.kill()
        _ = await running.end()
        let stored = try await expectWholeRides()
        #expect((1..<Self.rides).contains(stored))
        let recovered = try await command.run("recover")
        #expect(!recovered.all.contains("stored"), "\(recovered.all)")
        let again = try await command.run("import", folder.path)
        #expect(again.status == 0, "\(again.all)")
        #expect(
            again.output.hasSuffix(
                "\(Self.rides) recordings: \(Self.rides - stored) imported, \(stored) already stored\n")
        )
        #expect(try await expectWholeRides() == Self.rides)
    }

    @Test func `Ctrl-C ends an import with its summary`() async throws {
        defer { command.remove() }
        let running = try await importInTheMiddle()
        running.interrupt()
        let outcome = await running.end()
        #expect(outcome.status == 130)
        #expect(
            outcome.errors.contains(" recordings: ") || outcome.errors.contains(" recording: "), "\(outcome.errors)")
        #expect(try await (1..<Self.rides).contains(expectWholeRides()))
    }

    @Test func `the figures shown, listed, counted and exported are those of the file`() async throws {
        defer { command.remove() }
        let file = try write("rich.csv", Self.ride(seconds: 120, isRich: true))
        let imported = try await command.run("import", "--json", "--activity", "running", file)
        #expect(imported.status == 0, "\(imported.all)")
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(imported.output.utf8)) as? [String: Any])
        let id = try #require((summary["workout"] as? [String: Any])?["id"] as? String)
        let shown = try #require(
            try JSONSerialization.jsonObject(with: Data(try await command.run("show", "--json", id).output.utf8))
                as? [String: Any])
        let read = try #require(summary["file"] as? [String: Any])
        #expect((read["heartRate"] as? [String: Any])?["count"] as? Int == 120)
        #expect((read["rr"] as? [String: Any])?["count"] as? Int == 120)
        for summary in [summary, shown] {
            let workout = try #require(summary["workout"] as? [String: Any])
            #expect(workout["activity"] as? String == "running")
            #expect(workout["start"] as? String == "2026-03-01T10:00:00.000Z")
            #expect(workout["duration"] as? Double == 119)
            let statistics = try #require(workout["statistics"] as? [String: [String: Any]])
            let heartRate = try #require(statistics["HKQuantityTypeIdentifierHeartRate"])
            #expect(heartRate["count"] as? Int == 120)
            #expect(heartRate["arithmeticMean"] as? Double == 140.5)
            #expect(statistics["HKQuantityTypeIdentifierDistanceWalkingRunning"]?["sum"] as? Double == 595)
            #expect((workout["beats"] as? [String: Any])?["count"] as? Int == 120)
            #expect((workout["route"] as? [String: Any])?["points"] as? Int == 120)
            #expect((workout["sensors"] as? [[String: Any]])?.first?["name"] as? String == "CSV file")
        }
        let stats = try await command.run(
            "stats", "distanceWalkingRunning", "--from", "2026-03-01", "--to", "2026-03-01", "--json")
        #expect(stats.output.contains("595"), "\(stats.all)")
        let listed = try #require(try await list().first)
        #expect(listed["duration"] as? Double == 119)
    }

    @Test func `columns, start and activity follow the options`() async throws {
        defer { command.remove() }
        let file = try write("odd.csv", "a;b\n0;100\n60;101\n")
        let refused = try await command.run("import", file)
        #expect(refused.status == 65)
        #expect(refused.errors.contains("--columns time=1,heart-rate=2"), "\(refused.errors)")
        let outcome = try await command.run(
            "import", "--columns", "time=1,heart-rate=b", "--start", "2026-03-01T10:00:00Z", "--activity", "yoga", file)
        #expect(outcome.status == 0, "\(outcome.all)")
        let listed = try #require(try await list().first)
        #expect(listed["activity"] as? String == "yoga")
        #expect(listed["start"] as? String == "2026-03-01T10:00:00.000Z")
        #expect(try await command.run("import", "--columns", "foo=1", file).status == 64)
    }
}

@Suite struct RideContentTests {
    private let start = Date(timeIntervalSinceReferenceDate: 0)

    private func content(
        after seconds: Double = 0, lasting: Double = 1000, heartRate: Double? = nil, distance: Double? = nil,
        _ readings: [String: Int] = ["heartRate": 1000]
    ) -> RideContent {
        RideContent(
            start: start + seconds, end: start + seconds + lasting, readings: readings, meanHeartRate: heartRate,
            distanceInMeters: distance)
    }

    @Test func `a ride is the same if time, heart rate and distance agree`() {
        let ride = content(heartRate: 140, distance: 5000)
        #expect(ride.isSameRide(as: ride))
        #expect(ride.isSameRide(as: content(after: 30)) && !ride.isSameRide(as: content(after: 31)))
        #expect(ride.isSameRide(as: content(lasting: 900)) && !ride.isSameRide(as: content(lasting: 899)))
        #expect(ride.isSameRide(as: content(heartRate: 143)) && !ride.isSameRide(as: content(heartRate: 144)))
        #expect(ride.isSameRide(as: content(distance: 4600)) && !ride.isSameRide(as: content(distance: 4400)))
        #expect(!content(lasting: 0).isSameRide(as: content(lasting: 0)))
    }

    /// Heart rates, one a second, that begin after this many seconds.
    private func trace(
        _ seconds: Range<Int>, heartRate: (Int) -> Double? = { 120 + Double($0 * 7 % 40) },
        latitude: (Int) -> Double? = { _ in nil }
    ) -> RideTrace {
        var trace = RideTrace()
        for second in seconds {
            let date = start + Double(second)
            if let rate = heartRate(second) {
                trace.take(
                    SessionEntry(
                        date, .quantity(QuantityReading("heartRate", rate, unit: "count/min", start: date, end: date))))
            }
            if let latitude = latitude(second) {
                trace.take(
                    SessionEntry(date, .position(PositionReading(latitudeInDegrees: latitude, longitudeInDegrees: 13))))
            }
        }
        return trace
    }

    @Test func `a part of a recording has the same heart rates or positions at the same instants`() {
        let whole = trace(0..<1000)
        #expect(trace(0..<300).isOfSameRecording(as: whole) && whole.isOfSameRecording(as: trace(500..<900)))
        #expect(!trace(0..<300) { 121 + Double(($0 + 9) * 7 % 40) }.isOfSameRecording(as: whole), "another's heart")
        #expect(!trace(0..<59).isOfSameRecording(as: whole), "too short to tell")
        #expect(!trace(800..<1800).isOfSameRecording(as: whole), "each has much of its own")
        let even = trace(0..<1000) { _ in 140 }
        #expect(!even.isOfSameRecording(as: even), "a heart rate that never changes proves nothing")
        func ride(_ seconds: Range<Int>, north: Double = 0) -> RideTrace {
            trace(seconds, heartRate: { _ in nil }, latitude: { 52 + north + Double($0) * 1e-5 })
        }
        #expect(ride(100..<400).isOfSameRecording(as: ride(0..<1000)))
        #expect(!ride(100..<400, north: 0.001).isOfSameRecording(as: ride(0..<1000)), "111 m beside it")
    }

    @Test func `heart rates beyond every number neither trap nor hide a copy`() {
        let absurd = trace(0..<300) { $0 == 3 ? 1e300 : $0 == 4 ? .nan : 120 + Double($0 * 7 % 40) }
        #expect(absurd.isOfSameRecording(as: trace(0..<1000)) && absurd.isOfSameRecording(as: absurd))
    }

    @Test func `of two similar copies the intact one is more complete than the damaged one`() {
        var damaged = content(["heartRate": 1000])
        damaged.isDamaged = true
        #expect(content(["heartRate": 1000]).isRicher(than: damaged))
        #expect(content(["heartRate": 960]).isRicher(than: damaged))
        #expect(!damaged.isRicher(than: content(["heartRate": 1000])))
        #expect(!damaged.isRicher(than: content(["heartRate": 960])))
        // Half a file is not better because it is undamaged.
        #expect(!content(["heartRate": 500]).isRicher(than: damaged))
        #expect(damaged.isRicher(than: content(["heartRate": 500])))
    }

    @Test func `a copy without heart rates or positions never replaces one with them`() {
        #expect(!content(["beats": 5000]).isRicher(than: content(["heartRate": 1000])))
        #expect(!content(["beats": 5000, "cyclingPower": 900]).isRicher(than: content(["heartRate": 1000])))
        #expect(!content(["heartRate": 10, "beats": 10]).isRicher(than: content(["positions": 10])))
        #expect(content(["heartRate": 1000]).isRicher(than: content(["beats": 5000])))
        #expect(content(["heartRate": 10, "beats": 10]).isRicher(than: content(["heartRate": 10])))
    }

    @Test func `the more complete copy has more kinds of readings, or clearly more of them`() {
        #expect(content(["heartRate": 10, "positions": 10]).isRicher(than: content(["heartRate": 1000])))
        #expect(!content(["heartRate": 1000]).isRicher(than: content(["heartRate": 1000])))
        #expect(!content(["heartRate": 1050]).isRicher(than: content(["heartRate": 1000])))
        #expect(content(["heartRate": 1051]).isRicher(than: content(["heartRate": 1000])))
        #expect(!content(["heartRate": 1, "beats": 0]).isRicher(than: content(["heartRate": 1])))
        #expect(content(["positions": 1, "beats": 1]).kindsMissing(in: content(["beats": 2])) == ["positions"])
    }
}
