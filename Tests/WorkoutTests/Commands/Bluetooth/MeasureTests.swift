import Bluetooth
import Foundation
import GATT
import HealthKit
import HealthStore
import Testing

@testable import workout

/// Which values of a thermometer or scale count, when a measurement is complete, and what is stored.
@Suite struct MeasureTests {
    private static let start = Date(timeIntervalSince1970: 1_795_800_000)
    private static let address = DeviceAddress(value: 7)

    private static func calendar() -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC") ?? .gmt
        return calendar
    }

    private func collection(duration: Double? = nil, user: Int? = nil) -> VitalsCollection {
        VitalsCollection(startedAt: Self.start, timeoutInSeconds: 60, durationInSeconds: duration, user: user)
    }

    private static func event(_ uuid: BluetoothUUID, _ bytes: [UInt8], at second: Double) throws -> VitalsLink.Event {
        .measured(try #require(VitalSigns(bytes, of: uuid)), bytes: bytes, of: uuid, start + second)
    }

    @Test func `a rising temperature does not count, and its result does`() throws {
        var collection = collection()
        _ = collection.handle(.linked, at: Self.start)
        for second in 1...5 {
            let event = try Self.event(
                .intermediateTemperature, [0, 100 + UInt8(second), 1, 0, 0xFF], at: Double(second))
            #expect(collection.handle(event, at: Self.start + Double(second)) == nil)
        }
        #expect(!collection.isOver(at: Self.start + 59))
        let result = try Self.event(.temperatureMeasurement, [0, 0x6E, 1, 0, 0xFF], at: 20)
        #expect(collection.handle(result, at: Self.start + 20)?.vitals.bodyTemperatureInCelsius == 36.6)
        #expect(!collection.isOver(at: Self.start + 22))
        #expect(collection.isOver(at: Self.start + 23))
        // The copy for another listening program.
        #expect(collection.handle(result, at: Self.start + 20) == nil)
    }

    @Test func `a device that measures continuously is read for ten seconds, or as long as requested`() throws {
        var collection = collection()
        _ = collection.handle(.linked, at: Self.start)
        for second in 0..<12 {
            let event = try Self.event(.oximeterContinuous, [0, 90 + UInt8(second % 8), 0, 60, 0], at: Double(second))
            #expect(collection.handle(event, at: Self.start + Double(second)) == nil)
        }
        #expect(collection.isOver(at: Self.start + 10))
        #expect(collection.takeLatest().map(\.vitals.oxygenSaturationInPercent) == [93])
        #expect(collection.takeLatest().isEmpty)

        var long = self.collection(duration: 100)
        _ = long.handle(.linked, at: Self.start + 50)
        for second in 51..<150 {
            let event = try Self.event(.oximeterContinuous, [0, 97, 0, 60, 0], at: Double(second))
            #expect(long.handle(event, at: Self.start + Double(second)) != nil)
        }
        #expect(!long.isOver(at: Self.start + 149))
        #expect(long.isOver(at: Self.start + 150))
    }

    @Test func `waiting ends at the timeout, or when the device disconnects`() throws {
        var collection = collection()
        #expect(!collection.isOver(at: Self.start + 59))
        #expect(collection.isOver(at: Self.start + 60))
        _ = collection.handle(.linked, at: Self.start + 5)
        // A failed measurement does not count.
        #expect(
            collection.handle(try Self.event(.weightMeasurement, [0, 0xFF, 0xFF], at: 6), at: Self.start + 6) == nil)
        #expect(!collection.hasResult)
        let weight = try Self.event(.weightMeasurement, [0, 0x90, 0x38], at: 9)
        #expect(collection.handle(weight, at: Self.start + 9) != nil)
        _ = collection.handle(.ended(.unknown), at: Self.start + 10)
        #expect(collection.isOver(at: Self.start + 10))
    }

    private static func measurement(_ uuid: BluetoothUUID, _ bytes: [UInt8]) throws -> VitalsCollection.Measurement {
        VitalsCollection.Measurement(
            vitals: try #require(VitalSigns(bytes, of: uuid)), characteristic: uuid, bytes: bytes,
            received: start)
    }

    /// 2026-11-20 07:13:00, a week before the measurement is received.
    private static let time: [UInt8] = [0xEA, 0x07, 11, 20, 7, 13, 0]

    @Test func `a value with a time is the same sample whenever the device sends it`() throws {
        let pressure = try Self.measurement(
            .bloodPressureMeasurement, [0x0E, 120, 0, 80, 0, 93, 0] + Self.time + [64, 0, 1])
        let samples = try pressure.samples(of: Self.address, nil, in: Self.calendar())
        let again = try pressure.samples(of: Self.address, nil, in: Self.calendar())
        #expect(samples.map(\.uuid) == again.map(\.uuid))
        #expect(
            samples.map(\.sampleType.identifier) == [
                "HKQuantityTypeIdentifierHeartRate", "HKCorrelationTypeIdentifierBloodPressure",
            ])
        let correlation = try #require(samples.last as? HKCorrelation)
        let systolic = try #require(
            correlation.objects(for: HKQuantityType(.bloodPressureSystolic)).first as? HKQuantitySample)
        #expect(systolic.quantity.doubleValue(for: .millimeterOfMercury()) == 120)
        #expect(systolic.startDate == Date(timeIntervalSince1970: 1_795_158_780))
        // Another device sends the same bytes.
        let other = try pressure.samples(of: DeviceAddress(value: 8), nil, in: Self.calendar())
        #expect(other[0].uuid != samples[0].uuid)
        let undated = try Self.measurement(.weightMeasurement, [0, 0x90, 0x38])
        let weights = try (0..<2).flatMap { _ in try undated.samples(of: Self.address, nil, in: Self.calendar()) }
        #expect(weights[0].uuid != weights[1].uuid)
        #expect(weights[0].startDate == Self.start)
    }

    @Test(
        arguments: [
            [0xDC, 0x07, 1, 1, 0, 0, 0].reversed(), [0xD9, 0x07, 1, 1, 0, 0, 0], [0xEB, 0x07, 1, 1, 0, 0, 0],
        ] as [[UInt8]])
    func `a clock that was never set does not date a measurement`(_ time: [UInt8]) throws {
        let weight = try Self.measurement(.weightMeasurement, [0x02, 0x90, 0x38] + time)
        #expect(weight.date(in: Self.calendar()) == Self.start)
    }

    @Test func `samples have HealthKit's units, and the store keeps them once`() throws {
        let database = SQLiteHealthDatabase(.memory)
        var collection = collection(user: 1)
        _ = collection.handle(
            .found(
                Advertisement(
                    address: Self.address, name: "Scale", services: [.weightScaleService],
                    signalInDecibelMilliwatts: -60, date: Self.start)), at: Self.start)
        let bytes = [0x0E, 0x90, 0x38] + Self.time + [1, 223, 0, 0x08, 0x07]
        for _ in 0..<2 {
            let output = MeasureOutput(collection, json: true, database: database)
            output.happened(.linked, at: Self.start)
            output.happened(try Self.event(.weightMeasurement, bytes, at: 1), at: Self.start + 1)
            // Another person on the same scale.
            output.happened(
                try Self.event(.weightMeasurement, [0x04, 0x10, 0x40, 2], at: 2), at: Self.start + 2)
            try output.finish()
        }
        let type = HKQuantityType(.bodyMass)
        let stored = try database.samples([SampleSelection(type)], sortedBy: [], limit: 10)
        #expect(
            stored.compactMap { ($0 as? HKQuantitySample)?.quantity.doubleValue(for: .gramUnit(with: .kilo)) } == [72.4]
        )
        // These values need the name of a person.
        let shared = MeasureOutput(self.collection(), json: true, database: database)
        for user in [1, 2] as [UInt8] {
            shared.happened(try Self.event(.weightMeasurement, [0x04, 0x10, 0x40, user], at: 2), at: Self.start + 2)
        }
        #expect(throws: CommandFailure.self) { try shared.finish() }
        #expect(try database.samples([SampleSelection(type)], sortedBy: [], limit: 10).count == 1)
        #expect(throws: CommandFailure.self) {
            try MeasureOutput(self.collection(), json: true, database: database).finish()
        }
    }
}
