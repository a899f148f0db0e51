import Bluetooth
import GATT
import Testing

/// The state of a sensor, event by event.
@Suite struct SensorLinkStateTests {
    typealias State = SensorLinkState
    static let strap = DeviceAddress(value: 0xC0DE_0000_0001)

    /// One event, and what it should cause.
    struct Step: Sendable, CustomStringConvertible {
        var at: Double
        var event: State.Event
        var phase: State.Phase
        var actions: [State.Action]
        var description: String { "\(at) s: \(event)" }
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var name: String
        var canPair = true
        var steps: [Step]
        var testDescription: String { name }
    }

    private static func step(
        _ at: Double, _ event: State.Event, _ phase: State.Phase, _ actions: State.Action...
    ) -> Step {
        Step(at: at, event: event, phase: phase, actions: actions)
    }

    private static let streaming = [
        step(0, .started, .connecting, .connect), step(1, .linked, .subscribing, .subscribe),
        step(1.2, .subscribed, .subscribing), step(2, .measured, .streaming, .readDetails),
    ]

    static let stories: [Story] = [
        Story(name: "all well", steps: streaming + [step(3, .measured, .streaming), step(4, .timePassed, .streaming)]),
        Story(
            name: "the first value comes before the answer to the subscription",
            steps: [
                step(0, .started, .connecting, .connect), step(1, .linked, .subscribing, .subscribe),
                step(1.1, .measured, .streaming, .readDetails), step(1.2, .subscribed, .streaming),
            ]),
        Story(
            name: "a strap that drops out is called again at once",
            steps: streaming + [
                step(5, .ended(.remote), .backoff), step(5.05, .timePassed, .backoff),
                step(5.11, .timePassed, .connecting, .connect), step(6, .linked, .subscribing, .subscribe),
                step(7, .measured, .streaming, .readDetails),
            ]),
        Story(
            name: "silence is said, asked about, and ended",
            steps: streaming + [
                step(5, .timePassed, .streaming, .subscribe), step(5.1, .subscribed, .streaming),
                step(7, .timePassed, .silent), step(22, .timePassed, .backoff, .hangUp),
            ]),
        Story(
            name: "a strap that has forgotten what was asked of it, and is asked again, goes on",
            steps: streaming + [
                step(5, .timePassed, .streaming, .subscribe), step(5.1, .subscribed, .streaming),
                step(5.2, .measured, .streaming), step(6.2, .measured, .streaming),
            ]),
        Story(
            name: "a silent strap that refuses to be asked again is connected to anew",
            steps: streaming + [
                step(5, .timePassed, .streaming, .subscribe),
                step(5.1, .subscribeFailed(.attribute(strap, code: 1)), .backoff, .hangUp),
                step(5.7, .timePassed, .connecting, .connect),
            ]),
        Story(
            name: "a silent strap that speaks again is simply there",
            steps: streaming + [
                step(5, .timePassed, .streaming, .subscribe), step(7, .timePassed, .silent),
                step(8, .measured, .streaming), step(10, .timePassed, .streaming),
                step(11, .timePassed, .streaming, .subscribe), step(13, .timePassed, .silent),
            ]),
        Story(
            name: "a strap that never sends a value is silent too",
            steps: [
                step(0, .started, .connecting, .connect), step(1, .linked, .subscribing, .subscribe),
                step(2, .subscribed, .subscribing), step(5, .timePassed, .subscribing, .subscribe),
                step(7, .timePassed, .silent), step(22, .timePassed, .backoff, .hangUp),
            ]),
        Story(
            name: "who is not in reach is searched for, and called when heard",
            steps: [
                step(0, .started, .connecting, .connect),
                step(1, .connectFailed(.notFound(strap)), .searching, .search),
                step(11, .timePassed, .backoff, .stopSearching), step(11.5, .timePassed, .connecting, .connect),
                step(12, .connectFailed(.notFound(strap)), .searching, .search),
                step(15, .found, .connecting, .stopSearching, .connect),
            ]),
        Story(
            name: "who may not search calls without",
            steps: [
                step(0, .started, .connecting, .connect),
                step(1, .connectFailed(.notFound(strap)), .searching, .search),
                step(1.1, .searchFailed(.notPermitted("CAP_NET_ADMIN")), .backoff, .stopSearching),
                step(1.6, .timePassed, .connecting, .connect), step(2, .connectFailed(.notFound(strap)), .backoff),
            ]),
        Story(
            name: "a daemon that went away is waited for",
            steps: streaming + [
                step(5, .ended(.adapterGone), .backoff), step(5.5, .timePassed, .connecting, .connect),
                step(5.6, .connectFailed(.serviceStopped), .waitingForService),
                step(6.6, .timePassed, .waitingForService, .probe),
                step(6.7, .connectFailed(.noAdapter), .waitingForAdapter),
                step(7.7, .timePassed, .waitingForAdapter, .probe), step(7.8, .ready, .connecting, .connect),
            ]),
        Story(
            name: "an attempt that takes too long is given up",
            steps: [
                step(0, .started, .connecting, .connect), step(45, .timePassed, .backoff, .giveUpConnecting),
                step(45.2, .linked, .backoff, .hangUp),
            ]),
        Story(
            name: "a strap that wants to be paired is paired once",
            steps: [
                step(0, .started, .connecting, .connect), step(1, .linked, .subscribing, .subscribe),
                step(2, .subscribeFailed(.pairingRequired(strap)), .pairing, .hangUp, .pair),
                step(2.1, .ended(.local), .pairing), step(3, .paired, .connecting, .connect),
                step(4, .linked, .subscribing, .subscribe),
                step(5, .subscribeFailed(.pairingRequired(strap)), .blocked, .hangUp),
            ]),
        Story(
            name: "a strap that refuses to be paired is tried more and more rarely",
            steps: [
                step(0, .started, .connecting, .connect),
                step(1, .connectFailed(.pairingRequired(strap)), .pairing, .pair),
                step(2, .pairingFailed(.pairingFailed(strap, "refused")), .backoff, .forgetBond),
                step(3, .timePassed, .connecting, .connect),
                step(4, .connectFailed(.pairingRequired(strap)), .pairing, .pair),
                step(5, .pairingFailed(.pairingFailed(strap, "refused")), .blocked),
                step(15, .timePassed, .connecting, .connect),
                step(16, .connectFailed(.pairingRequired(strap)), .pairing, .pair),
                step(17, .pairingFailed(.pairingFailed(strap, "refused")), .blocked),
                step(36.9, .timePassed, .blocked), step(37, .timePassed, .connecting, .connect),
                step(38, .connectFailed(.pairingRequired(strap)), .pairing, .pair),
                step(39, .pairingFailed(.pairingFailed(strap, "refused")), .blocked),
                step(78.9, .timePassed, .blocked), step(79, .timePassed, .connecting, .connect),
            ]),
        Story(
            name: "a strap whose refusal bluetoothd reports as an unlikely error is tried more and more rarely",
            steps: [
                step(0, .started, .connecting, .connect), step(1, .linked, .subscribing, .subscribe),
                step(2, .subscribeFailed(.attribute(strap, code: 0x0E)), .backoff, .hangUp),
                step(3, .timePassed, .connecting, .connect), step(4, .linked, .subscribing, .subscribe),
                step(5, .subscribeFailed(.attribute(strap, code: 0x0E)), .blocked, .hangUp),
                step(15, .timePassed, .connecting, .connect), step(16, .linked, .subscribing, .subscribe),
                step(17, .subscribeFailed(.attribute(strap, code: 0x0E)), .blocked, .hangUp),
                step(36.9, .timePassed, .blocked), step(37, .timePassed, .connecting, .connect),
                step(38, .linked, .subscribing, .subscribe), step(39, .measured, .streaming, .readDetails),
                step(40, .ended(.remote), .backoff), step(41, .timePassed, .connecting, .connect),
                step(42, .linked, .subscribing, .subscribe),
                step(43, .subscribeFailed(.attribute(strap, code: 0x0E)), .backoff, .hangUp),
            ]),
        Story(
            name: "without somebody to answer it stays unpaired", canPair: false,
            steps: [
                step(0, .started, .connecting, .connect), step(1, .linked, .subscribing, .subscribe),
                step(2, .subscribeFailed(.pairingRequired(strap)), .blocked, .hangUp),
                step(12, .timePassed, .connecting, .connect),
            ]),
        Story(
            name: "a strap that goes while it is paired is paired when it is back",
            steps: [
                step(0, .started, .connecting, .connect),
                step(1, .connectFailed(.pairingRequired(strap)), .pairing, .pair),
                step(2, .pairingFailed(.notFound(strap)), .searching, .search),
                step(3, .found, .connecting, .stopSearching, .connect),
                step(4, .connectFailed(.pairingRequired(strap)), .pairing, .pair),
            ]),
        Story(
            name: "a bond that the strap has forgotten is dropped and made anew",
            steps: [
                step(0, .started, .connecting, .connect),
                step(1, .connectFailed(.pairingFailed(strap, "keys")), .backoff, .forgetBond),
                step(1.5, .timePassed, .connecting, .connect), step(2, .linked, .subscribing, .subscribe),
                step(3, .subscribeFailed(.pairingRequired(strap)), .pairing, .hangUp, .pair),
                step(4, .paired, .connecting, .connect), step(5, .linked, .subscribing, .subscribe),
                step(6, .measured, .streaming, .readDetails),
            ]),
        Story(
            name: "no permission blocks, and is asked again",
            steps: [
                step(0, .started, .connecting, .connect),
                step(1, .connectFailed(.notPermitted("policy")), .blocked), step(10.9, .timePassed, .blocked),
                step(11, .timePassed, .connecting, .connect),
            ]),
        Story(
            name: "late news of a link that is gone changes nothing",
            steps: streaming + [
                step(5, .ended(.timeout), .backoff), step(5.1, .measured, .backoff), step(5.2, .subscribed, .backoff),
                step(5.3, .ended(.unknown), .backoff), step(5.4, .subscribeFailed(.serviceStopped), .backoff),
            ]),
        Story(
            name: "stopping frees the strap",
            steps: streaming + [
                step(5, .stopped, .stopped, .stopSearching, .giveUpConnecting, .hangUp),
                step(6, .measured, .stopped), step(7, .timePassed, .stopped),
            ]),
    ]

