import Foundation
import Testing

@testable import Brokers

/// A link and a real mosquitto. Skipped without mosquitto, and in a build without the package trait.
@Suite(
    .enabled(if: Mosquitto.isUsable, "needs the trait Brokers, and mosquitto: apt-get install mosquitto"),
    .timeLimit(.minutes(10)))
struct MQTTLinkTests {
    @Test(arguments: ["?qos=0", "?qos=1", "?qos=2&version=5"])
    func `messages arrive in order, and the link closes when the broker has them`(options: String) async throws {
        let broker = try Mosquitto()
        defer { broker.stop() }
        let (messages, arrival) = AsyncStream.makeStream(of: String.self)
        let reader = try MQTTLink(
            BrokerAddress(sensor: "mqtt://127.0.0.1:\(broker.port)?topic=t/value&qos=2"),
            receive: { arrival.yield(String(decoding: $0, as: UTF8.self)) })
        let link = try MQTTLink(
            BrokerAddress(publishing: "mqtt://127.0.0.1:\(broker.port)\(options)"),
            will: MQTTMessage("t/value", "lost"))
        // The reader may subscribe late and miss the first values.
        var received: [Int] = []
        var iterator = messages.makeAsyncIterator()
        let publishing = Task {
            var sent = 0
            while !Task.isCancelled {
                sent += 1
                link.publish([MQTTMessage("t/value", "\(sent)")])
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        while received.count < 10, let next = await iterator.next() { received.append(try #require(Int(next))) }
        publishing.cancel()
        _ = await publishing.result
        #expect(received == received.sorted())
        link.publish([MQTTMessage("t/value", "end")])
        #expect(await link.close(within: .seconds(10)))
        while let next = await iterator.next() {
            if next == "end" { break }
            #expect(next != "lost")
        }
        #expect(await reader.close(within: .seconds(10)))
    }

    @Test func `a link without a broker closes in time, and reports once why it is not connected`() async throws {
        let broker = try Mosquitto()
        broker.stop()
        let (failures, failure) = AsyncStream.makeStream(of: BrokerEvent.self)
        let link = try MQTTLink(
            BrokerAddress(publishing: "mqtt://127.0.0.1:\(broker.port)"), report: { failure.yield($0) })
        link.publish([MQTTMessage("t", "1")])
        var iterator = failures.makeAsyncIterator()
        let address = "mqtt://127.0.0.1:\(broker.port)"
        #expect(
            await iterator.next()
                == .failed("\(address) cannot be reached: Connection refused. Trying again."))
        #expect(await !link.close(within: .milliseconds(200)))
    }
}

/// A broker on a free port.
private final class Mosquitto {
    static let isUsable: Bool = {
        guard FileManager.default.isExecutableFile(atPath: path) else { return false }
        do {
            _ = try MQTTLink(BrokerAddress(publishing: "mqtt://127.0.0.1:1"))
            return true
        } catch {
            return false
        }
    }()
    private static let path = "/usr/sbin/mosquitto"

    let port = Int.random(in: 20_000...32_000)
    private let process = Process()

    init() throws {
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = ["-p", "\(port)"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
