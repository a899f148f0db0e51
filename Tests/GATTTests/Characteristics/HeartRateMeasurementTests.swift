import Foundation
import GATT
import Testing

struct HeartRateMeasurementTests {
    @Test(arguments: packets)
    func `a packet decodes into heart rate, contact, energy and RR`(_ packet: Packet) throws {
        let measurement = try #require(HeartRateMeasurement(packet.bytes))
        #expect(measurement.rawHeartRate == packet.heartRate)
        #expect(measurement.sensorContact == packet.contact)
        #expect(measurement.energyExpendedInKilojoules == packet.energy)
        #expect(measurement.rrIntervals.elementsEqual(packet.rr))
        #expect(measurement.isCut == packet.isCut)
    }

    @Test(arguments: ["", "48", "01 48"])
    func `a packet without a complete heart rate is rejected`(_ hex: String) {
        #expect(HeartRateMeasurement(bytes(hex)) == nil)
    }

    @Test(arguments: [
        ("16 4d 16 03", 77), ("04 aa", nil), ("00 ff", 255), ("06 00", nil), ("04 00", nil), ("02 3c", 60),
        ("14 00", nil), ("09 00 00 ff ff", nil), ("01 ff ff", nil), ("01 2d 01", nil), ("01 2c 01", 300),
        ("00 13", nil),
        ("00 14", 20),
    ])
    func `zero, no contact and impossible heart rates are not readings`(_ hex: String, _ heartRate: Int?) {
        #expect(HeartRateMeasurement(bytes(hex))?.heartRate == heartRate)
    }

    @Test(arguments: [("01 80 80", false), ("01 01 01", true), ("00 13", false), ("00 14", true), ("00 fa", true)])
    func `implausible heart rates are marked, not removed`(_ hex: String, _ isPlausible: Bool) {
        #expect(HeartRateMeasurement(bytes(hex))?.isHeartRatePlausible == isPlausible)
    }

    @Test(
        arguments: [
            (790, 771.484375), (1107, 1081.0546875), (53, 51.7578125), (65535, 63999.0234375), (32895, 32124.0234375),
            (882, 861.328125), (906, 884.765625), (914, 892.578125), (1164, 1136.71875),
        ] as [(UInt16, Double)])
    func `RR ticks are 1024ths of a second`(_ ticks: UInt16, _ milliseconds: Double) {
        #expect(RRIntervals.milliseconds(fromTicks: ticks) == milliseconds)
    }

    @Test(arguments: [(53, false), (204, false), (205, true), (5120, true), (5121, false)] as [(UInt16, Bool)])
    func `implausible RR intervals are marked, not removed`(_ ticks: UInt16, _ isPlausible: Bool) {
        #expect(RRIntervals.isPlausible(ticks: ticks) == isPlausible)
    }

    @Test(arguments: [
        ("10 38 2d 04 35 00", [1043.945_312_5], true), ("10 38 2d 04", [1043.945_312_5], false),
        ("11 ff ff 2d 04", [], true), ("14 38 2d 04", [], false), ("10 00 2d 04", [1043.945_312_5], false),
    ])
    func `beats are the plausible intervals`(_ hex: String, _ beats: [Double], _ isImplausible: Bool) {
        let packet = HeartRateMeasurement(bytes(hex))
        #expect(packet?.beatsInMilliseconds == beats)
        #expect(packet?.isImplausible == isImplausible)
    }

    @Test func `a packet longer than the default MTU loses no RR interval`() throws {
        let ticks = (0..<100).map { UInt16(400 + $0) }
        let packet: [UInt8] = [0x10, 0x9A] + ticks.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try #require(HeartRateMeasurement(packet)).rrIntervals.elementsEqual(ticks))
    }

    @Test func `every way of passing the bytes decodes alike`() throws {
        let packet = bytes("1e 55 10 00 c4 02 ba 02")
        let measurement = try #require(HeartRateMeasurement(packet))
        #expect(HeartRateMeasurement(packet.span) == measurement)
        #expect(HeartRateMeasurement(Data(packet)) == measurement)
        #expect(HeartRateMeasurement(([0, 0] + packet)[2...]) == measurement)
        #expect(HeartRateMeasurement(packet.lazy.map { $0 }) == measurement)
        #expect(packet.withUnsafeBytes { HeartRateMeasurement($0) } == measurement)
    }

    @Test func `no packet of up to eight bytes traps, whatever its flags`() {
        for length in 0...8 {
            for flags in UInt8.min...UInt8.max {
                var packet = [UInt8](repeating: 0xFF, count: length)
                if length > 0 { packet[0] = flags }
                let isWhole = length >= (flags & 1 == 0 ? 2 : 3)
                #expect((HeartRateMeasurement(packet) != nil) == isWhole)
            }
        }
    }

    /// Packets of real straps that people have posted, and those of the specification.
    @Test(.enabled(if: payloadTable != nil, "the shared measurement table is not there"))
    func `the shared table of real packets decodes as stated`() throws {
        for line in try #require(payloadTable).split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false).map(String.init)
            let (kind, payload, heartRate, contact, energy, rr) = (
                fields[0], bytes(fields[2]), fields[3], fields[4], fields[5], fields[6]
            )
            let measurement = HeartRateMeasurement(payload)
            if kind == "bad" {
                // The table lists a cut energy field as an error. The heart rate before it is complete, and is kept.
                let isCutEnergy = payload.count >= 2 && payload[0] == 0x08
                #expect(isCutEnergy ? measurement?.isCut == true : measurement == nil, "\(line)")
                continue
            }
            #expect(measurement.map { String($0.rawHeartRate) } == heartRate, "\(line)")
            #expect(measurement.map { "\($0.sensorContact)" } == contactNames[contact], "\(line)")
            #expect(measurement?.energyExpendedInKilojoules == UInt16(energy), "\(line)")
            #expect(measurement?.rrIntervals.map(String.init) == rr.split(separator: " ").map(String.init), "\(line)")
        }
    }
}