    @Test(arguments: stories)
    func `a sensor goes through its states in order`(story: Story) {
        var state = State(canPair: story.canPair)
        for step in story.steps {
            let actions = state.handle(step.event, at: .seconds(step.at))
            #expect(actions == step.actions, "\(step)")
            #expect(state.phase == step.phase, "\(step)")
        }
    }

    /// bluetoothd closes such a link at once, and gives the reason only from 5.83 on.
    @Test(arguments: [LinkLoss.unknown, .authentication])
    func `a link that breaks at once is followed by one without pairing`(loss: LinkLoss) {
        var state = State(canPair: true)
        var now = 0.0
        func happens(_ event: State.Event, after seconds: Double = 0.1) -> [State.Action] {
            now += seconds
            return state.handle(event, at: .seconds(now))
        }
        _ = happens(.started)
        #expect(state.offersPairing)
        if loss == .authentication {
            // The strap may have lost its bond.
            #expect(happens(.connectFailed(.linkLost(Self.strap, loss))) == [.forgetBond])
            #expect(happens(.timePassed) == [.connect] && state.offersPairing)
        }
        _ = happens(.connectFailed(.linkLost(Self.strap, loss)))
        #expect(state.reason == .withoutPairing)
        #expect(happens(.timePassed) == [.connect] && !state.offersPairing)
        // It measures, is lost, and is connected in the same way.
        _ = happens(.linked)
        #expect(happens(.measured) == [.readDetails])
        _ = happens(.ended(.timeout))
        #expect(happens(.timePassed) == [.connect] && !state.offersPairing)
        // A strap that sends nothing without pairing is asked to pair again.
        _ = happens(.linked)
        #expect(happens(.subscribeFailed(.pairingRequired(Self.strap))) == [.hangUp, .pair])
        #expect(state.offersPairing)
    }

