import Bluetooth
import Dispatch
import Engine
import Foundation
import GATT
import Glibc
import HealthKit
import SessionLog
import Synchronization

/// Measures a strap's notifications over D-Bus: the time until the builder's delegate gets them, and the memory that
/// a day of them takes.
///
/// Uses a bus of its own, with a fake bluetoothd in a separate process (`peers/fake_bluez.py`).
func benchmarkBluetooth() async throws {
    guard BluetoothScene.canRun else {
        print("bluetooth: needs dbus-daemon, and a python3 with dbus-fast (`pip install dbus-fast`)")
        return
    }
    try await BluetoothLatency.measure(values: 4_000, rate: 100)
    try await BroadcastLatency.measure(values: 600, rate: 20)
    try await BluetoothDay.measure(hours: 24, rate: 3_000)
}

// MARK: - Latency

/// The time from the arrival of the bytes from the bus, and from their sending, to
/// `workoutBuilder(_:didCollectDataOf:)`.
private enum BluetoothLatency {
    static func measure(values: Int, rate: Int) async throws {
        let scene = try BluetoothScene(["--rate", "\(rate)", "--count", "\(values)", "--stamped"])
        defer { scene.close() }
        let notes = Mutex(Notes())
        let collected = CollectedCounter(limit: values) { builder in
            let (now, monotonic) = (Date(), microseconds())
            let arrival = builder.statistics(for: HKQuantityType(.heartRate))?.mostRecentQuantityDateInterval()?.end
            notes.withLock { notes in
                guard let arrival, notes.fromSender.count < notes.stamps.count else { return }
                notes.fromArrival.append(now.timeIntervalSince(arrival) * 1e6)
                notes.fromSender.append(elapsed(from: notes.stamps[notes.fromSender.count], to: monotonic))
            }
        }
        let session = StrapSession(BlueZCentral(busAddress: scene.address), SystemTime()) { event in
            guard case .value(let value) = event, let stamp = sendingTime(value.bytes) else { return }
            notes.withLock { $0.stamps.append(stamp) }
        }
        try await session.run(collected)
        let results = notes.withLock { $0 }
        printPercentiles("bluetooth, bytes from D-Bus to delegate", results.fromArrival, aim: "p99 under 1000 µs")
        printPercentiles("bluetooth, fake bluetoothd to delegate (with dbus-daemon)", results.fromSender, aim: nil)
    }

    private struct Notes {
        var stamps: [UInt64] = []
        var fromArrival: [Double] = []
        var fromSender: [Double] = []
    }

    /// Decodes what `stamped` in the fake writes: 30 bits in three RR intervals.
    private static func sendingTime(_ bytes: [UInt8]) -> UInt64? {
        guard bytes.count == 8 else { return nil }
        return stride(from: 2, to: 8, by: 2).reduce(0) { time, place in
            time << 10 + (UInt64(bytes[place]) | UInt64(bytes[place + 1]) << 8) - 600
        }
    }

    private static func elapsed(from stamp: UInt64, to now: UInt64) -> Double {
        Double((now &- stamp) & (1 << 30 - 1))
    }

    private static func microseconds() -> UInt64 {
        // CLOCK_MONOTONIC, as in the sender.
        DispatchTime.now().uptimeNanoseconds / 1_000
    }
}

private func printPercentiles(_ what: String, _ values: [Double], aim: String?) {
    let sorted = values.dropFirst(100).sorted()
    guard let last = sorted.last else { return print("\(what): nothing arrived") }
    func percentile(_ share: Double) -> Double { sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] }
    print(
        String(
            format: "%@: p50 %.0f µs, p99 %.0f µs, p99.9 %.0f µs, longest %.0f µs of %d%@", what, percentile(0.5),
            percentile(0.99), percentile(0.999), last, sorted.count, aim.map { " (aim: \($0))" } ?? ""))
}

// MARK: - Sharing a strap

/// The time from a strap's notification to the value of this machine's own GATT server, as bluetoothd gets it for its
/// subscribers, and the cost. bluetoothd forwards a value to each subscriber, so their number doesn't matter here.
private enum BroadcastLatency {
    static func measure(values: Int, rate: Int) async throws {
        let scene = try BluetoothScene(["--rate", "\(rate)", "--count", "\(values)", "--stamped", "--listen"])
        defer { scene.close() }
        let central = BlueZCentral(busAddress: scene.address)
        let broadcast = Broadcast(BroadcastOffer(), name: "Shared strap", busAddress: scene.address)
        let serving = Task { try await broadcast.run { _ in } }
        let listening = Task {
            await SensorLink(BluetoothScene.strap, kind: .random, central: central).run { event in
                guard case .value(let value) = event else { return }
                broadcast.take([.packet(value.characteristic, value.bytes)])
            }
        }
        let before = processorSeconds()
        _ = try await apart { try scene.line("sent") }
        let used = processorSeconds() - before
        let line = try await apart { try scene.line("passed on") } ?? "nothing"
        print("bluetooth, strap to own GATT server: \(line) µs")
        print(
            String(
                format: "bluetooth, strap to own GATT server: %.0f µs of processor time a value, connecting included",
                used / Double(values) * 1e6))
        listening.cancel()
        serving.cancel()
        await listening.value
        _ = try? await serving.value
        await central.close()
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    /// Waits for the process on a separate thread.
    private static func apart(_ body: @escaping @Sendable () throws -> String?) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}

// MARK: - A day

/// One value for each second of a day, as fast as they come; memory after the first hour and after the last.
private enum BluetoothDay {
    static func measure(hours: Int, rate: Int) async throws {
        try await link(hours: hours, rate: rate)
        try await session(hours: hours, rate: rate)
    }

