#if Brokers
import CMosquitto
import Glibc

/// Why a connection failed.
struct MQTTFault: Error {
    /// Completes a sentence about the broker.
    var predicate: String
}

/// One connection through libmosquitto, in its mode for programs with their own loop. Used by one thread.
final class MQTTConnection {
    /// Either side counts as lost if it is silent for one and a half times as long.
    private static let keepaliveInSeconds: Int32 = 15
    /// How long a broker may take to accept a connection.
    private static let patience = Duration.seconds(10)

    private let library: LibMosquitto
    private let address: BrokerAddress
    private let receive: @Sendable ([UInt8]) -> Void
    private let client: OpaquePointer
    private let began = ContinuousClock.now
    private var lastChores = ContinuousClock.now
    /// The broker's answer. 0 for acceptance.
    private var answer: Int32?
    private var isSubscriptionRefused = false
    private var confirmed = 0
    var isAnnounced = false

    init(
        _ library: LibMosquitto, _ address: BrokerAddress, will: MQTTMessage?,
        receive: @escaping @Sendable ([UInt8]) -> Void
    ) throws(MQTTFault) {
        guard let client = library.new(nil, true, nil) else {
            throw MQTTFault(predicate: "cannot be used: this machine is out of memory")
        }
        self.library = library
        self.address = address
        self.receive = receive
        self.client = client
        // From here on, `deinit` runs if this throws.
        try setUp(will)
    }

    deinit { library.destroy(client) }

