import Analytics
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import SessionLog
import Testing

/// Straps through a link into a real session, on a clock that the test advances.
@Suite struct BluetoothSensorTests {
    static let first = DeviceAddress(value: 0xC0DE_0000_0001)
    static let second = DeviceAddress(value: 0xC0DE_0000_0002)

    /// A session with straps.
    struct Bench {
        let time = SteppedTime()
        let central: ScriptedCentral
        let recorder: WorkoutRecorder
        let session: HKWorkoutSession
        let builder: HKLiveWorkoutBuilder

        init(_ sensors: [PairedSensor], activity: String = "running") {
            central = ScriptedCentral(time: time)
            var environment = HealthEnvironment(sensors: [], time: time)
            environment.central = central
            let description = ActivityDescription(activity: activity)
            recorder = WorkoutRecorder(
                configuration: description,
                sensors: [
                    environment.makeSensor(sensors, for: description, keepsNotifications: true)
                ], time: time)
            let store = HKHealthStore(environment: environment)
            session = HKWorkoutSession(healthStore: store, recorder: recorder)
            builder = session.associatedWorkoutBuilder()
            let source = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
            for type in TypeCatalogue.quantityTypes { source.enableCollection(for: type, predicate: nil) }
            builder.dataSource = source
        }

        func begin() async throws {
            session.startActivity(with: time.now())
            try await builder.beginCollection(at: time.now())
        }

        func connect(_ address: DeviceAddress) async {
            #expect(await time.run { central.isStreaming(address) }, "\(address) never came on air")
        }

        /// Sends one value a second for some seconds, each received before the next. Without a subscriber they are
        /// lost.
        func beat(_ rates: ClosedRange<Int>, from addresses: DeviceAddress...) async {
            for rate in rates {
                for address in addresses { await send([0x06, UInt8(rate)], from: address) }
                time.advance(by: 1)
            }
        }

        /// Sends a value, and returns when it is in the log.
        func send(
            _ bytes: [UInt8], of uuid: BluetoothUUID = .heartRateMeasurement, from address: DeviceAddress
        ) async {
            let before = await packets.count
            guard central.send(bytes, of: uuid, from: address) else { return }
            #expect(await SteppedTime.wait { await packets.count > before }, "\(bytes) did not arrive")
        }

        /// Sends a heart rate that the link holds for a moment, and lets that moment pass; a second in total.
        func beatHeld(_ rate: UInt8, from address: DeviceAddress, for moment: Duration) async {
            let before = await packets.count
            guard central.send([0x06, rate], of: .heartRateMeasurement, from: address) else { return }
            #expect(await SteppedTime.wait { time.isSlept(for: moment) }, "\(rate) is not held")
            #expect(await packets.count == before)
            time.advance(by: moment / .seconds(1))
            #expect(await SteppedTime.wait { await packets.count > before }, "\(rate) did not arrive")
            time.advance(by: 1 - moment / .seconds(1))
        }

        /// Loses the link, and returns when that is in the log.
        func drop(_ address: DeviceAddress, _ loss: LinkLoss, staysInReach: Bool = false) async {
            central.drop(address, loss, staysInReach: staysInReach)
            #expect(await SteppedTime.wait { await presences(of: address).last == .away })
        }

        /// What the sensors sent, as bytes.
        var packets: [[UInt8]] {
            get async {
                await log.compactMap { entry in
                    if case .notification(let packet) = entry.content { packet.bytes } else { nil }
                }
            }
        }

        var log: [SessionEntry] { get async { (try? await recorder.log.entries) ?? [] } }

        func heartRates(of address: DeviceAddress? = nil) async -> [Int] {
            await log.compactMap { entry in
                guard case .quantity(let reading) = entry.content, reading.type == "heartRate",
                    address == nil || reading.sensor == address?.description
                else { return nil }
                return Int(reading.value)
            }
        }

        func statuses(of address: DeviceAddress) async -> [(SensorStatus, Date)] {
            await log.compactMap { entry in
                if case .sensor(let status) = entry.content, status.id == address.description {
                    (status, entry.date)
                } else {
                    nil
                }
            }
        }

        func presences(of address: DeviceAddress) async -> [SensorStatus.Presence] {
            await statuses(of: address).map(\.0.presence).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }

        func end() async throws -> HKWorkout {
            session.stopActivity(with: time.now())
            try await builder.endCollection(at: time.now())
            let workout = try await builder.finishWorkout()
            session.end()
            return try #require(workout)
        }
    }

    private func strap(_ name: String = "Lab") -> ScriptedCentral.Strap {
        var strap = ScriptedCentral.Strap()
        strap.name = name
        return strap
    }

