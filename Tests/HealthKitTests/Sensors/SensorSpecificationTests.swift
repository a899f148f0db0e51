import Engine
import Foundation
import HealthKit
import SessionLog
import Testing

@Suite struct SensorSpecificationTests {
    @Test func `a session has the named sensors or the environment's, and one replay at most`() throws {
        let environment = HealthEnvironment(sensors: [.simulate()])
        let activity = ActivityDescription(activity: "running")
        let (one, other) = (
            SensorSpecification.bluetooth(address: "C0:DE:00:00:00:01"),
            SensorSpecification.bluetooth(address: "C0:DE:00:00:00:02")
        )
        #expect(try environment.makeSensors(for: activity).map { $0 is ReplaySensor } == [true])
        #expect(try environment.makeSensors([one], for: activity).map { $0 is BluetoothSensor } == [true])
        let both = try environment.makeSensors([one, .simulate(), other], for: activity)
        #expect(both.count == 2 && both[0] is ReplaySensor && both[1] is SensorGroup)
        #expect(throws: HKError.self) { try environment.makeSensors([.simulate(), .simulate(seed: 2)], for: activity) }
        #expect(throws: HKError.self) { try environment.makeSensors([.bluetooth(address: "strap")], for: activity) }
    }

    @Test func `a replay names a file, a speed and whether dates are kept`() throws {
        #expect(try SensorSpecification.list("replay:a.fit") == [.replay(URL(fileURLWithPath: "a.fit"))])
        #expect(
            try SensorSpecification.list("replay:/r/a%2Cb.fit?speed=max&keep-dates=1")
                == [.replay(URL(fileURLWithPath: "/r/a,b.fit"), speed: .infinity, keepsDates: true)])
    }

    @Test func `a simulation has a profile, a seed and a speed`() throws {
        #expect(try SensorSpecification.list("simulate") == [.simulate()])
        #expect(try SensorSpecification.list("simulate?seed=7") == [.simulate(seed: 7)])
        #expect(
            try SensorSpecification.list("simulate:intervals?seed=7&speed=60&duration=90")
                == [.simulate(profile: "intervals", seed: 7, speed: 60, durationInSeconds: 90)])
    }

    @Test func `several sensors are separated by commas, and an empty list is valid`() throws {
        #expect(
            try SensorSpecification.list("ble:aa:bb:cc:dd:ee:ff, simulate")
                == [.bluetooth(address: "AA:BB:CC:DD:EE:FF"), .simulate()])
        #expect(try SensorSpecification.list("none") == [])
        #expect(try SensorSpecification.list("") == [])
    }

    @Test(arguments: [
        "strap", "replay:", "replay:a?speed=0", "replay:a?speed=-1", "replay:a?speed=nan", "replay:a?sped=2", "ble:1",
        "simulate?seed=x", "simulate?duration=0",
    ])
    func `an invalid specification is rejected with the wrong part`(text: String) throws {
        let error = try #require(throws: HKError.self) { try SensorSpecification.list(text) }
        #expect(error.code == .errorInvalidArgument)
        #expect(error.localizedDescription.contains("'\(text)'"))
    }
}
