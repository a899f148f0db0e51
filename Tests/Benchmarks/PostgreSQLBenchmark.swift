#if PostgreSQL
import Foundation
import Glibc
import HealthKit
import PostgreSQLStore
import SessionLog
import StoredWorkouts
import Synchronization

// Measures a store on a server: bytes per sample and hourly averages compared with other tables and SQLite, an import
// compared with SQLite, and a thousand people who write once a second.
//
// HEALTHKIT_TEST_DURABLE=1 Tests/PostgreSQLStoreTests/with-cluster swift run -c release --traits Bluetooth,Mirroring,PostgreSQL Benchmarks postgres

private func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(work) / .milliseconds(1)
}

private func report(_ name: String, _ value: Double, _ unit: String) {
    print("postgres: \(name): \(String(format: "%.2f", value)) \(unit)")
}

private func server() throws -> String {
    guard let server = ProcessInfo.processInfo.environment["HEALTHKIT_TEST_POSTGRESQL"], !server.isEmpty else {
        throw CocoaError(
            .featureUnsupported,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "postgres needs a server: run it through Tests/PostgreSQLStoreTests/with-cluster"
            ])
    }
    return server
}

private func store(_ server: String, _ person: String) -> PostgreSQLHealthDatabase {
    PostgreSQLHealthDatabase(PostgreSQLAddress("\(server)&person=\(person)", variables: [:]))
}

private let type = HKQuantityType(.heartRate)
private let unit = HKUnit(from: "count/min")

/// - Parameter total: Samples of one person at 1 Hz.
func benchmarkPostgreSQLNumbers(samples total: Int) throws {
    let server = try server()
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000 - 700_000_000.truncatingRemainder(dividingBy: 86400))
    let person = "numbers-\(UUID())"
    try PostgreSQLPeople(PostgreSQLAddress(server, variables: [:])).add(person)
    let database = store(server, person)
    let connection = try PostgreSQLConnection(server)
    func bytes() throws -> Double {
        try connection.run("VACUUM")
        return Double(try database.facts().bytes)
    }
    let before = try bytes()
    var walk = HeartRateWalk()
    var saving = 0.0
    for first in stride(from: 0, to: total, by: 100_000) {
        let made = walk.samples(first..<min(first + 100_000, total), from: start, type)
        saving += try milliseconds { try database.save(made, from: .current) }
    }
    report("save", Double(total) / saving / 1000, "million samples/s")
    report("bytes a sample, with indexes", (try bytes() - before) / Double(total), "B")
    let bounds = stride(from: 0, to: Double(total) + 3600, by: 3600).map { start + $0 }
    func hourly(_ database: any HealthDatabase) throws -> Double {
        try (0..<5).map { _ in
            try milliseconds {
                let buckets = try database.statistics(
                    SampleSelection(type), bounds: .dates(bounds), separatingSources: false)
                precondition(buckets.reduce(0) { $0 + $1.total.count } == total)
            }
        }.min() ?? .infinity
    }
    report("hourly average of \(total)", try hourly(database), "ms")
    let odd = stride(from: -1111, to: Double(total) + 3600, by: 3600).map { start + $0 }
    report(
        "hourly average at odd bounds",
        try milliseconds {
            _ = try database.statistics(SampleSelection(type), bounds: .dates(odd), separatingSources: false)
        }, "ms")

    let folder = FileManager.default.temporaryDirectory.appending(path: "postgres-benchmark").path
    try? FileManager.default.removeItem(atPath: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = SQLiteHealthDatabase(.file(folder + "/health.sqlite"))
    let copying = try milliseconds { _ = try StoreCopy(from: database, to: file).run() }
    report("copy to SQLite, compared", Double(total) / copying / 1000, "million samples/s")
    report("hourly average in SQLite", try hourly(file), "ms")

    // With 10^9 samples they would need 84 GB.
    if total <= 200_000_000 { try benchmarkOtherTables(samples: total, connection) }
}

