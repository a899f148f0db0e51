#if Mirroring
import Mirroring
import NIOCore
import NIOHTTP1

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

    /// The longest target and headers of a request, which are kept until they are complete: about twenty times what a browser sends.
    /// SwiftNIO's own limit is 2 MB, so a thousand connections without the key could fill 2 GB.
    let head: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 * 1_024
        limits.maxHeaderListSize = 32 * 1_024
        return limits
    }()

    package init() {}
}
#endif
