import Foundation
import GATT
import TestBytes
import Testing

struct CyclingPowerMeasurementTests {
    @Test(
        arguments: [
            ("00 00 28 00", 40), ("2c 00 00 00 9f 00 0c 00 e5 42", 0), ("14 00 27 00 a3 2f 4c 06 00 00 9d 6c", 39),
            ("14 00 2f 00 7f 30 51 06 00 00 9a 75", 47), ("14 00 49 00 77 31 55 06 00 00 8f 7c", 73),
            ("14 00 4c 00 0b 33 5a 06 00 00 f4 84", 76), ("14 00 4f 00 9e 34 5f 06 00 00 19 8d", 79),
            ("20 00 fb ff 0a 00 00 04", -5), ("31 00 c8 00 64 10 00 00 00 00 08 05 00 00 04", 200),
            ("00 01 c8 00 3c 12 03", 200),
        ] as [(String, Int16)])
    func `a packet contains the power`(_ hex: String, _ watts: Int16) throws {
        let measurement = try #require(CyclingPowerMeasurement(hexBytes(hex)))
        #expect(measurement.powerInWatts == watts)
        #expect(!measurement.isCut)
    }

    @Test func `a crank meter sends torque and revolutions`() throws {
        let measurement = try #require(CyclingPowerMeasurement(hexBytes("2c 00 00 00 9f 00 0c 00 e5 42")))
        #expect(measurement.accumulatedTorque == 159)
        #expect(measurement.torqueSource == .crank)
        #expect(measurement.crank == CrankRevolutions(count: 12, eventTime: 17125))
        #expect(measurement.wheel == nil)
    }

    @Test func `a wheel meter sends torque and revolutions`() throws {
        let measurement = try #require(CyclingPowerMeasurement(hexBytes("14 00 27 00 a3 2f 4c 06 00 00 9d 6c")))
        #expect(measurement.accumulatedTorque == 12195)
        #expect(measurement.torqueSource == .wheel)
        #expect(measurement.wheel == WheelRevolutions(count: 1612, eventTime: 27805))
    }

    @Test func `balance, wheel and crank come in this order`() throws {
        let measurement = try #require(
            CyclingPowerMeasurement(hexBytes("31 00 c8 00 64 10 00 00 00 00 08 05 00 00 04")))
        #expect(measurement.pedalBalanceInPercent == 50)
        #expect(!measurement.balanceIsOfLeftPedal)
        #expect(measurement.wheel == WheelRevolutions(count: 16, eventTime: 2048))
        #expect(measurement.crank == CrankRevolutions(count: 5, eventTime: 1024))
    }

    @Test func `two angles share three bytes`() throws {
        let measurement = try #require(CyclingPowerMeasurement(hexBytes("00 01 c8 00 3c 12 03")))
        #expect(measurement.extremeAngles == .init(maximum: 572, minimum: 49))
    }

    /// Every field at once: 34 bytes.
    private static let full = hexBytes(
        "ff 1f 64 00 65 20 00 10 00 00 00 00 08 05 00 00 04 f4 01 9c ff 40 01 e0 ff 5a 40 0b 02 00 03 00 2a 00")

    @Test func `all fields together are in the order of their flags`() throws {
        #expect(Self.full.count == 34)
        let measurement = try #require(CyclingPowerMeasurement(Self.full))
        #expect(measurement.pedalBalanceInPercent == 50.5)
        #expect(measurement.balanceIsOfLeftPedal)
        #expect(measurement.accumulatedTorque == 32)
        #expect(measurement.wheel == WheelRevolutions(count: 16, eventTime: 2048))
        #expect(measurement.crank == CrankRevolutions(count: 5, eventTime: 1024))
        #expect(measurement.extremeForces == .init(maximum: 500, minimum: -100))
        #expect(measurement.extremeTorques == .init(maximum: 320, minimum: -32))
        #expect(measurement.extremeAngles == .init(maximum: 90, minimum: 180))
        #expect(measurement.topDeadSpotInDegrees == 2)
        #expect(measurement.bottomDeadSpotInDegrees == 3)
        #expect(measurement.accumulatedEnergyInKilojoules == 42)
        #expect(measurement.asksForOffsetCompensation)
        #expect(!measurement.isCut)
    }

    @Test(arguments: 0..<34)
    func `a truncated packet keeps its complete fields`(_ length: Int) {
        let measurement = CyclingPowerMeasurement(Self.full.prefix(length))
        #expect((measurement != nil) == (length >= 4))
        #expect((measurement?.wheel != nil) == (length >= 13))
        #expect((measurement?.extremeAngles != nil) == (length >= 28))
        #expect(measurement?.accumulatedEnergyInKilojoules == nil)
        #expect(measurement?.isCut ?? true)
    }
}
