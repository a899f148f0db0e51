#if Mirroring
import NIOCore

/// The connection to a peer, as a channel sees it. Touched on the reactor's loop only.
protocol ChannelLink: AnyObject, Sendable {
    /// Of those that came in: the later one has the higher number.
    var number: Int { get }
    /// Whether this side opened it.
    var isDialed: Bool { get }
    var isOver: Bool { get }
    /// Both sides have said hello: entries flow from after `resume`.
    func established(_ peer: Peer, _ channelEnd: ChannelEnd, resume: UInt64)
    func send(_ frame: Frame)
    /// Leaves it unsaid if the peer does not read.
    func sendIfWritable(_ frame: Frame)
    /// Sends what was just appended, if the peer has everything before it and takes more.
    func offer(first: UInt64, count: UInt64, _ frame: ByteBuffer)
    /// Sends from the log until the peer takes no more or has everything.
    func pump()
    /// Entries were handled: tells the peer, once for everything that came in one read.
    func acknowledgeSoon()
    func acknowledgeNow()
    /// Stops or goes on reading.
    func pauseReading(_ isPaused: Bool)
    /// Says why, and closes.
    func leave(_ bye: Frame.Bye, _ text: String)
    /// Closes without a word.
    func end(_ reason: String)
}
#endif
