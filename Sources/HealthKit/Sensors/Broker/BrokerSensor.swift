import Brokers
package import Engine
import SessionLog

/// Heart rates from a topic of an MQTT broker. The session also runs without the broker.
package struct BrokerSensor: Sensor {
    package let pace = SessionTimeline.Pace.wall
    package let fixedStart: Date? = nil

    private let address: BrokerAddress
    private let payload: HeartRatePayload
    private let warn: @Sendable (String) -> Void

    init(_ address: BrokerAddress, warn: @escaping @Sendable (String) -> Void) {
        self.address = address
        self.warn = warn
        payload = HeartRatePayload(path: address.path)
    }

    package func batches(from start: Date, time: any TimeSource) -> LiveBatches {
        LiveBatches { take in await run(from: start, time: time, take) }
    }

    private enum Event: Sendable {
        case message(Double?, Date)
        case silence(Date)
    }

    private func run(
        from start: Date, time: any TimeSource, _ take: @escaping @Sendable ([SessionEntry]) -> Void
    ) async {
        let topic = address.topic ?? ""
        var rates = ReceivedHeartRates(id: "\(address.host)/\(topic)", name: topic)
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1000))
        take(rates.begin(at: start))
        let link: MQTTLink
        do {
            link = try MQTTLink(
                address, receive: { [payload] in continuation.yield(.message(payload.heartRate(in: $0), time.now())) },
                report: { [warn] in if case .failed(let sentence) = $0 { warn(sentence) } })
        } catch {
            warn(error.description)
            return
        }
        var watch: Task<Void, Never>?
        for await event in events {
            let batch =
                switch event {
                case .message(let heartRate, let date): rates.receive(heartRate, at: date)
                case .silence(let date): rates.silentAt.map { $0 <= date } == true ? rates.becameSilent() : []
                }
            if !batch.isEmpty { take(batch) }
            watch?.cancel()
            watch = rates.silentAt.map { due in
                Task {
                    guard (try? await time.sleep(until: due)) != nil else { return }
                    continuation.yield(.silence(due))
                }
            }
        }
        watch?.cancel()
        _ = await link.close(within: .seconds(1))
    }
}

extension HealthEnvironment {
    /// - Throws: `HKError` for an unusable address or password, and in a program without brokers.
    func makeBrokerSensor(_ text: String, warn: (@Sendable (String) -> Void)?) throws -> any Sensor {
        let address = try publishing.get().sensor(text)
        return BrokerSensor(address) { [notices] sentence in
            if let warn { return warn(sentence) }
            notices.notify(.sensorsFailed, "The session gets no heart rates. \(sentence)")
        }
    }
}
