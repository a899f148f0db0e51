#if Mirroring
import NIOCore
import NIOSSL
import NIOTLS

/// What a connection belongs to until both sides have said hello, and who learns that it ended.
protocol MirrorConnectionOwner: AnyObject {
    /// TLS is done; the peer holds the key of this certificate. Returns whom that is, or why it must go.
    func authenticated(_ fingerprint: PeerFingerprint) -> Result<Peer, Refusal>
    /// Whether a peer that is connected has not been forgotten.
    func stillTrusts(_ peer: Peer) -> Bool
    /// The connection is authenticated; a dialing owner says hello now.
    func opened(_ connection: MirrorConnection, by peer: Peer)
    /// The peer said hello.
    func greeted(_ connection: MirrorConnection, by peer: Peer, _ hello: Hello)
    /// The peer closed the link and said why.
    func dismissed(_ connection: MirrorConnection, _ bye: Frame.Bye, _ text: String)
    /// The connection is over, by a fault of whoever is at the other end or in between, or because it was lost. Called once.
    func ended(_ connection: MirrorConnection, reason: String, isFault: Bool)
}

/// Why a connection gets nothing.
struct Refusal: Error {
    var reason: String
}

/// One TCP connection: TLS, frames, keep-alive, and the sending of entries as fast as the peer takes them.
///
/// @unchecked Sendable: everything is touched on the reactor's loop only.
final class MirrorConnection: ChannelInboundHandler, ChannelLink, MirrorReactor.TickObserver, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        /// TCP and TLS.
        case securing
        /// One side's hello is missing.
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
    /// The next entry to send, and whether the end of the log was said.
    private var next: UInt64 = 1
    private var saidFinished = false
    private var isPumping = false
    private var isAcknowledgementDue = false
    private var isReading = false
    private var isReadingPaused = false

    /// Of those that came in: the later one has the higher number.
    var number = 0
    /// What the peer showed during the handshake of a connection that came in.
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

    /// Time that went into connecting is not the peer's.
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
            // A number that was never sent would make the log forget what the peer lacks.
            guard number < next else { return fault("it acknowledged entry \(number), which was not sent") }
            channelEnd.acknowledged(through: number, by: peer)
        case (.finished(let count), .up(let peer, let channelEnd)):
            if let fault = channelEnd.peerFinished(peer, count: count, over: self) { self.fault(fault) }
        case (.finishHeard, .up(let peer, let channelEnd)):
            guard saidFinished else { return fault("it confirmed an end that was not said") }
            channelEnd.finishHeard(by: peer)
        case (.alive, .up): break
        case (.ping, .up): sendIfWritable(.alive)
        case (.pairing, _): fault("it wants to pair; run `workout mirror pair` on both machines")
        case (_, .over): break
        case (_, .securing), (_, .greeting), (.hello, .up): fault("a frame where none of its kind may be")
        }
    }

    // MARK: From the owner

    /// Both sides have said hello: entries flow from after `resume`.
    func established(_ peer: Peer, _ channelEnd: ChannelEnd, resume: UInt64) {
        phase = .up(peer, channelEnd)
        next = resume + 1
        keepAlive.connected(at: reactor.now)
    }

    func send(_ frame: Frame) { write(FrameCodec.encode(frame)) }

    /// Leaves it unsaid if the peer does not read: what waits for it must not grow.
    func sendIfWritable(_ frame: Frame) {
        if context?.channel.isWritable == true { send(frame) }
    }

    /// The address at the other end.
    private(set) var remoteAddress: SocketAddress?

    /// The same, for reports.
    var remote: String { MirrorAddress(of: remoteAddress)?.description ?? "an unknown address" }

    /// Says why, and closes.
    func leave(_ bye: Frame.Bye, _ text: String) {
        if case .over = phase { return }
        if case .securing = phase {} else { send(.bye(bye, text)) }
        end(text)
    }

    /// Closes without a word: the peer is gone, or deserves none.
    func end(_ reason: String) { end(reason, isFault: false) }

    /// Makes room for others, at once.
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

    /// Closes: what came is not what a peer in order sends.
    private func fault(_ reason: String) { end(reason, isFault: true) }

    func tick(at now: ContinuousClock.Instant) {
        switch phase {
        case .up(let peer, _):
            // While the own consumer is too slow nothing is read, so nothing is heard; that is not the peer's silence.
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

    /// Sends what was just appended, already as a frame, if the peer has everything before it and takes more; otherwise
    /// it comes from the log when its turn is there.
    func offer(first: UInt64, count: UInt64, _ frame: ByteBuffer) {
        guard case .up = phase, let context else { return }
        guard next == first, context.channel.isWritable, !isPumping else { return pump() }
        next = first + count
        write(frame)
    }

    /// Sends from the log until the peer takes no more or has everything.
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
        if case .up = phase, let count = channelEnd.finishedCount, next > count, !saidFinished {
            saidFinished = true
            send(.finished(count))
        }
    }

    private func write(_ frame: ByteBuffer) {
        guard let context else { return }
        keepAlive.sent(at: reactor.now)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    // MARK: Entries in

    /// Entries were handled: tells the peer, once for everything that came in one read.
    func acknowledgeSoon() {
        isAcknowledgementDue = true
        if !isReading { acknowledge() }
    }

    func acknowledgeNow() {
        isAcknowledgementDue = true
        acknowledge()
    }

    private func acknowledge() {
        // A peer that does not read hears of everything at once when it does.
        guard isAcknowledgementDue, context?.channel.isWritable == true, case .up(let peer, let channelEnd) = phase
        else { return }
        isAcknowledgementDue = false
        guard let number = channelEnd.handled(of: peer) else { return }
        send(.acknowledged(number))
    }

    /// Stops or goes on reading: the consumer has enough, or has room again.
    func pauseReading(_ isPaused: Bool) {
        guard isPaused != isReadingPaused, let context else { return }
        isReadingPaused = isPaused
        context.channel.setOption(ChannelOptions.autoRead, value: !isPaused).whenFailure { _ in }
        if !isPaused { context.read() }
    }
}
#endif
