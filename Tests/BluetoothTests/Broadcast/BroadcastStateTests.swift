import Bluetooth
import Foundation
import GATT
import Testing

struct BroadcastStateTests {
    typealias Notification = BroadcastState.Notification

    /// A state and its clock. Each step returns everything that is sent until its end.
    struct Source {
        var state: BroadcastState
        var now = Duration.zero

        init(_ offer: BroadcastOffer = BroadcastOffer()) { state = BroadcastState(offer) }

        mutating func take(_ readings: BroadcastReading...) -> [Notification] { state.take(readings, at: now) }

        mutating func pass(until end: Duration) -> [(at: Duration, sent: Notification)] {
            var sent: [(Duration, Notification)] = []
            while let due = state.deadline, due <= end {
                now = due
                sent += state.timePassed(at: now).map { (now, $0) }
            }
            now = end
            return sent
        }
    }

    private func heartRates(_ sent: [(at: Duration, sent: Notification)]) -> [HeartRateMeasurement] {
        sent.compactMap { HeartRateMeasurement($0.sent.bytes) }
    }

    @Test func `heart rate and beats of one moment share a packet`() {
        var source = Source()
        #expect(source.take(.heartRate(72)).isEmpty)
        #expect(source.take(.beats([820, 840])).isEmpty)
        let sent = source.pass(until: .seconds(1))
        #expect(sent.count == 1)
        #expect(sent.first?.sent.bytes == HeartRateMeasurement(heartRate: 72, rrIntervals: [840, 860]).bytes)
        #expect(sent.first?.at == .milliseconds(30))
    }

    @Test func `a source that measures once a second is sent once a second`() {
        var source = Source()
        var count = 0
        for second in 0..<60 {
            _ = source.take(.heartRate(Double(100 + second)))
            count += source.pass(until: .seconds(second + 1)).count
        }
        #expect(count == 60)
    }

    @Test func `a source that measures rarely is repeated, and a silent one is not`() {
        var source = Source()
        _ = source.take(.heartRate(72))
        let sent = source.pass(until: .seconds(60))
        #expect(sent.count == 9)
        #expect(Set(sent.map(\.sent.bytes)).count == 1)
        #expect(source.state.deadline == nil)
        _ = source.take(.heartRate(73))
        #expect(source.pass(until: .seconds(61)).count == 1)
    }

    @Test func `many beats at once are spread over packets in order, without loss`() {
        var source = Source()
        let intervals = (0..<10).map { Double(800 + $0) }
        _ = source.take(.heartRate(74), .beats(intervals))
        let packets = heartRates(source.pass(until: .seconds(8)))
        let beats = packets.flatMap { Array($0.rrIntervals) }
        #expect(beats == intervals.map { RRIntervals.ticks(fromMilliseconds: $0) })
        #expect(packets.allSatisfy { $0.rrIntervals.reduce(0) { $0 + Int($1) } <= 2048 })
        // A long one is a separate packet.
        _ = source.take(.beats([4000, 4000]))
        #expect(heartRates(source.pass(until: .seconds(10))).map(\.rrIntervals.count).prefix(2) == [1, 1])
    }

    @Test func `no packet is longer than the link allows`() {
        var source = Source(BroadcastOffer(measurements: Set(BroadcastOffer.measurementsInOrder), hasEnergy: true))
        for second in 0..<30 {
            let beats = [Double](repeating: 100, count: 20)
            _ = source.take(
                .heartRate(300), .beats(beats), .energy(kilojoules: 5), .speed(metersPerSecond: 9),
                .cadence(perMinute: 90), .power(watts: 250), .distance(meters: 9))
            let sent = source.pass(until: .seconds(second + 1))
            #expect(sent.count == 5)
            #expect(sent.allSatisfy { $0.sent.bytes.count <= 20 })
        }
    }

