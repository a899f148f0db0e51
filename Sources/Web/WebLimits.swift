#if Mirroring
import Mirroring
import NIOCore

/// Limits of the resources that browsers can use.
package struct WebLimits: Sendable {
    /// The largest number of connections: a thousand, or half of the files that the process may open if that is less.
    package var connections = DescriptorLimit.share(2, most: 1_000)
    /// The time limit for the TLS handshake and the complete first request of a connection.
    var firstRequest = TimeAmount.seconds(20)
    /// The time limit for each further complete request.
    var nextRequest = TimeAmount.seconds(60)
    /// A connection without traffic for this long is closed: its browser is gone.
    var idle = TimeAmount.seconds(60)

    package init() {}
}
#endif
