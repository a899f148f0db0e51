import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Recordings
import Reports
import SessionLog
import Synchronization

/// A plan that the rider of a session follows, and the trainer that holds its targets. Each step is a lap.
///
/// The rider always wins: in a pause, and after the key `e`, the trainer does not brake; what is chosen at the trainer holds until the step ends.
final class PlanRun: Sendable {
    let trainer = TrainerControl()
    private let notices: LiveNotices
    private let state: Mutex<State>
    /// The session that is paused if the rider stops the trainer.
    private let run = Mutex<Run>(Run())

    private struct Run {
        weak var value: WorkoutRun?
    }

    private struct State {
        var course: PlanCourse
        /// The power that the rider chose at the trainer, in one step.
        var chosen: (step: Int, watts: Int)?
        var noted: String?
        /// The sensors that are no trainers.
        var others: Set<DeviceAddress> = []
        var found = false

        func target(at seconds: Double) -> FitnessMachineTarget? {
            if let chosen, chosen.step == course.index, course.step != nil { return .power(watts: chosen.watts) }
            return course.target(at: seconds)
        }
    }

    /// How often the target is computed.
    private static let refresh = Duration.milliseconds(250)
    /// What a key press adds to the intensity.
    private static let intensityStep = 0.05
    private static let intensities = 0.5...1.5

    /// - Parameters:
    ///   - plan: In watts.
    ///   - sensorCount: How many sensors there are; if none of them is a trainer, that is a warning.
    init(_ plan: WorkoutPlan, sensorCount: Int, _ notices: LiveNotices) {
        self.notices = notices
        state = Mutex(State(course: PlanCourse(plan)))
        trainer.observe { [weak self] address, event in self?.happened(event, address, sensorCount) }
        if sensorCount == 0 { warnOfNoTrainer() }
    }

    private func warnOfNoTrainer() {
        notices.warn("no sensor is a trainer that can be controlled; the plan is only shown")
    }

    /// Follows the plan until the task is cancelled.
    func follow(_ run: WorkoutRun) async throws {
        self.run.withLock { $0.value = run }
        while true {
            let seconds = run.session.recorder.activeSeconds()
            let isRunning = run.phase == .running
            let (ended, target, note, isOver) = state.withLock { state in
                let ended = isRunning ? state.course.advance(to: seconds) : 0
                let note = state.course.note(at: seconds)
                let news = note == state.noted ? nil : note
                if isRunning { state.noted = note }
                return (ended, state.target(at: seconds), isRunning ? news : nil, state.course.step == nil)
            }
            if ended > 0 { run.lap() }
            trainer.hold(isRunning ? target : nil)
            if let note { notices.show(note) }
            if ended > 0, isOver { notices.show("the plan is over; ride on as you like, and end with q") }
            try await Task.sleep(for: Self.refresh)
        }
    }

    // MARK: Keys

    func changeIntensity(by steps: Int) {
        let intensity = state.withLock { state in
            let changed = state.course.intensity + Double(steps) * Self.intensityStep
            state.course.intensity = min(max(changed, Self.intensities.lowerBound), Self.intensities.upperBound)
            state.chosen = nil
            return state.course.intensity
        }
        notices.show("intensity \(Int((intensity * 100).rounded())) %")
    }

    /// Ends the step now. Not in a pause.
    func skipStep(in run: WorkoutRun) {
        guard run.phase == .running else { return }
        let seconds = run.session.recorder.activeSeconds()
        let skipped = state.withLock { state in
            guard state.course.step != nil else { return false }
            state.course.skip(at: seconds)
            return true
        }
        if skipped { run.lap() }
    }

    /// Sets the trainer free, or lets it hold the plan again.
    func toggleTrainer() {
        if trainer.isReleased {
            trainer.resume()
        } else {
            trainer.release()
            notices.show("the trainer is free; e lets it follow the plan again")
        }
    }

    // MARK: Reports of the trainer

    private func happened(_ event: TrainerEvent, _ address: DeviceAddress, _ sensorCount: Int) {
        if event != .isNone { state.withLock { $0.found = true } }
        switch event {
        // The view shows the target, which changes each second on a ramp.
        case .holds, .free: break
        case .isNone:
            let isNone = state.withLock { state in
                state.others.insert(address)
                return !state.found && state.others.count == sensorCount
            }
            if isNone { warnOfNoTrainer() }
        case .cannot(.power): notices.warn("the trainer cannot hold a power; set the resistance yourself")
        case .cannot(.grade): notices.warn("the trainer cannot simulate a gradient; set the resistance yourself")
        case .refuses(let target): notices.warn("the trainer refuses \(Self.text(target)); set the resistance yourself")
        case .refusesControl:
            notices.warn(
                "the trainer does not let this program control it; close other programs that are connected to it")
        case .controlLost:
            notices.warn("another program controls the trainer now; press e to control it from here again")
        case .doesNotAnswer: notices.warn("the trainer does not answer; check whether it follows the plan")
        case .riderStopped: run.withLock { $0.value }?.pause()
        case .riderStarted:
            guard let run = run.withLock({ $0.value }), run.phase == .paused else { break }
            run.resume()
        case .riderChose(let watts):
            state.withLock { $0.chosen = ($0.course.index, watts) }
            notices.show("\(watts) W, chosen at the trainer, until the step ends")
        }
    }

    // MARK: For views

    /// What a view shows of the plan, after so many seconds without pauses.
    func position(at seconds: Double) -> PlanPosition {
        state.withLock { state in
            let course = state.course
            let steps = course.plan.steps
            let next = course.index + 1 < steps.count ? steps[course.index + 1] : nil
            return PlanPosition(
                step: min(course.index + 1, steps.count), count: steps.count, isOver: course.step == nil,
                target: state.target(at: seconds).map(Self.text), cadencePerMinute: course.step?.cadencePerMinute,
                leftInSeconds: course.left(at: seconds), next: next.map { Self.text(of: $0, course.intensity) },
                isFree: trainer.isReleased)
        }
    }

    static func text(_ target: FitnessMachineTarget) -> String {
        switch target {
        case .power(let watts): MetricFormat.power(Double(watts))
        case .grade(let percent): localized("%1 % gradient", MetricFormat.fixed(percent, 1))
        }
    }

    /// The target of a step, such as `100-180 W`.
    static func text(of step: WorkoutPlan.Step, _ intensity: Double = 1) -> String {
        switch step.target {
        case .power(let from, let to) where from == to: return MetricFormat.power(from * intensity)
        case .power(let from, let to):
            return MetricFormat.fixed(from * intensity, 0) + "-" + MetricFormat.power(to * intensity)
        case .share(let from, let to):
            let (low, high) = (MetricFormat.fixed(from * 100, 0), MetricFormat.fixed(to * 100, 0))
            return (low == high ? low : "\(low)-\(high)") + " %"
        case .grade(let percent): return text(.grade(percent: percent))
        case .free: return localized("free")
        }
    }
}

/// What a view shows of a plan.
struct PlanPosition: Sendable, Equatable {
    /// The number of the step, from 1 on.
    var step: Int
    var count: Int
    var isOver: Bool
    /// The present target of the trainer. Nil if the rider is free.
    var target: String?
    var cadencePerMinute: Double?
    /// Nil for a step that the rider ends.
    var leftInSeconds: Double?
    /// The target of the next step. Nil for the last one.
    var next: String?
    /// Whether the rider set the trainer free.
    var isFree: Bool
}
