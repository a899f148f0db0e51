import Testing

@testable import Mirroring

@Suite struct PairingExchangeTests {
    static func fingerprint(_ byte: UInt8) -> PeerFingerprint {
        PeerFingerprint(ofDER: [byte])
    }

    private static func number(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    /// Two ends and the messages between them, which a test may change.
    struct Wire {
        var dialing: PairingExchange
        var listening: PairingExchange
        var shown: [PairingExchange.Role: String] = [:]
        var ends: [PairingExchange.Role: PairingExchange.Action] = [:]
        var tamper: (PairingStep) -> PairingStep = { $0 }

        mutating func run(_ first: [PairingExchange.Action], by role: PairingExchange.Role) {
            for action in first {
                switch action {
                case .send(let step):
                    let other: PairingExchange.Role = role == .dialing ? .listening : .dialing
                    let heard = tamper(step)
                    let answer = other == .dialing ? dialing.received(heard) : listening.received(heard)
                    run(answer, by: other)
                case .ask(let code, _): shown[role] = code
                case .paired, .fail: ends[role] = action
                }
            }
        }
    }

    private func wire(_ listenerSeesDialing: UInt8 = 1, _ dialerSeesListening: UInt8 = 2) -> Wire {
        var wire = Wire(
            dialing: PairingExchange(
                .dialing, name: "watch", own: Self.fingerprint(1), peer: Self.fingerprint(dialerSeesListening),
                number: Self.number(7)),
            listening: PairingExchange(
                .listening, name: "phone", own: Self.fingerprint(2), peer: Self.fingerprint(listenerSeesDialing),
                number: Self.number(8)))
        _ = wire.listening.start()
        return wire
    }

    @Test func `both show the same six digits and are paired once both people confirmed`() throws {
        var wire = wire()
        wire.run(wire.dialing.start(), by: .dialing)
        let code = try #require(wire.shown[.dialing])
        #expect(code.count == 6 && code.allSatisfy(\.isNumber))
        #expect(wire.shown[.listening] == code)
        wire.run(wire.dialing.answered(true), by: .dialing)
        #expect(wire.ends.isEmpty)
        wire.run(wire.listening.answered(true), by: .listening)
        #expect(wire.ends[.dialing] == .paired(peerName: "phone"))
        #expect(wire.ends[.listening] == .paired(peerName: "watch"))
    }

    @Test func `a man in the middle makes the codes differ`() {
        // Each side sees the certificate of the machine between them, number 3.
        var wire = wire(3, 3)
        var promised: [UInt8] = []
        // It must make its own promise to the dialing side, because that depends on the certificates.
        wire.tamper = { step in
            if step.kind == .commitment { promised = step.bytes }
            return step
        }
        wire.run(wire.dialing.start(), by: .dialing)
        #expect(!promised.isEmpty)
        #expect(wire.shown[.dialing] == nil)
        #expect(
            wire.ends[.dialing] == .fail(.broken("the other machine sent another number than it had committed to")))
    }

    @Test func `a man in the middle with commitments of its own on both sides makes the codes differ`() {
        let (watch, between, phone) = (Self.fingerprint(1), Self.fingerprint(3), Self.fingerprint(2))
        var shown: [[String]] = []
        for number in UInt8(10)..<40 {
            var left = Wire(
                dialing: PairingExchange(
                    .dialing, name: "watch", own: watch, peer: between, number: Self.number(number)),
                listening: PairingExchange(
                    .listening, name: "phone", own: between, peer: watch, number: Self.number(number + 1)))
            // To the phone it may send what it has learned: the watch's own number.
            var right = Wire(
                dialing: PairingExchange(
                    .dialing, name: "watch", own: between, peer: phone, number: Self.number(number)),
                listening: PairingExchange(
                    .listening, name: "phone", own: phone, peer: between, number: Self.number(number + 2)))
            _ = left.listening.start()
            _ = right.listening.start()
            left.run(left.dialing.start(), by: .dialing)
            right.run(right.dialing.start(), by: .dialing)
            shown.append([left.shown[.dialing] ?? "", right.shown[.listening] ?? ""])
        }
        #expect(shown.allSatisfy { $0[0].count == 6 && $0[1].count == 6 && $0[0] != $0[1] })
    }

    @Test func `a number that does not match its commitment is rejected`() {
        var wire = wire()
        wire.tamper = { step in
            var step = step
            if step.kind == .opening { step.bytes[0] ^= 1 }
            return step
        }
        wire.run(wire.dialing.start(), by: .dialing)
        #expect(wire.shown[.dialing] == nil)
        #expect(wire.ends[.listening] == .fail(.refusedThere))
    }

    @Test func `a person's refusal ends the pairing on both sides`() {
        var wire = wire()
        wire.run(wire.dialing.start(), by: .dialing)
        wire.run(wire.listening.answered(true), by: .listening)
        wire.run(wire.dialing.answered(false), by: .dialing)
        #expect(wire.ends[.dialing] == .fail(.refusedHere))
        #expect(wire.ends[.listening] == .fail(.refusedThere))
    }

    @Test(arguments: [PairingStep.Kind.number, .opening, .confirmed, .commitment])
    func `a step out of order ends the pairing`(kind: PairingStep.Kind) {
        var wire = wire()
        let answer = wire.listening.received(PairingStep(kind: kind, bytes: Self.number(1)))
        #expect(answer == [.fail(.broken("the other machine broke the protocol of pairing"))])
    }

    @Test func `codes depend on both numbers`() {
        var codes: Set<String> = []
        for number in UInt8(0)..<50 {
            var wire = wire()
            wire.dialing = PairingExchange(
                .dialing, name: "", own: Self.fingerprint(1), peer: Self.fingerprint(2), number: Self.number(number))
            wire.run(wire.dialing.start(), by: .dialing)
            if let code = wire.shown[.listening] { codes.insert(code) }
        }
        #expect(codes.count >= 49)
    }

    @Test func `control characters in a name are removed`() {
        var wire = wire()
        wire.dialing = PairingExchange(
            .dialing, name: "\u{1B}[31mred\n", own: Self.fingerprint(1), peer: Self.fingerprint(2))
        wire.run(wire.dialing.start(), by: .dialing)
        wire.run(wire.dialing.answered(true), by: .dialing)
        wire.run(wire.listening.answered(true), by: .listening)
        #expect(wire.ends[.listening] == .paired(peerName: "[31mred"))
    }
}

@Suite struct PairingRateLimiterTests {
    private let now = ContinuousClock.now

    @Test func `each failure doubles the delay up to a minute, and every attempt waits`() {
        var brake = PairingRateLimiter()
        #expect(brake.wait("a", at: now) == nil)
        var waits: [Duration] = []
        for _ in 0..<8 {
            brake.failed("a", at: now)
            waits.append(brake.wait("a", at: now) ?? .zero)
        }
        #expect(waits == [3, 3, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        // Everybody waits for the pause, and a machine that failed waits longer.
        #expect(brake.wait("b", at: now) == PairingRateLimiter.pause)
        #expect(brake.wait("b", at: now + PairingRateLimiter.pause) == nil)
        #expect(brake.wait("a", at: now + .seconds(60)) == nil)
    }

    @Test func `many addresses do not allow many guesses`() {
        var brake = PairingRateLimiter()
        for number in 0..<PairingRateLimiter.crowd { brake.failed("10.0.0.\(number)", at: now) }
        #expect(brake.wait("192.168.0.1", at: now) == .seconds(60))
    }
}
