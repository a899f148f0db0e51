import Engine

#if Brokers
import Brokers
import Foundation
import Glibc
import HealthKit
import SessionLog
import Synchronization

// Measures a reading on its way through brokers, and the cost of many sessions. Needs nats-server and mosquitto, and
// starts them on free ports in a temporary folder. The parts with collectors, boards and classes need the command,
// built beside the benchmarks.
//
// swift run -c release --traits Bluetooth,Brokers,Mirroring Benchmarks brokers

func benchmarkBrokers(seconds: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "brokers-benchmark-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let one = try Servers.nats(1, in: folder.appending(path: "one")),
        let three = try Servers.nats(3, in: folder.appending(path: "three")),
        let mosquitto = try Servers.mosquitto(in: folder.appending(path: "mosquitto"))
    else { return print("brokers: skipped: nats-server or mosquitto is missing") }
    defer { for servers in [one, three, mosquitto] { servers.stop() } }
    try await latencies(one, three, mosquitto, seconds: seconds)
    try await manySessions(1_000, one, seconds: seconds, in: folder)
    try await aClass(of: 60, seconds: seconds, in: folder)
}

private func report(_ name: String, _ value: Double, _ unit: String) {
    print("brokers: \(name): \(String(format: "%.2f", value)) \(unit)")
}

// MARK: Servers

private final class Servers {
    let address: String
    let processes: [Process]

    private init(_ address: String, _ processes: [Process]) {
        self.address = address
        self.processes = processes
    }

