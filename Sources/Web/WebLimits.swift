#if Mirroring
import Mirroring
import NIOCore

/// How much browsers may cost, whatever they do.
package struct WebLimits: Sendable {
    /// Connections at once, those that have not shown the key and those that have: a thousand, or half of the files that the process may
    /// have open if that is less.
    package var connections = DescriptorLimit.share(2, most: 1_000)
    /// Until a new connection has made its TLS handshake and said its whole first request, however slowly it speaks.
    var firstRequest = TimeAmount.seconds(20)
    /// Until a connection that was answered has said its whole next one.
    var nextRequest = TimeAmount.seconds(60)
    /// A connection on which nothing moves for so long is closed: its browser is gone.
    var idle = TimeAmount.seconds(60)

    package init() {}
}
#endif
