/// The life of one sensor: what it waits for, and what is to be done next. Pure; the clock comes with each event.
///
///     waitingForService ─┐                       ┌─────────────┐
///     waitingForAdapter ─┴▶ connecting ─▶ subscribing ─▶ streaming ⇄ silent
///            ▲                ▲  │ ▲             │              │      │
///            └────── failure ─┼──┤ └─ searching ◀┼── not found  │      │
///                             │  ▼               ▼              ▼      ▼
///                             └─ backoff ◀── failure, loss, nothing for 20 s
///
/// Nothing ends it but ``stop()``: failures are waited out. ``SensorLink`` does what the actions say.
public struct SensorLinkState: Sendable, Equatable {
    public enum Phase: String, Sendable, Equatable, CaseIterable {
        case waitingForService, waitingForAdapter, searching, connecting, pairing, subscribing, streaming, silent
        case backoff, blocked, stopped
    }

    /// What happened.
    public enum Event: Sendable, Equatable {
        case started
        /// Bluetooth has an adapter that is on.
        case ready
        /// The search heard the sensor.
        case found
        case searchFailed(BluetoothError)
        case linked
        case connectFailed(BluetoothError)
        /// The sensor accepted that its measurements were asked for.
        case subscribed
        case subscribeFailed(BluetoothError)
        case measured
        case ended(LinkLoss)
        case paired
        case pairingFailed(BluetoothError)
        /// The deadline may have passed.
        case timePassed
        case stopped
    }

    /// What is to be done.
    public enum Action: Sendable, Equatable {
        case probe, search, stopSearching, connect, giveUpConnecting, subscribe, pair, forgetBond, readDetails, hangUp
    }

    public private(set) var phase = Phase.backoff
    /// Why the phase is what it is.
    public private(set) var reason = SensorLinkReason.started
    /// When ``Event/timePassed`` is due, on the clock of `now`. Nil when nothing but an event can change anything.
    public private(set) var deadline: Duration?
    public let timings: SensorLinkTimings
    /// Whether there is somebody to answer a sensor that wants to be paired.
    public let canPair: Bool

    private var failures = 0
    private var isLinked = false
    private var isSubscribed = false
    private var linkedAt: Duration = .zero
    private var lastValue: Duration = .zero
    private var hasResubscribed = false
    private var hasDetails = false
    /// The bond was dropped, or made, and no value has come since: once is enough.
    private var hasPaired = false
    private var hasForgotten = false
    private var canSearch = true

    public init(timings: SensorLinkTimings = SensorLinkTimings(), canPair: Bool = false) {
        self.timings = timings
        self.canPair = canPair
    }

    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        if phase == .stopped { return [] }
        switch event {
        case .started: return connect(.started, at: now)
        case .ready: return phase.isWaiting ? connect(.ready, at: now) : []
        case .found: return phase == .searching ? [.stopSearching] + connect(.found, at: now) : []
        case .searchFailed(let error): return searchFailed(error, at: now)
        case .linked: return linked(at: now)
        case .connectFailed(let error): return phase.expectsLink ? failed(error, at: now) : []
        case .subscribed: return subscribed(at: now)
        case .subscribeFailed(let error): return subscribeFailed(error, at: now)
        case .measured: return measured(at: now)
        case .ended(let loss): return ended(loss, at: now)
        case .paired: return paired(at: now)
        case .pairingFailed(let error): return pairingFailed(error, at: now)
        case .timePassed: return timePassed(at: now)
        case .stopped: return stop()
        }
    }

    private mutating func enter(_ phase: Phase, _ reason: SensorLinkReason, until deadline: Duration?) {
        self.phase = phase
        self.reason = reason
        self.deadline = deadline
    }
}

// MARK: - On the way to a link

extension SensorLinkState {
    private mutating func connect(_ reason: SensorLinkReason, at now: Duration) -> [Action] {
        enter(.connecting, reason, until: now + timings.connecting)
        return [.connect]
    }

