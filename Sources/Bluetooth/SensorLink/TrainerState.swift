public import GATT

/// The requests to a trainer on one link, and its answers. Pure: events carry the time.
///
/// The control point takes one command at a time, and answers each one (Fitness Machine Service 1.0, section 4.16). So a target waits for the
/// answer to the command before it, and only the newest one is sent then. First the control is requested, then the machine is started, as
/// some need.
public struct TrainerState: Sendable, Equatable {
    /// An input.
    public enum Event: Sendable, Equatable {
        /// The answers and the status of a machine arrive from now on.
        case linked(FitnessMachineAbilities)
        /// The target for the machine. Nil leaves the rider free.
        case wanted(FitnessMachineTarget?)
        case answered(FitnessMachineResponse)
        /// The command did not arrive.
        case writeFailed
        case reported(FitnessMachineStatus)
        /// The deadline may have passed.
        case timePassed
        /// The link ends soon. If this program has the control, the machine is reset.
        case ending
    }

    /// An output.
    public enum Action: Sendable, Equatable {
        case write(FitnessMachineCommand)
        case report(TrainerEvent)
    }

    /// When ``Event/timePassed`` is due. Nil if only another event can change the state.
    public private(set) var deadline: Duration?

    /// How long an answer is waited for. The longest delay seen in reports of real trainers is about one second.
    static let answerLimit = Duration.seconds(3)
    /// The pause after a command that the machine did not take.
    static let pause = Duration.seconds(5)
    /// The least time between two targets. A machine needs about a second to reach one, and a ramp has a new one each moment.
    static let spacing = Duration.seconds(1)
    /// For how long a machine may report a target that it was set to, after it was set to another one.
    static let statusDelay = Duration.seconds(5)
    /// A target is no change if the machine reports one that differs by rounding only.
    private static let tolerance = 1

    private var abilities: FitnessMachineAbilities?
    private var wanted: FitnessMachineTarget?
    /// What the machine was last set to. Nil if it was not set, or not by this program.
    private var held: FitnessMachineTarget?
    private var sent: FitnessMachineCommand?
    private var hasControl = false
    private var isStarted = false
    private var isReported = false
    /// How often the same command got no answer or no permission.
    private var failures = 0
    private var rest: Duration?
    /// When the last target was sent.
    private var targetSent: Duration?
    /// The powers that were sent lately, and when.
    private var sentPowers: [Int: Duration] = [:]
    private var isEnding = false

    public init() {}

    /// Whether the machine is free, after ``Event/ending``.
    public var isOver: Bool { isEnding && sent == nil && !hasControl }

    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .linked(let abilities):
            let before = wanted
            self = TrainerState()
            self.abilities = abilities
            wanted = before
        case .wanted(let target):
            wanted = target
            rest = nil
            if target == nil { isReported = false }
        case .answered(let response):
            guard let sent, response.command == sent.code else { return [] }
            actions = answered(sent, response.result, at: now)
        case .writeFailed:
            sent = nil
            rest = now + Self.pause
            if isEnding { hasControl = false }
        case .reported(let status):
            actions = reported(status, at: now)
        case .timePassed:
            guard let due = deadline, now >= due else { return [] }
            if let sent { actions = unanswered(sent) } else { rest = nil }
        case .ending:
            isEnding = true
        }
        return actions + next(at: now)
    }

    /// The command that is due, if the machine is ready for one.
    private mutating func next(at now: Duration) -> [Action] {
        guard sent == nil, let abilities else { return [] }
        guard !isEnding else {
            deadline = nil
            return hasControl ? send(.reset, at: now) : []
        }
        if let rest {
            deadline = rest
            return []
        }
        deadline = nil
        guard let wanted else {
            guard held != nil, hasControl else { return [] }
            // A free rider is not braked.
            return send(abilities.takesGrade ? .setTarget(.grade(percent: 0)) : .reset, at: now)
        }
        guard abilities.take(wanted) else {
            defer { isReported = true }
            return isReported ? [] : [.report(.cannot(wanted))]
        }
        let target = abilities.nearest(wanted)
        guard target != held else { return [] }
        if !hasControl { return send(.requestControl, at: now) }
        if !isStarted { return send(.startOrResume, at: now) }
        if let targetSent, now < targetSent + Self.spacing {
            deadline = targetSent + Self.spacing
            return []
        }
        targetSent = now
        if case .power(let watts) = target {
            sentPowers = sentPowers.filter { now - $0.value < Self.statusDelay }
            sentPowers[watts] = now
        }
        return send(.setTarget(target), at: now)
    }

    private mutating func send(_ command: FitnessMachineCommand, at now: Duration) -> [Action] {
        sent = command
        deadline = now + Self.answerLimit
        return [.write(command)]
    }
}

