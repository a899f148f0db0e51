import Dispatch
import Foundation
import Glibc
import Mirroring
import Synchronization

/// Compares the transport of mirroring with raw TCP over loopback, in one run. Everything uses TLS.
///
/// The listener of a thousand channels is a separate process, so that its processor time and memory are measured
/// alone: the program starts itself again with the argument `mirror-listener`.
func benchmarkMirrorTransport() async throws {
    if CommandLine.arguments.dropFirst().first == "mirror-listener" { return try await MirrorLoad.listen() }
    try rawTCPLatency(messages: 4_000)
    try await MirrorLatency.measure(entries: 4_000)
    try await MirrorCatchUp.measure(entries: [3_600, 7_200])
    try await MirrorLoad.measure(channels: 1_000, seconds: 10)
}

/// About the size of a heart rate in the session log.
private let entryBytes = 120

private func nanoseconds() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}

/// Waits as a sensor does, so that each message finds both sides idle.
private func pause(microseconds: UInt32) { usleep(microseconds) }

private func printLatency(_ what: String, _ latencies: [UInt64]) {
    let sorted = latencies.sorted()
    func percentile(_ share: Double) -> String {
        guard !sorted.isEmpty else { return "-" }
        return String(
            format: "%.1f µs", Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1_000)
    }
    print("\(what): p50 \(percentile(0.5)), p99 \(percentile(0.99)), p99.9 \(percentile(0.999)) of \(sorted.count)")
}

private final class Machine: Sendable {
    let folder: URL
    let host: MirrorHost
    let reactor: MirrorReactor

    init(_ name: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("mirror-benchmark-\(name)-\(UUID())")
        reactor = MirrorReactor()
        host = try MirrorHost(folder: folder, name: name, reactor: reactor)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func trust(_ other: PeerFingerprint, _ name: String) throws {
        try host.peers.add(Peer(fingerprint: other, name: name))
    }

    static func pair() throws -> (Machine, Machine) {
        let (watch, phone) = try (Machine("watch"), Machine("phone"))
        try watch.trust(phone.host.identity.fingerprint, "phone")
        try phone.trust(watch.host.identity.fingerprint, "watch")
        return (watch, phone)
    }
}

// MARK: - One entry

/// From appending to the receiver's callback, one thread on each side, with time between entries.
private enum MirrorLatency {
    static func measure(entries: Int) async throws {
        let (watch, phone) = try Machine.pair()
        let received = Arrivals(entries)
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            .accept(MirrorChannel(id: offer.channel, delivery: received.delivery, reactor: phone.reactor))
        }
        let acknowledged = Arrivals(entries)
        let channel = MirrorChannel(delivery: acknowledged.delivery, reactor: watch.reactor)
        channel.connect(to: listener.address, through: watch.host)
        await received.waitForConnection()
        var sent: [UInt64] = []
        let entry = [UInt8](repeating: 0x20, count: entryBytes)
        for _ in 0..<entries {
            pause(microseconds: 500)
            sent.append(nanoseconds())
            channel.append(entry)
        }
        await received.waitForAll()
        await acknowledged.waitForAll()
        printLatency("mirror, append to handler (TLS)", zip(received.times, sent).dropFirst(100).map { $0 - $1 })
        printLatency(
            "mirror, append to acknowledged (TLS)", zip(acknowledged.times, sent).dropFirst(100).map { $0 - $1 })
        channel.close()
        await listener.close()
    }
}

/// The arrival time of each entry.
private final class Arrivals: Sendable {
    private struct State {
        var times: [UInt64]
        var count = 0
        var isConnected = false
        var waiting: CheckedContinuation<Void, Never>?
        var waitingForConnection: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let expected: Int

    init(_ expected: Int) {
        self.expected = expected
        state = Mutex(State(times: [UInt64](repeating: 0, count: expected)))
    }

    var times: [UInt64] { state.withLock(\.times) }

    var delivery: MirrorDelivery {
        .direct { event in
            switch event {
            case .entries(_, let entries, let first): self.arrived(Int(first) + entries.count - 1)
            case .acknowledged(_, let through): self.arrived(Int(through))
            case .connected:
                self.state.withLock { state in
                    state.isConnected = true
                    return state.waitingForConnection.take()
                }?.resume()
            case .began, .disconnected, .waiting, .ended, .delivered, .closed: break
            }
        }
    }

    private func arrived(_ through: Int) {
        let now = nanoseconds()
        state.withLock { state in
            while state.count < through {
                state.times[state.count] = now
                state.count += 1
            }
            return state.count == expected ? state.waiting.take() : nil
        }?.resume()
    }

    func waitForConnection() async {
        await withCheckedContinuation { continuation in
            let isConnected = state.withLock { state in
                if !state.isConnected { state.waitingForConnection = continuation }
                return state.isConnected
            }
            if isConnected { continuation.resume() }
        }
    }

    func waitForAll() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.count < expected { state.waiting = continuation }
                return state.count >= expected
            }
            if isDone { continuation.resume() }
        }
    }
}

