import GATT
import TestBytes
import Testing

/// Fitness Machine Service 1.0, sections 4.4 to 4.9.
struct FitnessMachineTests {
    @Test func `a treadmill sends speed, distance, incline, energy and time`() throws {
        let data = try #require(
            TreadmillData(hexBytes("8c 04  b0 04  10 27 00  f6 ff 05 00  64 00 58 02 0a  3c 00")))
        #expect(data.speedInKilometersPerHour == 12)
        #expect(data.totalDistanceInMeters == 10_000)
        #expect(data.inclinationInPercent == -1 && data.rampAngleInDegrees == 0.5)
        #expect(
            data.energy == MachineEnergy(totalInKilocalories: 100, kilocaloriesPerHour: 600, kilocaloriesPerMinute: 10))
        #expect(data.elapsedSeconds == 60 && data.heartRate == nil && !data.isCut && !data.isContinued)
    }

    @Test func `a rower sends strokes, pace and power`() throws {
        let data = try #require(RowerData(hexBytes("2c 00  30  2c 01  f4 01 00  78 00  c8 00")))
        #expect(data.strokesPerMinute == 24 && data.strokeCount == 300)
        #expect(data.totalDistanceInMeters == 500 && data.secondsPer500Meters == 120 && data.powerInWatts == 200)
        #expect(!data.isCut)
    }

    @Test func `a cross trainer has three bytes of flags`() throws {
        let data = try #require(CrossTrainerData(hexBytes("08 81 00  e8 03  78 00 76 00  96 00")))
        #expect(data.speedInKilometersPerHour == 10 && data.stepsPerMinute == 120 && data.averageStepsPerMinute == 118)
        #expect(data.powerInWatts == 150 && data.movesBackwards && !data.isCut)
        #expect(CrossTrainerData(hexBytes("08 81")) == nil)
    }

    @Test func `more data follows in the next packet`() throws {
        let first = try #require(TreadmillData(hexBytes("05 00  10 27 00")))
        #expect(first.isContinued && first.speedInKilometersPerHour == nil && first.totalDistanceInMeters == 10_000)
        #expect(try #require(RowerData(hexBytes("21 00 c8 00"))).powerInWatts == 200)
        #expect(try #require(CrossTrainerData(hexBytes("01 00 00"))).isContinued)
    }

    @Test func `a truncated packet keeps the fields before the end`() {
        let treadmill = hexBytes("ff 1f") + [UInt8](repeating: 1, count: 40)
        let rower = treadmill
        let trainer = hexBytes("fe ff 00") + [UInt8](repeating: 1, count: 40)
        for length in 0...43 {
            let data = TreadmillData(treadmill.prefix(length))
            #expect((data == nil) == (length < 2))
            #expect((RowerData(rower.prefix(length)) == nil) == (length < 2))
            #expect((CrossTrainerData(trainer.prefix(length)) == nil) == (length < 3))
            if let data { #expect(data.isCut == (data.powerInWatts == nil)) }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `no bytes trap`(seed: UInt64) {
        var random = SeededBytes(state: seed)
        for _ in 0..<5_000 {
            let packet = random.bytes(Int.random(in: 0...40, using: &random))
            _ = TreadmillData(packet)
            _ = RowerData(packet)
            _ = CrossTrainerData(packet)
        }
    }
}
