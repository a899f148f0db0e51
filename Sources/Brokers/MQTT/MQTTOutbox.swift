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

/// The messages that a broker should have: the latest of each topic. Pure.
///
/// A message that a slow or absent broker has not taken is replaced by the next one of its topic, so that the outbox never grows, and a
/// broker that comes back gets the present values. All of them: it may have lost what it had retained.
struct MQTTOutbox: Sendable {
    /// How many messages may be on the way to the broker at once.
    static let window = 32

    private var latest: [String: String] = [:]
    /// The topics in the order in which they first had a message.
    private var order: [String] = []
    private var pending: Set<String> = []
    /// How many messages were taken and are not confirmed.
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

    /// Whether the broker has everything.
    var isDelivered: Bool { isConnected && pending.isEmpty && unconfirmed == 0 }

    /// Takes the next message to send. Nil if there is none, or too many are on their way.
    mutating func next() -> MQTTMessage? {
        guard isConnected, unconfirmed < Self.window, !pending.isEmpty,
            let topic = order.first(where: pending.contains), let payload = latest[topic]
        else { return nil }
        pending.remove(topic)
        unconfirmed += 1
        return MQTTMessage(topic, payload)
    }
}

/// The delays between attempts to reach a broker: 1 s, then twice as long each time, up to 30 s. A connection that was made begins anew.
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
