import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Reports
import SessionLog
import StoredWorkouts
import Synchronization

/// One athlete of a class that runs: a session of their own, beside the others'.
final class ClassMember: Sendable {
    enum Outcome: Sendable {
        case finished(WorkoutRun.Finished)
        /// The clock was never started: nothing was recorded.
        case absent
        case failed(String)
    }

    let name: String
    let run: WorkoutRun
    /// Whether its sensors measure now; false for a recording or a simulation.
    let isLive: Bool
    private let environment: HealthEnvironment
    private let publishers: PublishOptions.Publishers
    private let log: OutputLog?
    private let logPath: String?
    private let result = Mutex<Outcome?>(nil)

    /// - Parameters:
    ///   - environment: With the athlete's store and sensors.
    ///   - logPath: Where the session's log is kept as well. Nil for nowhere.
    init(
        _ athlete: ClassRoster.Athlete, _ activity: ActivityDescription, _ environment: HealthEnvironment,
        sensors others: [any Sensor], logPath: String?, publish: PublishOptions
    ) throws {
        name = athlete.name
        self.environment = environment
        self.logPath = logPath
        let notices = LiveNotices()
        let sensors = try CommandFailure.badInput {
            try environment.makeSensors(
                athlete.sensors, for: activity,
                observe: { notices.handle($1, of: $0, namesSensor: athlete.sensors.count > 1) },
                warn: { notices.warn($0) }) + others
        }
        isLive = sensors.allSatisfy { $0.pace == .wall }
        let id = UUID()
        let log = try logPath.map { path in try CommandFailure.badInput { try OutputLog(path) } }
        self.log = log
        let recorder = try CommandFailure.storeFault {
            WorkoutRecorder(
                id: id, configuration: activity, sensors: sensors, wearer: environment.wearer(of: sensors),
                journal: try environment.makeJournal(for: id), sinks: log.map { [$0] } ?? [], time: environment.time)
        }
        run = WorkoutRun(
            store: HKHealthStore(environment: environment), recorder: recorder, plannedSeconds: nil, notices: notices)
        publishers = try publish.start(run, environment)
    }

    /// Removes the log of a session in which nothing happened.
    func removeLog() {
        if let logPath { try? FileManager.default.removeItem(atPath: logPath) }
    }

    /// Nil while the session runs.
    var outcome: Outcome? { result.withLock { $0 } }

    /// Runs the session to its end, and stores it.
    /// - Parameter waits: Whether the clock waits for ``WorkoutRun/begin()``.
    func follow(waits: Bool) async {
        let outcome: Outcome
        do {
            outcome = .finished(try await run.run(waits: waits))
        } catch let failure as CommandFailure where failure.exitCode == .success {
            outcome = .absent
        } catch {
            outcome = .failed(CommandFailure.describe(error))
        }
        await publishers.finish()
        if let fault = log?.close(), case .finished = outcome {
            result.withLock { $0 = .failed("the log \(logPath ?? "") is incomplete: \(fault)") }
            return
        }
        if case .absent = outcome { removeLog() }
        result.withLock { $0 = outcome }
    }

    /// What the views show of the athlete now.
    var tile: ClassView.Tile {
        let snapshot = LiveSnapshot(run, speed: nil)
        var tile = ClassView.Tile(name: name)
        tile.phase = snapshot.phase
        tile.durationInSeconds = snapshot.durationInSeconds
        tile.zoneCount = snapshot.zoneCount
        tile.hasContact = !snapshot.sensors.contains { $0.presence != .present } || snapshot.sensors.isEmpty
        tile.lowBattery = snapshot.sensors.compactMap(\.batteryPercent).min().flatMap {
            $0 <= BatteryLevel.lowPercent ? $0 : nil
        }
        switch outcome {
        case nil:
            tile.heartRate = snapshot.heartRateInBeatsPerMinute
            tile.zone = snapshot.zone
        case .finished: tile.end = localized("saved")
        case .absent: tile.end = localized("absent")
        case .failed: tile.end = localized("not saved")
        }
        return tile
    }

    func summary() throws -> WorkoutSummary? {
        guard case .finished(let finished) = outcome else { return nil }
        return try WorkoutSummary(finished, withZonesOf: environment)
    }
}