private let contactNames = ["yes": "detected", "no": "notDetected", "unsupported": "notSupported"]

/// Nil if the shared data, which is not part of this package, is missing.
private let payloadTable: String? = {
    var root = URL(filePath: #filePath)
    for _ in 1...4 { root.deleteLastPathComponent() }
    return try? String(
        contentsOf: root.appending(path: "../shared/data/ble/hrm-payloads.csv").standardizedFileURL, encoding: .utf8)
}()

private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { $0 != " " }
    return stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
}

struct Packet: Sendable, CustomTestStringConvertible {
    var hex: String
    var heartRate: UInt16
    var contact: HeartRateMeasurement.SensorContact
    var energy: UInt16?
    var rr: [UInt16]
    var isCut: Bool

    init(
        _ hex: String, _ heartRate: UInt16, _ contact: HeartRateMeasurement.SensorContact, energy: UInt16? = nil,
        rr: [UInt16] = [], isCut: Bool = false
    ) {
        self.hex = hex
        self.heartRate = heartRate
        self.contact = contact
        self.energy = energy
        self.rr = rr
        self.isCut = isCut
    }

    var bytes: [UInt8] { GATTTests.bytes(hex) }
    var testDescription: String { hex }
}

private let packets: [Packet] = [
    // Posted by people with real straps: Polar H7, H10, an unbranded one, Garmin HRM-Dual.
    Packet("16 4d 16 03", 77, .detected, rr: [790]),
    Packet("16 4e 1b 03 12 03", 78, .detected, rr: [795, 786]),
    Packet("16 4f 02 03", 79, .detected, rr: [770]),
    Packet("16 4e 0f 03", 78, .detected, rr: [783]),
    Packet("10 3b 53 04", 59, .notSupported, rr: [1107]),
    Packet("10 48 2c 03", 72, .notSupported, rr: [812]),
    Packet("10 49 5e 03 96 03", 73, .notSupported, rr: [862, 918]),
    Packet("16 34 e4 04", 52, .detected, rr: [1252]),
    Packet("16 34 a5 04", 52, .detected, rr: [1189]),
    Packet("16 33 ea 04", 51, .detected, rr: [1258]),
    Packet("16 33 de 04", 51, .detected, rr: [1246]),
    Packet("10 38 2d 04 35 00", 56, .notSupported, rr: [1069, 53]),
    Packet("10 3e b1 03 de", 62, .notSupported, rr: [945], isCut: true),
    Packet("10 39 23 04 35", 57, .notSupported, rr: [1059], isCut: true),
    Packet("10 3d cf 03 ef", 61, .notSupported, rr: [975], isCut: true),
    // From other projects' tests: SmartGattLib, OpenTracks, blevalueparser, polar-ble-sdk.
    Packet("16 48 54 01 ec 02", 72, .detected, rr: [340, 748]),
    Packet("02 3c", 60, .notSupported),
    Packet("01 01 01", 257, .notSupported),
    Packet("04 aa", 170, .notDetected),
    Packet("00 ff", 255, .notSupported),
    Packet("01 80 80", 32896, .notSupported),
    Packet("06 00", 0, .detected),
    Packet("04 00", 0, .notDetected),
    Packet("09 00 00 ff ff", 0, .notSupported, energy: 65535),
    Packet("08 00 7f 80", 0, .notSupported, energy: 32895),
    Packet("10 00 ff ff", 0, .notSupported, rr: [65535]),
    Packet("11 00 00 ff ff 7f 80", 0, .notSupported, rr: [65535, 32895]),
    Packet("11 00 00 00 00", 0, .notSupported, rr: [0]),
    // Made according to the specification.
    Packet("06 48", 72, .detected),
    Packet("14 00", 0, .notDetected),
    Packet("10 28", 40, .notSupported),
    Packet("1e 55 10 00 c4 02 ba 02", 85, .detected, energy: 16, rr: [708, 698]),
    Packet("1f 2c 01 ff ff cd 00 cc 00", 300, .detected, energy: 65535, rr: [205, 204]),
    Packet("10 c3 3c 01 3b 01 3c 01 3a 01", 195, .notSupported, rr: [316, 315, 316, 314]),
    Packet(
        "16 9a 93 01 8c 01 91 01 8f 01 90 01 92 01 8e 01 90 01 8d 01", 154, .detected,
        rr: [403, 396, 401, 399, 400, 402, 398, 400, 397]),
    Packet("08 48 05", 72, .notSupported, isCut: true),
    Packet("16 48 54", 72, .detected, isCut: true),
    Packet("e6 48", 72, .detected),
    // Bytes without a flag are ignored.
    Packet("06 48 2c 03", 72, .detected),
    // If the energy field is missing completely, the RR intervals are lost, too.
    Packet("18 48", 72, .notSupported, isCut: true),
    Packet("10 43 72 03 8a 03", 67, .notSupported, rr: [882, 906]),
]
