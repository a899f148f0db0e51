import Testing

@testable import Brokers

@Suite struct HeartRatePayloadTests {
    @Test(arguments: [
        ("142", 142.0), (" 61.5\n", 61.5), ("0", 0), ("", nil), ("None", nil), ("nan", nil), ("142 bpm", nil),
    ])
    func `a number is a heart rate`(text: String, heartRate: Double?) {
        #expect(HeartRatePayload(path: nil).heartRate(in: Array(text.utf8)) == heartRate)
    }

    @Test(arguments: [
        ("heartRate", 142.0), ("sensor.values.1", 61), ("sensor.text", 99), ("sensor.values.2", nil),
        ("sensor.values.-1", nil), ("sensor.flag", nil), ("sensor", nil), ("nothing.at.all", nil),
    ])
    func `a path selects a heart rate in JSON`(path: String, heartRate: Double?) {
        let json = #"{"heartRate":142,"sensor":{"values":[60,61],"flag":true,"text":"99"}}"#
        #expect(HeartRatePayload(path: path).heartRate(in: Array(json.utf8)) == heartRate)
    }

    @Test func `truncated or corrupted bytes give a number or nothing`() {
        let json = Array(#"{"a":{"b":[1,{"c":142.5}]}}"#.utf8)
        let payload = HeartRatePayload(path: "a.b.1.c")
        #expect(payload.heartRate(in: json) == 142.5)
        for end in 0..<json.count { #expect(payload.heartRate(in: Array(json[..<end])) == nil) }
        for place in json.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = json
                changed[place] = byte
                if let value = payload.heartRate(in: changed) { #expect(value.isFinite) }
            }
        }
        #expect(payload.heartRate(in: [UInt8](repeating: UInt8(ascii: "["), count: 60_000)) == nil)
        #expect(HeartRatePayload(path: nil).heartRate(in: [UInt8](repeating: 0x31, count: 100_000)) == nil)
    }
}
