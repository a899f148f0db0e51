import Foundation
import GATT
import TestBytes
import Testing

struct CyclingSpeedCadenceMeasurementTests {
    @Test(
        arguments: [
            // From OpenTracks' tests; the first has two bytes too many.
            ("02 c8 00 00 00 06 99", nil, CrankRevolutions(count: 200, eventTime: 0)),
            ("01 ff ff 00 01 45 99", WheelRevolutions(count: 16_842_751, eventTime: 39237), nil),
            (
                "03 c8 00 00 01 06 99 e1 00 45 99", WheelRevolutions(count: 16_777_416, eventTime: 39174),
                CrankRevolutions(count: 225, eventTime: 39237)
            ),
            ("00", nil, nil),
            ("fc 01 02", nil, nil),
        ] as [(String, WheelRevolutions?, CrankRevolutions?)])
    func `a packet contains the fields that its flags announce`(
        _ hex: String, _ wheel: WheelRevolutions?, _ crank: CrankRevolutions?
    ) throws {
        let measurement = try #require(CyclingSpeedCadenceMeasurement(hexBytes(hex)))
        #expect(measurement.wheel == wheel)
        #expect(measurement.crank == crank)
        #expect(!measurement.isCut)
    }

    @Test(arguments: 0...10)
    func `a truncated packet keeps its complete parts`(_ length: Int) {
        let measurement = CyclingSpeedCadenceMeasurement(
            hexBytes("03 c8 00 00 01 06 99 e1 00 45 99").prefix(length))
        #expect((measurement != nil) == (length >= 1))
        #expect((measurement?.wheel != nil) == (length >= 7))
        #expect(measurement?.crank == nil)
        #expect(measurement?.isCut ?? true)
    }
}

struct CrankCadenceTests {
    private func crank(_ hex: String) throws -> CrankRevolutions {
        try #require(CyclingSpeedCadenceMeasurement(hexBytes(hex))?.crank)
    }

    @Test func `counter and time wrap around`() throws {
        var cadence = CrankCadence()
        #expect(cadence.add(try crank("02 ff ff 00 fc"), at: second(0)) == nil)
        #expect(cadence.add(try crank("02 01 00 00 04"), at: second(2)) == 60)
    }

    @Test func `without a revolution the cadence holds, and is 0 after three seconds`() throws {
        var cadence = CrankCadence()
        #expect(cadence.add(CrankRevolutions(count: 99, eventTime: 0x0C00), at: second(0)) == nil)
        let still = try crank("02 64 00 00 10")
        #expect(cadence.add(still, at: second(1)) == 60)
        #expect(cadence.add(still, at: second(2)) == 60)
        #expect(cadence.add(still, at: second(3.9)) == 60)
        #expect(cadence.add(still, at: second(4)) == 0)
        #expect(cadence.add(still, at: second(5)) == 0)
    }

    @Test func `a sensor at rest from the start reports so after three seconds`() throws {
        var cadence = CrankCadence()
        let still = try crank("02 64 00 00 10")
        #expect([0, 1, 2, 3].map { cadence.add(still, at: second($0)) } == [nil, nil, nil, 0])
    }

    @Test func `a sensor whose time advances without a revolution does not report zero`() {
        var cadence = CrankCadence()
        _ = cadence.add(CrankRevolutions(count: 10, eventTime: 0), at: second(0))
        #expect(cadence.add(CrankRevolutions(count: 10, eventTime: 1024), at: second(1)) == nil)
        #expect(cadence.add(CrankRevolutions(count: 11, eventTime: 2048), at: second(2)) == 30)
    }

    @Test func `more than 250 revolutions a minute are dropped and become the base`() {
        var cadence = CrankCadence()
        _ = cadence.add(CrankRevolutions(count: 0, eventTime: 0), at: second(0))
        #expect(cadence.add(CrankRevolutions(count: 5, eventTime: 1024), at: second(1)) == nil)
        #expect(cadence.add(CrankRevolutions(count: 6, eventTime: 2048), at: second(2)) == 60)
        // The count changed and the time did not.
        #expect(cadence.add(CrankRevolutions(count: 7, eventTime: 2048), at: second(3)) == nil)
    }

    @Test func `after a silence of more than half the wrap-around there is no cadence`() {
        var cadence = CrankCadence()
        _ = cadence.add(CrankRevolutions(count: 0, eventTime: 0), at: second(0))
        #expect(cadence.add(CrankRevolutions(count: 20, eventTime: 20 * 1024), at: second(32)) == 60)
        #expect(cadence.add(CrankRevolutions(count: 60, eventTime: 60 * 1024), at: second(65)) == nil)
        #expect(cadence.add(CrankRevolutions(count: 61, eventTime: 61 * 1024), at: second(66)) == 60)
    }

    @Test func `the first revolution after a rest longer than the wrap-around has no cadence`() {
        var cadence = CrankCadence()
        for time in 0...64 { _ = cadence.add(CrankRevolutions(count: 0, eventTime: 0), at: second(Double(time))) }
        // 64.5 s after the last turn; the event time shows 0.5 s of it.
        #expect(cadence.add(CrankRevolutions(count: 1, eventTime: 512), at: second(65)) == nil)
        #expect(cadence.add(CrankRevolutions(count: 2, eventTime: 1536), at: second(66)) == 60)
    }

