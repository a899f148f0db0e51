import Foundation
import HealthKit

// The watch's side of an app as it is written for Apple's devices: runs the session and sends what the phone shows.

struct HeartRateMessage: Codable, Equatable {
    var beatsPerMinute: Double
    var elapsed: TimeInterval
}

final class MirroringWatchApp: NSObject, @unchecked Sendable {
    let healthStore = HKHealthStore()
    private let queue = DispatchQueue(label: "watch app")
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?
    private var commands: [String] = []
    private var sentMessages = 0

    var received: [String] { queue.sync { commands } }
    var sent: Int { queue.sync { sentMessages } }
    var whenFinished: ((HKWorkout?) -> Void)?

    func requestAuthorization() async throws {
        let types: Set<HKSampleType> = [
            .workoutType(), HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
        ]
        try await healthStore.requestAuthorization(toShare: types, read: types)
    }

    func startWorkout(_ type: HKWorkoutActivityType) async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = type
        configuration.locationType = .outdoor
        let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        follow(session, builder)
        try await session.startMirroringToCompanionDevice()
        let start = Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
    }

    /// At a launch after a crash (`handleActiveWorkoutRecovery` of Apple's application delegate).
    func recoverWorkout() async throws -> Bool {
        guard let session = try await healthStore.recoverActiveWorkoutSession() else { return false }
        follow(session, session.associatedWorkoutBuilder())
        try await session.startMirroringToCompanionDevice()
        return true
    }

    private func follow(_ session: HKWorkoutSession, _ builder: HKLiveWorkoutBuilder) {
        session.delegate = self
        builder.delegate = self
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: healthStore, workoutConfiguration: session.workoutConfiguration)
        queue.sync {
            self.session = session
            self.builder = builder
        }
    }

    private func send(_ data: Data) {
        guard let session = queue.sync(execute: { self.session }) else { return }
        session.sendToRemoteWorkoutSession(data: data) { [self] isSent, _ in
            if isSent { queue.sync { sentMessages += 1 } }
        }
    }
}

extension MirroringWatchApp: HKWorkoutSessionDelegate {
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        guard toState == .stopped, let builder = queue.sync(execute: { self.builder }) else { return }
        Task {
            do {
                try await builder.endCollection(at: date)
                let workout = try await builder.finishWorkout()
                workoutSession.end()
                whenFinished?(workout)
            } catch {
                whenFinished?(nil)
            }
        }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
    ) {
        queue.sync { commands += data.map { String(decoding: $0, as: UTF8.self) } }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {}
}

extension MirroringWatchApp: HKLiveWorkoutBuilderDelegate {
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        let heartRate = HKQuantityType(.heartRate)
        guard collectedTypes.contains(heartRate),
            let quantity = workoutBuilder.statistics(for: heartRate)?.mostRecentQuantity()
        else { return }
        let message = HeartRateMessage(
            beatsPerMinute: quantity.doubleValue(for: HKUnit.count().unitDivided(by: .minute())),
            elapsed: workoutBuilder.elapsedTime)
        if let data = try? JSONEncoder().encode(message) { send(data) }
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
