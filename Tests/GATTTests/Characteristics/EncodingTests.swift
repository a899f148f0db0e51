import GATT
import TestBytes
import Testing

struct EncodingTests {
    /// Decodes a packet, encodes the result and decodes it again.
    private func roundTrip<Value: Equatable>(
        _ packet: [UInt8], _ decode: ([UInt8]) -> Value?, _ isCut: (Value) -> Bool, _ encode: (Value) -> [UInt8]
    ) {
        guard let value = decode(packet), !isCut(value) else { return }
        let bytes = encode(value)
        #expect(decode(bytes) == value, "\(packet) became \(bytes)")
        #expect(bytes.count <= packet.count)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `decoding an encoded value gives the value`(_ seed: UInt64) {
        var random = SeededBytes(state: seed)
        for _ in 0..<5_000 {
            let packet = random.bytes(Int.random(in: 0...48, using: &random))
            roundTrip(packet, { HeartRateMeasurement($0) }, \.isCut, \.bytes)
            roundTrip(packet, { CyclingPowerMeasurement($0) }, \.isCut, \.bytes)
            roundTrip(packet, { CyclingSpeedCadenceMeasurement($0) }, \.isCut, \.bytes)
            roundTrip(packet, { RunningSpeedCadenceMeasurement($0) }, \.isCut, \.bytes)
            roundTrip(packet, { IndoorBikeData($0) }, \.isCut, \.bytes)
            roundTrip(packet, { BatteryLevel($0) }, { _ in false }, \.bytes)
        }
    }

    /// Heart Rate Service 1.0, table 3.2: flags, heart rate, energy, RR intervals.
    @Test func `a heart rate is encoded as its service specifies`() {
        #expect(HeartRateMeasurement(heartRate: 75).bytes == hexBytes("00 4b"))
        #expect(HeartRateMeasurement(heartRate: 75, sensorContact: .detected).bytes == hexBytes("06 4b"))
        #expect(HeartRateMeasurement(heartRate: 0, sensorContact: .notDetected).bytes == hexBytes("04 00"))
        let all = HeartRateMeasurement(
            heartRate: 300, sensorContact: .detected, energyExpendedInKilojoules: 258, rrIntervals: [1024, 205])
        #expect(all.bytes == hexBytes("1f 2c01 0201 0004 cd00"))
    }

    @Test func `motion is encoded as its services specify`() {
        let running = RunningSpeedCadenceMeasurement(
            speedInMetersPerSecond: 3.5, cadencePerMinute: 172, totalDistanceInDecimeters: 1000, isRunning: true)
        #expect(running.bytes == hexBytes("06 8003 ac e8030000"))
        let wheel = WheelRevolutions(count: 1612, eventTime: 27805)
        let crank = CrankRevolutions(count: 12, eventTime: 17125)
        let cycling = CyclingSpeedCadenceMeasurement(wheel: wheel, crank: crank)
        #expect(cycling.bytes == hexBytes("03 4c060000 9d6c 0c00 e542"))
        #expect(CyclingPowerMeasurement(powerInWatts: -5, crank: crank).bytes == hexBytes("2000 fbff 0c00 e542"))
        var bike = IndoorBikeData()
        bike.speedInKilometersPerHour = 36
        bike.cadencePerMinute = 90.5
        bike.powerInWatts = 250
        bike.elapsedSeconds = 61
        #expect(bike.bytes == hexBytes("4408 100e b500 fa00 3d00"))
    }

    @Test func `a value out of range becomes the nearest possible one`() {
        let fast = RunningSpeedCadenceMeasurement(speedInMetersPerSecond: 1e9, cadencePerMinute: 0, isRunning: true)
        #expect(fast.bytes == hexBytes("04 ffff 00"))
        let lost = RunningSpeedCadenceMeasurement(speedInMetersPerSecond: .nan, cadencePerMinute: 0, isRunning: false)
        #expect(lost.bytes == hexBytes("00 0000 00"))
        #expect(BatteryLevel(percent: 140).bytes == [100])
        #expect(RRIntervals.ticks(fromMilliseconds: 1000) == 1024 && RRIntervals.ticks(fromMilliseconds: -1) == 0)
    }

    @Test func `more data follows without a speed`() throws {
        let more = try #require(IndoorBikeData(hexBytes("0100")))
        #expect(more.speedInKilometersPerHour == nil && !more.isCut)
        let first = try #require(IndoorBikeData(hexBytes("0000 100e")))
        #expect(first.speedInKilometersPerHour == 36)
        #expect(try #require(IndoorBikeData(hexBytes("0000 10"))).isCut)
        #expect(IndoorBikeData(hexBytes("00")) == nil)
    }
}
