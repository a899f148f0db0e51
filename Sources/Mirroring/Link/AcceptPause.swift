#if Mirroring
import Glibc
package import NIOCore

/// Stops accepting for a moment when the process or the machine has no file descriptor left.
///
/// Without it, an event loop asks again at once and for ever: who wants to connect stays in the kernel's queue, so the socket stays
/// readable. Belongs to a listening channel.
package final class AcceptPause: ChannelInboundHandler {
    package typealias InboundIn = Any

    private static let length = TimeAmount.milliseconds(250)
    /// See accept(2): what passes once something else has been closed.
    private static let shortages = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let makeRoom: (String) -> Void

    /// - Parameter makeRoom: Closes what can be spared. Called on the event loop with the reason, at each try.
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

/// The file descriptors that this process may have.
package enum DescriptorLimit {
    /// A share of them, at least 1 and at most `most`: the rest belongs to the session, its journal and its store.
    package static func share(_ part: Int, most: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return most }
        return max(1, min(most, Int(clamping: limit.rlim_cur) / part))
    }
}
#endif
