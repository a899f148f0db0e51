package import Brokers
package import Engine
package import SessionLog

/// A publisher of a session.
package protocol SessionPublishing: SessionLogSink {
    /// Waits until the broker has received the end of a session, at most for `limit`. Returns whether it has.
    func finish(within limit: Duration) async -> Bool
    /// Keeps the part that a broker did not receive, if it needs everything. Returns whether it was kept.
    func keep(in logs: UnpublishedLogs) async throws -> Bool
}

extension SessionPublishing {
    package func keep(in logs: UnpublishedLogs) async throws -> Bool { false }

    /// Waits for the broker, or keeps the part that it did not receive. Returns a sentence about that.
    package func finish(within limit: Duration, _ environment: HealthEnvironment, broker: String) async -> String? {
        guard await !finish(within: limit) else { return nil }
        let sentence = "\(broker) did not receive the end of the session"
        guard let logs = UnpublishedLogs(environment) else { return sentence }
        do {
            return try await keep(in: logs) ? sentence + "; 'workout recover' sends the rest" : sentence
        } catch {
            return sentence + ", and the rest could not be kept: \(HealthEnvironment.sentence(error))"
        }
    }
}

/// Publishes the figures of a session to an MQTT broker. It reads the session's state after each entry of the log.
///
/// It never delays the session: the recorder only signals, and the link's own thread waits for the network.
package final class SessionPublisher: SessionPublishing {
    /// Entries within this time are handled together.
    private static let shortestInterval = Duration.milliseconds(100)
    /// The interval of the clock while nothing else changes.
    private static let tick = Duration.seconds(1)

    private let link: MQTTLink
    private let changes: AsyncStream<Void>.Continuation
    private let work: Task<Void, Never>

    /// - Parameters:
    ///   - machine: The name of this machine, for topics without another prefix and for people.
    ///   - athlete: The person of the session, if this machine runs several: the last level of the prefix, and the
    ///     displayed name.
    ///   - report: Called when the broker cannot be reached and when it can again, on a thread of the link.
    /// - Throws: ``BrokerError`` if this program or this machine cannot use brokers at all.
    package init(
        _ recorder: WorkoutRecorder, to broker: BrokerAddress, machine: String, athlete: String? = nil,
        report: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError) {
        var topics = broker.prefix.map(SessionTopics.init(prefix:)) ?? SessionTopics(ofMachine: machine)
        if let athlete { topics = topics.of(athlete: athlete) }
        let discovery = broker.discoveryPrefix.map { HomeAssistantDiscovery(prefix: $0, machine: athlete ?? machine) }
        let messages = SessionMessages(topics, discovery: discovery)
        let link = try MQTTLink(broker, will: messages.will, report: report)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.link = link
        changes = continuation
        let figures: @Sendable () -> SessionFigures? = { [weak recorder] in
            guard let recorder else { return nil }
            let now = recorder.now
            return recorder.state.figures(recorder.id, at: now, pulse: recorder.pulseInPause)
        }
        work = Task { await Self.publish(messages, on: link, changes: stream, continuation, figures) }
        continuation.yield()
    }

    deinit { changes.finish() }

    package func append(_ entry: SessionEntry) { changes.yield() }
    package func beginAnew() { changes.yield() }

    package func finish(within limit: Duration) async -> Bool {
        await work.value
        return await link.close(within: limit)
    }

    /// Runs until the session has ended or is released.
    private static func publish(
        _ messages: SessionMessages, on link: MQTTLink, changes: AsyncStream<Void>,
        _ continuation: AsyncStream<Void>.Continuation, _ figures: @Sendable () -> SessionFigures?
    ) async {
        var messages = messages
        let began = ContinuousClock.now
        var alarm: Task<Void, Never>?
        for await _ in changes {
            guard let present = figures() else { break }
            let now = ContinuousClock.now - began
            if present.phase == .ended {
                link.publish(messages.finalMessages(for: present, at: now))
                break
            }
            link.publish(messages.messages(for: present, at: now))
            let wait = max(min(messages.due ?? now + tick, now + tick) - now, .milliseconds(1))
            alarm?.cancel()
            alarm = Task {
                guard (try? await Task.sleep(for: wait)) != nil else { return }
                continuation.yield()
            }
            // A reading just before the end of its second is published right after it.
            try? await Task.sleep(for: min(wait, shortestInterval))
        }
        alarm?.cancel()
    }
}

extension WorkoutRecorder {
    /// The publisher of an app's session.
    package var publishers: [any SessionPublishing] { sinks.compactMap { $0 as? any SessionPublishing } }
}

extension HealthEnvironment {
    /// The name of this machine in topics.
    package static var machineName: String {
        let name = ProcessInfo.processInfo.hostName
        return name.split(separator: ".").first.map(String.init) ?? "workout"
    }

    /// Starts to publish a session.
    /// - Throws: ``BrokerError`` if this program or this machine cannot use brokers at all.
    package func publisher(
        _ recorder: WorkoutRecorder, to broker: PublishSettings.Broker, _ settings: PublishSettings,
        report: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError) -> any SessionPublishing {
        switch broker {
        case .figures(let address):
            try SessionPublisher(
                recorder, to: address, machine: Self.machineName, athlete: settings.athlete, report: report)
        case .log(let address): StreamPublisher(recorder, to: address, person: settings.person, report: report)
        }
    }

    /// Publishes a session of an app to the configured brokers. A session is more important than its brokers, so errors
    /// of publishing are printed.
    func publish(_ recorder: WorkoutRecorder) {
        do {
            let settings = try publishing.get()
            for broker in settings.brokers {
                let publisher = try publisher(recorder, to: broker, settings) { [notices] event in
                    if case .failed(let sentence) = event {
                        notices.notify(.publishing, "The session is not published. \(sentence)")
                    }
                }
                recorder.enqueue { $0.add(publisher) }
            }
        } catch {
            notices.notify(.publishing, "The session is not published. \(Self.sentence(error))")
        }
    }
}
