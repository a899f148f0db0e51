import Foundation
import HealthKit
import Synchronization

/// Apps that test a store on several servers.
///
/// `write` saves workouts one by one, each with a heart rate, and prints `saved UUID` when the store has acknowledged
/// it. `observe` prints `heard UUID` for each workout that an anchored query reports. Both end with their standard
/// input.
@main
struct StoreApps {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case "write": try await write()
        case "observe": try await observe()
        default:
            FileHandle.standardError.write(Data("usage: StoreApps write|observe\n".utf8))
            exit(64)
        }
    }

    private static func authorizedStore() async throws -> HKHealthStore {
        let store = HKHealthStore()
        let types: Set<HKSampleType> = [.workoutType(), HKQuantityType(.heartRate)]
        try await store.requestAuthorization(toShare: types, read: types)
        return store
    }

    private static func write() async throws {
        let input = EndOfInput()
        let store = try await authorizedStore()
        var begin = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(getpid()) * 1e5)
        while !input.isReached {
            let workout = HKWorkout(activityType: .running, start: begin, end: begin + 5)
            let rate = HKQuantitySample(
                type: HKQuantityType(.heartRate),
                quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 120),
                start: begin, end: begin)
            begin += 10
            do {
                try await store.save([workout, rate])
                say("saved \(workout.uuid)")
            } catch {
                // An app cannot know whether it was stored, so the next attempt saves another workout.
                say("failed \(workout.uuid) \(error.localizedDescription)")
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Prints a line at once, because the reader may kill this process.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func observe() async throws {
        let store = try await authorizedStore()
        let hear: @Sendable ([HKSample]?) -> Void = { for sample in $0 ?? [] { say("heard \(sample.uuid)") } }
        let query = HKAnchoredObjectQuery(
            type: .workoutType(), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, error in
            if let error { say("failed \(error.localizedDescription)") }
            hear(samples)
        }
        query.updateHandler = { _, samples, _, _, error in
            if let error { say("failed \(error.localizedDescription)") }
            hear(samples)
        }
        store.execute(query)
        let input = EndOfInput()
        while !input.isReached { try? await Task.sleep(for: .milliseconds(50)) }
        store.stop(query)
    }
}

/// Whether standard input has ended.
private final class EndOfInput: Sendable {
    private let reached = Mutex(false)

    init() {
        Thread.detachNewThread { [self] in
            while !FileHandle.standardInput.availableData.isEmpty {}
            reached.withLock { $0 = true }
        }
    }

    var isReached: Bool { reached.withLock { $0 } }
}