    private mutating func linked(at now: Duration) -> [Action] {
        guard phase == .connecting else { return [.hangUp] }
        isLinked = true
        linkedAt = now
        hasDetails = false
        return subscribe(.linked, at: now)
    }

    private mutating func subscribe(_ reason: SensorLinkReason, at now: Duration) -> [Action] {
        hasResubscribed = false
        isSubscribed = false
        enter(.subscribing, reason, until: now + timings.subscribing)
        return [.subscribe]
    }

    private mutating func searchFailed(_ error: BluetoothError, at now: Duration) -> [Action] {
        guard phase == .searching else { return [] }
        if case .notPermitted = error {
            // Who may not search can still call the sensor by its address.
            canSearch = false
            return [.stopSearching] + backOff(.notInReach, at: now)
        }
        return [.stopSearching] + failed(error, at: now)
    }

    /// What an error asks for. Causes that a machine cannot tell apart are all treated alike: wait a little, try again.
    private mutating func failed(_ error: BluetoothError, at now: Duration) -> [Action] {
        switch error {
        case .serviceStopped, .serviceSilent, .unavailable:
            enter(.waitingForService, .failed(error), until: now + timings.probing)
        case .noAdapter, .poweredOff, .blocked:
            enter(.waitingForAdapter, .failed(error), until: now + timings.probing)
        case .notPermitted:
            enter(.blocked, .failed(error), until: now + timings.blocked)
        case .notFound where canSearch:
            enter(.searching, .notInReach, until: now + timings.searching)
            return [.search]
        case .notFound:
            return backOff(.notInReach, at: now)
        case .pairingRequired:
            return pair(error, at: now)
        case .pairingFailed, .linkLost(_, .authentication):
            return forgetBond(error, at: now)
        case .noCharacteristic:
            enter(.blocked, .nothingToMeasure, until: now + timings.blocked)
        case .connectionFailed, .busy, .linkLost, .attribute, .failed:
            return backOff(.failed(error), at: now)
        }
        return []
    }

    private mutating func backOff(_ reason: SensorLinkReason, at now: Duration) -> [Action] {
        failures += 1
        enter(.backoff, reason, until: now + timings.pause(afterFailures: failures))
        return []
    }
}

// MARK: - Pairing

extension SensorLinkState {
    private mutating func pair(_ error: BluetoothError, at now: Duration) -> [Action] {
        guard canPair, !hasPaired else {
            enter(.blocked, canPair ? .failed(error) : .pairingNeeded, until: now + timings.blocked)
            hasPaired = false
            return hangUp()
        }
        hasPaired = true
        // Anew: a link on which pairing was refused once is a poor place to pair.
        let actions = hangUp()
        enter(.pairing, .pairingNeeded, until: now + timings.pairing)
        return actions + [.pair]
    }

    /// A sensor that was reset, or given a new battery, no longer knows the key that this machine keeps; only dropping
    /// it helps.
    private mutating func forgetBond(_ error: BluetoothError, at now: Duration) -> [Action] {
        guard canPair, !hasForgotten else {
            enter(.blocked, .failed(error), until: now + timings.blocked)
            hasForgotten = false
            return hangUp()
        }
        hasForgotten = true
        hasPaired = false
        let actions = hangUp()
        enter(.backoff, .bondForgotten, until: now + timings.pause(afterFailures: 1))
        return actions + [.forgetBond]
    }

    private mutating func paired(at now: Duration) -> [Action] {
        guard phase == .pairing else { return [] }
        return connect(.started, at: now)
    }

    private mutating func pairingFailed(_ error: BluetoothError, at now: Duration) -> [Action] {
        guard phase == .pairing else { return [] }
        if case .pairingFailed = error, !hasForgotten { return forgetBond(error, at: now) }
        switch error {
        case .pairingFailed, .pairingRequired:
            hasPaired = false
            enter(.blocked, .failed(error), until: now + timings.blocked)
            return []
        default:
            // The sensor went away meanwhile; it still wants to be paired when it is back.
            hasPaired = false
            return failed(error, at: now)
        }
    }

