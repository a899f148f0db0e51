import Dispatch
import Engine
import Foundation
import Glibc
import HealthKit
import SessionLog
import Synchronization

/// Measures browsers of `workout serve`, in a separate process: the time from a reading of another machine's session
/// to the browser's event, compared with a raw socket, and the cost of five hundred browsers of one session.
func benchmarkWeb() async throws {
    guard let server = try ServeProcess() else {
        return print("workout: not built beside the benchmarks; `swift build -c release` builds it")
    }
    defer { server.end() }
    let session = try await server.session()
    try await WebLatency.entries(server, session, readings: 2_000)
    try await WebLatency.figures(server, session, readings: 200)
    rawSocket(messages: 2_000)
    try await browsers(server, session, count: 500, seconds: 20)
    session.end()
}

/// A built `workout serve` with its own home folder. This process mirrors to it as if it were the same machine.
private final class ServeProcess {
    let process = Process()
    let port: UInt16
    private let listening: String
    private let folder: URL

    init?() throws {
        let workout = Bundle.main.bundleURL.appendingPathComponent("workout")
        guard FileManager.default.isExecutableFile(atPath: workout.path) else { return nil }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("web-benchmark-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = Pipe()
        process.executableURL = workout
        process.arguments = ["serve", "--on", "0", "--listen", "127.0.0.1:0", "--json"]
        process.environment = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "XDG_DATA_HOME": folder.path,
            "HEALTHKIT_MIRROR_DISCOVERY": "off",
        ]
        process.standardOutput = output
        try process.run()
        let said = try JSONSerialization.jsonObject(with: output.fileHandleForReading.availableData) as? [String: Any]
        guard let address = (said?["address"] as? String).flatMap(URL.init), let port = address.port,
            let listening = said?["listening"] as? String
        else { throw CocoaError(.coderReadCorrupt) }
        self.port = UInt16(port)
        self.listening = listening
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A session of this process that the server shows.
    func session() async throws -> HKWorkoutSession {
        var environment = HealthEnvironment(sensors: [])
        environment.companions = Companions(
            CompanionSettings(
                peers: [listening], folder: folder.appendingPathComponent("healthkit/mirror"), discovers: false),
            report: { _ in })
        let store = HKHealthStore(environment: environment)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        let source = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
        source.enableCollection(for: HKQuantityType(.heartRate), predicate: nil)
        builder.dataSource = source
        let start = Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        try await session.startMirroringToCompanionDevice()
        return session
    }

    var cost: (seconds: Double, kilobytes: Int) { processCost(process.processIdentifier) }
}

/// Processor time in seconds, and resident memory in kilobytes (proc(5)).
func processCost(_ id: Int32) -> (seconds: Double, kilobytes: Int) {
    let stat = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
    let fields = stat.drop { $0 != ")" }.split(separator: " ")
    let ticks = fields.count > 13 ? (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0) : 0
    let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
    let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?.split(separator: " ")
    return (ticks / Double(sysconf(Int32(_SC_CLK_TCK))), resident.flatMap { Int($0[1]) } ?? 0)
}

/// A browser's connection, read on a separate thread.
private final class Stream: Sendable {
    private let descriptor: Int32
    let events = Mutex<[(at: UInt64, text: String)]>([])

    init?(_ port: UInt16, _ path: String, keeps: Bool) {
        guard let descriptor = connected(port) else { return nil }
        self.descriptor = descriptor
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        _ = request.withCString { send(descriptor, $0, strlen($0), 0) }
        guard keeps else { return }
        Thread { [self] in
            var held: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                let now = DispatchTime.now().uptimeNanoseconds
                held += buffer[..<count]
                var start = 0
                for end in held.indices.dropFirst() where held[end] == 0x0A && held[end - 1] == 0x0A {
                    // Each chunk begins with its size.
                    let event = String(decoding: held[start..<end], as: UTF8.self)
                    events.withLock { $0.append((now, event)) }
                    start = end + 1
                }
                held.removeFirst(start)
            }
        }.start()
    }

    /// Reads what has arrived and discards it.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
    deinit { close(descriptor) }
}

private func connected(_ port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return result == 0 ? descriptor : nil
}

private func percentiles(_ times: [UInt64]) -> String {
    let sorted = times.sorted()
    guard !sorted.isEmpty else { return "nothing measured" }
    func at(_ share: Double) -> String {
        String(format: "%.2f ms", Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1e6)
    }
    return "p50 \(at(0.5)), p99 \(at(0.99)) of \(sorted.count)"
}

private enum WebLatency {
    private static func collect(_ rate: Double, _ session: HKWorkoutSession) {
        let date = Date()
        let entry = SessionEntry(
            date, .quantity(QuantityReading("heartRate", rate, unit: "count/min", start: date, end: date)))
        session.recorder.enqueue { $0.collect([entry]) }
    }

