import Dispatch
import Engine
import Foundation
import Glibc
import HealthKit
import SessionLog
import Synchronization

/// Measures mirroring as apps use it, over loopback: from a sensor's reading on the primary to the delegate on the
/// companion.
///
/// The section `transport` measures raw TCP and the transport alone; this one also measures mosquitto, if it is
/// installed.
func benchmarkMirror() async throws {
    try await MirrorSpine.latency(readings: 4_000)
    try mosquittoLatency(messages: 2_000)
    print("the same, while no core sleeps:")
    let cores = AwakeCores()
    try await MirrorSpine.latency(readings: 4_000)
    try mosquittoLatency(messages: 2_000)
    cores.end()
    try await MirrorSpine.catchUp(seconds: 3_600)
    try await MirrorCrowd.measure(sessions: 1_000, seconds: 10)
}

/// From a sensor's reading to the companion's delegate, without anything else.
func benchmarkMirrorLatency(readings: Int) async throws { try await MirrorSpine.latency(readings: readings) }

private func nanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}

private func percentiles(_ times: [UInt64]) -> String {
    let sorted = times.sorted()
    guard !sorted.isEmpty else { return "nothing measured" }
    func at(_ share: Double) -> String {
        String(format: "%.1f µs", Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1_000)
    }
    return "p50 \(at(0.5)), p99 \(at(0.99)) of \(sorted.count)"
}

/// A machine with its own key, in this process.
private final class Machine: Sendable {
    let folder: URL
    let store: HKHealthStore

    init(folder: URL, peers: [String] = [], listen: String? = nil) {
        self.folder = folder
        var environment = HealthEnvironment(sensors: [])
        environment.companions = Companions(
            CompanionSettings(peers: peers, listen: listen, folder: folder, discovers: false), report: { _ in })
        store = HKHealthStore(environment: environment)
    }

    /// A session that runs and collects everything.
    func session() async throws -> HKWorkoutSession {
        var environment = HealthEnvironment(sensors: [])
        environment.companions = store.environment.companions
        let apart = HKHealthStore(environment: environment)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: apart, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        let source = HKLiveWorkoutDataSource(healthStore: apart, workoutConfiguration: nil)
        source.enableCollection(for: HKQuantityType(.heartRate), predicate: nil)
        builder.dataSource = source
        let start = Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        return session
    }
}

private func reading(_ value: Double, at date: Date) -> SessionEntry {
    SessionEntry(date, .quantity(QuantityReading("heartRate", value, unit: "count/min", start: date, end: date)))
}

/// A delegate that counts collected data.
private final class Ear: NSObject, HKLiveWorkoutBuilderDelegate, Sendable {
    private let times = Mutex<[UInt64]>([])
    private let stream = AsyncStream.makeStream(of: Int.self)

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        let now = nanoseconds()
        // One call may report several simultaneous readings.
        let all = workoutBuilder.statistics(for: HKQuantityType(.heartRate))?.total.count ?? 0
        let count = times.withLock { times in
            while times.count < all { times.append(now) }
            return times.count
        }
        stream.continuation.yield(count)
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    var heard: [UInt64] { times.withLock { $0 } }

    func wait(for count: Int) async { for await heard in stream.stream where heard >= count { return } }
}

private enum MirrorSpine {
    static func latency(readings: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-benchmark-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let phone = Machine(folder: folder, listen: "127.0.0.1:0")
        let ear = Ear()
        let came = AsyncStream.makeStream(of: HKWorkoutSession.self)
        phone.store.workoutSessionMirroringStartHandler = { session in
            session.associatedWorkoutBuilder().delegate = ear
            came.continuation.yield(session)
        }
        let address = try await phone.store.listenForMirroredSessions()
        let session = try await Machine(folder: folder, peers: [address]).session()
        try await session.startMirroringToCompanionDevice()
        for await _ in came.stream { break }
        var sent: [UInt64] = []
        let collected = Mutex<[UInt64]>([])
        for number in 0..<readings {
            usleep(500)
            let entry = reading(Double(60 + number % 120), at: Date())
            sent.append(nanoseconds())
            session.recorder.enqueue { recorder in
                let now = nanoseconds()
                collected.withLock { $0.append(now) }
                recorder.collect([entry])
            }
        }
        await ear.wait(for: readings)
        // The session's queue reads the sensors; another thread has to reach it first.
        for (what, from) in [("collect", collected.withLock { $0 }), ("another thread", sent)] {
            print(
                "mirror, from \(what) to the companion's delegate:",
                percentiles(zip(ear.heard, from).dropFirst(100).map { $0 - $1 }))
        }
        session.end()
    }

