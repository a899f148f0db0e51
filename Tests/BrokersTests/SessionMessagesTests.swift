import Foundation
import SessionLog
import Testing

@testable import Brokers

@Suite struct SessionMessagesTests {
    private let topics = SessionTopics(prefix: "gym/1")

    private var figures: SessionFigures {
        var figures = SessionFigures(
            id: UUID.ofUnnamedWorkout, activity: "running", phase: .running, elapsedInSeconds: 61.4,
            durationInSeconds: 60,
            sensors: [
                SensorStatus(
                    id: "AA:BB", kind: .bluetooth, presence: .present, device: DeviceDescription(name: "Strap"),
                    batteryPercent: 80)
            ])
        figures.heartRateInBeatsPerMinute = 142
        figures.heartRateSensor = "AA:BB"
        figures.zone = 3
        return figures
    }

    private func payloads(_ messages: [MQTTMessage]) -> [String: String] {
        Dictionary(messages.map { ($0.topic, $0.payload) }) { first, _ in first }
    }

    @Test func `the first messages are complete, and remove values of an earlier session`() {
        var encoder = SessionMessages(topics, discovery: nil)
        let first = payloads(encoder.messages(for: figures, at: .zero))
        #expect(first["gym/1/availability"] == "online")
        #expect(first["gym/1/state"] == "running")
        #expect(first["gym/1/heart-rate"] == "142")
        #expect(first["gym/1/zone"] == "3")
        #expect(first["gym/1/battery"] == "80")
        #expect(first["gym/1/elapsed"] == "61")
        #expect(first["gym/1/power"] == "" && first["gym/1/pace"] == "")
        #expect(
            first["gym/1/session"] == """
                {"activity":"running","duration":60,"elapsed":61,"heartRate":142,\
                "id":"00000000-0000-0000-0000-000000000000",\
                "sensors":{"aa_bb":{"battery":80,"heartRate":142,"name":"Strap","state":"present"}},"state":"running",\
                "version":1,"zone":3}
                """)
        #expect(first.count == 9)
    }

    @Test func `a topic gets a message when its value changes, at most once a second`() {
        var encoder = SessionMessages(topics, discovery: nil)
        var figures = figures
        _ = encoder.messages(for: figures, at: .zero)
        #expect(encoder.messages(for: figures, at: .milliseconds(500)).isEmpty)
        figures.heartRateInBeatsPerMinute = 143
        #expect(encoder.messages(for: figures, at: .milliseconds(600)).isEmpty)
        #expect(encoder.due == .seconds(1))
        figures.phase = .paused
        figures.heartRateInBeatsPerMinute = 144
        let later = payloads(encoder.messages(for: figures, at: .seconds(1)))
        #expect(Set(later.keys) == ["gym/1/heart-rate", "gym/1/state", "gym/1/session"])
        #expect(later["gym/1/heart-rate"] == "144")
    }

    @Test func `no topic gets two messages within a second`() {
        var encoder = SessionMessages(topics, discovery: HomeAssistantDiscovery(prefix: "ha", machine: "m"))
        var figures = figures
        var last: [String: Duration] = [:]
        for step in 0..<2_000 {
            let now = Duration.milliseconds(step * 37)
            figures.heartRateInBeatsPerMinute = Double(100 + step % 90)
            figures.elapsedInSeconds = Double(step) / 3
            figures.phase = step % 50 < 25 ? .running : .paused
            for message in encoder.messages(for: figures, at: now) {
                if let before = last[message.topic] { #expect(now - before >= .seconds(1), "\(message.topic)") }
                last[message.topic] = now
            }
        }
        #expect(last.count > 15)
    }

    @Test func `a lost heart rate is removed`() {
        var encoder = SessionMessages(topics, discovery: nil)
        var figures = figures
        _ = encoder.messages(for: figures, at: .zero)
        figures.heartRateInBeatsPerMinute = nil
        figures.zone = nil
        let later = payloads(encoder.messages(for: figures, at: .seconds(2)))
        #expect(later["gym/1/heart-rate"] == "" && later["gym/1/zone"] == "")
        #expect(later["gym/1/session"]?.contains("heartRate") == false)
    }

    @Test func `an idle session repeats its JSON`() {
        var encoder = SessionMessages(topics, discovery: nil)
        _ = encoder.messages(for: figures, at: .zero)
        #expect(encoder.messages(for: figures, at: .seconds(19)).isEmpty)
        #expect(encoder.due == .seconds(20))
        #expect(encoder.messages(for: figures, at: .seconds(20)).map(\.topic) == ["gym/1/session"])
    }

    @Test func `the end leaves the final figures without current values, and offline comes last`() {
        var encoder = SessionMessages(topics, discovery: nil)
        var figures = figures
        _ = encoder.messages(for: figures, at: .zero)
        figures.phase = .ended
        let last = encoder.finalMessages(for: figures, at: .milliseconds(10))
        #expect(last.last == MQTTMessage("gym/1/availability", "offline"))
        #expect(last.last == encoder.will)
        let values = payloads(last)
        #expect(values["gym/1/state"] == "ended" && values["gym/1/heart-rate"] == "")
        #expect(values["gym/1/session"]?.contains(#""state":"ended""#) == true)
    }

    @Test func `numbers that JSON cannot represent are left out`() {
        var encoder = SessionMessages(topics, discovery: nil)
        var figures = figures
        figures.heartRateInBeatsPerMinute = .nan
        figures.powerInWatts = .infinity
        figures.distanceInMeters = 1e300
        figures.elapsedInSeconds = -.infinity
        let values = payloads(encoder.messages(for: figures, at: .zero))
        #expect(values["gym/1/heart-rate"] == "" && values["gym/1/power"] == "" && values["gym/1/elapsed"] == "0")
        #expect(values["gym/1/session"]?.contains("distance") == false)
    }

    @Test func `names become single levels of topics`() {
        #expect(SessionTopics(ofMachine: "Anna's laptop/+#").heartRate == "workout/anna_s_laptop___/heart-rate")
        #expect(SessionTopics(ofMachine: "").prefix == "workout/_")
    }
}