    /// Each reading is one event of the log's stream.
    static func entries(_ server: ServeProcess, _ session: HKWorkoutSession, readings: Int) async throws {
        guard let stream = Stream(server.port, "/api/sessions/\(session.recorder.id)/entries", keeps: true) else {
            return
        }
        try await Task.sleep(for: .seconds(1))
        var sent: [UInt64] = []
        for number in 0..<readings {
            try await Task.sleep(for: .milliseconds(5))
            sent.append(DispatchTime.now().uptimeNanoseconds)
            collect(60 + Double(number % 120), session)
        }
        try await Task.sleep(for: .seconds(1))
        let heard = stream.events.withLock { $0 }.filter { $0.text.contains("heartRate") }
        stream.end()
        print(
            "web, from a reading on the other machine to the event of its entry:",
            percentiles(zip(heard, sent).dropFirst(50).map { $0.at - min($0.at, $1) }))
    }

    /// Each reading changes the picture, at most ten times a second.
    static func figures(_ server: ServeProcess, _ session: HKWorkoutSession, readings: Int) async throws {
        guard let stream = Stream(server.port, "/api/sessions/\(session.recorder.id)/live", keeps: true) else { return }
        try await Task.sleep(for: .seconds(1))
        var sent: [Int: UInt64] = [:]
        for number in 0..<readings {
            try await Task.sleep(for: .milliseconds(150))
            sent[20 + number] = DispatchTime.now().uptimeNanoseconds
            collect(Double(20 + number), session)
        }
        try await Task.sleep(for: .seconds(1))
        var times: [UInt64] = []
        for event in stream.events.withLock({ $0 }) where event.text.contains("event:figures") {
            guard let place = event.text.range(of: "\"heartRate\":"),
                let rate = Int(event.text[place.upperBound...].prefix { $0.isNumber }),
                let at = sent.removeValue(forKey: rate)
            else { continue }
            times.append(event.at - min(event.at, at))
        }
        stream.end()
        print("web, from a reading on the other machine to the event that shows it:", percentiles(times))
    }
}

/// The same message between two threads of one process, one way, and nothing else.
private func rawSocket(messages: Int) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = bind(listener, $0, size)
            _ = listen(listener, 1)
            _ = getsockname(listener, $0, &size)
        }
    }
    guard let client = connected(UInt16(bigEndian: address.sin_port)) else { return }
    let peer = accept(listener, nil, nil)
    let heard = Mutex<[UInt64]>([])
    let done = DispatchSemaphore(value: 0)
    Thread {
        var byte: UInt8 = 0
        for _ in 0..<messages {
            guard recv(peer, &byte, 1, 0) == 1 else { break }
            let now = DispatchTime.now().uptimeNanoseconds
            heard.withLock { $0.append(now) }
        }
        done.signal()
    }.start()
    var sent: [UInt64] = []
    for _ in 0..<messages {
        usleep(5_000)
        sent.append(DispatchTime.now().uptimeNanoseconds)
        var byte: UInt8 = 1
        send(client, &byte, 1, 0)
    }
    done.wait()
    print("raw socket, one byte:", percentiles(zip(heard.withLock { $0 }, sent).dropFirst(50).map { $0 - min($0, $1) }))
    for descriptor in [listener, client, peer] { close(descriptor) }
}

private func browsers(_ server: ServeProcess, _ session: HKWorkoutSession, count: Int, seconds: Int) async throws {
    let alone = server.cost
    let path = "/api/sessions/\(session.recorder.id)/live"
    let streams = (0..<count).compactMap { _ in Stream(server.port, path, keeps: false) }
    try await Task.sleep(for: .seconds(3))
    let before = server.cost
    let clock = ContinuousClock()
    let start = clock.now
    for second in 0..<seconds {
        let date = Date()
        let entry = SessionEntry(
            date,
            .quantity(QuantityReading("heartRate", Double(100 + second), unit: "count/min", start: date, end: date)))
        session.recorder.enqueue { $0.collect([entry]) }
        try await Task.sleep(for: .seconds(1))
        for stream in streams { stream.drain() }
    }
    let elapsed = (clock.now - start) / .seconds(1)
    let after = server.cost
    print(
        String(
            format:
                "web, %d browsers on one session with a reading a second: %.1f %% of a core, %d MB (%d MB before them)"
                + " (aims: under 50 %%, 150 MB)", streams.count, (after.seconds - before.seconds) / elapsed * 100,
            after.kilobytes / 1000, alone.kilobytes / 1000))
    for stream in streams { stream.end() }
}