// MARK: - Reports of the machine

extension TrainerState {
    private mutating func answered(
        _ command: FitnessMachineCommand, _ result: FitnessMachineResponse.Result, at now: Duration
    ) -> [Action] {
        sent = nil
        switch result {
        case .success:
            failures = 0
            return done(command)
        case .notPermitted:
            (hasControl, isStarted) = (false, false)
            failures += 1
            guard failures > 2 else { return [] }
            rest = now + Self.pause
            return failures == 3 ? [.report(.refusesControl)] : []
        case .notSupported, .invalidParameter, .failed:
            guard case .setTarget(let target) = command else { return done(command) }
            // Not again, until something else is wanted.
            held = target
            return wanted == nil ? done(command) : [.report(.refuses(target))]
        }
    }

    /// The machine did it, or does without.
    private mutating func done(_ command: FitnessMachineCommand) -> [Action] {
        switch command {
        case .requestControl: hasControl = true
        case .startOrResume: isStarted = true
        case .reset: (hasControl, isStarted, held) = (false, false, nil)
        case .setTarget(let target):
            guard wanted != nil else {
                held = nil
                return [.report(.free)]
            }
            held = target
            return [.report(.holds(target))]
        case .stop, .pause: break
        }
        return []
    }

    /// Some machines never answer. After a second try it counts as done.
    private mutating func unanswered(_ command: FitnessMachineCommand) -> [Action] {
        sent = nil
        failures += 1
        guard failures > 1 else { return [] }
        failures = 0
        defer { isReported = true }
        return (isReported ? [] : [.report(.doesNotAnswer)]) + done(command)
    }

    private mutating func reported(_ status: FitnessMachineStatus, at now: Duration) -> [Action] {
        switch status {
        case .stoppedByRider, .pausedByRider, .stoppedBySafetyKey:
            // It no longer brakes until it is started again, and is not started against the will of its rider.
            (isStarted, held, wanted) = (false, nil, nil)
            return [.report(.riderStopped)]
        case .startedByRider:
            return [.report(.riderStarted)]
        case .targetChanged(let watts):
            guard sent == nil, case .power(let own)? = held else { return [] }
            let isOwn = sentPowers.contains {
                abs($0.key - watts) <= Self.tolerance && now - $0.value < Self.statusDelay
            }
            guard !isOwn, abs(own - watts) > Self.tolerance else { return [] }
            held = .power(watts: watts)
            wanted = held
            return [.report(.riderChose(watts: watts))]
        case .reset: (isStarted, held) = (false, nil)
        case .controlLost:
            (hasControl, isStarted, held, wanted) = (false, false, nil, nil)
            return [.report(.controlLost)]
        }
        return []
    }
}

/// What a controlled trainer does, for its rider.
public enum TrainerEvent: Sendable, Equatable {
    /// It brakes as requested from now on.
    case holds(FitnessMachineTarget)
    /// It does not brake any more.
    case free
    /// It has no such mode.
    case cannot(FitnessMachineTarget)
    /// It refuses this target, for instance because it is beyond its limits.
    case refuses(FitnessMachineTarget)
    /// It cannot be controlled, or another program controls it.
    case refusesControl
    /// Another program took the control.
    case controlLost
    /// It is unknown whether it follows the request.
    case doesNotAnswer
    /// The sensor has no control point.
    case isNone
    /// The rider stopped or paused it, at the machine.
    case riderStopped
    case riderStarted
    /// The rider chose another power, at the machine.
    case riderChose(watts: Int)
}
