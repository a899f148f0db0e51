import ArgumentParser
import Foundation
import HealthKit
import Reports
import SessionLog
import StoredWorkouts
import Synchronization

/// A class from its start to its end: its sessions begin, pause and end together or one by one.
final class ClassRun: Sendable {
    let members: [ClassMember]
    let title: String
    private let durationInSeconds: Double?
    private let state: Mutex<State>

    private struct State {
        /// When the class began. Nil before.
        var began: Date?
        var isPaused = false
        /// Whether the class was ended. Ending it again gives up sessions that wait to be stored.
        var isEnded = false
        var keys = ClassKeys()
        var message: String?
    }

    /// How often the class looks for those who come late.
    private static let tick = Duration.milliseconds(250)

    /// - Parameter startsAtOnce: Whether it does not wait for a key.
    init(_ members: [ClassMember], title: String, startsAtOnce: Bool, durationInSeconds: Double?) {
        self.members = members
        self.title = title
        self.durationInSeconds = durationInSeconds
        state = Mutex(State(began: startsAtOnce ? Date() : nil))
    }

    /// Runs until all sessions are over.
    func run() async {
        let ticks = Task {
            while !Task.isCancelled {
                tick(at: Date())
                try? await Task.sleep(for: Self.tick)
            }
        }
        let startsAtOnce = state.withLock { $0.began != nil }
        await withTaskGroup(of: Void.self) { group in
            for member in members {
                // A recording is not late, and there is nothing to see before its start.
                let waits = member.isLive
                if !waits, !startsAtOnce { state.withLock { $0.began = $0.began ?? Date() } }
                group.addTask { await member.follow(waits: waits) }
            }
            await group.waitForAll()
        }
        ticks.cancel()
    }

    /// Starts who came late, and ends the class when its time is up.
    private func tick(at now: Date) {
        let (began, isPaused, isEnded) = state.withLock { ($0.began, $0.isPaused, $0.isEnded) }
        guard let began, !isEnded else { return }
        if let durationInSeconds, now.timeIntervalSince(began) >= durationInSeconds {
            return perform(.end, .all)
        }
        guard !isPaused else { return }
        for member in members where member.isReady { member.run.begin() }
    }

    func perform(_ request: ClassKeys.Request, _ target: ClassKeys.Target) {
        var chosen = members.filter { $0.outcome == nil }
        if case .one(let name) = target {
            chosen = chosen.filter { $0.name == name }
        } else {
            state.withLock { state in
                switch request {
                case .start: state.began = state.began ?? Date()
                case .pause: state.isPaused = state.began != nil
                case .resume: state.isPaused = false
                case .end: state.isEnded = true
                case .lap: break
                }
            }
        }
        for member in chosen {
            switch request {
            // A person named by the caller starts with or without a heart rate; if all start, those who have one.
            case .start: if target != .all || member.isReady { member.run.begin() }
            case .pause: if member.run.phase == .running { member.run.pause() }
            case .resume: if member.run.phase == .paused { member.run.resume() }
            case .lap: if member.run.phase == .running { member.run.lap() }
            case .end: member.run.end()
            }
        }
    }

    // MARK: The view

    func press(_ key: Key) {
        let now = Date()
        let names = view(at: now).sorted.filter { $0.end == nil }.map(\.name)
        if let (request, target) = state.withLock({ $0.keys.press(key, among: names, at: now) }) {
            perform(request, target)
        }
    }

    /// Shows a sentence below the grid.
    func notify(_ sentence: String) { state.withLock { $0.message = sentence } }

    func view(at now: Date) -> ClassView {
        var view = ClassView(title: title, timeOfDay: LiveSnapshot.timeOfDay(now), tiles: members.map(\.tile))
        state.withLock { state in
            view.message = state.message
            if state.began == nil {
                let ready = view.tiles.count { $0.heartRate != nil }
                view.message =
                    view.message ?? localized("%1 of %2 have a heart rate; s starts", "\(ready)", "\(view.tiles.count)")
            }
            state.keys.show(on: &view, at: now)
        }
        return view
    }
}

extension ClassMember {
    /// Whether the session waits for its start and has a heart rate.
    fileprivate var isReady: Bool {
        outcome == nil && run.phase == .prepared && tile.heartRate != nil
    }
}

/// Shows a class while it runs: a grid on a terminal, a line every ten seconds in a pipe.
struct ClassOutput {
    var terminal: Terminal?
    var isSilent: Bool
    private static let interval = Duration.seconds(10)

    /// Returns whether a signal ended the class.
    func follow(_ run: ClassRun, _ heard: HeardSensors?) async throws -> Bool {
        let work = Task { await run.run() }
        let hearing = heard.map { heard in
            Task { await heard.run { sentence in notify(sentence, run) } }
        }
        defer { hearing?.cancel() }
        let interrupted: Bool
        if let terminal {
            let end = try await TerminalScreen(terminal: terminal).run(
                content: { run.view(at: Date()) }, keys: { run.press($0) },
                until: {
                    await withTaskCancellationHandler {
                        await work.value
                    } onCancel: {
                        run.perform(.end, .all)
                    }
                })
            interrupted = end != .finished
        } else {
            let printer = Task {
                while !isSilent, !Task.isCancelled {
                    CommandOutput.standard.print(run.view(at: Date()).plainLine)
                    CommandOutput.standard.flush()
                    try await Task.sleep(for: Self.interval)
                }
            }
            defer { printer.cancel() }
            interrupted = try await Interruption.calling({ run.perform(.end, .all) }) { await work.value }
        }
        await work.value
        return interrupted
    }

    private func notify(_ sentence: String, _ run: ClassRun) {
        run.notify(sentence)
        if terminal == nil { CommandFailure(exitCode: .success, message: sentence).report() }
    }
}

/// What became of each athlete of a class.
enum ClassReport {
    static func table(_ members: [ClassMember]) -> ColumnTable {
        var table = ColumnTable(columns: [
            .init(title: "Name"), .init(title: "Time", isNumber: true), .init(title: "Average", isNumber: true),
            .init(title: "Maximum", isNumber: true), .init(title: "Energy", isNumber: true), .init(title: "Result"),
        ])
        for member in members {
            guard case .finished(let finished) = member.outcome else {
                let reason: String
                if case .failed(let text) = member.outcome {
                    reason = text
                } else {
                    reason = localized("no heart rate received")
                }
                table.rows.append(.values([member.name, "", "", "", "", reason]))
                continue
            }
            let snapshot = LiveSnapshot(finished.state, at: finished.state.workoutEnd ?? Date())
            table.rows.append(
                .values([
                    member.name, MetricFormat.time(snapshot.durationInSeconds),
                    snapshot.averageHeartRate.map(MetricFormat.heartRate) ?? "–",
                    snapshot.maximumHeartRate.map(MetricFormat.heartRate) ?? "–",
                    snapshot.energyInKilocalories.map(MetricFormat.energy) ?? "–", localized("saved"),
                ]))
        }
        return table
    }
}

extension ClassMember {
    /// What became of the athlete, with the summary of the workout.
    var json: JSONText {
        get throws {
            let result: String
            switch outcome {
            case .finished: result = "saved"
            case .absent, nil: result = "absent"
            case .failed: result = "failed"
            }
            return .object([
                ("name", .string(name)), ("result", .string(result)),
                ("workout", try summary().map { SummaryJSON.json($0) } ?? .null),
            ])
        }
    }
}