    @Test func `a sensor's own packets are forwarded byte for byte, without a second version`() {
        var source = Source()
        let bytes: [UInt8] = [0x16, 75, 0x43, 0x03, 0xFF]
        #expect(
            source.take(.packet(.heartRateMeasurement, bytes), .heartRate(75), .beats([815]))
                == [Notification(.heartRateMeasurement, bytes)])
        #expect(source.pass(until: .seconds(5)).isEmpty)
        // What is not offered is not sent.
        #expect(source.take(.packet(.cyclingPowerMeasurement, [0, 0, 1, 0])).isEmpty)
    }

    @Test func `lost contact is a heart rate of 0 until contact returns`() {
        var source = Source()
        _ = source.take(.contact(true), .heartRate(72))
        #expect(heartRates(source.pass(until: .seconds(1))).last?.sensorContact == .detected)
        _ = source.take(.contact(false))
        let lost = heartRates(source.pass(until: .seconds(30)))
        #expect(lost.count > 20)
        #expect(lost.allSatisfy { $0.sensorContact == .notDetected && $0.rawHeartRate == 0 })
        _ = source.take(.heartRate(80))
        let back = heartRates(source.pass(until: .seconds(31)))
        #expect(back.last?.sensorContact == .detected && back.last?.rawHeartRate == 80)
    }

    @Test func `energy is in every tenth packet, and the control point resets it`() {
        var source = Source(BroadcastOffer(hasEnergy: true))
        var energies: [UInt16?] = []
        for second in 0..<21 {
            _ = source.take(.heartRate(100), .energy(kilojoules: 1.5))
            energies += heartRates(source.pass(until: .seconds(second + 1))).map(\.energyExpendedInKilojoules)
        }
        #expect(energies.enumerated().allSatisfy { ($1 != nil) == $0.isMultiple(of: 10) })
        #expect(energies[10] == 17)
        #expect(source.state.write([2], to: .heartRateControlPoint) == 0x80)
        #expect(source.state.write([1, 0], to: .heartRateControlPoint) == 0x80)
        #expect(source.state.write([1], to: .heartRateControlPoint) == nil)
        _ = source.take(.heartRate(100))
        #expect(heartRates(source.pass(until: .seconds(22))).first?.energyExpendedInKilojoules == 0)
    }

    /// The odometers for real sensors read what is sent.
    @Test func `wheel and crank turn at the source's rates`() throws {
        var source = Source(
            BroadcastOffer(measurements: [.cyclingSpeedAndCadenceMeasurement, .cyclingPowerMeasurement]))
        var wheel = WheelOdometer()
        var crank = CrankCadence()
        var speeds: [Double] = []
        var cadences: [Double] = []
        var meters = 0.0
        for second in 0..<120 {
            _ = source.take(.speed(metersPerSecond: 8), .cadence(perMinute: 90), .power(watts: 200))
            for (at, sent) in source.pass(until: .seconds(second + 1))
            where sent.characteristic == .cyclingSpeedAndCadenceMeasurement {
                let packet = try #require(CyclingSpeedCadenceMeasurement(sent.bytes))
                let arrival = Date(timeIntervalSinceReferenceDate: at / .seconds(1))
                if let motion = wheel.add(try #require(packet.wheel), at: arrival) {
                    speeds += motion.speedInMetersPerSecond.map { [$0] } ?? []
                    meters += motion.distanceInMeters
                }
                if let turns = crank.add(try #require(packet.crank), at: arrival) { cadences.append(turns) }
            }
        }
        #expect(speeds.count > 100 && speeds.dropFirst(3).allSatisfy { abs($0 - 8) < 0.05 })
        #expect(cadences.count > 100 && cadences.dropFirst(3).allSatisfy { abs($0 - 90) < 0.5 })
        #expect(abs(meters - 8 * 118) < 20)
    }

    @Test func `running and indoor bike data contain the source's values`() throws {
        var source = Source(BroadcastOffer(measurements: [.runningSpeedAndCadenceMeasurement, .indoorBikeData]))
        _ = source.take(
            .distance(meters: 12), .speed(metersPerSecond: 3.5), .cadence(perMinute: 86), .power(watts: 210))
        let sent = source.pass(until: .seconds(1))
        let running = try #require(RunningSpeedCadenceMeasurement(sent[0].sent.bytes))
        #expect(running.speedInMetersPerSecond == 3.5 && running.cadencePerMinute == 86 && running.isRunning)
        #expect(running.totalDistanceInDecimeters == 120)
        let bike = try #require(IndoorBikeData(sent[1].sent.bytes))
        #expect(bike.speedInKilometersPerHour == 12.6 && bike.cadencePerMinute == 86 && bike.powerInWatts == 210)
        #expect(bike.totalDistanceInMeters == 12)
    }

    @Test(arguments: [.nan, .infinity, -.infinity, -5, 1e300] as [Double])
    func `no reading traps`(value: Double) {
        var source = Source(BroadcastOffer(measurements: Set(BroadcastOffer.measurementsInOrder), hasEnergy: true))
        for second in 1...3 {
            _ = source.take(
                .heartRate(value), .beats([value]), .energy(kilojoules: value), .speed(metersPerSecond: value),
                .cadence(perMinute: value), .power(watts: value), .distance(meters: value), .battery(percent: 1000))
            #expect(!source.pass(until: .seconds(second)).isEmpty)
        }
    }

    @Test func `services have the characteristics that their specifications require`() throws {
        let offer = BroadcastOffer(
            measurements: Set(BroadcastOffer.measurementsInOrder), hasEnergy: true, batteryPercent: 80, location: .chest
        )
        let services = Dictionary(uniqueKeysWithValues: offer.services.map { ($0.uuid, $0.characteristics) })
        #expect(
            services[.heartRateService]?.map(\.uuid) == [
                .heartRateMeasurement, .bodySensorLocation, .heartRateControlPoint,
            ])
        #expect(
            services[.cyclingPowerService]?.map(\.uuid) == [
                .cyclingPowerMeasurement, .cyclingPowerFeature, .sensorLocation,
            ])
        #expect(services[.fitnessMachineService]?.map(\.uuid) == [.indoorBikeData, .fitnessMachineFeature])
        #expect(services[.batteryService]?.first?.value == [80])
        #expect(services[.deviceInformationService] == nil)
    }
}