    @Test func `a link that keeps breaking is tried with and without pairing in turns`() {
        var state = State(canPair: true)
        var offers: [Bool] = []
        _ = state.handle(.started, at: .zero)
        for second in 1...6 {
            offers.append(state.offersPairing)
            let error: BluetoothError =
                state.offersPairing
                ? .linkLost(Self.strap, .unknown) : .connectionFailed(Self.strap, "it broke at once")
            _ = state.handle(.connectFailed(error), at: .seconds(second * 10))
            #expect(state.handle(.timePassed, at: .seconds(second * 10 + 5)) == [.connect])
        }
        #expect(offers == [true, false, true, false, true, false])
    }

    @Test func `five failed connections cost less than a second of waiting`() {
        var state = SensorLinkState()
        var waited = Duration.zero
        _ = state.handle(.started, at: .zero)
        for _ in 1...5 {
            _ = state.handle(.connectFailed(.connectionFailed(DeviceAddress(value: 1), "aborted")), at: waited)
            #expect(state.phase == .backoff)
            waited = state.deadline ?? .seconds(999)
            #expect(state.handle(.timePassed, at: waited) == [.connect])
        }
        #expect(waited < .seconds(1))
    }

    @Test func `no pause makes a returning strap wait for ten seconds`() {
        var state = State()
        _ = state.handle(.started, at: .zero)
        var now = Duration.zero
        for _ in 0..<200 {
            _ = state.handle(.connectFailed(.connectionFailed(Self.strap, "le-connection-abort-by-local")), at: now)
            let pause = (state.deadline ?? now) - now
            #expect(pause <= .seconds(4))
            now += pause
            #expect(state.handle(.timePassed, at: now) == [.connect])
        }
    }

