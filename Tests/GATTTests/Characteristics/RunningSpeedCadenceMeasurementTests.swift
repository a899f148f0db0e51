import Foundation
import GATT
import TestBytes
import Testing

struct RunningSpeedCadenceMeasurementTests {
    @Test func `a pod that counts distance is decoded`() throws {
        let measurement = try #require(RunningSpeedCadenceMeasurement(hexBytes("02 00 05 50 ff ff 00 01")))
        #expect(measurement.speedInMetersPerSecond == 5)
        #expect(measurement.cadencePerMinute == 80)
        #expect(measurement.totalDistanceInDecimeters == 16_842_751)
        #expect(measurement.strideLengthInMeters == nil)
        #expect(!measurement.isRunning)
    }

    @Test func `a pod that knows the stride is decoded`() throws {
        let measurement = try #require(RunningSpeedCadenceMeasurement(hexBytes("07 80 02 aa 64 00 10 27 00 00")))
        #expect(measurement.speedInMetersPerSecond == 2.5)
        #expect(measurement.cadencePerMinute == 170)
        #expect(measurement.strideLengthInMeters == 1)
        #expect(measurement.totalDistanceInDecimeters == 10000)
        #expect(measurement.isRunning)
    }

    @Test func `standing still is decoded`() throws {
        let measurement = try #require(RunningSpeedCadenceMeasurement(hexBytes("00 00 00 00")))
        #expect(measurement.speedInMetersPerSecond == 0)
        #expect(measurement.cadencePerMinute == 0)
        #expect(!measurement.isCut)
    }

    @Test(arguments: 0..<10)
    func `a truncated packet keeps its complete fields`(_ length: Int) {
        let measurement = RunningSpeedCadenceMeasurement(hexBytes("07 80 02 aa 64 00 10 27 00 00").prefix(length))
        #expect((measurement != nil) == (length >= 4))
        #expect((measurement?.strideLengthInMeters != nil) == (length >= 6))
        #expect(measurement?.totalDistanceInDecimeters == nil)
        #expect(measurement?.isCut ?? true)
    }
}

struct RunningOdometerTests {
    private func counting(_ decimeters: UInt32) throws -> RunningSpeedCadenceMeasurement {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: decimeters >> (8 * $0)) }
        return try #require(RunningSpeedCadenceMeasurement([2, 0, 3, 80] + bytes))
    }

    private func speeding(_ raw: UInt8) throws -> RunningSpeedCadenceMeasurement {
        try #require(RunningSpeedCadenceMeasurement([0, 0, raw, 80]))
    }

    @Test func `distance is the growth of the total`() throws {
        var odometer = RunningOdometer()
        #expect(odometer.add(try counting(10000), at: second(0)) == nil)
        #expect(odometer.add(try counting(10030), at: second(1)) == 3)
        #expect(odometer.add(try counting(10030), at: second(2)) == 0)
    }

    @Test func `a total that fell is a new base`() throws {
        var odometer = RunningOdometer()
        _ = odometer.add(try counting(10000), at: second(0))
        #expect(odometer.add(try counting(5), at: second(1)) == nil)
        #expect(odometer.add(try counting(35), at: second(2)) == 3)
    }

    @Test func `a total that jumped is dropped and becomes the base`() throws {
        var odometer = RunningOdometer()
        _ = odometer.add(try counting(0), at: second(0))
        #expect(odometer.add(try counting(.max), at: second(1)) == nil)
        #expect(odometer.add(try counting(.max), at: second(2)) == 0)
    }

    @Test func `a pod without a total covers distance by its speed, but not across a silence`() throws {
        var odometer = RunningOdometer()
        #expect(odometer.add(try speeding(3), at: second(0)) == nil)
        #expect(odometer.add(try speeding(3), at: second(2)) == 6)
        #expect(odometer.add(try speeding(3), at: second(8)) == nil)
        #expect(odometer.add(try speeding(13), at: second(9)) == nil)
        #expect(odometer.add(try speeding(3), at: second(10)) == 3)
    }

    @Test func `a reconnected pod starts over`() throws {
        var odometer = RunningOdometer()
        _ = odometer.add(try counting(100), at: second(0))
        odometer.forget()
        #expect(odometer.add(try counting(130), at: second(1)) == nil)
    }
}