    static func catchUp(seconds: Int) async throws {
        var best = UInt64.max
        for _ in 0..<5 {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-benchmark-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            let phone = Machine(folder: folder, listen: "127.0.0.1:0")
            let came = AsyncStream.makeStream(of: UInt64.self)
            phone.store.workoutSessionMirroringStartHandler = { _ in came.continuation.yield(nanoseconds()) }
            let address = try await phone.store.listenForMirroredSessions()
            let session = try await Machine(folder: folder, peers: [address]).session()
            let start = Date()
            for second in 0..<seconds {
                session.recorder.enqueue { $0.collect([reading(120, at: start + Double(second))]) }
            }
            _ = await session.recorder.log
            let before = nanoseconds()
            session.startMirroringToCompanionDevice { _, _ in }
            for await at in came.stream {
                best = min(best, at - before)
                break
            }
            session.end()
        }
        print(
            String(
                format: "mirror, a missed hour (%d readings), start to start handler: %.1f ms (best of 5)", seconds,
                Double(best) / 1e6))
    }
}

/// From publishing to receiving through mosquitto at QoS 0, with its own clients: one way, by the wall clock of one
/// machine.
private func mosquittoLatency(messages: Int) throws {
    let binary = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].first(where: FileManager.default.isExecutableFile)
    guard let binary else { return print("mosquitto: not installed, skipped (Debian: mosquitto)") }
    let port = UInt16.random(in: 20_000..<30_000)
    let configuration = FileManager.default.temporaryDirectory.appendingPathComponent("mosquitto-\(port).conf")
    try "listener \(port) 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\nlog_dest none\n"
        .write(to: configuration, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: configuration) }
    let broker = Process()
    broker.executableURL = URL(fileURLWithPath: binary)
    broker.arguments = ["-c", configuration.path]
    broker.standardOutput = FileHandle.nullDevice
    broker.standardError = FileHandle.nullDevice
    try broker.run()
    defer { broker.terminate() }
    var subscriber: MQTTClient?
    for _ in 0..<100 where subscriber == nil {
        usleep(20_000)
        subscriber = MQTTClient(port: port, name: "subscriber")
    }
    guard let subscriber, let publisher = MQTTClient(port: port, name: "publisher") else {
        return print("mosquitto: did not answer, skipped")
    }
    subscriber.subscribe("w")
    let times = Mutex<[UInt64]>([])
    let reader = Thread {
        for _ in 0..<messages {
            guard subscriber.receive() else { return }
            let now = nanoseconds()
            times.withLock { $0.append(now) }
        }
    }
    reader.start()
    var sent: [UInt64] = []
    for _ in 0..<messages {
        usleep(500)
        sent.append(nanoseconds())
        publisher.publish("w", count: 120)
    }
    for _ in 0..<200 where times.withLock(\.count) < messages { usleep(10_000) }
    print(
        "mosquitto, QoS 0 without TLS, publish to receive:",
        percentiles(zip(times.withLock { $0 }, sent).dropFirst(100).map { $0 - $1 }))
}

/// The part of MQTT 3.1.1 that one topic at QoS 0 needs, over a blocking socket.
private final class MQTTClient: Sendable {
    private let descriptor: Int32