    private mutating func hangUp() -> [Action] {
        defer { isLinked = false }
        return isLinked ? [.hangUp] : []
    }
}

// MARK: - With a link

extension SensorLinkState {
    private mutating func subscribed(at now: Duration) -> [Action] {
        guard phase == .subscribing else { return [] }
        isSubscribed = true
        lastValue = now
        deadline = now + timings.resubscribe
        return []
    }

    private mutating func subscribeFailed(_ error: BluetoothError, at now: Duration) -> [Action] {
        if phase == .streaming || phase == .silent, hasResubscribed, isLinked {
            // It was asked again because it was silent. What it refuses now it has not got any more.
            if case .linkLost = error { return [] }
            let actions = hangUp()
            return actions + backOff(.stuck, at: now)
        }
        // A link that goes says so itself.
        guard phase == .subscribing else { return [] }
        switch error {
        case .linkLost(_, .authentication), .pairingFailed: return forgetBond(error, at: now)
        case .linkLost: return []
        case .pairingRequired: return pair(error, at: now)
        default:
            let actions = hangUp()
            return actions + failed(error, at: now)
        }
    }

    private mutating func measured(at now: Duration) -> [Action] {
        // Also values of a link that is being given up are values, but they do not change that it is.
        guard isLinked else { return [] }
        lastValue = now
        hasResubscribed = false
        hasPaired = false
        hasForgotten = false
        switch phase {
        case .subscribing, .silent:
            enter(.streaming, .measuring, until: now + timings.resubscribe)
        case .streaming:
            deadline = now + timings.resubscribe
        case .waitingForService, .waitingForAdapter, .searching, .connecting, .pairing, .backoff, .blocked, .stopped:
            return []
        }
        defer { hasDetails = true }
        return hasDetails ? [] : [.readDetails]
    }

    private mutating func ended(_ loss: LinkLoss, at now: Duration) -> [Action] {
        guard isLinked else { return [] }
        isLinked = false
        if now - linkedAt >= timings.success { failures = 0 }
        if loss == .authentication {
            return forgetBond(.pairingFailed(BluetoothAddress(value: 0), loss.reason), at: now)
        }
        return backOff(.lost(loss), at: now)
    }
}

// MARK: - Time, and the end

extension SensorLinkState {
    private mutating func timePassed(at now: Duration) -> [Action] {
        guard let due = deadline, now >= due else { return [] }
        switch phase {
        case .waitingForService, .waitingForAdapter:
            deadline = now + timings.probing
            return [.probe]
        case .backoff:
            return connect(reason, at: now)
        case .blocked:
            return connect(reason, at: now)
        case .searching:
            return [.stopSearching] + backOff(.notInReach, at: now)
        case .connecting:
            return [.giveUpConnecting] + backOff(.timedOut, at: now)
        case .pairing:
            enter(.blocked, .timedOut, until: now + timings.blocked)
            return [.giveUpConnecting]
        case .subscribing where isSubscribed:
            return silence()
        case .subscribing:
            let actions = hangUp()
            return actions + backOff(.timedOut, at: now)
        case .streaming:
            return silence()
        case .silent:
            let actions = hangUp()
            return actions + backOff(.stuck, at: now)
        case .stopped:
            return []
        }
    }

    /// Asks again, and after a while says that there is nothing.
    private mutating func silence() -> [Action] {
        guard hasResubscribed else {
            hasResubscribed = true
            deadline = lastValue + timings.stale
            return [.subscribe]
        }
        enter(.silent, .silent, until: lastValue + timings.reconnect)
        return []
    }

    private mutating func stop() -> [Action] {
        let actions = hangUp()
        enter(.stopped, .stopped, until: nil)
        return [.stopSearching, .giveUpConnecting] + actions
    }
}

extension SensorLinkState.Phase {
    var isWaiting: Bool { self == .waitingForService || self == .waitingForAdapter }
    /// Whether an error of connecting concerns it: a probe's does too.
    var expectsLink: Bool { self == .connecting || isWaiting }
}