    /// The base of `workout monitor` and every session.
    private static func link(hours: Int, rate: Int) async throws {
        let count = hours * 3_600
        let scene = try BluetoothScene(["--rate", "\(rate)", "--count", "\(count)"])
        defer { scene.close() }
        let central = BlueZCentral(busAddress: scene.address)
        let memory = HourlyMemory()
        let (finished, continuation) = AsyncStream.makeStream(of: Never.self)
        let task = Task {
            await SensorLink(BluetoothScene.strap, kind: .random, central: central).run { event in
                guard case .value = event else { return }
                if memory.count() == count { continuation.finish() }
            }
        }
        for await _ in finished {}
        task.cancel()
        await task.value
        await central.close()
        memory.print("bluetooth, a day on a link")
    }

    /// The same for a workout, which keeps its log until it is finished.
    private static func session(hours: Int, rate: Int) async throws {
        let count = hours * 3_600
        let scene = try BluetoothScene(["--rate", "\(rate)", "--count", "\(count)"])
        defer { scene.close() }
        let time = LapsingTime(start: Date())
        let memory = HourlyMemory()
        let central = LapsingCentral(BlueZCentral(busAddress: scene.address), start: time.now())
        let session = StrapSession(central, time) { event in
            // Counted here and not at arrival, because a value on its way is not late yet.
            if case .value(let value) = event { time.advance(to: value.date) }
        }
        try await session.run(CollectedCounter(limit: count) { _ in _ = memory.count() })
        memory.print("bluetooth, a day as a workout")
        let log = try await session.recorder.log.entries
        print("bluetooth, a day as a workout: \(log.count) entries in its log")
    }
}

/// The resident memory after each hour of values.
private final class HourlyMemory: Sendable {
    private let state = Mutex((values: 0, hours: [Double]()))

    func count() -> Int {
        state.withLock { state in
            state.values += 1
            if state.values.isMultiple(of: 3_600) { state.hours.append(Self.residentMegabytes()) }
            return state.values
        }
    }

    func print(_ what: String) {
        let hours = state.withLock { $0.hours }
        guard let first = hours.first, let last = hours.last, hours.count > 1 else { return }
        let middle = hours[hours.count / 2 - 1]
        Swift.print(
            String(
                format: "%@: resident %.2f MB after hour 1, %.2f after hour %d, %.2f after hour %d (%+.2f MB)", what,
                first, middle, hours.count / 2, last, hours.count, last - first))
    }

    private static func residentMegabytes() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = status.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
    }
}

// MARK: - The session

/// A session with one strap, as an app has it.
private struct StrapSession {
    let recorder: WorkoutRecorder
    private let central: any Central
    private let session: HKWorkoutSession
    private let time: any TimeSource

    init(_ central: any Central, _ time: any TimeSource, observe: @escaping @Sendable (SensorLinkEvent) -> Void) {
        self.central = central
        self.time = time
        var environment = HealthEnvironment(sensors: [], time: time)
        environment.central = central
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let activity = ActivityDescription(activity: "running")
        let strap = PairedSensor(address: BluetoothScene.strap, addressKind: .random)
        recorder = WorkoutRecorder(
            configuration: activity,
            sensors: [environment.makeSensor([strap], for: activity) { _, event in observe(event) }], time: time)
        let store = HKHealthStore(environment: environment)
        session = HKWorkoutSession(healthStore: store, recorder: recorder)
        session.associatedWorkoutBuilder().dataSource = HKLiveWorkoutDataSource(
            healthStore: store, workoutConfiguration: configuration)
    }

    /// Waits until the delegate was called for all values.
    func run(_ delegate: CollectedCounter) async throws {
        let builder = session.associatedWorkoutBuilder()
        builder.delegate = delegate
        session.startActivity(with: time.now())
        try await builder.beginCollection(at: time.now())
        for await _ in delegate.finished {}
        session.end()
        await central.close()
    }
}

private final class CollectedCounter: NSObject, HKLiveWorkoutBuilderDelegate, Sendable {
    let finished: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation
    private let count = Mutex(0)
    private let limit: Int
    private let body: @Sendable (HKLiveWorkoutBuilder) -> Void

    init(limit: Int, _ body: @escaping @Sendable (HKLiveWorkoutBuilder) -> Void) {
        self.limit = limit
        self.body = body
        (finished, continuation) = AsyncStream.makeStream(of: Never.self)
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        guard collectedTypes.contains(HKQuantityType(.heartRate)) else { return }
        body(workoutBuilder)
        let count = count.withLock { count in
            count += 1
            return count
        }
        if count == limit { continuation.finish() }
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
