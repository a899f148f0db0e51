import Foundation
import GATT
import Testing

@testable import Bluetooth

struct BroadcastFaultTests {
    private func plan(_ json: String) throws -> BroadcastFaultPlan { try BroadcastFaultPlan(json: Data(json.utf8)) }

    @Test func `a file states what happens when`() throws {
        var faults = BroadcastFaults(
            try plan(
                """
                {"faults": [{"at": 40, "fault": "mute", "seconds": 10}, {"at": 30, "fault": "disconnect"},
                            {"at": 60, "fault": "bytes", "hex": "16 ff"}, {"at": 61, "fault": "name", "name": "Other"}]}
                """))
        #expect(faults.deadline == .seconds(30))
        #expect(faults.due(at: .seconds(29)).isEmpty)
        #expect(faults.due(at: .seconds(30)).map(\.fault) == [.disconnect])
        #expect(faults.due(at: .seconds(41)).map(\.fault) == [.mute(.seconds(10))])
        let value = BroadcastState.Notification(.heartRateMeasurement, [0, 60])
        #expect(faults.apply(to: [value], at: .seconds(45)).isEmpty)
        #expect(faults.apply(to: [value], at: .seconds(52)) == [value])
        let rest = faults.due(at: .seconds(100))
        #expect(rest.map(\.action) == [.send(.init(.heartRateMeasurement, [0x16, 0xFF])), .rename("Other")])
        #expect(faults.deadline == nil)
    }

    @Test func `pairing is refused for some seconds, or until the end`() throws {
        var faults = BroadcastFaults(
            try plan(
                #"{"faults": [{"at": 5, "fault": "pairing", "seconds": 10}, {"at": 20, "fault": "pairing"}]}"#))
        #expect(faults.due(at: .seconds(5)).map(\.action) == [.demandPairing(true)])
        #expect(faults.deadline == .seconds(15))
        let end = faults.due(at: .seconds(15))
        #expect(end.map(\.action) == [.demandPairing(false)])
        #expect(end.map(\.fault) == [nil])
        #expect(faults.due(at: .seconds(20)).map(\.fault) == [.refusePairing(nil)])
        #expect(faults.deadline == nil)
    }

    @Test func `without contact the heart rate is 0, and other values stay`() throws {
        var faults = BroadcastFaults(try plan(#"{"faults": [{"at": 0, "fault": "contact", "seconds": 5}]}"#))
        _ = faults.due(at: .zero)
        let power = BroadcastState.Notification(.cyclingPowerMeasurement, [0, 0, 1, 0])
        let sent = faults.apply(to: [.init(.heartRateMeasurement, [6, 75]), power], at: .seconds(1))
        #expect(sent == [.init(.heartRateMeasurement, [4, 0]), power])
    }

    @Test func `the same seed gives the same faults at the same times`() throws {
        func faults(_ seed: Int) throws -> [String] {
            var faults = BroadcastFaults(
                try plan(
                    """
                    {"seed": \(seed), "random": {"every": 20, "faults": [{"fault": "impossible"}, {"fault": "large"},
                                                                         {"fault": "battery", "percent": 5}]}}
                    """))
            var all: [String] = []
            while let due = faults.deadline, due < .seconds(1000) {
                all += faults.due(at: due).map { "\(due) \($0.fault?.name ?? "")" }
            }
            return all
        }
        let first = try faults(1)
        #expect(try faults(1) == first)
        #expect(try faults(2) != first)
        #expect((35...70).contains(first.count))
        #expect(Set(first.map { $0.split(separator: " ").last }) == ["impossible", "large", "battery"])
    }

    @Test(arguments: [
        ("", "not a JSON object"), ("[]", "wrong type"), ("{}", "no faults"), (#"{"faults": []}"#, "no faults"),
        (#"{"faults": [{"at": "x", "fault": "mute"}]}"#, "faults 1 at"),
        (#"{"faults": [{"at": -1, "fault": "disconnect"}]}"#, "needs \"at\""),
        (#"{"faults": [{"at": 1, "fault": "mute"}]}"#, "needs \"seconds\""),
        (#"{"faults": [{"at": 1, "fault": "explode"}]}"#, "the kinds are"),
        (#"{"faults": [{"at": 1, "fault": "bytes", "hex": "123"}]}"#, "needs \"hex\""),
        (#"{"random": {"every": 0, "faults": [{"fault": "disconnect"}]}}"#, "\"every\""),
    ])
    func `a mistake in a file is named with its position`(json: String, words: String) {
        let error = #expect(throws: BroadcastFaultError.self) { try plan(json) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
}
