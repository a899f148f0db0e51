#if Mirroring
import Mirroring
import NIOCore

/// Accepts connections, and closes others if there are too many.
///
/// @unchecked Sendable: everything is only used on the server's loop.
final class WebAcceptor: @unchecked Sendable {
    let limits: WebLimits
    let hasKey: @Sendable (WebRequest) -> Bool
    /// Receives requests to answer.
    let exchanges: AsyncStream<WebExchange>.Continuation
    private let report: @Sendable (String) -> Void
    private var places: WebConnectionSlots<WebConnection>
    private var open: [ObjectIdentifier: WebConnection] = [:]
    private var hasReportedCrowd = false
    private var hasReportedShortage = false

    init(
        _ limits: WebLimits, hasKey: @escaping @Sendable (WebRequest) -> Bool,
        exchanges: AsyncStream<WebExchange>.Continuation, report: @escaping @Sendable (String) -> Void
    ) {
        self.limits = limits
        self.hasKey = hasKey
        self.exchanges = exchanges
        self.report = report
        places = WebConnectionSlots(limits.connections)
    }

    struct Crowded: Error {}

    /// - Throws: ``Crowded`` if connections with the key use all slots.
    func enter(_ connection: WebConnection) throws(Crowded) {
        switch places.enter(connection, from: connection.origin) {
        case .enters(let insteadOf):
            open[ObjectIdentifier(connection)] = connection
            close(insteadOf)
        case .refused:
            reportCrowd()
            throw Crowded()
        }
    }

    func markActive(_ connection: WebConnection, hasKey: Bool) {
        close(places.markActive(connection, from: connection.origin, hasKey: hasKey))
    }

    func markIdle(_ connection: WebConnection) { close(places.markIdle(connection, from: connection.origin)) }

    func closed(_ connection: WebConnection) {
        places.remove(connection)
        open[ObjectIdentifier(connection)] = nil
    }

    /// Closes a connection without the key, because the process has no file descriptor left.
    func makeRoom(_ reason: String) {
        places.evict()?.closeAtOnce()
        guard !hasReportedShortage else { return }
        hasReportedShortage = true
        report(
            "live page: new browsers have to wait: \(reason); 'ulimit -n' sets how many files a process may have"
        )
    }

    func close() {
        for connection in open.values { connection.closeAtOnce() }
    }

    private func close(_ connection: WebConnection?) {
        guard let connection else { return }
        reportCrowd()
        connection.closeAtOnce()
    }

    private func reportCrowd() {
        guard !hasReportedCrowd else { return }
        hasReportedCrowd = true
        report(
            "live page: \(limits.connections) connections are the most at once: the oldest without the key are closed for new ones"
        )
    }
}
#endif