/// One row per sample, and one per thousand samples in arrays of times and values, as TimescaleDB compresses them.
private func benchmarkOtherTables(samples total: Int, _ connection: PostgreSQLConnection) throws {
    try connection.run(
        """
        DROP TABLE IF EXISTS plain;
        CREATE TABLE plain (person INTEGER, type SMALLINT, time TIMESTAMPTZ, value DOUBLE PRECISION);
        INSERT INTO plain SELECT 1, 1, to_timestamp(1678307200 + n), 60 + n % 100 FROM generate_series(0, \(total - 1)) AS n;
        CREATE INDEX ON plain (person, type, time);
        VACUUM ANALYZE plain;
        DROP TABLE IF EXISTS arrays;
        CREATE TABLE arrays (person INTEGER, type SMALLINT, first TIMESTAMPTZ, times TIMESTAMPTZ[], "values" FLOAT8[],
            PRIMARY KEY (person, type, first));
        INSERT INTO arrays SELECT 1, 1, to_timestamp(1678307200 + 1000 * row),
            ARRAY(SELECT to_timestamp(1678307200 + 1000 * row + n) FROM generate_series(0, 999) AS n),
            ARRAY(SELECT 60 + (1000 * row + n) % 100 FROM generate_series(0, 999) AS n)
            FROM generate_series(0, \(total / 1000 - 1)) AS row;
        VACUUM ANALYZE arrays
        """.split(separator: ";").map(String.init))
    func measure(_ table: String, _ query: String) throws {
        let size = try connection.query("SELECT pg_total_relation_size('\(table)')")[0].integer(0)
        report("\(table), bytes a sample", Double(size) / Double(total), "B")
        let time =
            try (0..<(total > 20_000_000 ? 1 : 3)).map { _ in
                try milliseconds { _ = try connection.query(query) }
            }.min() ?? .infinity
        report("\(table), hourly average", time, "ms")
        try connection.run("DROP TABLE \(table)")
    }
    try measure(
        "plain",
        "SELECT date_trunc('hour', time), avg(value), count(*) FROM plain WHERE person = 1 AND type = 1 GROUP BY 1")
    try measure(
        "arrays",
        """
        SELECT date_trunc('hour', time), avg(value), count(*)
        FROM arrays, unnest(times, "values") AS sample(time, value) WHERE person = 1 AND type = 1 GROUP BY 1
        """)
}

/// Imports an Apple Health export into SQLite and into a server.
/// - Parameter beats: One in this many records is a heart-rate variability, which takes a row of its own.
func benchmarkPostgreSQLImport(megabytes: Int, beats: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "postgres-import-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let xml = folder.appending(path: "export.xml")
    try AppleHealthBenchmarkFile.write(bytes: megabytes * 1_000_000, to: xml, isRepeating: false, beats: beats)
    let server = try server()
    let person = "import-\(UUID())"
    try PostgreSQLPeople(PostgreSQLAddress(server, variables: [:])).add(person)
    let file = SQLiteHealthDatabase(.file(folder.appending(path: "health.sqlite").path))
    let inFile = try milliseconds { _ = try HealthImport.run(xml, into: file) }
    let name = "import of \(megabytes) MB, 1 of \(beats) records with beats"
    report("\(name), into SQLite", inFile / 1000, "s")
    let onServer = try milliseconds { _ = try HealthImport.run(xml, into: store(server, person)) }
    report("\(name), into the server", onServer / 1000, "s")
    report("\(name), server to SQLite", onServer / inFile, "times as long")
}

extension PostgreSQLConnection {
    /// VACUUM cannot run in a transaction, so the statements run one by one.
    fileprivate func run(_ statements: [String]) throws { for statement in statements { try run(statement) } }
}

// MARK: People

