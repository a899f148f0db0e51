#if Mirroring
import Glibc
package import NIOCore

/// A handler of a listening channel that pauses accepting if the process or the machine has no file descriptor left.
///
/// Without it, an event loop would try again at once and forever: waiting connections stay in the kernel's queue, so
/// the socket stays readable.
package final class AcceptPause: ChannelInboundHandler {
    package typealias InboundIn = Any

    private static let length = TimeAmount.milliseconds(250)
    /// Errors of accept(2) that pass once another descriptor was closed.
    private static let shortages = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let makeRoom: (String) -> Void

    /// - Parameter makeRoom: Closes a connection that is not needed. Called on the event loop with the reason, at each attempt.
    package init(_ makeRoom: @escaping (String) -> Void) {
        self.makeRoom = makeRoom
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? IOError, Self.shortages.contains(fault.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        let channel = context.channel
        channel.setOption(ChannelOptions.autoRead, value: false).whenFailure { _ in }
        makeRoom(TransportFault.sentence(fault))
        channel.eventLoop.scheduleTask(in: Self.length) {
            channel.setOption(ChannelOptions.autoRead, value: true).whenFailure { _ in }
        }
    }
}

/// The number of file descriptors that this process may open.
package enum DescriptorLimit {
    /// Returns a share of them, at least 1 and at most `most`. The rest is for the session, its journal and its store.
    package static func share(_ part: Int, most: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return most }
        return max(1, min(most, Int(clamping: limit.rlim_cur) / part))
    }
}
#endif
