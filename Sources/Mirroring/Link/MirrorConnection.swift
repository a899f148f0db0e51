#if Mirroring
import NIOCore
import NIOSSL
import NIOTLS

/// The owner of a connection until both sides have sent hello. It is also notified when the connection ends.
protocol MirrorConnectionOwner: AnyObject {
    /// Called when TLS is established and the peer holds the key of this certificate. Returns the peer, or why it is
    /// refused.
    func authenticated(_ fingerprint: PeerFingerprint) -> Result<Peer, Refusal>
    /// Returns whether a connected peer is still paired.
    func stillTrusts(_ peer: Peer) -> Bool
    /// Called when the connection is authenticated. An owner that dials sends hello now.
    func opened(_ connection: MirrorConnection, by peer: Peer)
    /// Called when the peer has sent hello.
    func greeted(_ connection: MirrorConnection, by peer: Peer, _ hello: Hello)
    /// Called when the peer has closed the link, with its reason.
    func dismissed(_ connection: MirrorConnection, _ bye: Frame.Bye, _ text: String)
    /// Called once when the connection has ended: it was lost, or the peer or the network failed.
    func ended(_ connection: MirrorConnection, reason: String, isFault: Bool)
}

/// The reason why a connection is refused.
struct Refusal: Error {
    var reason: String
}