/// People in several processes who write once a second, and an observer of every fiftieth of them in this process.
///
/// - Parameter notifies: Whether each write also notifies (LISTEN/NOTIFY), to measure that cost. The store does not
///   do so.
func benchmarkPostgreSQLPeople(people count: Int, processes: Int, seconds: Int, notifies: Bool = false) throws {
    let server = try server()
    let prefix = "person-\(UUID())-"
    let people = PostgreSQLPeople(PostgreSQLAddress(server, variables: [:]))
    for person in 0..<count { try people.add(prefix + String(person)) }
    let connection = try PostgreSQLConnection(server)
    if notifies {
        try connection.run(
            """
            CREATE FUNCTION healthkit.notifyBenchmark() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_notify('healthkit', NEW.person::text); RETURN NULL; END $$;
            CREATE TRIGGER notifyBenchmark AFTER INSERT OR UPDATE ON healthkit.growingRun
                FOR EACH ROW EXECUTE FUNCTION healthkit.notifyBenchmark();
            """)
    }
    defer { if notifies { _ = try? connection.run("DROP FUNCTION healthkit.notifyBenchmark CASCADE") } }
    let delays = Mutex<[Double]>([])
    let watched = stride(from: 0, to: count, by: 50).map { store(server, prefix + String($0)) }
    let observations = watched.map { database in
        let anchor = Mutex<Int64>(0)
        return database.observe(askingSessions: false) { _ in
            let now = Date()
            anchor.withLock { anchor in
                guard let changes = try? database.changes([SampleSelection(type)], after: anchor, limit: nil) else {
                    return
                }
                anchor = changes.anchor
                // A sample is dated when its writer began to save it.
                let late = changes.added.map { now.timeIntervalSince($0.startDate) * 1000 }
                delays.withLock { $0 += late }
            }
        }
    }
    let busyBefore = processorSeconds()
    let began = ContinuousClock.now
    let share = count / processes
    let writers = try (0..<processes).map { index in
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "postgres-writers", prefix, String(index * share), String(share), String(seconds), String(8 / processes),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }
    var written = 0
    var clientSeconds = 0.0
    var saves: [Double] = []
    for (process, output) in writers {
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let words = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard words.count == 4 else {
            throw CocoaError(.featureUnsupported, userInfo: [NSLocalizedDescriptionKey: "a writer failed"])
        }
        written += Int(words[0])
        clientSeconds += words[1]
        saves.append(words[2])
        saves.append(words[3])
    }
    Thread.sleep(forTimeInterval: 0.3)
    let time = (ContinuousClock.now - began) / .seconds(1)
    let name =
        "\(count) people from \(processes) \(processes == 1 ? "process" : "processes")"
        + (notifies ? " with NOTIFY" : "")
    report("\(name), writes", Double(written) / time, "/s")
    report("\(name), processor of writers", clientSeconds / time, "cores")
    report("\(name), processor of all (writers, server, observers)", (processorSeconds() - busyBefore) / time, "cores")
    report("\(name), save p50", saves[0], "ms")
    report("\(name), save p99", saves[1], "ms")
    let sorted = delays.withLock { $0.sorted() }
    guard !sorted.isEmpty else { return }
    report("\(name), save to observer p50", sorted[sorted.count / 2], "ms")
    report("\(name), save to observer p99", sorted[sorted.count * 99 / 100], "ms")
    report("\(name), observed of \(watched.count * seconds)", Double(sorted.count), "samples")
    withExtendedLifetime(observations) {}
}

/// Runs in such a process: prints the number of writes, the processor time in seconds, and p50 and p99 of a save in
/// milliseconds.
func runPostgreSQLBenchmarkPart(_ arguments: [String]) throws -> Bool {
    guard arguments.first == "postgres-writers", arguments.count == 6, let first = Int(arguments[2]),
        let count = Int(arguments[3]), let seconds = Int(arguments[4]), let workers = Int(arguments[5])
    else { return false }
    let server = try server()
    let stores = (first..<first + count).map { store(server, arguments[1] + String($0)) }
    let times = SaveTimes()
    let began = ContinuousClock.now
    // One thread and one connection each, because they mostly wait. All processes together use eight cores.
    let group = DispatchGroup()
    for worker in 0..<workers {
        let own = stride(from: worker, to: count, by: workers).map { (store: stores[$0], session: UUID()) }
        group.enter()
        Thread.detachNewThread {
            times.add(writing(own, seconds: seconds, since: began))
            group.leave()
        }
    }
    group.wait()
    let sorted = times.all.withLock { $0.sorted() }
    print(sorted.count, Double(clock()) / 1e6, sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    return true
}

private final class SaveTimes: Sendable {
    let all = Mutex<[Double]>([])

    func add(_ some: [Double]) { all.withLock { $0 += some } }
}

/// Saves one heart rate a second for each session. Returns the time of each save in milliseconds.
private func writing(
    _ people: [(store: PostgreSQLHealthDatabase, session: UUID)], seconds: Int, since began: ContinuousClock.Instant
) -> [Double] {
    var logged = people.map { LoggedSamples(of: $0.session) }
    var took: [Double] = []
    for second in 0..<seconds {
        for (index, person) in people.enumerated() {
            // Spread over the second.
            let due = began + .seconds(second) + .seconds(1) * Double(index) / Double(people.count)
            let wait = (due - ContinuousClock.now) / .seconds(1)
            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
            let now = Date()
            let entry = SessionEntry(now, .quantity(.heartRate(120, at: now, sensor: nil)))
            guard let sample = logged[index].sample(of: entry) else { continue }
            took.append(
                milliseconds {
                    try? person.store.apply(
                        .collect([sample], of: person.session, isDurable: false), from: .current)
                })
        }
    }
    return took
}

/// Running processes of the machine (proc(5), /proc/stat).
private func processorSeconds() -> Double {
    let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.split(separator: "\n").first ?? ""
    let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard ticks.count > 7 else { return 0 }
    return (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / Double(sysconf(Int32(_SC_CLK_TCK)))
}
#endif
