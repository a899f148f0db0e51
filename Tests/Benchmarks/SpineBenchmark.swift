import AllocationCounter
import Engine
import Foundation
import HealthKit
import SessionLog

/// Measures a heart rate on its way: notification bytes → readings → the session's log → statistics, in nanoseconds
/// and allocations per sample.
@discardableResult
func benchmarkSpine(packets: Int = 1_000_000) async -> (nanoseconds: Double, allocations: Double) {
    let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    let payloads: [[UInt8]] = [
        [0x10, 0x48, 0x2C, 0x03], [0x10, 0x49, 0x5E, 0x03, 0x96, 0x03], [0x16, 0x4D, 0x16, 0x03], [0x00, 0x40],
    ]
    let session = BenchmarkSession(start: start)
    await session.begin()
    let before = allocation_count()
    let time = await ContinuousClock().measure {
        await session.recorder.collectPackets(packets, payloads, from: start)
    }
    let allocations = Double(allocation_count() - before) / Double(packets)
    let nanoseconds = time / .nanoseconds(1) / Double(packets)
    print(
        String(
            format: "notification → log and statistics: %.0f ns, %.2f allocations a packet (aim: under 2000 ns)",
            nanoseconds, allocations))
    let count = session.session.associatedWorkoutBuilder().statistics(for: HKQuantityType(.heartRate))?.total.count
    precondition(count == packets, "\(count ?? 0) of \(packets) heart rates arrived")
    return (nanoseconds, allocations)
}

extension WorkoutRecorder {
    /// In batches, as sensors deliver values, but without the hop onto the queue for each batch.
    fileprivate func collectPackets(_ count: Int, _ payloads: [[UInt8]], from start: Date) {
        for index in 0..<count {
            let date = start.addingTimeInterval(Double(index))
            let bytes = payloads[index & 3]
            collect(SessionEntry.readings(ofHeartRateMeasurement: bytes, at: date, sensor: "strap"))
        }
    }
}

private struct BenchmarkSession {
    let recorder: WorkoutRecorder
    let session: HKWorkoutSession
    let start: Date

    init(start: Date) {
        self.start = start
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let store = HKHealthStore(environment: HealthEnvironment(sensors: []))
        recorder = WorkoutRecorder(configuration: configuration.activityDescription)
        session = HKWorkoutSession(healthStore: store, recorder: recorder)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
    }

    func begin() async {
        session.startActivity(with: start)
        try? await session.associatedWorkoutBuilder().beginCollection(at: start)
    }
}
