public import GATT

/// The state of one sensor's link: what it waits for, and what to do next. Pure: events carry the time.
///
///     waitingForService ─┐                       ┌─────────────┐
///     waitingForAdapter ─┴▶ connecting ─▶ subscribing ─▶ streaming ⇄ silent
///            ▲                ▲  │ ▲             │              │      │
///            └────── failure ─┼──┤ └─ searching ◀┼── not found  │      │
///                             │  ▼               ▼              ▼      ▼
///                             └─ backoff ◀── failure, loss, nothing for 20 s
///
/// Only ``stop()`` ends it; failures are retried. ``SensorLink`` performs the actions.
public struct SensorLinkState: Sendable, Equatable {
    public enum Phase: String, Sendable, Equatable, CaseIterable {
        case waitingForService, waitingForAdapter, searching, connecting, pairing, subscribing, streaming, silent
        case backoff, blocked, stopped
    }

    /// An input.
    public enum Event: Sendable, Equatable {
        case started
        /// Bluetooth has an adapter that is on.
        case ready
        /// The search found the sensor.
        case found
        case searchFailed(BluetoothError)
        case linked
        case connectFailed(BluetoothError)
        /// The sensor accepted the subscription.
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

    /// An output: what to do.
    public enum Action: Sendable, Equatable {
        case probe, search, stopSearching, connect, giveUpConnecting, subscribe, pair, forgetBond, readDetails, hangUp
    }

    public private(set) var phase = Phase.backoff
    /// The reason for the current phase.
    public private(set) var reason = SensorLinkReason.started
    /// When ``Event/timePassed`` is due, on the clock of `now`. Nil if only another event can change the state.
    public private(set) var deadline: Duration?
    public let timings: SensorLinkTimings
    /// Whether somebody can answer a sensor that requires pairing.
    public let canPair: Bool

    private var failures = 0
    private var isLinked = false
    private var isSubscribed = false
    private var linkedAt: Duration = .zero
    private var lastValue: Duration = .zero
    private var hasResubscribed = false
    private var hasDetails = false
    /// Whether the bond was removed or made since the last value. Not done twice.
    private var hasPaired = false
    private var hasForgotten = false
    private var refusals = PairingRefusals()
    private var canSearch: Bool

    /// Whether the next link offers pairing to a sensor that asks for it.
    public var offersPairing: Bool { canPair && refusals.offersPairing }

    /// - Parameter canSearch: Whether a sensor that is not nearby is searched for; otherwise connecting is tried again.
    public init(timings: SensorLinkTimings = SensorLinkTimings(), canPair: Bool = false, canSearch: Bool = true) {
        self.timings = timings
        self.canPair = canPair
        self.canSearch = canSearch
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

// MARK: - Before a link

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
            // Without permission to search, the sensor can still be connected by its address.
            canSearch = false
            return [.stopSearching] + backOff(.notInReach, at: now)
        }
        return [.stopSearching] + failed(error, at: now)
    }

    /// Reacts to an error. Most causes can't be distinguished: wait a little, then try again.
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
        case .pairingFailed:
            return forgetBond(error, at: now)
        case .linkLost(_, .authentication) where !hasForgotten:
            return forgetBond(error, at: now)
        case .noCharacteristic:
            enter(.blocked, .nothingToMeasure, until: now + timings.blocked)
        case .linkLost where phase == .connecting && canPair:
            refusals.brokeAtOnce()
            return backOff(refusals.offersPairing ? .failed(error) : .withoutPairing, at: now)
        case .connectionFailed where !refusals.offersPairing:
            refusals.brokeAtOnce()
            return backOff(.failed(error), at: now)
        case .stick(.absent), .stick(.unavailable):
            enter(.waitingForAdapter, .failed(error), until: now + timings.probing)
        case .stick(.notPermitted):
            enter(.blocked, .failed(error), until: now + timings.blocked)
        case .connectionFailed, .adapterFull, .busy, .linkLost, .attribute, .stick, .failed:
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
        guard canPair else {
            enter(.blocked, .pairingNeeded, until: now + timings.blocked)
            return hangUp()
        }
        guard !hasPaired else {
            hasPaired = false
            return refused(at: now)
        }
        refusals.pairingRequired()
        hasPaired = true
        // On a new link: pairing rarely succeeds on one where it was refused.
        let actions = hangUp()
        enter(.pairing, .pairingNeeded, until: now + timings.pairing)
        return actions + [.pair]
    }

    /// A sensor that was reset or got a new battery no longer has the key of the bond. Remove the bond.
    private mutating func forgetBond(_ error: BluetoothError, at now: Duration) -> [Action] {
        guard canPair else {
            enter(.blocked, .failed(error), until: now + timings.blocked)
            return hangUp()
        }
        guard !hasForgotten else { return refused(at: now) }
        hasForgotten = true
        hasPaired = false
        let actions = hangUp()
        enter(.backoff, .bondForgotten, until: now + timings.pause(afterFailures: 1))
        return actions + [.forgetBond]
    }

    /// Waits for the user, longer after each refusal. The bond is not removed again: there is none.
    private mutating func refused(at now: Duration) -> [Action] {
        refusals.refused()
        let pause = refusals.pause(first: timings.blocked, longest: timings.longestBlocked)
        enter(.blocked, .pairingRefused, until: now + pause)
        return hangUp()
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
            return refused(at: now)
        default:
            // The sensor went away, and will require pairing when it is back.
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
            // The subscription was repeated because it was silent. A refused characteristic no longer exists.
            if case .linkLost = error { return [] }
            let actions = hangUp()
            return actions + backOff(.stuck, at: now)
        }
        // The end of a link is an event of its own.
        guard phase == .subscribing else { return [] }
        switch error {
        case .linkLost(_, .authentication), .pairingFailed: return forgetBond(error, at: now)
        case .linkLost: return []
        case .pairingRequired: return pair(error, at: now)
        // Not authorised; unlikely error.
        case .attribute(_, 0x08) where canPair && refusals.subscriptionFailed(),
            .attribute(_, 0x0E) where canPair && refusals.subscriptionFailed():
            return refused(at: now)
        default:
            let actions = hangUp()
            return actions + failed(error, at: now)
        }
    }

    private mutating func measured(at now: Duration) -> [Action] {
        // Values of a link that is being closed count, but don't stop the closing.
        guard isLinked else { return [] }
        lastValue = now
        hasResubscribed = false
        hasPaired = false
        hasForgotten = false
        refusals.measured()
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
            return forgetBond(.pairingFailed(DeviceAddress(value: 0), loss.reason), at: now)
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

    /// Subscribes again, and after a while reports silence.
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
    /// Whether an error of connecting is relevant now; also those of a probe.
    var expectsLink: Bool { self == .connecting || isWaiting }
}