    init?(port: UInt16, name: String) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        let id = Array(name.utf8)
        write([0x10, UInt8(12 + id.count), 0, 4] + Array("MQTT".utf8) + [4, 2, 0, 60, 0, UInt8(id.count)] + id)
        guard receive() else { return nil }
    }

    deinit { close(descriptor) }

    func subscribe(_ topic: String) {
        let name = Array(topic.utf8)
        write([0x82, UInt8(5 + name.count), 0, 1, 0, UInt8(name.count)] + name + [0])
        _ = receive()
    }

    /// - Parameter count: The length of the payload, below 120.
    func publish(_ topic: String, count: Int) {
        let name = Array(topic.utf8)
        write(
            [0x30, UInt8(2 + name.count + count), 0, UInt8(name.count)] + name + [UInt8](repeating: 0x20, count: count))
    }

    private func write(_ bytes: [UInt8]) { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Reads one packet of less than 128 bytes. Returns whether there was one.
    func receive() -> Bool {
        var head = [UInt8](repeating: 0, count: 2)
        guard recv(descriptor, &head, 2, Int32(MSG_WAITALL)) == 2 else { return false }
        var rest = [UInt8](repeating: 0, count: Int(head[1]))
        return rest.isEmpty || recv(descriptor, &rest, rest.count, Int32(MSG_WAITALL)) == rest.count
    }
}

/// Counts the calls of any number of builders.
private final class Counter: NSObject, HKLiveWorkoutBuilderDelegate, Sendable {
    private let calls = Atomic(0)

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        calls.add(1, ordering: .relaxed)
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    var count: Int { calls.load(ordering: .relaxed) }
}

/// A thousand sessions at one reading a second each, mirrored by a separate process to one listener in this process.
private enum MirrorCrowd {
    static let argument = "mirror-sessions"

    static func measure(sessions count: Int, seconds: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-benchmark-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let phone = Machine(folder: folder, listen: "127.0.0.1:0")
        let counter = Counter()
        let came = AsyncStream.makeStream(of: Void.self)
        phone.store.workoutSessionMirroringStartHandler = { session in
            session.associatedWorkoutBuilder().delegate = counter
            came.continuation.yield()
        }
        let address = try await phone.store.listenForMirroredSessions()
        let memoryBefore = residentMegabytes()
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = [argument, address, folder.path, String(count)]
        try child.run()
        defer { child.terminate() }
        var arrived = 0
        for await _ in came.stream {
            arrived += 1
            if arrived == count { break }
        }
        let (cpuBefore, heardBefore) = (processorSeconds(), counter.count)
        try await Task.sleep(for: .seconds(seconds))
        let cpu = processorSeconds() - cpuBefore
        print(
            String(
                format:
                    "mirror, %d sessions at 1 Hz on one listener: %.1f %% of a core, %.0f MB (%.0f MB before), %d readings in %d s",
                count, cpu / Double(seconds) * 100, residentMegabytes(), memoryBefore, counter.count - heardBefore,
                seconds))
    }

    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let count = Int(arguments[2]) else { return }
        let watch = Machine(folder: URL(fileURLWithPath: arguments[1]), peers: [arguments[0]])
        var sessions: [HKWorkoutSession] = []
        for _ in 0..<count {
            let session = try await watch.session()
            try await session.startMirroringToCompanionDevice()
            sessions.append(session)
        }
        for _ in 0..<120 {
            for (number, session) in sessions.enumerated() {
                session.recorder.enqueue { $0.collect([reading(Double(60 + number % 100), at: Date())]) }
                if number % 10 == 0 { usleep(10_000) }
            }
        }
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func residentMegabytes() -> Double {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
    }
}

/// Runs the part of the benchmark that needs a separate process. Returns whether this is such a process.
func runMirrorBenchmarkPart(_ arguments: [String]) async throws -> Bool {
    guard arguments.first == MirrorCrowd.argument else { return false }
    try await MirrorCrowd.run(Array(arguments.dropFirst()))
    return true
}