    @Test func `every value that a strap sends is a reading, and the strap is a device`() async throws {
        let bench = Bench([PairedSensor(address: Self.first, name: "Lab")])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...90, from: Self.first)
        #expect(await bench.heartRates() == Array(60...90))
        #expect(
            await SteppedTime.wait {
                await bench.statuses(of: Self.first).last.map { $0.0.batteryPercent != nil && $0.0.device.model != nil }
                    ?? false
            })
        let status = try #require(await bench.statuses(of: Self.first).last?.0)
        #expect(status.presence == .present)
        #expect(status.batteryPercent == 90)
        #expect(status.device.manufacturer == "Test")
        #expect(status.device.localIdentifier == "C0:DE:00:00:00:01")
        let workout = try await bench.end()
        #expect(workout.statistics(for: HKQuantityType(.heartRate))?.total.count == 31)
    }

    @Test func `a strap that drops out leaves a gap, not a zero, and reconnects by itself`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...69, from: Self.first)
        let lost = bench.time.now()
        await bench.drop(Self.first, .timeout)
        await bench.beat(100...105, from: Self.first)
        bench.central.returns(Self.first)
        #expect(await bench.time.run(atMost: 10) { bench.central.isStreaming(Self.first) })
        await bench.beat(70...79, from: Self.first)
        #expect(await bench.heartRates() == Array(60...79))
        #expect(await bench.presences(of: Self.first) == [.away, .present, .away, .present])
        let away = await bench.statuses(of: Self.first).filter { $0.0.presence == .away }.last
        let awayAt = try #require(away?.1)
        #expect(abs(awayAt.timeIntervalSince(lost)) < 0.2)
        let workout = try await bench.end()
        let seconds = try #require(workout.statistics(for: HKQuantityType(.heartRate))?.total.weightedSeconds)
        // Ten seconds before, ten seconds after, nothing between.
        #expect((18...22).contains(seconds))
    }

    @Test func `a strap that falls silent is away five seconds after its last reading`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...62, from: Self.first)
        let last = bench.time.now().addingTimeInterval(-1)
        await bench.time.pass(3.75)
        #expect(await bench.presences(of: Self.first).last == .present)
        #expect(await bench.time.run(atMost: 1) { await bench.presences(of: Self.first).last == .away })
        let status = try #require(await bench.statuses(of: Self.first).last)
        #expect(status.0.presence == .away)
        #expect(status.1.timeIntervalSince(last) == 5)
    }

    @Test func `lost contact is a gap that ends when contact returns`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...64, from: Self.first)
        for _ in 0..<3 {
            await bench.send([0x14, 0, 0x00, 0x04], from: Self.first)
            bench.time.advance(by: 1)
        }
        await bench.beat(65...69, from: Self.first)
        #expect(await bench.heartRates() == Array(60...69))
        #expect(await bench.presences(of: Self.first) == [.away, .present, .away, .present])
        #expect(bench.recorder.state.beats.count == 0)
    }

    @Test func `the first of two straps is used, and the second while the first is away`() async throws {
        let bench = Bench([PairedSensor(address: Self.first), PairedSensor(address: Self.second)])
        bench.central.add(Self.first, strap("A"))
        bench.central.add(Self.second, strap("B"))
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.connect(Self.second)
        for rate in 60...64 {
            await bench.send([0x06, UInt8(rate)], from: Self.first)
            await bench.send([0x06, UInt8(rate + 100)], from: Self.second)
            bench.time.advance(by: 1)
        }
        #expect(await bench.heartRates() == Array(60...64))
        await bench.drop(Self.first, .remote)
        await bench.beat(165...169, from: Self.second)
        #expect(await bench.heartRates(of: Self.second) == Array(165...169))
        bench.central.returns(Self.first)
        // Meanwhile the second one continues: after a silence, its values would be held for a moment.
        var seconds = 0
        while !bench.central.isStreaming(Self.first), seconds < 1000 {
            await bench.beat(165...165, from: Self.second)
            seconds += 1
        }
        let heard = await bench.heartRates(of: Self.second)
        for rate in 70...74 {
            await bench.send([0x06, UInt8(rate)], from: Self.first)
            await bench.send([0x06, UInt8(rate + 100)], from: Self.second)
            bench.time.advance(by: 1)
        }
        #expect(await bench.heartRates(of: Self.first) == Array(60...64) + Array(70...74))
        #expect(await bench.heartRates(of: Self.second) == heard)
    }

    @Test func `a session begins without its strap and uses it once it connects`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        try await bench.begin()
        await bench.time.pass(30)
        #expect(await SteppedTime.wait { await bench.presences(of: Self.first) == [.away] })
        bench.central.add(Self.first, strap())
        await bench.connect(Self.first)
        await bench.beat(60...61, from: Self.first)
        #expect(await bench.heartRates() == [60, 61])
    }

    @Test func `the adapter may be unplugged and plugged in again`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...61, from: Self.first)
        bench.central.change { $0.adapters = [] }
        await bench.drop(Self.first, .adapterGone, staysInReach: true)
        await bench.time.pass(10)
        bench.central.change {
            $0.adapters = [Adapter(name: "hci1", address: DeviceAddress(value: 1), power: .on)]
        }
        await bench.connect(Self.first)
        await bench.beat(62...63, from: Self.first)
        #expect(await bench.heartRates() == Array(60...63))
    }

    @Test func `a strap that only needs pairing is paired`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        var strap = strap()
        strap.needsPairing = true
        bench.central.add(Self.first, strap)
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...61, from: Self.first)
        #expect(await bench.heartRates() == [60, 61])
    }

    @Test func `malformed values are not readings and end nothing`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        for bytes in [[], [0x06], [0x06, 70], [0x01, 0x48], [0x16, 71, 0x00]] as [[UInt8]] {
            await bench.send(bytes, from: Self.first)
        }
        #expect(await bench.heartRates() == [70, 71])
        #expect(await bench.packets.count == 5)
    }

    @Test func `an unknown strap of the same name does not replace an absent one`() async throws {
        let bench = Bench([PairedSensor(address: Self.first, name: "Lab 4711")])
        bench.central.add(Self.first, strap("Lab 4711"))
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...61, from: Self.first)
        await bench.drop(Self.first, .timeout)
        bench.central.add(Self.second, strap("Lab 4711"))
        await bench.time.pass(60)
        #expect(!bench.central.isStreaming(Self.second))
        bench.central.add(Self.first, strap("Lab 4711"))
        await bench.connect(Self.first)
        await bench.beat(62...63, from: Self.first)
        #expect(await bench.heartRates() == Array(60...63))
        #expect(await bench.statuses(of: Self.first).last?.0.device.localIdentifier == "C0:DE:00:00:00:01")
    }

    @Test func `impossible heart rates are logged and counted nowhere`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...61, from: Self.first)
        let impossible: [[UInt8]] = [[0x07, 0xFF, 0xFF], [0x17, 0xFF, 0xFF, 0x00, 0x04], [0x06, 19]]
        for bytes in impossible { await bench.send(bytes, from: Self.first) }
        // A beat, and a wrong one (Garmin's HRM-Dual).
        await bench.send([0x16, 62, 0x00, 0x04, 0x35, 0x00], from: Self.first)
        #expect(await bench.heartRates() == [60, 61, 62])
        #expect(await bench.packets.suffix(4).prefix(3) == impossible[...])
        let beats = await bench.log.compactMap { entry in
            if case .beats(let reading) = entry.content { reading.intervalsInMilliseconds } else { nil }
        }
        #expect(beats == [[1000]])
        let workout = try await bench.end()
        let statistics = workout.statistics(for: HKQuantityType(.heartRate))
        #expect(statistics?.total.count == 3)
        #expect(statistics?.maximumQuantity()?.doubleValue(for: HKUnit(from: "count/min")) == 62)
    }

    @Test func `readings of a slow link keep their own times and precede the later battery level`()
        async throws
    {
        let bench = Bench([PairedSensor(address: Self.first)])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        let start = bench.time.now()
        for rate in 60...62 {
            await bench.send([0x16, UInt8(rate), 0x00, 0x04], from: Self.first)
            bench.time.advance(by: 1)
        }
        #expect(await SteppedTime.wait { await bench.statuses(of: Self.first).last?.0.batteryPercent == 90 })
        bench.time.advance(by: 3)
        for rate in 63...65 { bench.central.send([0x16, UInt8(rate), 0x00, 0x04], from: Self.first) }
        bench.central.send([80], of: .batteryLevel, from: Self.first)
        // Values of a burst are held for a moment.
        #expect(await bench.time.run(atMost: 1) { await bench.statuses(of: Self.first).last?.0.batteryPercent == 80 })
        let log = await bench.log
        let readings = log.filter { if case .quantity = $0.content { true } else { false } }
        #expect(readings.map { $0.date.timeIntervalSince(start) } == [0, 1, 2, 4, 5, 6])
        #expect(log.map(\.date) == log.map(\.date).sorted())
        guard case .sensor = log.last?.content else {
            Issue.record("the battery is not the last: \(String(describing: log.last))")
            return
        }
    }

    @Test func `a strap is released when the session has ended`() async throws {
        let bench = Bench([PairedSensor(address: Self.first)])
        bench.central.add(Self.first, strap())
        try await bench.begin()
        await bench.connect(Self.first)
        await bench.beat(60...61, from: Self.first)
        _ = try await bench.end()
        #expect(await bench.time.run { !bench.central.isStreaming(Self.first) })
    }

    @Test func `a bicycle sensor gives speed, cadence and distance of its wheel`() async throws {
        var sensor = PairedSensor(address: Self.first)
        sensor.wheelCircumferenceInMeters = 2
        let bench = Bench([sensor], activity: "cycling")
        var strap = strap()
        strap.measurements = [.cyclingSpeedAndCadenceMeasurement]
        bench.central.add(Self.first, strap)
        try await bench.begin()
        await bench.connect(Self.first)
        for second in 0..<5 as Range<UInt8> {
            let wheel = [4 * second, 0, 0, 0, 0, 4 * second] as [UInt8]
            let crank = [second, 0, 0, 4 * second] as [UInt8]
            await bench.send([3] + wheel + crank, of: .cyclingSpeedAndCadenceMeasurement, from: Self.first)
            bench.time.advance(by: 1)
        }
        let state = bench.recorder.state
        #expect(state.quantities["distanceCycling"]?.statistics.sum == 32)
        #expect(state.quantities["cyclingSpeed"]?.statistics.mostRecent?.value == 8)
        #expect(state.quantities["cyclingCadence"]?.statistics.mostRecent?.value == 60)
    }
}
