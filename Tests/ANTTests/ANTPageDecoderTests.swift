import ANT
import Bluetooth
import Foundation
import GATT
import TestBytes
import Testing

@Suite struct ANTPageDecoderTests {
    /// Feeds pages four times a second, as sensors send them, and returns the outputs with their times in seconds.
    private func read(
        _ kind: ANTDeviceKind, _ pages: [[UInt8]], every interval: Duration = .milliseconds(250)
    ) -> [(at: Double, output: ANTPageDecoder.Output)] {
        var decoder = ANTPageDecoder(ANTDeviceID(kind, number: 4711))
        var now = Duration.zero
        var outputs: [(Double, ANTPageDecoder.Output)] = []
        for page in pages {
            outputs += decoder.read(page, at: now).map { (now / .seconds(1), $0) }
            now += interval
        }
        return outputs
    }

    private func measurements(_ outputs: [(at: Double, output: ANTPageDecoder.Output)]) -> [SensorMeasurement] {
        outputs.compactMap { _, output in
            if case .measurement(let uuid, let bytes) = output { SensorMeasurement(uuid, bytes) } else { nil }
        }
    }

    private func machineData(_ outputs: [(at: Double, output: ANTPageDecoder.Output)]) -> [FitnessMachineData] {
        measurements(outputs).compactMap { if case .fitnessMachine(let data) = $0 { data } else { nil } }
    }

    // MARK: Heart rate

    @Test func `a real strap's beats become RR intervals`() throws {
        var reader = ANTMessageReader()
        let pages = RealStick.messages.flatMap { reader.read($0) }.compactMap(ANTBroadcast.init).map(\.page)
        let rates = measurements(read(.heartRate, pages, every: .seconds(1))).compactMap { measurement in
            if case .heartRate(let rate) = measurement { rate } else { nil }
        }
        #expect(rates.map(\.heartRate) == [60, 60, 60, 60, 59, 59, 59, 59])
        // Beats one second apart. Three were lost with the missed messages; page 4 still has the interval before the
        // last one.
        #expect(rates.map { Array($0.rrIntervals) } == [[], [1024], [1024], [1024], [1041], [1041], [1041], [1041]])
    }

    @Test func `each beat counts once, however often it is sent`() throws {
        // 150 beats a minute: one every 0.4 s, four pages a second. The last value belongs to second 19.
        var pages: [[UInt8]] = []
        for place in 0..<80 {
            let beat = Int(Double(place) * 0.25 / 0.4)
            let (time, before) = (UInt16(truncatingIfNeeded: beat * 410), UInt16(truncatingIfNeeded: (beat - 1) * 410))
            let toggle: UInt8 = place / 4 % 2 == 0 ? 0 : 0x80
            pages.append(
                [
                    toggle | 4, 0xFF, UInt8(before & 255), UInt8(before >> 8), UInt8(time & 255), UInt8(time >> 8),
                    UInt8(truncatingIfNeeded: beat), 150,
                ])
        }
        let outputs = read(.heartRate, pages)
        let rates = measurements(outputs).compactMap { if case .heartRate(let rate) = $0 { rate } else { nil } }
        #expect(rates.count == 20)
        #expect(rates.flatMap { Array($0.rrIntervals) } == [UInt16](repeating: 410, count: 47))
        // One value a second.
        #expect(zip(outputs.dropFirst(), outputs).allSatisfy { $0.at - $1.at == 1 })
    }

    @Test func `a missed beat is recovered from page 4`() {
        func page(_ beat: UInt8, _ before: UInt16, _ time: UInt16, _ toggle: UInt8) -> [UInt8] {
            [toggle | 4, 0xFF, UInt8(before & 255), UInt8(before >> 8), UInt8(time & 255), UInt8(time >> 8), beat, 70]
        }
        let pages = [page(1, 0, 900, 0), page(2, 900, 1800, 0x80), page(4, 2700, 3500, 0)]
        let rates = measurements(read(.heartRate, pages, every: .seconds(1)))
            .compactMap { if case .heartRate(let rate) = $0 { Array(rate.rrIntervals) } else { nil } }
        #expect(rates == [[], [900], [900, 800]])
    }

