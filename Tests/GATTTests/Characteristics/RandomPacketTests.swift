import Foundation
import GATT
import TestBytes
import Testing

struct RandomPacketTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `no bytes trap a decoder or its users`(_ seed: UInt64) {
        var random = SeededBytes(state: seed)
        var wheel = WheelOdometer()
        var powerWheel = WheelOdometer(ticksPerSecond: CyclingPowerMeasurement.wheelTicksPerSecond)
        var cadence = CrankCadence()
        var odometer = RunningOdometer()
        var now = 0.0
        for _ in 0..<2_000 {
            let length = Int.random(in: 0...(Bool.random(using: &random) ? 24 : 512), using: &random)
            let packet = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            now += Double.random(in: -1...40, using: &random)
            _ = HeartRateMeasurement(packet)
            _ = BatteryLevel(packet)
            _ = BodySensorLocation(packet)
            _ = DeviceInformation.text(packet)
            if let running = RunningSpeedCadenceMeasurement(packet) {
                let meters = odometer.add(running, at: second(now))
                #expect(meters.map { $0 >= 0 && $0 < 1000 } ?? true)
            }
            if let cycling = CyclingSpeedCadenceMeasurement(packet) {
                let motion = cycling.wheel.flatMap { wheel.add($0, at: second(now)) }
                #expect(motion?.speedInMetersPerSecond.map { $0 >= 0 && $0 < 27.8 } ?? true)
                let turns = cycling.crank.flatMap { cadence.add($0, at: second(now)) }
                #expect(turns.map { $0 >= 0 && $0 <= 250 } ?? true)
            }
            if let power = CyclingPowerMeasurement(packet) {
                let motion = power.wheel.flatMap { powerWheel.add($0, at: second(now)) }
                #expect(motion.map { $0.distanceInMeters >= 0 && $0.distanceInMeters < 2000 } ?? true)
            }
        }
    }
}
