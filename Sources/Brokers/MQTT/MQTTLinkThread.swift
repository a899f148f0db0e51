#if Brokers
import Glibc

/// The thread of a link: connects, serves the connection until it is lost, waits, and connects again.
// Sendable holds: after `start()` only its thread touches it.
final class MQTTLinkThread: @unchecked Sendable {
    private let library: LibMosquitto
    private let address: BrokerAddress
    private let will: MQTTMessage?
    private let state: MQTTLinkState
    private let receive: @Sendable ([UInt8]) -> Void
    private let report: @Sendable (BrokerEvent) -> Void
    private var delays = BackoffDelays()
    private var lastFailure: String?

    init(
        _ library: LibMosquitto, _ address: BrokerAddress, will: MQTTMessage?, _ state: MQTTLinkState,
        receive: @escaping @Sendable ([UInt8]) -> Void, report: @escaping @Sendable (BrokerEvent) -> Void
    ) {
        self.library = library
        self.address = address
        self.will = will
        self.state = state
        self.receive = receive
        self.report = report
    }

    func start() throws(BrokerError) {
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<MQTTLinkThread>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard result == 0 else {
            Unmanaged.passUnretained(self).release()
            throw .unusable(broker: address.description, reason: String(cString: strerror(result)))
        }
        pthread_detach(thread)
    }

    private func run() {
        while true {
            if serve() { return state.ended(true) }
            state.withOutbox { $0.disconnected() }
            if wait(delays.next()) { return state.ended(false) }
        }
    }

    /// Serves one connection. Returns whether everything was sent and the link is closed.
    private func serve() -> Bool {
        let connection: MQTTConnection
        do {
            connection = try MQTTConnection(library, address, will: will, receive: receive)
        } catch {
            fail(error)
            return false
        }
        var fault = connection.connect()
        while fault == nil {
            if connection.isAccepted, !connection.isAnnounced {
                connection.isAnnounced = true
                delays.connected()
                lastFailure = nil
                state.withOutbox { $0.connected() }
                report(.connected)
            }
            // libmosquitto keeps in memory what it cannot write, so it gets nothing more until it has written that.
            while fault == nil, !connection.hasUnwrittenBytes, let message = state.withOutbox({ $0.next() }) {
                fault = connection.publish(message)
            }
            if let deadline = state.closeBy {
                if state.withOutbox({ $0.isDelivered }) {
                    connection.disconnect()
                    return true
                }
                if ContinuousClock.now >= deadline { return false }
            }
            if fault == nil { fault = connection.wait(wake: state.wake, until: state.closeBy) }
            let confirmed = connection.takeConfirmed()
            if confirmed > 0 { state.withOutbox { outbox in for _ in 0..<confirmed { outbox.confirmed() } } }
        }
        if let fault { fail(fault) }
        return false
    }

    private func fail(_ fault: MQTTFault) {
        let sentence = "\(address) \(fault.predicate). Trying again."
        guard sentence != lastFailure else { return }
        lastFailure = sentence
        report(.failed(sentence))
    }

    /// Waits before the next attempt. Returns whether the link should end instead.
    private func wait(_ delay: Duration) -> Bool {
        let next = ContinuousClock.now + delay
        while true {
            let deadline = state.closeBy
            let now = ContinuousClock.now
            if let deadline, now >= deadline { return true }
            if now >= next { return false }
            var polled = pollfd(fd: state.wake.reader, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, Self.milliseconds(from: now, to: min(deadline ?? next, next)))
            state.wake.clear()
        }
    }

    static func milliseconds(from now: ContinuousClock.Instant, to then: ContinuousClock.Instant) -> Int32 {
        // Rounded up, so that the thread does not wake too early.
        Int32(min(60_000, max(0, (then - now) / .milliseconds(1)) + 1))
    }
}
#endif