    private func setUp(_ will: MQTTMessage?) throws(MQTTFault) {
        if address.version == .v5 {
            try check(library.intOption(client, MOSQ_OPT_PROTOCOL_VERSION, Int32(MQTT_PROTOCOL_V5)))
        }
        if let user = address.user {
            try check(library.usernamePasswordSet(client, user, address.password))
        }
        if let will {
            try check(
                library.willSet(
                    client, will.topic, Int32(will.payload.utf8.count), will.payload, Int32(address.qos), true))
        }
        guard address.usesTLS else { return }
        if let file = address.certificatesFile {
            guard access(file, R_OK) == 0 else {
                throw MQTTFault(predicate: "needs the certificates of \(file), which cannot be read")
            }
            try check(library.tlsSet(client, file, nil, nil, nil, nil))
        } else {
            try check(library.intOption(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
        }
    }

    private func check(_ code: Int32) throws(MQTTFault) {
        if let fault = failure(code) { throw fault }
    }

    /// The fault of a result. Nil for success.
    private func failure(_ code: Int32) -> MQTTFault? {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return nil }
        // Read before anything else changes `errno`.
        let reason = library.strerror(code).map { String(cString: $0) } ?? "error \(code)"
        if code == MOSQ_ERR_TLS.rawValue {
            return MQTTFault(
                predicate:
                    "cannot be reached over TLS: its certificate is not trusted or names another host, or it speaks "
                    + "no TLS at this port (?ca=FILE names the certificates to trust)")
        }
        let lost = isAccepted ? "does not answer any more" : "cannot be reached"
        return MQTTFault(predicate: "\(lost): \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)")
    }

    // MARK: Connecting

    /// Begins to connect. Waits for the name server and the TCP connection. `self` must outlive the connection, which it owns.
    func connect() -> MQTTFault? {
        // libmosquitto passes this object to its callbacks, on this thread, only from calls below.
        library.userDataSet(client, Unmanaged.passUnretained(self).toOpaque())
        library.connectCallbackSet(client) { _, context, code in MQTTConnection.of(context)?.take(answer: code) }
        library.publishCallbackSet(client) { _, context, _ in MQTTConnection.of(context)?.confirmed += 1 }
        library.messageCallbackSet(client) { _, context, message in MQTTConnection.of(context)?.take(message) }
        library.subscribeCallbackSet(client) { _, context, _, count, granted in
            // SUBACK: 0x80 and above are refusals (MQTT 3.1.1, 3.9.3; MQTT 5, 3.9.3).
            guard count > 0, let granted, granted[0] >= 0x80 else { return }
            MQTTConnection.of(context)?.isSubscriptionRefused = true
        }
        return failure(library.connect(client, address.host, Int32(address.port), Self.keepaliveInSeconds))
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MQTTConnection? {
        context.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(answer code: Int32) {
        answer = code
        if code == 0, let topic = address.topic { _ = library.subscribe(client, nil, topic, Int32(address.qos)) }
    }

    private func take(_ message: UnsafePointer<mosquitto_message>?) {
        // A retained message is of some earlier time.
        guard let message = message?.pointee, !message.retain, message.payloadlen >= 0 else { return }
        receive([UInt8](UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))))
    }

    /// Whether the broker has accepted the connection.
    var isAccepted: Bool { answer == 0 }
    var hasUnwrittenBytes: Bool { library.wantWrite(client) }

    func takeConfirmed() -> Int {
        defer { confirmed = 0 }
        return confirmed
    }

    /// Passes on a message, which is confirmed later, whatever its quality of service.
    func publish(_ message: MQTTMessage) -> MQTTFault? {
        let code = library.publish(
            client, nil, message.topic, Int32(message.payload.utf8.count), message.payload, Int32(address.qos), true)
        // A broker may limit the size of packets. A message that is too large is not tried again.
        if code == MOSQ_ERR_OVERSIZE_PACKET.rawValue || code == MOSQ_ERR_PAYLOAD_SIZE.rawValue {
            confirmed += 1
            return nil
        }
        return failure(code)
    }

    /// Ends the connection in order: the broker does not publish the will.
    func disconnect() {
        _ = library.disconnect(client)
        for _ in 0..<100 where library.wantWrite(client) {
            var polled = pollfd(fd: library.socket(client), events: Int16(POLLOUT), revents: 0)
            guard poll(&polled, 1, 10) >= 0, library.loopWrite(client, 1) == MOSQ_ERR_SUCCESS.rawValue else { return }
        }
    }

    /// Waits for the network, for the wake-up, or until `deadline`; at most a second.
    func wait(wake: WakeUp, until deadline: ContinuousClock.Instant?) -> MQTTFault? {
        let socket = library.socket(client)
        guard socket >= 0 else { return ended }
        var now = ContinuousClock.now
        // During the TLS handshake, libmosquitto does not state what it waits for.
        let isNegotiating = address.usesTLS && answer == nil
        let next = min(deadline ?? now + .seconds(1), now + (isNegotiating ? .milliseconds(20) : .seconds(1)))
        let output = hasUnwrittenBytes && !isNegotiating ? Int16(POLLOUT) : 0
        var polled = [
            pollfd(fd: socket, events: Int16(POLLIN) | output, revents: 0),
            pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0),
        ]
        poll(&polled, nfds_t(polled.count), MQTTLinkThread.milliseconds(from: now, to: next))
        if polled[1].revents != 0 { wake.clear() }
        if polled[0].revents & ~Int16(POLLOUT) != 0 || isNegotiating, let fault = failure(library.loopRead(client, 1)) {
            return refusal ?? fault
        }
        if hasUnwrittenBytes, let fault = failure(library.loopWrite(client, 1)) { return refusal ?? fault }
        now = .now
        if now - lastChores >= .seconds(1) {
            lastChores = now
            if let fault = failure(library.loopMisc(client)) { return fault }
        }
        if let refusal { return refusal }
        if isSubscriptionRefused {
            return MQTTFault(
                predicate:
                    "refuses the topic \(address.topic ?? ""): this user may not read it. Change the broker's access list, or "
                    + "name another user as mqtt://USER@HOST")
        }
        if answer == nil, now - began > Self.patience {
            return MQTTFault(predicate: "accepts connections and does not answer: is it an MQTT broker?")
        }
        return nil
    }

    private var ended: MQTTFault {
        refusal ?? MQTTFault(predicate: isAccepted ? "has closed the connection" : "cannot be reached")
    }

    private var refusal: MQTTFault? {
        guard let answer, answer != 0 else { return nil }
        let text = address.version == .v5 ? library.reasonString(answer) : library.connackString(answer)
        let reason = text.map { String(cString: $0) } ?? "code \(answer)"
        // 3.1.1: 4 and 5; 5: 0x86 and 0x87 (the codes' names in the two standards).
        let isAboutUser = [4, 5, 0x86, 0x87].contains(answer)
        return MQTTFault(
            predicate: "refuses the connection: \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason)"
                + (isAboutUser ? " (name the user as mqtt://USER@HOST, and set HEALTHKIT_BROKER_PASSWORD)" : ""))
    }
}
#endif