    @Test func `every sequence of events has a next moment until it is stopped`() {
        let events: [State.Event] = [
            .ready, .found, .searchFailed(.poweredOff), .linked, .connectFailed(.blocked), .subscribed,
            .subscribeFailed(.attribute(Self.strap, code: 0x80)), .measured, .ended(.timeout), .paired,
            .pairingFailed(.pairingFailed(Self.strap, "refused")), .timePassed, .connectFailed(.notFound(Self.strap)),
            .subscribeFailed(.pairingRequired(Self.strap)), .ended(.authentication),
        ]
        for seed in 0..<500 as Range<UInt64> {
            var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
            var state = State(canPair: seed % 2 == 0)
            _ = state.handle(.started, at: .zero)
            for second in 1...60 {
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                _ = state.handle(events[Int(random % UInt64(events.count))], at: .seconds(second))
                #expect(state.deadline != nil)
            }
            #expect(state.handle(.stopped, at: .seconds(61)).prefix(2) == [.stopSearching, .giveUpConnecting])
            #expect(state.deadline == nil)
        }
    }

    @Test(arguments: [
        (SensorLinkReason.lost(.timeout), "out of range"), (.failed(.blocked), "Bluetooth is blocked by rfkill"),
        (.failed(.serviceStopped), "the Bluetooth service is not running"),
        (.silent, "connected but no data: is it worn and moist?"),
        (.failed(.busy(strap)), "another program on this machine is using the sensor"),
    ])
    func `reasons are readable sentences`(reason: SensorLinkReason, text: String) {
        #expect("\(reason)" == text)
    }
}