    func stop() {
        for process in processes {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    private static func program(_ name: String) -> URL? {
        ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map { URL(fileURLWithPath: "\($0)/\(name)") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
    }

    private static func freePort() -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, size)
                _ = getsockname(descriptor, $0, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func start(_ program: URL, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Servers with a stream of this many replicas.
    static func nats(_ count: Int, in folder: URL) throws -> Servers? {
        guard let program = program("nats-server") else { return nil }
        let ports = (0..<count).map { _ in (client: freePort(), cluster: freePort()) }
        let routes = ports.map { "nats://127.0.0.1:\($0.cluster)" }.joined(separator: ",")
        let processes = try ports.enumerated().map { index, port in
            let own = folder.appending(path: "\(index)").path
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
            var arguments = ["--jetstream", "-sd", own, "-a", "127.0.0.1", "-p", "\(port.client)", "-n", "n\(index)"]
            if count > 1 {
                arguments += [
                    "--cluster_name", "bench", "--cluster", "nats://127.0.0.1:\(port.cluster)", "--routes", routes,
                ]
            }
            return try start(program, arguments)
        }
        let servers = Servers(
            "nats://" + ports.map { "127.0.0.1:\($0.client)" }.joined(separator: ","), processes)
        let address = try NATSAddress(servers.address)
        var failure: (any Error)?
        for _ in 0..<60 {
            do {
                let stream = JetStream(try NATSConnection(address, name: "benchmark"))
                try stream.create(
                    .init(name: "WORKOUTS", subjects: [SessionSubjects.all(prefix: address.prefix)], replicas: count))
                return servers
            } catch {
                failure = error
                Thread.sleep(forTimeInterval: 0.5)
            }
        }
        servers.stop()
        throw failure ?? NATSFault(.away, "cannot be reached")
    }

    static func mosquitto(in folder: URL) throws -> Servers? {
        guard let program = program("mosquitto") else { return nil }
        let port = freePort()
        let process = try start(program, ["-p", "\(port)"])
        Thread.sleep(forTimeInterval: 1)
        return Servers("mqtt://127.0.0.1:\(port)", [process])
    }

    var cost: (seconds: Double, megabytes: Double) {
        processes.map { processFigures($0.processIdentifier) }.reduce((0, 0)) {
            ($0.0 + $1.seconds, $0.1 + $1.megabytes)
        }
    }
}

/// Processor time in seconds, and resident memory in MB.
private func processFigures(_ id: Int32) -> (seconds: Double, megabytes: Double) {
    let cost = processCost(id)
    return (cost.seconds, Double(cost.kilobytes) / 1024)
}

// MARK: Sessions

/// Sends a heart rate each second. Its value is the number of the reading, by which the subscriber recognises it.
private struct CountingSensor: Sensor {
    static let first = 40.0
    let pace = SessionTimeline.Pace.wall
    let fixedStart: Date? = nil
    let readings: Int
    /// The offset within the second.
    let phase: Double
    let sent: @Sendable (Int) -> Void

    func batches(from start: Date, time: any TimeSource) -> LiveBatches {
        LiveBatches { take in
            take([SessionEntry(start, .sensor(SensorStatus(id: "bench", kind: .simulated, presence: .present)))])
            try? await Task.sleep(for: .seconds(phase))
            for number in 0..<readings {
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                let now = Date()
                sent(number)
                take([SessionEntry(now, .quantity(.heartRate(Self.first + Double(number), at: now, sensor: "bench")))])
            }
        }
    }
}

/// The times of readings at both ends.
private final class Journey: Sendable {
    private let times = Mutex<(sent: [Int: ContinuousClock.Instant], delays: [Double])>(([:], []))

    func send(_ number: Int) { times.withLock { $0.sent[number] = .now } }

    func arrive(_ value: Double) {
        let now = ContinuousClock.now
        times.withLock { times in
            guard let sent = times.sent.removeValue(forKey: Int(value - CountingSensor.first)) else { return }
            times.delays.append((now - sent) / .milliseconds(1))
        }
    }

    var delays: [Double] { times.withLock { $0.delays } }
}

private func session(
    readings: Int, phase: Double, sent: @escaping @Sendable (Int) -> Void
) async throws -> (HKHealthStore, HKWorkoutSession) {
    let environment = HealthEnvironment(sensors: [])
    let sensor = CountingSensor(readings: readings, phase: phase, sent: sent)
    let store = HKHealthStore(environment: environment)
    var activity = ActivityDescription()
    activity.activity = "running"
    let recorder = WorkoutRecorder(
        id: UUID(), configuration: activity, sensors: [sensor], wearer: nil, journal: nil, time: environment.time)
    let session = HKWorkoutSession(healthStore: store, recorder: recorder)
    let builder = session.associatedWorkoutBuilder()
    let source = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
    source.enableCollection(for: HKQuantityType(.heartRate), predicate: nil)
    builder.dataSource = source
    let start = Date()
    session.startActivity(with: start)
    try await builder.beginCollection(at: start)
    return (store, session)
}

// MARK: From a reading to a subscriber

private func latencies(_ one: Servers, _ three: Servers, _ mosquitto: Servers, seconds: Int) async throws {
    let (one, three, mosquitto) = (one.address, three.address, mosquitto.address)
    let ways:
        [(name: String, publish: @Sendable (Int) -> String, subscribe: @Sendable (Int, UUID) -> SensorSpecification)] =
            [
                ("JetStream R1", { _ in one }, { .nats(address: "\(one)/workouts/\($1)") }),
                ("JetStream R3", { _ in three }, { .nats(address: "\(three)/workouts/\($1)") }),
                (
                    "mosquitto QoS 0", { "\(mosquitto)/zero/\($0)?discovery=off" },
                    { number, _ in .mqtt(address: "\(mosquitto)?topic=zero/\(number)/heart-rate") }
                ),
                (
                    "mosquitto QoS 1", { "\(mosquitto)/one/\($0)?qos=1&discovery=off" },
                    { number, _ in .mqtt(address: "\(mosquitto)?topic=one/\(number)/heart-rate&qos=1") }
                ),
            ]
    let perWay = 5
    for way in ways {
        let journeys = (0..<perWay).map { _ in Journey() }
        var running: [Any] = []
        var subscribers: [Task<Void, any Error>] = []
        for (number, journey) in journeys.enumerated() {
            let (store, session) = try await session(readings: seconds, phase: Double(number) / Double(perWay)) {
                journey.send($0)
            }
            let settings = PublishSettings.none
            let publisher = try store.environment.publisher(
                session.recorder, to: try settings.broker(way.publish(number)), settings, report: { _ in })
            session.recorder.enqueue { $0.add(publisher) }
            let sensors = try store.environment.makeSensors(
                [way.subscribe(number, session.recorder.id)], for: ActivityDescription())
            subscribers.append(
                Task {
                    for sensor in sensors { try await listen(sensor) { journey.arrive($0) } }
                })
            running.append((session, publisher))
        }
        try await Task.sleep(for: .seconds(Double(seconds) + 2))
        for subscriber in subscribers { subscriber.cancel() }
        let delays = journeys.flatMap(\.delays).sorted()
        if delays.isEmpty {
            print("brokers: \(way.name): nothing arrived")
        } else {
            report("\(way.name), reading to subscriber p50", delays[delays.count / 2], "ms")
            report("\(way.name), reading to subscriber p99", delays[delays.count * 99 / 100], "ms")
            report("\(way.name), arrived of \(perWay * seconds)", Double(delays.count), "readings")
        }
        withExtendedLifetime(running) {}
    }
    print("brokers: our own link, beside it:")
    try await benchmarkMirrorLatency(readings: 1_000)
}

private func listen(_ sensor: some Sensor, _ arrive: (Double) -> Void) async throws {
    for try await batch in sensor.batches(from: Date(), time: SystemTime()) {
        for entry in batch { if case .quantity(let reading) = entry.content { arrive(reading.value) } }
    }
}

// MARK: Many sessions

private var command: URL? {
    let workout = Bundle.main.bundleURL.appendingPathComponent("workout")
    return FileManager.default.isExecutableFile(atPath: workout.path) ? workout : nil
}

private func start(_ workout: URL, _ arguments: [String], home: URL, output: URL? = nil) throws -> Process {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = workout
    process.arguments = arguments
    process.environment = [
        "HOME": home.path, "HEALTHKIT_STORE": home.appending(path: "health.sqlite").path, "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
    ]
    if let output { _ = FileManager.default.createFile(atPath: output.path, contents: nil) }
    process.standardOutput = FileHandle(forWritingAtPath: output?.path ?? "/dev/null")
    process.standardError = FileHandle(forWritingAtPath: "/dev/null")
    try process.run()
    return process
}

/// Sessions of this process at 1 Hz, published to one server, collected by a second process and shown on the board of
/// a third.
private func manySessions(_ count: Int, _ servers: Servers, seconds: Int, in folder: URL) async throws {
    guard let workout = command else {
        return print("brokers: \(count) sessions: skipped: 'swift build -c release' builds the command")
    }
    let collector = try start(workout, ["collect", servers.address], home: folder.appending(path: "collector"))
    let board = try start(
        workout, ["serve", "--on", "0", "--from", servers.address, "--json"], home: folder.appending(path: "board"),
        output: folder.appending(path: "board.json"))
    var running: [(HKWorkoutSession, any SessionPublishing)] = []
    let settings = PublishSettings.none
    let broker = try settings.broker(servers.address)
    for number in 0..<count {
        let (store, session) = try await session(readings: .max, phase: Double(number) / Double(count)) { _ in }
        let publisher = try store.environment.publisher(session.recorder, to: broker, settings, report: { _ in })
        session.recorder.enqueue { $0.add(publisher) }
        running.append((session, publisher))
    }
    // Waits until all have arrived.
    try await Task.sleep(for: .seconds(10))
    func costs() -> [(String, (seconds: Double, megabytes: Double))] {
        [
            ("publisher", processFigures(getpid())), ("broker", servers.cost),
            ("collector", processFigures(collector.processIdentifier)),
            ("board", processFigures(board.processIdentifier)),
        ]
    }
    try await measure(costs)
    struct Place: Decodable {
        var address: String
        var key: String
    }
    let place = try JSONDecoder().decode(Place.self, from: Data(contentsOf: folder.appending(path: "board.json")))
    // A browser's connection. It ignores what the browser would draw.
    let browser = Process()
    browser.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    browser.arguments = [
        "-sN", "-H", "Authorization: Bearer \(place.key)", "-o", "/dev/null", place.address + "api/live",
    ]
    try browser.run()
    try await measure { costs().suffix(1).map { ("board with a browser", $0.1) } }
    browser.terminate()

    func measure(_ costs: () -> [(String, (seconds: Double, megabytes: Double))]) async throws {
        let before = costs()
        try await Task.sleep(for: .seconds(Double(seconds)))
        for (start, end) in zip(before, costs()) {
            report(
                "\(count) sessions, \(end.0)", (end.1.seconds - start.1.seconds) / Double(seconds) * 100, "% of a core")
            report("\(count) sessions, \(end.0)", end.1.megabytes, "MB")
        }
    }
    for process in [collector, board] { process.terminate() }
    for (session, _) in running { session.end() }
    for process in [collector, board] { process.waitUntilExit() }
}

private func aClass(of count: Int, seconds: Int, in folder: URL) async throws {
    guard let workout = command else {
        return print("brokers: a class: skipped: 'swift build -c release' builds the command")
    }
    let roster = folder.appending(path: "class.csv")
    let people = (1...count).map { "Person \($0),simulate?seed=\($0),\(170 + $0 % 30)" }
    try ("name,sensors,maximum-heart-rate\n" + people.joined(separator: "\n") + "\n").write(
        to: roster, atomically: true, encoding: .utf8)
    let process = try start(
        workout, ["class", roster.path, "--serve-on", "0", "--output", folder.appending(path: "class").path],
        home: folder.appending(path: "coach"))
    try await Task.sleep(for: .seconds(5))
    let before = processFigures(process.processIdentifier)
    try await Task.sleep(for: .seconds(Double(seconds)))
    let after = processFigures(process.processIdentifier)
    report(
        "a class of \(count)", (after.seconds - before.seconds) / Double(seconds) * 100, "% of a core (aim: under 15)")
    report("a class of \(count)", after.megabytes, "MB (aim: under 150)")
    process.terminate()
    process.waitUntilExit()
}
#endif
