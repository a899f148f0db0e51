import DBus
import Dispatch
import Engine
import FakeBluetoothd
import Foundation
import HealthKit
import PrivateBus
import SessionLog
import Synchronization
import Testing

@testable import Bluetooth
@testable import GATT

/// A heart rate makes one hop: from the thread that receives it from bluetoothd to the session's queue.
@Suite(.needsBus) struct HeartRateHopsTests {
    @Test func `a heart rate makes one hop between bluetoothd and the delegate`() async {
        // In a separate process, because all tasks of a process share what is counted.
        await #expect(processExitsWith: .success) {
            // Waiting must not need a thread of the pool either.
            try await withTaskExecutorPreference(BusActor.tasks) { try await HopScene().countHandOvers() }
        }
    }
}

/// A strap on a bus, and a session that collects it, on a stopped clock.
@BusActor
private final class HopScene {
    private let fake: FakeBlueZ
    private let device: String
    private let time = SteppedTime(Date())
    private let delegate = CollectedValues()
    private let session: HKWorkoutSession
    private let builder: HKLiveWorkoutBuilder
    /// Values received from the link.
    private let heard = Counter()
    private let recorder: WorkoutRecorder

    init() async throws {
        fake = try await FakeBlueZ()
        device = fake.addStrap("C0:DE:00:00:00:01")
        let address = try #require(DeviceAddress("C0:DE:00:00:00:01"))
        var environment = HealthEnvironment(sensors: [], time: time)
        environment.central = BlueZCentral(busAddress: fake.bus.address, timings: BlueZTimings(), traces: nil)
        let activity = ActivityDescription(activity: "running")
        let strap = PairedSensor(address: address, addressKind: .random, name: "Strap")
        let heard = heard
        let sensor = environment.makeSensor([strap], for: activity) { _, event in
            if case .value = event { heard.add() }
        }
        recorder = WorkoutRecorder(configuration: activity, sensors: [sensor], time: time)
        let store = HKHealthStore(environment: environment)
        session = HKWorkoutSession(healthStore: store, recorder: recorder)
        builder = session.associatedWorkoutBuilder()
        let source = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
        source.enableCollection(for: HKQuantityType(.heartRate), predicate: nil)
        builder.dataSource = source
        builder.delegate = delegate
    }

    func countHandOvers() async throws {
        session.startActivity(with: time.now())
        try await builder.beginCollection(at: time.now())
        try await fake.wait("a subscription") { [fake] in !fake.subscriptions.isEmpty }
        // After the first value, the sensor's details and battery are read. The battery is read again much later.
        fake.notify(device, [0x06, 60])
        await until { [delegate, time] in
            delegate.count.value == 1 && time.isSlept(for: SensorLinkTimings().battery)
        }

        // No value needs a thread of the pool for tasks without an actor.
        PoolJobs.startCounting()
        let before = PoolJobs.count.load(ordering: .sequentiallyConsistent)
        for rate in 61...160 as ClosedRange<UInt8> {
            fake.notify(device, [0x06, rate])
            await until { [delegate] in delegate.count.value == Int(rate) - 59 }
        }
        #expect(PoolJobs.count.load(ordering: .sequentiallyConsistent) - before == 0)

        // The bus's thread finishes its work while the session's queue is blocked …
        delegate.stop()
        fake.notify(device, [0x06, 161])
        await until { [delegate] in delegate.count.value == 102 }
        for rate in 162...171 as ClosedRange<UInt8> { fake.notify(device, [0x06, rate]) }
        await until { [heard] in heard.value == 112 }
        #expect(delegate.count.value == 102)
        // … and the queue finishes its work while the bus's thread, this one, is blocked.
        #expect(delegate.goesOn(to: 112))
        #expect(recorder.state.quantities["heartRate"]?.statistics.count == 112)
        fake.close()
    }

    /// Lets the bus's thread finish its work.
    private func until(_ condition: () -> Bool) async {
        let start = ContinuousClock.now
        while !condition() {
            guard start.duration(to: .now) < FakeBlueZ.limit else {
                Issue.record("waited in vain")
                return
            }
            await withCheckedContinuation { continuation in
                BusSchedule.shared.after(.milliseconds(1)) { continuation.resume() }
            }
        }
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// Counts its calls on the session's queue, and can block it.
private final class CollectedValues: NSObject, HKLiveWorkoutBuilderDelegate, Sendable {
    let count = Counter()
    private let isStopped = Atomic<Bool>(false)
    private let mayGoOn = DispatchSemaphore(value: 0)
    private let told = DispatchSemaphore(value: 0)

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        count.add()
        if isStopped.exchange(false, ordering: .sequentiallyConsistent) { mayGoOn.wait() }
        told.signal()
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    /// Makes the next call block.
    func stop() { isStopped.store(true, ordering: .sequentiallyConsistent) }

    /// Lets the call return, and waits on this thread until it was called for this many values.
    func goesOn(to limit: Int) -> Bool {
        mayGoOn.signal()
        for _ in 0..<limit where told.wait(timeout: .now() + 60) == .timedOut { return false }
        return count.value == limit
    }
}

/// Counts the jobs for the thread pool that all tasks share.
///
/// The concurrency runtime calls this hook, if it is set, before it enqueues a job (swift/stdlib/public/Concurrency,
/// `swift_task_enqueueGlobal_hook`).
private enum PoolJobs {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    static let count = Atomic<Int>(0)

    static func startCounting() {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else {
            Issue.record("the runtime has no swift_task_enqueueGlobal_hook")
            return
        }
        symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
            PoolJobs.count.add(1, ordering: .sequentiallyConsistent)
            original(job)
        }
    }
}