/// A blocking socket between two threads: the cost of the machine itself.
private func rawTCPLatency(messages: Int) throws {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            bind(server, address, length) == 0 && listen(server, 1) == 0 && getsockname(server, address, &length) == 0
                && connect(client, address, length) == 0
        }
    }
    guard isConnected else { throw POSIXError(.ECONNREFUSED) }
    let accepted = accept(server, nil, nil)
    var one: Int32 = 1
    setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    let times = Mutex<[UInt64]>([])
    let reader = Thread {
        var buffer = [UInt8](repeating: 0, count: entryBytes)
        var count = 0
        while count < messages {
            guard recv(accepted, &buffer, entryBytes, Int32(MSG_WAITALL)) == entryBytes else { return }
            let now = nanoseconds()
            times.withLock { $0.append(now) }
            count += 1
        }
    }
    reader.start()
    var sent: [UInt64] = []
    let message = [UInt8](repeating: 0x20, count: entryBytes)
    for _ in 0..<messages {
        pause(microseconds: 500)
        sent.append(nanoseconds())
        _ = send(client, message, entryBytes, 0)
    }
    while times.withLock(\.count) < messages { pause(microseconds: 100) }
    for descriptor in [client, accepted, server] { close(descriptor) }
    printLatency("raw TCP, send to receive", zip(times.withLock { $0 }, sent).dropFirst(100).map { $0 - $1 })
}

// MARK: - A missed hour

private enum MirrorCatchUp {
    static func measure(entries counts: [Int]) async throws {
        for count in counts {
            var best = (whole: UInt64.max, entries: UInt64.max)
            for _ in 0..<5 {
                let (watch, phone) = try Machine.pair()
                let received = Arrivals(count)
                let connected = Mutex<UInt64>(0)
                let delivery = received.delivery
                let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
                    connected.withLock { $0 = nanoseconds() }
                    return .accept(MirrorChannel(id: offer.channel, delivery: delivery, reactor: phone.reactor))
                }
                let channel = MirrorChannel(delivery: .direct { _ in }, reactor: watch.reactor)
                for _ in 0..<count { channel.append([UInt8](repeating: 0x20, count: entryBytes)) }
                let start = nanoseconds()
                channel.connect(to: listener.address, through: watch.host)
                await received.waitForAll()
                let end = nanoseconds()
                best.whole = min(best.whole, end - start)
                best.entries = min(best.entries, end - connected.withLock { $0 })
                channel.close()
                await listener.close()
            }
            func milliseconds(_ time: UInt64) -> String { String(format: "%.1f ms", Double(time) / 1_000_000) }
            print(
                "mirror, catch-up of \(count) entries: \(milliseconds(best.whole)) with TCP and TLS handshakes,",
                "\(milliseconds(best.entries)) from the peer's hello on (best of 5)")
        }
    }
}

// MARK: - A thousand channels

private enum MirrorLoad {
    static func measure(channels count: Int, seconds: Int) async throws {
        let watch = try Machine("watches")
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = ["mirror-listener", watch.host.identity.fingerprint.description]
        let (input, output) = (Pipe(), Pipe())
        child.standardInput = input
        child.standardOutput = output
        try child.run()
        guard let fingerprint = PeerFingerprint(line(output)), let address = MirrorAddress(line(output)) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        try watch.trust(fingerprint, "listener")
        let connected = Mutex(0)
        let channels = (0..<count).map { _ in
            MirrorChannel(
                source: .memory(trimmed: true),
                delivery: .direct { event in
                    if case .connected = event { connected.withLock { $0 += 1 } }
                }, reactor: watch.reactor)
        }
        let start = nanoseconds()
        for (index, channel) in channels.enumerated() {
            channel.connect(to: address, through: watch.host)
            // As fast as they are accepted. Excess connections would be refused during their handshake and come back.
            while connected.withLock({ $0 }) + 64 < index { pause(microseconds: 200) }
        }
        while connected.withLock({ $0 }) < count { pause(microseconds: 1_000) }
        print("mirror, \(count) links opened in \((nanoseconds() - start) / 1_000_000) ms")
        let entry = [UInt8](repeating: 0x20, count: entryBytes)
        try input.fileHandleForWriting.write(contentsOf: Data("begin\n".utf8))
        for _ in 0..<seconds {
            // Spread over the second, as those of a thousand people are.
            for channel in channels {
                channel.append(entry)
                pause(microseconds: UInt32(900_000 / count))
            }
        }
        try input.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
        print("mirror, listener with \(count) channels at 1 Hz: \(line(output))")
        for channel in channels { channel.close() }
        try input.fileHandleForWriting.close()
        child.waitUntilExit()
    }

    /// Runs in the child process: accepts everything, and prints its cost between the lines `begin` and `end`.
    static func listen() async throws {
        guard let fingerprint = CommandLine.arguments.dropFirst(2).first.flatMap({ PeerFingerprint($0) }) else {
            return
        }
        let phone = try Machine("listener")
        try phone.trust(fingerprint, "watches")
        let received = Mutex(0)
        let listener = try await phone.host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            .accept(
                MirrorChannel(
                    id: offer.channel,
                    delivery: .direct { event in
                        if case .entries(_, let entries, _) = event { received.withLock { $0 += entries.count } }
                    }, reactor: phone.reactor))
        }
        say("\(phone.host.identity.fingerprint)")
        say("\(listener.address)")
        guard readLine() == "begin" else { return }
        let (start, cpu, before) = (nanoseconds(), processorTime(), received.withLock { $0 })
        guard readLine() == "end" else { return }
        let share = (processorTime() - cpu) / (Double(nanoseconds() - start) / 1e9)
        let entries = received.withLock { $0 } - before
        say(
            String(format: "%.1f %% of a core, ", share * 100)
                + "\(residentMemory()) resident, \(entries) entries received")
        _ = readLine()
        await listener.close()
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Returns the child's next line. Empty at its end.
    private static func line(_ pipe: Pipe) -> String {
        var bytes: [UInt8] = []
        while let byte = (try? pipe.fileHandleForReading.read(upToCount: 1))?.first, byte != 0x0A { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func processorTime() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    private static func residentMemory() -> String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        return "\(kilobytes / 1_024) MB"
    }
}