    @Test func `a first-generation sensor sends only beats`() {
        // Before the toggle bit changes, the bytes before the beat fields mean nothing; otherwise page 4 would hold
        // an earlier beat.
        let pages: [[UInt8]] = (0..<5 as Range<UInt8>).map { [4, 9, 9, 9, $0 * 3, $0 * 4, $0 * 2, 60] }
        let rates = measurements(read(.heartRate, pages, every: .seconds(1)))
            .compactMap { if case .heartRate(let rate) = $0 { Array(rate.rrIntervals) } else { nil } }
        #expect(rates == [[], [], [], [], []])
    }

    @Test func `a sensor that is off or has no contact sends nothing`() {
        let zero = [[4, 255, 0, 0, 0, 0, 1, 0], [0x84, 255, 0, 0, 0, 0, 1, 0]] as [[UInt8]]
        #expect(read(.heartRate, zero).isEmpty)
        let still = [[UInt8]](repeating: [4, 255, 0, 0, 0, 4, 1, 70], count: 60)
        #expect(read(.heartRate, still).map(\.at) == [0, 1, 2, 3, 4])
    }

    @Test func `an interval across a gap is not an interval`() {
        var decoder = ANTPageDecoder(RealStick.strap)
        _ = decoder.read([4, 255, 0, 0, 0, 4, 1, 70], at: .zero)
        let after = decoder.read([0x84, 255, 0, 4, 0, 8, 2, 70], at: .seconds(30))
        guard case .measurement(_, let bytes)? = after.first else {
            Issue.record("no value")
            return
        }
        #expect(HeartRateMeasurement(bytes)?.rrIntervals.isEmpty == true)
    }

