#if Mirroring

/// Computes the same six digits on two machines, so that nobody in between can. Pure: random numbers are inputs.
///
/// The listening side sends the hash of its random number before it gets the dialling side's number, and reveals its
/// number afterwards (like Bluetooth's numeric comparison, Core Specification 5.4 volume 3 part H 2.3.5.6.2, and ZRTP's
/// short authentication string, RFC 6189). The code depends on both certificates and both numbers. An attacker in
/// between has other certificates, and a chance of one in a million to get the same code.
package struct PairingExchange {
    package enum Role { case dialing, listening }

    package enum Action: Equatable {
        case send(PairingStep)
        /// Show the code and ask the user.
        case ask(code: String, peerName: String)
        /// Both users have confirmed.
        case paired(peerName: String)
        case fail(MirrorError.PairingFailure)

        var asks: Bool { if case .ask = self { true } else { false } }
    }

    private enum State {
        case idle
        /// Listening: waits for the dialling side's name. Dialling: waits for the commitment.
        case opening
        /// Dialling: has the commitment, waits for the number.
        case promised(commitment: [UInt8], peerName: String)
        /// Listening: waits for the dialling side's number.
        case committed(peerName: String)
        /// The code is shown, and some sides may have confirmed.
        case asking(peerName: String, here: Bool, there: Bool)
        case over
    }

    private let role: Role
    private let name: String
    private let number: [UInt8]
    private let own: PeerFingerprint
    private let peer: PeerFingerprint
    private var state = State.idle

    /// - Parameter number: 32 random bytes, never used before.
    package init(
        _ role: Role, name: String, own: PeerFingerprint, peer: PeerFingerprint,
        number: [UInt8] = (0..<32).map { _ in UInt8.random(in: 0...255) }
    ) {
        self.role = role
        self.name = name
        self.own = own
        self.peer = peer
        self.number = number
    }

    package mutating func start() -> [Action] {
        guard case .idle = state else { return [] }
        state = .opening
        return role == .dialing ? [.send(PairingStep(kind: .name, bytes: shortName))] : []
    }

    package mutating func received(_ step: PairingStep) -> [Action] {
        switch (state, role, step.kind) {
        case (.over, _, _): return []
        case (_, _, .refused): return fail(.refusedThere)
        case (.opening, .listening, .name):
            state = .committed(peerName: Self.readable(step.bytes))
            return [.send(PairingStep(kind: .commitment, bytes: commitment(to: number, by: own) + shortName))]
        case (.opening, .dialing, .commitment):
            guard step.bytes.count >= 32 else { break }
            state = .promised(
                commitment: Array(step.bytes.prefix(32)), peerName: Self.readable(Array(step.bytes.dropFirst(32))))
            return [.send(PairingStep(kind: .number, bytes: number))]
        case (.committed(let peerName), .listening, .number):
            guard step.bytes.count == 32 else { break }
            state = .asking(peerName: peerName, here: false, there: false)
            return [
                .send(PairingStep(kind: .opening, bytes: number)),
                .ask(code: code(listening: number, dialing: step.bytes), peerName: peerName),
            ]
        case (.promised(let commitment, let peerName), .dialing, .opening):
            guard step.bytes.count == 32 else { break }
            guard self.commitment(to: step.bytes, by: peer) == commitment else {
                return [.send(PairingStep(kind: .refused, bytes: []))]
                    + fail(.broken("the other machine sent another number than it had committed to"))
            }
            state = .asking(peerName: peerName, here: false, there: false)
            return [.ask(code: code(listening: step.bytes, dialing: number), peerName: peerName)]
        case (.asking(let peerName, let here, false), _, .confirmed):
            state = here ? .over : .asking(peerName: peerName, here: false, there: true)
            return here ? [.paired(peerName: peerName)] : []
        case (.idle, _, _), (.opening, _, _), (.promised, _, _), (.committed, _, _), (.asking, _, _): break
        }
        return fail(.broken("the other machine broke the protocol of pairing"))
    }

    /// Records the answer of the user at this machine.
    package mutating func answered(_ isSame: Bool) -> [Action] {
        guard case .asking(let peerName, false, let there) = state else { return [] }
        guard isSame else { return [.send(PairingStep(kind: .refused, bytes: []))] + fail(.refusedHere) }
        state = there ? .over : .asking(peerName: peerName, here: true, there: false)
        return [.send(PairingStep(kind: .confirmed, bytes: []))] + (there ? [.paired(peerName: peerName)] : [])
    }

    package mutating func interrupted(_ reason: String) -> [Action] {
        if case .over = state { return [] }
        return fail(.interrupted(reason))
    }

    private mutating func fail(_ failure: MirrorError.PairingFailure) -> [Action] {
        state = .over
        return [.fail(failure)]
    }

    // MARK: Numbers

    private var pair: [UInt8] { role == .dialing ? own.bytes + peer.bytes : peer.bytes + own.bytes }

    private func commitment(to number: [UInt8], by owner: PeerFingerprint) -> [UInt8] {
        (Array("OHKM pairing promise".utf8) + pair + owner.bytes + number).sha256
    }

    private func code(listening: [UInt8], dialing: [UInt8]) -> String {
        let hash = (Array("OHKM pairing code".utf8) + pair + listening + dialing).sha256
        // 64 bits modulo a million: every code is equally likely to 1 in 10^13.
        let number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(number)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    private var shortName: [UInt8] { Array(name.utf8.prefix(64)) }

    /// Returns an untrusted name, made safe for a terminal.
    private static func readable(_ bytes: [UInt8]) -> String {
        let scalars = String(decoding: bytes.prefix(64), as: UTF8.self).unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: $0 != "\u{FFFD}"
            }
        }
        let name = String(String.UnicodeScalarView(scalars))
        return name.isEmpty ? "a machine without a name" : name
    }
}
#endif
