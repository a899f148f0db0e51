// App code as it is written for watchOS 27: zones of its own, and a live view of the time in each. Nothing here is for
// Linux.

import HealthKit
import Observation

@available(watchOS 27.0, iOS 27.0, *)
@MainActor
@Observable
final class ZoneCoach: NSObject {
    struct Row: Identifiable, Sendable {
        let id: Int
        let label: String
        let seconds: TimeInterval
    }

    private let heartRate = HKQuantityType(.heartRate)
    private let unit = HKUnit.count().unitDivided(by: .minute())
    let healthStore: HKHealthStore
    private(set) var session: HKWorkoutSession?
    private(set) var builder: HKLiveWorkoutBuilder?
    private(set) var currentZone: Int?
    private(set) var visitedZones: [Int] = []
    private(set) var rows: [Row] = []
    private(set) var lastUpdate: Date?

    @ObservationIgnored private var stopped: CheckedContinuation<Date, Never>?

    init(healthStore: HKHealthStore = HKHealthStore()) {
        self.healthStore = healthStore
    }

    /// Runs until the session stops, and returns the workout.
    func run(boundaries: [Double]) async throws -> HKWorkout? {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configuration.locationType = .outdoor
        let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: healthStore, workoutConfiguration: configuration)
        session.delegate = self
        builder.delegate = self
        self.session = session
        self.builder = builder

        if try await builder.zoneConfiguration(for: heartRate)?.source != .user {
            let bounds = boundaries.map { HKQuantity(unit: unit, doubleValue: $0) }
            try await builder.setCustomZoneConfiguration(
                HKWorkoutZoneConfiguration(quantityType: heartRate, zoneBoundaries: bounds), for: heartRate)
        }
        let start = Date()
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        let stop = session.state == .stopped ? Date() : await withCheckedContinuation { stopped = $0 }
        session.end()
        try await builder.endCollection(at: stop)
        return try await builder.finishWorkout()
    }

    private func show(_ group: HKWorkoutZoneGroup?) {
        rows = (group?.zoneDurations ?? []).map { duration in
            Row(id: duration.zone.index, label: label(duration.zone), seconds: duration.duration)
        }
    }

    private func label(_ zone: HKWorkoutZone) -> String {
        switch (zone.minimum?.doubleValue(for: unit), zone.maximum?.doubleValue(for: unit)) {
        case (nil, let maximum?): "<\(Int(maximum))"
        case (let minimum?, let maximum?): "\(Int(minimum))-\(Int(maximum - 1))"
        case (let minimum?, nil): "\(Int(minimum))+"
        case (nil, nil): "all"
        }
    }

    static func describe(_ source: HKWorkoutZoneConfiguration.Source) -> String {
        switch source {
        case .system: "Automatic"
        case .user: "Yours"
        case .app: "This app's"
        @unknown default: "Unknown"
        }
    }

    static func secondsInZones(of workout: HKWorkout) -> [TimeInterval] {
        guard let group = workout.zoneGroupsByType?[HKQuantityType(.heartRate)] else { return [] }
        return group.zoneDurations.map(\.duration)
    }
}

@available(watchOS 27.0, iOS 27.0, *)
extension ZoneCoach: HKWorkoutSessionDelegate {
    nonisolated func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        guard toState == .stopped else { return }
        Task { @MainActor in
            stopped?.resume(returning: date)
            stopped = nil
        }
    }

    nonisolated func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}
}

@available(watchOS 27.0, iOS 27.0, *)
extension ZoneCoach: HKLiveWorkoutBuilderDelegate {
    nonisolated func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
    ) {}

    nonisolated func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    nonisolated func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate
    ) {
        Task { @MainActor in
            guard let zone = zoneUpdate.currentZoneDuration?.zone,
                zone.index != zoneUpdate.previousZoneDuration?.zone.index
            else { return }
            currentZone = zone.index
            visitedZones.append(zone.index)
            lastUpdate = zoneUpdate.lastSampleProcessedDate
            show(zoneUpdate.zoneGroup)
        }
    }
}
