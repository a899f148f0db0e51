import Foundation
import HealthKit
import Testing

@testable import workout

@Suite struct BroadcastFromTests {
    @Test func `a broker's address means another machine's readings`() throws {
        let topic = "mqtt://broker.local?topic=gym/heartrate"
        #expect(try BroadcastFrom.published(topic) == .mqtt(address: topic))
        #expect(try BroadcastFrom.published("nats://h1,h2:4223/gym") == .nats(address: "nats://h1,h2:4223/gym"))
        for sensor in ["Polar H10", "C0:DE:00:00:00:01", "ant:hr:25170"] {
            #expect(try BroadcastFrom.published(sensor) == nil)
        }
    }

    @Test(arguments: ["mqtt://broker.local", "http://broker.local", "replay://x", "mqtt://"])
    func `another address is rejected`(text: String) {
        #expect(throws: (any Error).self) { try BroadcastFrom.published(text) }
    }
}