/// One TCP connection with TLS, frames and keep-alive. It sends entries as fast as the peer accepts them.
///
/// @unchecked Sendable: everything is only used on the reactor's loop.
final class MirrorConnection: ChannelInboundHandler, ChannelLink, MirrorReactor.TickObserver, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        /// Connecting TCP and TLS.
        case securing
        /// Waiting for one side's hello.
        case greeting(Peer)
        case up(Peer, ChannelEnd)
        case over
    }

    private let reactor: MirrorReactor
    private let tls: NIOSSLHandler
    private let owner: any MirrorConnectionOwner
    private var context: ChannelHandlerContext?
    private var phase = Phase.securing
    private var decoder = FrameDecoder()
    private var keepAlive: MirrorKeepAlive
    /// The number of the next entry to send, and whether the end of the log was sent.
    private var next: UInt64 = 1
    private var sentFinished = false
    private var isPumping = false
    private var isAcknowledgementDue = false
    private var isReading = false
    private var isReadingPaused = false

    /// The order of incoming connections: a later one has a higher number.
    var number = 0
    /// The certificate's fingerprint that the peer of an incoming connection presented.
    var shown: PresentedFingerprint?
    /// Whether this side opened the connection.
    let isDialed: Bool

    init(reactor: MirrorReactor, tls: NIOSSLHandler, owner: any MirrorConnectionOwner, isDialed: Bool) {
        self.reactor = reactor
        self.isDialed = isDialed
        self.tls = tls
        self.owner = owner
        keepAlive = MirrorKeepAlive(now: reactor.now, helloLimit: reactor.helloLimit)
    }

    var isOver: Bool { if case .over = phase { true } else { false } }

    // MARK: From the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        remoteAddress = context.channel.remoteAddress
        keepAlive = MirrorKeepAlive(now: reactor.now, helloLimit: reactor.helloLimit)
        reactor.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end("the connection closed")
        self.context = nil
    }

    /// Starts the time limit, now that the connection is up.
    func channelActive(context: ChannelHandlerContext) {
        keepAlive = MirrorKeepAlive(now: reactor.now, helloLimit: reactor.helloLimit)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent, case .securing = phase else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard let fingerprint = tls.peerFingerprint else { return end("it showed no certificate") }
        switch owner.authenticated(fingerprint) {
        case .success(let peer):
            phase = .greeting(peer)
            owner.opened(self, by: peer)
        case .failure(let refusal): end(refusal.reason)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .over = phase { return }
        keepAlive.received(at: reactor.now)
        isReading = true
        decoder.feed(unwrapInboundIn(data))
        do {
            while let frame = try decoder.next() {
                receive(frame)
                if case .over = phase { return }
            }
        } catch let error {
            if case .version = error { return leave(.incompatible, "\(error)") }
            fault("\(error)")
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        acknowledge()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable else { return }
        acknowledge()
        pump()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end("the peer closed the connection")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(TransportFault.sentence(error), isFault: TransportFault.isBroken(error))
    }

    // MARK: From the peer

    private func receive(_ frame: Frame) {
        switch (frame, phase) {
        case (.hello(let hello), .greeting(let peer)): owner.greeted(self, by: peer, hello)
        case (.bye(let bye, let text), .greeting), (.bye(let bye, let text), .up):
            owner.dismissed(self, bye, text)
            end("the peer closed it: \(text)")
        case (.entries(let first, let entries), .up(let peer, let channelEnd)):
            if let fault = channelEnd.receive(entries, first: first, from: peer, over: self) { self.fault(fault) }
        case (.acknowledged(let number), .up(let peer, let channelEnd)):
            // A number that was never sent would make the log drop entries that the peer lacks.
            guard number < next else { return fault("it acknowledged entry \(number), which was not sent") }
            channelEnd.acknowledged(through: number, by: peer)
        case (.finished(let count), .up(let peer, let channelEnd)):
            if let fault = channelEnd.peerFinished(peer, count: count, over: self) { self.fault(fault) }
        case (.finishAcknowledged, .up(let peer, let channelEnd)):
            guard sentFinished else { return fault("it confirmed an end that was not sent") }
            channelEnd.finishAcknowledged(by: peer)
        case (.alive, .up): break
        case (.ping, .up): sendIfWritable(.alive)
        case (.pairing, _): fault("it wants to pair; run `workout mirror pair` on both machines")
        case (_, .over): break
        case (_, .securing), (_, .greeting), (.hello, .up): fault("a frame of a kind that is not allowed at this point")
        }
    }

    // MARK: From the owner

    /// Begins to send entries after number `resume`. Both sides have sent hello.
    func established(_ peer: Peer, _ channelEnd: ChannelEnd, resume: UInt64) {
        phase = .up(peer, channelEnd)
        next = resume + 1
        keepAlive.connected(at: reactor.now)
    }

    func send(_ frame: Frame) { write(FrameCodec.encode(frame)) }

    /// Sends a frame. Sends nothing if the peer does not read, so that the send buffer does not grow.
    func sendIfWritable(_ frame: Frame) {
        if context?.channel.isWritable == true { send(frame) }
    }

    /// The address at the other end.
    private(set) var remoteAddress: SocketAddress?

    /// The same address as text, for reports.
    var remote: String { MirrorAddress(of: remoteAddress)?.description ?? "an unknown address" }

    /// Sends the reason, and closes.
    func leave(_ bye: Frame.Bye, _ text: String) {
        if case .over = phase { return }
        if case .securing = phase {} else { send(.bye(bye, text)) }
        end(text)
    }

    /// Closes without sending a reason, because the peer is gone or not authenticated.
    func end(_ reason: String) { end(reason, isFault: false) }

    /// Closes at once to make room for others.
    func drop(_ reason: String) { end(reason, isFault: false) { $0.closeAtOnce() } }

    private func end(
        _ reason: String, isFault: Bool,
        _ close: (ChannelHandlerContext) -> Void = { $0.close(promise: nil) }
    ) {
        if case .over = phase { return }
        phase = .over
        reactor.remove(self)
        owner.ended(self, reason: reason, isFault: isFault)
        context.map(close)
    }

    /// Closes, because the peer broke the protocol.
    private func fault(_ reason: String) { end(reason, isFault: true) }

    func tick(at now: ContinuousClock.Instant) {
        switch phase {
        case .up(let peer, _):
            // While this side's consumer is too slow, nothing is read. That is not silence of the peer.
            if isReadingPaused { keepAlive.received(at: now) }
            if !owner.stillTrusts(peer) { return end("machine \(peer.fingerprint.short) is not paired any more") }
        case .securing, .greeting: break
        case .over: return
        }
        switch keepAlive.tick(at: now) {
        case .none: break
        case .sendAlive: sendIfWritable(.alive)
        case .ping: sendIfWritable(.ping)
        case .lose(let reason): end(reason)
        }
    }

    // MARK: Entries out

    /// Sends newly appended entries, already as a frame, if the peer has everything before them and is ready for more.
    /// Otherwise they are read from the log in their turn.
    func offer(first: UInt64, count: UInt64, _ frame: ByteBuffer) {
        guard case .up = phase, let context else { return }
        guard next == first, context.channel.isWritable, !isPumping else { return pump() }
        next = first + count
        write(frame)
    }

    /// Sends from the log until the peer is not ready for more, or has everything.
    func pump() {
        guard case .up(_, let channelEnd) = phase, let context, !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while context.channel.isWritable, case .up = phase, next <= channelEnd.count {
            let entries: [[UInt8]]
            do { entries = try channelEnd.entries(from: next) } catch {
                return end("entry \(next) of the own log cannot be read: \(error)")
            }
            guard !entries.isEmpty else { return end("entry \(next) is missing in the own log") }
            let frame = FrameCodec.encode(first: next, entries)
            next += UInt64(entries.count)
            write(frame)
        }
        if case .up = phase, let count = channelEnd.finishedCount, next > count, !sentFinished {
            sentFinished = true
            send(.finished(count))
        }
    }

    private func write(_ frame: ByteBuffer) {
        guard let context else { return }
        keepAlive.sent(at: reactor.now)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    // MARK: Entries in

    /// Acknowledges handled entries, once for all entries of one read.
    func acknowledgeSoon() {
        isAcknowledgementDue = true
        if !isReading { acknowledge() }
    }

    func acknowledgeNow() {
        isAcknowledgementDue = true
        acknowledge()
    }

    private func acknowledge() {
        // A peer that does not read gets one acknowledgement once it reads again.
        guard isAcknowledgementDue, context?.channel.isWritable == true, case .up(let peer, let channelEnd) = phase
        else { return }
        isAcknowledgementDue = false
        guard let number = channelEnd.handled(of: peer) else { return }
        send(.acknowledged(number))
    }

    /// Stops reading if the consumer has too much, and resumes when it has room.
    func pauseReading(_ isPaused: Bool) {
        guard isPaused != isReadingPaused, let context else { return }
        isReadingPaused = isPaused
        context.channel.setOption(ChannelOptions.autoRead, value: !isPaused).whenFailure { _ in }
        if !isPaused { context.read() }
    }
}
#endif