    @Test func `pages contain the manufacturer and the battery level`() {
        let pages: [[UInt8]] = [
            [4, 255, 0, 0, 0, 0, 1, 60], [0x82, 123, 0x34, 0x12, 0, 0, 1, 60], [0x83, 3, 7, 22, 0, 0, 1, 60],
            [0x87, 83, 0, 0, 0, 0, 1, 60],
        ]
        let told = read(.heartRate, pages).map(\.output).filter { if case .measurement = $0 { false } else { true } }
        #expect(
            told == [
                .information(.manufacturerName, "Polar"), .information(.serialNumber, "\(0x1234_0000 + 4711)"),
                .information(.hardwareRevision, "3"), .information(.softwareRevision, "7"),
                .information(.modelNumber, "22"), .battery(83),
            ])
    }

    // MARK: Wheel and crank

    @Test func `speed, cadence and combined sensors use Bluetooth's counters`() {
        let speed =
            [[UInt8]](repeating: [0, 0, 0, 0, 0x00, 0x04, 0xFF, 0xFF], count: 1)
            + [[0, 0, 0, 0, 0x00, 0x08, 0x03, 0x00]]
        let wheel = measurements(read(.speed, speed, every: .seconds(1)))
            .compactMap { if case .cyclingSpeedAndCadence(let packet) = $0 { packet.wheel } else { nil } }
        #expect(wheel == [.init(count: 0, eventTime: 1024), .init(count: 4, eventTime: 2048)])
        let cadence = measurements(read(.cadence, speed, every: .seconds(1)))
            .compactMap { if case .cyclingSpeedAndCadence(let packet) = $0 { packet.crank } else { nil } }
        #expect(cadence == [.init(count: 0xFFFF, eventTime: 1024), .init(count: 3, eventTime: 2048)])
        let both = measurements(read(.speedAndCadence, [[1, 2, 3, 4, 5, 6, 7, 8]]))
        #expect(
            both == [
                .cyclingSpeedAndCadence(
                    CyclingSpeedCadenceMeasurement(
                        wheel: .init(count: 0, eventTime: 0x0605), crank: .init(count: 0x0403, eventTime: 0x0201)))
            ])
    }

    // MARK: Power

    /// Pages of a power meter with one event a second. Pages are repeated, and some are lost.
    private func powerPages(_ watts: [Int], lost: Set<Int> = []) -> [[UInt8]] {
        var sum = 0
        var pages: [[UInt8]] = []
        for (second, value) in watts.enumerated() {
            sum += value
            let page: [UInt8] = [
                0x10, UInt8(truncatingIfNeeded: second), 0x80 | 52, 90, UInt8(sum & 255), UInt8(sum >> 8 & 255),
                UInt8(value & 255), UInt8(value >> 8),
            ]
            let count = lost.contains(second) ? 0 : 4
            pages += [[UInt8]](repeating: page, count: count)
        }
        return pages
    }

    @Test func `power is the meter's sum, also across lost messages`() throws {
        let watts = [200, 210, 220, 230, 240, 250, 260]
        let packets = measurements(read(.power, powerPages(watts)))
            .compactMap { if case .cyclingPower(let packet) = $0 { packet } else { nil } }
        #expect(packets.map { Int($0.powerInWatts) } == watts)
        #expect(packets.allSatisfy { $0.pedalBalanceInPercent == 48 && $0.balanceIsOfLeftPedal })
        let withLoss = measurements(read(.power, powerPages(watts, lost: [2, 3])))
            .compactMap { if case .cyclingPower(let packet) = $0 { Int(packet.powerInWatts) } else { nil } }
        #expect(withLoss == [200, 210, (220 + 230 + 240) / 3, 250, 260])
        // A cadence in revolutions per minute turns the crank at that speed.
        var cadence = CrankCadence()
        let rates = packets.enumerated().compactMap { second, packet in
            packet.crank.flatMap { cadence.add($0, at: Date(timeIntervalSinceReferenceDate: Double(second))) }
        }
        #expect(rates.count == 6)
        #expect(rates.allSatisfy { abs($0 - 90) < 1 }, "\(rates)")
    }

    @Test func `the power sum may wrap around or be reset`() {
        let page: (UInt8, UInt16, UInt16) -> [UInt8] = { events, sum, watts in
            [0x10, events, 0xFF, 0xFF, UInt8(sum & 255), UInt8(sum >> 8), UInt8(watts & 255), UInt8(watts >> 8)]
        }
        let pages = [page(255, 65500, 100), page(0, 64, 100), page(1, 30000, 120)]
        let watts = measurements(read(.power, pages, every: .seconds(1)))
            .compactMap { if case .cyclingPower(let packet) = $0 { packet.powerInWatts } else { nil } }
        #expect(watts == [100, 100, 120])
    }

    @Test func `torque and revolutions give power`() {
        // 10 Nm at 90 turns a minute: 94.2 W. A turn takes 2/3 s, 1365 of 1/2048 s.
        let pages = (0..<6).map { turn -> [UInt8] in
            let (period, torque) = (UInt16(turn * 1365), UInt16(turn * 320))
            return [
                0x12, UInt8(turn), UInt8(turn), 90, UInt8(period & 255), UInt8(period >> 8), UInt8(torque & 255),
                UInt8(torque >> 8),
            ]
        }
        let watts = measurements(read(.power, pages, every: .seconds(1)))
            .compactMap { if case .cyclingPower(let packet) = $0 { packet.powerInWatts } else { nil } }
        #expect(watts == [94, 94, 94, 94, 94])
    }

    @Test func `a rider who does not pedal has no power`() {
        let page: [UInt8] = [0x10, 7, 0xFF, 0, 10, 0, 250, 0]
        let values = read(.power, [[UInt8]](repeating: page, count: 24))
        let watts = measurements(values).compactMap {
            if case .cyclingPower(let packet) = $0 { packet.powerInWatts } else { nil }
        }
        #expect(watts == [250, 0, 0, 0])
        #expect(values.map(\.at) == [0, 3, 4, 5])
    }

    // MARK: Fitness equipment

    @Test func `a trainer's pages give one value per second`() {
        let general: [UInt8] = [0x10, 25, 8, 200, 0x10, 0x27, 0xFF, 0x24]
        let trainer: [UInt8] = [0x19, 1, 88, 0, 0, 0xFA, 0x20, 0x30]
        let data = machineData(read(.fitnessEquipment, [general, trainer, general, trainer, general, trainer]))
        #expect(data.count == 2)
        #expect(data.last?.machine == .indoorBike)
        #expect(data.last?.powerInWatts == 250)
        #expect(data.last?.cadencePerMinute == 88)
        #expect(data.last?.speedInMetersPerSecond.map { abs($0 - 10) < 0.01 } == true)
        #expect(data.last?.heartRate == nil)
    }

    @Test func `a distance counter that wraps around keeps counting`() {
        let pages = [250, 254, 2, 6].map { [0x10, 19, 0, $0, 0, 0, 140, 0x04] as [UInt8] }
        let data = machineData(read(.fitnessEquipment, pages, every: .seconds(1)))
        #expect(data.map(\.totalDistanceInMeters) == [0, 4, 8, 12])
        #expect(data.allSatisfy { $0.machine == .treadmill && $0.heartRate == 140 })
    }

    @Test(arguments: FitnessMachineData.Machine.allCases)
    func `each machine's values survive encoding as a packet`(machine: FitnessMachineData.Machine) throws {
        var data = FitnessMachineData(machine)
        data.speedInMetersPerSecond = 2.5
        data.totalDistanceInMeters = 70_000
        data.powerInWatts = 180
        data.heartRate = 151
        if machine != .treadmill { data.cadencePerMinute = 28 }
        if machine == .treadmill || machine == .crossTrainer { data.inclinationInPercent = -3.5 }
        if machine != .treadmill { data.resistanceLevel = 12 }
        let read = try #require(FitnessMachineData(machine, data.bytes))
        #expect(read == data)
        // Unknown values stay unknown.
        #expect(FitnessMachineData(machine, FitnessMachineData(machine).bytes) == FitnessMachineData(machine))
    }

    @Test func `nothing is published before a machine has reported its type`() {
        #expect(read(.fitnessEquipment, [[0x19, 1, 88, 0, 0, 0xFA, 0x20, 0x30]]).isEmpty)
    }

    // MARK: Foot pod

    @Test func `a foot pod gives speed, distance and strides`() {
        var pages: [[UInt8]] = []
        for second in 0..<5 {
            let meters = UInt8(truncatingIfNeeded: 254 + second * 3)
            let strides = UInt8(truncatingIfNeeded: 250 + second)
            pages.append([1, 0, UInt8(second), meters, 0x80 | 3, 0x80, strides, 0])
        }
        let packets = measurements(read(.strideSensor, pages, every: .seconds(1)))
            .compactMap { if case .runningSpeedAndCadence(let packet) = $0 { packet } else { nil } }
        #expect(packets.map(\.speedInMetersPerSecond) == [3.5, 3.5, 3.5, 3.5, 3.5])
        #expect(packets.map(\.totalDistanceInDecimeters) == [5, 35, 65, 95, 125])
        #expect(packets.dropFirst().allSatisfy { $0.cadencePerMinute == 60 })
        let own = measurements(read(.strideSensor, [[2, 0, 0, 85, 0x80 | 2, 0, 0, 0]]))
        #expect(
            own == [
                .runningSpeedAndCadence(
                    RunningSpeedCadenceMeasurement(speedInMetersPerSecond: 2, cadencePerMinute: 86, isRunning: true))
            ])
    }

    // MARK: All

    @Test func `random pages never trap, and every value can be read`() {
        var random = SeededBytes(state: 11)
        for kind in ANTDeviceKind.allCases {
            var decoder = ANTPageDecoder(ANTDeviceID(kind, number: 1))
            var now = Duration.zero
            for _ in 0..<20_000 {
                now += .milliseconds(Int(random.bytes(1)[0]) * 40)
                for output in decoder.read(random.bytes(8), at: now) {
                    guard case .measurement(let uuid, let bytes) = output else { continue }
                    #expect(SensorMeasurement(uuid, bytes) != nil)
                }
                _ = decoder.read(random.bytes(5), at: now)
            }
        }
    }

    @Test func `common pages contain the manufacturer`() {
        let pages: [[UInt8]] = [
            [80, 0xFF, 0xFF, 4, 89, 0, 0x10, 0x0B], [81, 0xFF, 5, 31, 0x01, 0x02, 0x03, 0x04],
            [81, 0xFF, 0xFF, 31, 255, 255, 255, 255],
        ]
        #expect(
            read(.power, pages).map(\.output) == [
                .information(.manufacturerName, "Tacx"), .information(.hardwareRevision, "4"),
                .information(.modelNumber, "2832"), .information(.softwareRevision, "3105"),
                .information(.serialNumber, "67305985"), .information(.softwareRevision, "3.1"),
            ])
    }
}
