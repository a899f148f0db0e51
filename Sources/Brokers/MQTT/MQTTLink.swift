import Synchronization

/// Events of a link, to be shown.
package enum BrokerEvent: Sendable, Equatable {
    case connected
    /// The broker cannot be reached or refuses. The link tries again later. The sentence states the reason.
    case failed(String)
}

/// A connection to an MQTT broker, which reconnects whenever it is lost.
///
/// Only its own thread calls libmosquitto and waits for the network. No method waits.
package final class MQTTLink: Sendable {
    private let state: MQTTLinkState

    #if Brokers
    /// - Parameters:
    ///   - will: The message that the broker publishes when it loses this link.
    ///   - receive: The payloads that arrive for `topic` of the address from now on. Called on the link's thread.
    ///   - report: Called on the link's thread. A failure that persists is reported once.
    /// - Throws: ``BrokerError`` if the library is missing.
    package init(
        _ address: BrokerAddress, will: MQTTMessage? = nil,
        receive: @escaping @Sendable ([UInt8]) -> Void = { _ in },
        report: @escaping @Sendable (BrokerEvent) -> Void = { _ in }
    ) throws(BrokerError) {
        let library: LibMosquitto
        do {
            library = try LibMosquitto.loaded()
        } catch {
            throw .unusable(broker: address.description, reason: "it \(error)")
        }
        state = try MQTTLinkState(address)
        try MQTTLinkThread(library, address, will: will, state, receive: receive, report: report).start()
    }
    #else
    /// - Throws: ``BrokerError/leftOut`` always.
    package init(
        _ address: BrokerAddress, will: MQTTMessage? = nil,
        receive: @escaping @Sendable ([UInt8]) -> Void = { _ in },
        report: @escaping @Sendable (BrokerEvent) -> Void = { _ in }
    ) throws(BrokerError) {
        throw .leftOut
    }
    #endif

    deinit { state.close(within: .seconds(1)) }

    /// Sends messages as soon as the broker accepts them, unless newer ones of their topics replace them.
    package func publish(_ messages: [MQTTMessage]) { state.put(messages) }

    /// Closes the link when the broker has received everything, or after `limit`. Returns whether it has.
    package func close(within limit: Duration) async -> Bool {
        state.close(within: limit)
        return await state.outcome(within: limit)
    }
}

/// The state shared by a link's thread and its callers.
final class MQTTLinkState: Sendable {
    struct Contents {
        var outbox = MQTTOutbox()
        /// The latest date at which the thread ends. Nil while the link is open.
        var closeBy: ContinuousClock.Instant?
        /// Whether the broker received everything. Nil until the thread ends.
        var outcome: Bool?
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var lastWaiting = 0
    }

    private let contents = Mutex(Contents())
    let wake: WakeUp

    init(_ address: BrokerAddress) throws(BrokerError) { wake = try WakeUp(for: address) }

    func withOutbox<Result: Sendable>(_ body: (inout MQTTOutbox) -> Result) -> Result {
        contents.withLock { body(&$0.outbox) }
    }

    var closeBy: ContinuousClock.Instant? { contents.withLock { $0.closeBy } }

    func put(_ messages: [MQTTMessage]) {
        guard !messages.isEmpty else { return }
        contents.withLock { contents in for message in messages { contents.outbox.put(message) } }
        wake.signal()
    }

    func close(within limit: Duration) {
        let deadline = ContinuousClock.now + limit
        contents.withLock { $0.closeBy = min($0.closeBy ?? deadline, deadline) }
        wake.signal()
    }

    /// Called once, by the thread when it ends.
    func ended(_ isDelivered: Bool) {
        let waiting = contents.withLock { contents in
            contents.outcome = isDelivered
            defer { contents.waiting = [:] }
            return contents.waiting
        }
        for continuation in waiting.values { continuation.resume(returning: isDelivered) }
    }

    /// Returns the result given to ``ended(_:)``. False if there is none within `limit`, because the thread may wait
    /// for a name server.
    func outcome(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let (outcome, number) = contents.withLock { contents -> (Bool?, Int) in
                if let outcome = contents.outcome { return (outcome, 0) }
                contents.lastWaiting += 1
                contents.waiting[contents.lastWaiting] = continuation
                return (nil, contents.lastWaiting)
            }
            if let outcome { return continuation.resume(returning: outcome) }
            Task {
                try? await Task.sleep(for: limit)
                contents.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: false)
            }
        }
    }
}
