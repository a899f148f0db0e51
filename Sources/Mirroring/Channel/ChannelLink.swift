#if Mirroring
import NIOCore

/// The connection to a peer, as a channel sees it. Only used on the reactor's loop.
protocol ChannelLink: AnyObject, Sendable {
    /// The order of incoming connections: a later one has a higher number.
    var number: Int { get }
    /// Whether this side opened it.
    var isDialed: Bool { get }
    var isOver: Bool { get }
    /// Begins to send entries after number `resume`. Both sides have sent hello.
    func established(_ peer: Peer, _ channelEnd: ChannelEnd, resume: UInt64)
    func send(_ frame: Frame)
    /// Sends a frame. Sends nothing if the peer does not read.
    func sendIfWritable(_ frame: Frame)
    /// Sends entries that were just appended, if the peer has all earlier ones and is ready for more.
    func offer(first: UInt64, count: UInt64, _ frame: ByteBuffer)
    /// Sends from the log until the peer is not ready for more, or has everything.
    func pump()
    /// Acknowledges handled entries, once for all entries of one read.
    func acknowledgeSoon()
    func acknowledgeNow()
    /// Stops or resumes reading.
    func pauseReading(_ isPaused: Bool)
    /// Sends the reason, and closes.
    func leave(_ bye: Frame.Bye, _ text: String)
    /// Closes without sending a reason.
    func end(_ reason: String)
}
#endif