    @Test func `a reconnected sensor starts over`() {
        var cadence = CrankCadence()
        _ = cadence.add(CrankRevolutions(count: 0, eventTime: 0), at: second(0))
        cadence.forget()
        #expect(cadence.add(CrankRevolutions(count: 1, eventTime: 1024), at: second(1)) == nil)
        #expect(cadence.add(CrankRevolutions(count: 2, eventTime: 2048), at: second(2)) == 60)
    }

    @Test func `a clock that steps back gives a base and no cadence`() {
        var cadence = CrankCadence()
        _ = cadence.add(CrankRevolutions(count: 0, eventTime: 0), at: second(10))
        #expect(cadence.add(CrankRevolutions(count: 1, eventTime: 1024), at: second(9)) == nil)
        #expect(cadence.add(CrankRevolutions(count: 2, eventTime: 2048), at: second(10)) == 60)
    }
}

struct WheelOdometerTests {
    @Test func `revolutions between two events give speed and distance`() throws {
        var odometer = WheelOdometer()
        let first = try #require(CyclingSpeedCadenceMeasurement(hexBytes("01 e8 03 00 00 00 08"))?.wheel)
        let second = try #require(CyclingSpeedCadenceMeasurement(hexBytes("01 ec 03 00 00 00 0c"))?.wheel)
        #expect(odometer.add(first, at: GATTTests.second(0)) == nil)
        let motion = odometer.add(second, at: GATTTests.second(1))
        #expect(motion?.distanceInMeters == 4 * 2.105)
        #expect(motion?.speedInMetersPerSecond == 4 * 2.105)
    }

    @Test func `the whole counter wraps around`() {
        var odometer = WheelOdometer(circumferenceInMeters: 2)
        _ = odometer.add(WheelRevolutions(count: .max, eventTime: 65535), at: second(0))
        let motion = odometer.add(WheelRevolutions(count: 2, eventTime: 1023), at: second(1))
        #expect(motion?.distanceInMeters == 6)
        #expect(motion?.speedInMetersPerSecond == 6)
    }

    @Test func `a wheel that turns back covers nothing`() {
        var odometer = WheelOdometer(circumferenceInMeters: 2)
        _ = odometer.add(WheelRevolutions(count: 100, eventTime: 0), at: second(0))
        let motion = odometer.add(WheelRevolutions(count: 98, eventTime: 1024), at: second(1))
        #expect(motion?.distanceInMeters == 0)
        #expect(motion?.speedInMetersPerSecond == 0)
    }

    @Test func `a counter that was reset is a new base`() {
        var odometer = WheelOdometer(circumferenceInMeters: 2)
        _ = odometer.add(WheelRevolutions(count: 100_000, eventTime: 0), at: second(0))
        #expect(odometer.add(WheelRevolutions(count: 0, eventTime: 1024), at: second(1)) == nil)
        #expect(
            odometer.add(WheelRevolutions(count: 1, eventTime: 2048), at: second(2))?.speedInMetersPerSecond == 2)
        #expect(odometer.add(WheelRevolutions(count: 50_000, eventTime: 3072), at: second(3)) == nil)
        #expect(
            odometer.add(WheelRevolutions(count: 50_001, eventTime: 4096), at: second(4))?.distanceInMeters == 2)
    }

    @Test func `after a long rest the metres count, and the speed is unknown`() {
        var odometer = WheelOdometer(circumferenceInMeters: 2)
        for time in 0...40 { _ = odometer.add(WheelRevolutions(count: 7, eventTime: 9), at: second(Double(time))) }
        let motion = odometer.add(WheelRevolutions(count: 8, eventTime: 600), at: second(41))
        #expect(motion?.distanceInMeters == 2)
        #expect(motion != nil && motion?.speedInMetersPerSecond == nil)
    }

    @Test func `a power meter counts ticks of half the length`() {
        let bytes = [
            "14 00 27 00 a3 2f 4c 06 00 00 9d 6c", "14 00 2f 00 7f 30 51 06 00 00 9a 75",
            "14 00 49 00 77 31 55 06 00 00 8f 7c", "14 00 4c 00 0b 33 5a 06 00 00 f4 84",
            "14 00 4f 00 9e 34 5f 06 00 00 19 8d",
        ]
        var odometer = WheelOdometer(
            circumferenceInMeters: 1, ticksPerSecond: CyclingPowerMeasurement.wheelTicksPerSecond)
        let turnsPerMinute = bytes.enumerated().map { place, hex in
            CyclingPowerMeasurement(hexBytes(hex))?.wheel.flatMap {
                odometer.add($0, at: second(Double(place)))?.speedInMetersPerSecond
            }.map { ($0 * 600).rounded() / 10 }
        }
        #expect(turnsPerMinute[0] == nil)
        #expect(turnsPerMinute.suffix(2) == [285.9, 294.7])
    }

    @Test func `a power meter's time wraps around after 32 seconds`() {
        var odometer = WheelOdometer(
            circumferenceInMeters: 1, ticksPerSecond: CyclingPowerMeasurement.wheelTicksPerSecond)
        _ = odometer.add(WheelRevolutions(count: 0, eventTime: 64512), at: second(0))
        #expect(
            odometer.add(WheelRevolutions(count: 3, eventTime: 1024), at: second(1))?.speedInMetersPerSecond == 3)
        #expect(odometer.add(WheelRevolutions(count: 40, eventTime: 35840), at: second(18)) == nil)
    }
}

/// This many seconds after a fixed date.
func second(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: 800_000_000 + seconds) }
