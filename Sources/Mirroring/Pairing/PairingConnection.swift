#if Mirroring
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// One attempt to pair on one connection: TLS with any certificate of the other side, then the exchange.
///
/// @unchecked Sendable: everything is only used on the reactor's loop.
final class PairingConnection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The time limit for the users after the code is shown.
    static let personLimit = TimeAmount.minutes(3)

    private let role: PairingExchange.Role
    private let host: MirrorHost
    private let tls: NIOSSLHandler
    private let confirm: @Sendable (PairingCode) async -> Bool
    private let mayShowCode: (PairingConnection) -> String?
    private let finished: (PairingConnection, Result<PeerFingerprintAndName, MirrorError.PairingFailure>) -> Void
    private var exchange: PairingExchange?
    private var fingerprint: PeerFingerprint?
    private var decoder = FrameDecoder(limit: 1_024)
    private var context: ChannelHandlerContext?
    private var deadline: Scheduled<Void>?
    private var asking: Task<Void, Never>?
    private var isOver = false
    /// Whether the user was asked. Only then could an attacker have succeeded.
    private(set) var hasShownCode = false

    /// Whether the other side has presented a certificate.
    var isSecured: Bool { fingerprint != nil }

    struct PeerFingerprintAndName: Sendable {
        var fingerprint: PeerFingerprint
        var name: String
    }

    /// - Parameters:
    ///   - mayShowCode: Called before a code is shown, and before the other side can know it. Returns nil, or why it
    ///     may not be shown.
    ///   - finished: Called once.
    init(
        _ role: PairingExchange.Role, host: MirrorHost, tls: NIOSSLHandler,
        confirm: @escaping @Sendable (PairingCode) async -> Bool,
        mayShowCode: @escaping (PairingConnection) -> String? = { _ in nil },
        finished: @escaping (PairingConnection, Result<PeerFingerprintAndName, MirrorError.PairingFailure>) -> Void
    ) {
        self.role = role
        self.host = host
        self.tls = tls
        self.confirm = confirm
        self.mayShowCode = mayShowCode
        self.finished = finished
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        restartDeadline(host.core.reactor.exchangeLimit)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        interrupt("the connection closed")
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent, exchange == nil else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard let peer = tls.peerFingerprint else { return interrupt("it showed no certificate") }
        guard peer != host.identity.fingerprint else {
            return interrupt("that is this machine itself, or one with a copy of its key")
        }
        fingerprint = peer
        var exchange = PairingExchange(role, name: host.name, own: host.identity.fingerprint, peer: peer)
        let actions = exchange.start()
        self.exchange = exchange
        perform(actions)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        decoder.feed(unwrapInboundIn(data))
        do {
            while !isOver, let frame = try decoder.next() {
                guard case .pairing(let step) = frame else { return interrupt("it sent something else than pairing") }
                perform(exchange?.received(step) ?? [])
            }
        } catch {
            interrupt("\(error)")
        }
    }

    func channelInactive(context: ChannelHandlerContext) { interrupt("the other machine closed it") }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        interrupt(TransportFault.sentence(error))
    }

    func interrupt(_ reason: String) {
        guard !isOver else { return }
        if exchange == nil {
            over(.failure(.interrupted(reason)))
        } else {
            perform(exchange?.interrupted(reason) ?? [])
        }
    }

    /// Closes at once to make room for others.
    func drop(_ reason: String) {
        over(.failure(.interrupted(reason))) { $0.closeAtOnce() }
    }

    private func perform(_ actions: [PairingExchange.Action]) {
        if actions.contains(where: \.asks) {
            if let reason = mayShowCode(self) { return interrupt(reason) }
            hasShownCode = true
        }
        for action in actions {
            switch action {
            case .send(let step):
                context?.writeAndFlush(wrapOutboundOut(FrameCodec.encode(.pairing(step))), promise: nil)
            case .ask(let code, let peerName):
                restartDeadline(Self.personLimit)
                ask(code, peerName)
            case .paired(let name):
                guard let fingerprint else { return }
                over(.success(PeerFingerprintAndName(fingerprint: fingerprint, name: name)))
            case .fail(let failure): over(.failure(failure))
            }
        }
    }

    private func ask(_ code: String, _ peerName: String) {
        guard let fingerprint, let loop = context?.eventLoop else { return }
        let question = PairingCode(code: code, peerName: peerName, fingerprint: fingerprint)
        // This connection owns the task, and cancels it at its end.
        asking = Task { [confirm] in
            let isSame = await confirm(question)
            loop.execute { [self] in
                guard !isOver else { return }
                perform(exchange?.answered(isSame) ?? [])
            }
        }
    }

    private func restartDeadline(_ limit: TimeAmount) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: limit) { [weak self] in
            self?.interrupt("it took longer than \(limit.nanoseconds / 1_000_000_000) s")
        }
    }

    private func over(
        _ result: Result<PeerFingerprintAndName, MirrorError.PairingFailure>,
        _ close: (ChannelHandlerContext) -> Void = { $0.close(promise: nil) }
    ) {
        guard !isOver else { return }
        isOver = true
        deadline?.cancel()
        asking?.cancel()
        finished(self, result)
        context.map(close)
    }
}
#endif
