/// A message to a topic. All are retained, so that whoever subscribes later gets the present values at once.
package struct MQTTMessage: Sendable, Equatable {
    package var topic: String
    /// UTF-8. An empty payload removes the topic's retained value.
    package var payload: String

    package init(_ topic: String, _ payload: String) {
        self.topic = topic
        self.payload = payload
    }
}

/// The messages to be sent to a broker: the latest of each topic. Pure.
///
/// The next message of a topic replaces one that a slow or absent broker has not received, so that the outbox never
/// grows. A broker that comes back gets the present values of all topics, because it may have lost its retained
/// messages.
struct MQTTOutbox: Sendable {
    /// The most unconfirmed messages at a time.
    static let window = 32

    private var latest: [String: String] = [:]
    /// The topics in order of their first messages.
    private var order: [String] = []
    private var pending: Set<String> = []
    /// The number of sent and unconfirmed messages.
    private(set) var unconfirmed = 0
    private var isConnected = false

    mutating func put(_ message: MQTTMessage) {
        if latest.updateValue(message.payload, forKey: message.topic) == nil { order.append(message.topic) }
        pending.insert(message.topic)
    }

    mutating func connected() {
        isConnected = true
        unconfirmed = 0
        pending = Set(order)
    }

    mutating func disconnected() { isConnected = false }

    mutating func confirmed() { unconfirmed = max(0, unconfirmed - 1) }

    /// Whether the broker has received everything.
    var isDelivered: Bool { isConnected && pending.isEmpty && unconfirmed == 0 }

    /// Removes and returns the next message to send. Nil if there is none, or too many are unconfirmed.
    mutating func next() -> MQTTMessage? {
        guard isConnected, unconfirmed < Self.window, !pending.isEmpty,
            let topic = order.first(where: pending.contains), let payload = latest[topic]
        else { return nil }
        pending.remove(topic)
        unconfirmed += 1
        return MQTTMessage(topic, payload)
    }
}

/// The delays between attempts to reach a broker: 1 s, then twice as long each time, up to 30 s. A successful
/// connection resets them.
package struct BackoffDelays: Sendable {
    private static let longest = Duration.seconds(30)
    private var upcoming = Duration.seconds(1)

    package init() {}

    package mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, Self.longest) }
        return upcoming
    }

    package mutating func connected() { self = BackoffDelays() }
}
