import SessionLog

/// A session's figures as messages. Pure: figures and time in, messages out.
///
/// A topic gets a message when its value changes, at most once a second. The JSON is also sent again after a while
/// without changes, so that readers can tell a quiet session from a lost one.
package struct SessionMessages: Sendable {
    /// The shortest time between two messages of a topic.
    package static let interval = Duration.seconds(1)
    /// The longest time between two messages of the JSON.
    package static let longestSilence = Duration.seconds(20)

    package let topics: SessionTopics
    private let discovery: HomeAssistantDiscovery?
    private var sent: [String: (payload: String, at: Duration)] = [:]
    /// The discovery messages and their devices, which rarely change.
    private var described: (devices: [String: DeviceDescription], messages: [MQTTMessage])?
    /// When ``messages(for:at:)`` returns messages even if no figure changes. Nil if only after a change.
    package private(set) var due: Duration?

    /// - Parameter discovery: Nil for no discovery.
    package init(_ topics: SessionTopics, discovery: HomeAssistantDiscovery?) {
        self.topics = topics
        self.discovery = discovery
    }

    /// The last will, which the broker publishes when it loses the session.
    package var will: MQTTMessage { MQTTMessage(topics.availability, SessionTopics.offline) }

    /// Returns the messages to be sent at `now`, which never goes back.
    package mutating func messages(for figures: SessionFigures, at now: Duration) -> [MQTTMessage] {
        due = nil
        describe(figures)
        var messages: [MQTTMessage] = []
        for message in wanted(figures) {
            if let last = sent[message.topic] {
                let isRefresh = message.topic == topics.session
                let earliest = last.at + (message.payload == last.payload ? Self.longestSilence : Self.interval)
                if message.payload == last.payload, !isRefresh { continue }
                if now < earliest {
                    due = min(due ?? earliest, earliest)
                    continue
                }
            }
            sent[message.topic] = (message.payload, now)
            messages.append(message)
        }
        return messages
    }

    /// The last messages of a session: its final figures, empty present values, and its end.
    package mutating func finalMessages(for figures: SessionFigures, at now: Duration) -> [MQTTMessage] {
        var last = figures
        last.heartRateInBeatsPerMinute = nil
        last.zone = nil
        last.powerInWatts = nil
        last.paceInSecondsPerKilometer = nil
        last.speedInMetersPerSecond = nil
        last.cadencePerMinute = nil
        due = nil
        let messages = wanted(last).filter { sent[$0.topic]?.payload != $0.payload && $0.topic != topics.availability }
        return messages + [will]
    }

    private mutating func describe(_ figures: SessionFigures) {
        guard let discovery else { return }
        let devices = Dictionary(figures.sensors.map { ($0.id, $0.device) }) { _, last in last }
        if described?.devices == devices { return }
        described = (devices, discovery.messages(for: figures, topics))
    }

    private func wanted(_ figures: SessionFigures) -> [MQTTMessage] {
        var messages = [MQTTMessage(topics.availability, SessionTopics.online)]
        messages += described?.messages ?? []
        let json = SessionJSON(figures)
        func add(_ topic: String, _ value: Double?) { messages.append(MQTTMessage(topic, Self.text(value))) }
        messages.append(MQTTMessage(topics.state, figures.phase.rawValue))
        add(topics.heartRate, json.heartRate)
        add(topics.zone, json.zone.map(Double.init))
        add(topics.power, json.power)
        add(topics.pace, json.pace)
        add(topics.battery, figures.batteryPercent.map(Double.init))
        add(topics.elapsed, json.elapsed)
        if let text = json.jsonPayload { messages.append(MQTTMessage(topics.session, text)) }
        return messages
    }

    /// A number that people and microcontrollers can read: `142`, `142.5`. Empty without one.
    private static func text(_ value: Double?) -> String {
        guard let value else { return "" }
        return value == value.rounded() ? String(Int(value)) : String(value)
    }
}
