import Foundation
import GATT
import TestBytes
import Testing

/// Values of thermometers, oximeters, scales and blood-pressure monitors, byte by byte as their services specify.
@Suite struct VitalSignsTests {
    private static let time: [UInt8] = [0xEA, 0x07, 11, 27, 19, 45, 30]
    private static let read = DeviceTime(year: 2026, month: 11, day: 27, hour: 19, minute: 45, second: 30)

    @Test func `a thermometer states temperature, time and place`() throws {
        // 366 · 10⁻¹ °C, in the ear.
        let vitals = try #require(
            VitalSigns([0x06, 0x6E, 0x01, 0x00, 0xFF] + Self.time + [3], of: .temperatureMeasurement))
        #expect(vitals.bodyTemperatureInCelsius == 36.6)
        #expect(vitals.time == Self.read)
        #expect(vitals.temperatureSite == 3)
        #expect(vitals.stage == .final)
        // 986 · 10⁻¹ °F.
        let fahrenheit = try #require(VitalSigns([0x01, 0xDA, 0x03, 0x00, 0xFF], of: .intermediateTemperature))
        #expect(abs(try #require(fahrenheit.bodyTemperatureInCelsius) - 37) < 1e-9)
        #expect(fahrenheit.stage == .unfinished)
    }

    @Test func `a special value is not a measurement`() {
        for bytes in [[0xFF, 0xFF, 0x7F, 0], [0, 0, 0x80, 0], [0xFE, 0xFF, 0x7F, 0xFF]] as [[UInt8]] {
            #expect(VitalSigns([0] + bytes, of: .temperatureMeasurement)?.isEmpty == true)
        }
        #expect(VitalSigns([0, 0xFF, 0x07, 0xFF, 0x07], of: .oximeterSpotCheck)?.isEmpty == true)
        #expect(VitalSigns([0, 0xFF, 0xFF], of: .weightMeasurement)?.isEmpty == true)
    }

    @Test func `a CORE sensor states its temperature if the quality is good`() throws {
        // 37.45 °C, with the skin's temperature, the reserved field, quality 3 and a pulse.
        let vitals = try #require(
            VitalSigns([0x17, 0xA1, 0x0E, 0x7A, 0x0D, 0, 0, 0x23, 71], of: .coreTemperature))
        #expect(vitals.bodyTemperatureInCelsius == 37.45)
        #expect(vitals.pulsePerMinute == 71)
        #expect(vitals.stage == .continuous)
        #expect(VitalSigns([0x00, 0xFF, 0x7F], of: .coreTemperature)?.isEmpty == true)
        #expect(VitalSigns([0x04, 0xA1, 0x0E, 0x00], of: .coreTemperature)?.isEmpty == true)
        #expect(VitalSigns([0x04, 0xA1, 0x0E, 0x01], of: .coreTemperature)?.remarks == [.questionable])
    }

    @Test func `an oximeter states saturation, pulse and certainty`() throws {
        let spot = try #require(
            VitalSigns([0x03, 97, 0, 61, 0] + Self.time + [0x80, 0x01], of: .oximeterSpotCheck))
        #expect(spot.oxygenSaturationInPercent == 97)
        #expect(spot.pulsePerMinute == 61)
        #expect(spot.time == Self.read)
        #expect(spot.stage == .final)
        // Clock not set; ongoing; a demonstration; questionable.
        #expect(VitalSigns([0x11, 97, 0, 61, 0] + Self.time, of: .oximeterSpotCheck)?.time == nil)
        #expect(VitalSigns([0x02, 97, 0, 61, 0, 0x20, 0], of: .oximeterSpotCheck)?.stage == .unfinished)
        #expect(VitalSigns([0x02, 97, 0, 61, 0, 0, 0x04], of: .oximeterSpotCheck)?.isEmpty == true)
        #expect(VitalSigns([0x02, 97, 0, 61, 0, 0, 0x40], of: .oximeterSpotCheck)?.remarks == [.questionable])
        // 985 · 10⁻¹ %, with the fast and the slow response.
        let continuous = try #require(
            VitalSigns([0x07, 0xD9, 0xF3, 60, 0, 90, 0, 1, 0, 91, 0, 2, 0, 0x20, 0], of: .oximeterContinuous))
        #expect(continuous.oxygenSaturationInPercent == 98.5)
        #expect(continuous.stage == .continuous)
    }

    @Test func `a blood-pressure monitor states pressure, pulse, user and problems`() throws {
        let vitals = try #require(
            VitalSigns(
                [0x1E, 120, 0, 80, 0, 93, 0] + Self.time + [64, 0, 2, 0x05, 0], of: .bloodPressureMeasurement))
        #expect(vitals.bloodPressure == VitalSigns.BloodPressure(systolic: 120, diastolic: 80))
        #expect(vitals.pulsePerMinute == 64)
        #expect(vitals.user == 2)
        #expect(vitals.remarks == [.bodyMoved, .pulseIrregular])
        // 160 · 10⁻¹ kPa and 107 · 10⁻¹ kPa, an unknown user.
        let pascals = try #require(
            VitalSigns([0x09, 160, 0xF0, 107, 0xF0, 0, 0, 0xFF], of: .bloodPressureMeasurement))
        #expect(abs(try #require(pascals.bloodPressure).systolic - 120.01) < 0.01)
        #expect(pascals.user == nil)
    }

    @Test func `scales state weight and composition in both unit systems`() throws {
        // 72.4 kg, user 1, BMI 22.3, 1.80 m.
        let scale = try #require(
            VitalSigns([0x0E, 0x90, 0x38] + Self.time + [1, 223, 0, 0x08, 0x07], of: .weightMeasurement))
        #expect(scale.bodyMassInKilograms == 72.4)
        #expect(scale.bodyMassIndex == 22.3)
        #expect(scale.user == 1)
        // 160 lb.
        let pounds = try #require(VitalSigns([0x01, 0x80, 0x3E], of: .weightMeasurement))
        #expect(abs(try #require(pounds.bodyMassInKilograms) - 72.5748) < 1e-4)
        // 18.2 % of fat; metabolism, muscle percentage and mass; 59.2 kg without fat; the rest; 72.4 kg and 1.80 m.
        let composition = try #require(
            VitalSigns(
                [0xFC, 0x0F, 182, 0, 3, 1, 0, 2, 0, 3, 0, 0x40, 0x2E, 4, 0, 5, 0, 6, 0, 0x90, 0x38, 0x08, 0x07],
                of: .bodyCompositionMeasurement))
        #expect(composition.bodyFatInPercent == 18.2)
        #expect(composition.leanBodyMassInKilograms == 59.2)
        #expect(composition.bodyMassInKilograms == 72.4)
        #expect(composition.user == 3)
    }

    @Test func `a truncated value is rejected`() {
        let values: [(BluetoothUUID, [UInt8])] = [
            (.temperatureMeasurement, [0x06, 0x6E, 0x01, 0x00, 0xFF] + Self.time + [3]),
            (.coreTemperature, [0x17, 0xA1, 0x0E, 0x7A, 0x0D, 0, 0, 0x23, 71]),
            (.oximeterSpotCheck, [0x0F, 97, 0, 61, 0] + Self.time + [0, 0, 0, 0, 0, 1, 0]),
            (.oximeterContinuous, [0x07, 97, 0, 60, 0, 90, 0, 1, 0, 91, 0, 2, 0, 0, 0]),
            (.bloodPressureMeasurement, [0x1E, 120, 0, 80, 0, 93, 0] + Self.time + [64, 0, 2, 0, 0]),
            (.weightMeasurement, [0x0E, 0x90, 0x38] + Self.time + [1, 223, 0, 0x08, 0x07]),
            (.bodyCompositionMeasurement, [0x04, 0x08, 182, 0, 3, 0x08, 0x07]),
        ]
        for (uuid, bytes) in values {
            #expect(VitalSigns(bytes, of: uuid) != nil)
            for count in 0..<bytes.count { #expect(VitalSigns(bytes.prefix(count), of: uuid) == nil) }
            // A later version may send more than the flags announce.
            #expect(VitalSigns(bytes + [1, 2, 3], of: uuid) == VitalSigns(bytes, of: uuid))
        }
        #expect(VitalSigns([0, 60], of: .heartRateMeasurement) == nil)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `no bytes trap, and measured values are finite`(_ seed: UInt64) {
        var random = SeededBytes(state: seed)
        for _ in 0..<4_000 {
            let length = Int.random(in: 0...24, using: &random)
            let packet = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            for uuid in BluetoothUUID.vitalSigns {
                guard let vitals = VitalSigns(packet, of: uuid) else { continue }
                let values = [
                    vitals.bodyTemperatureInCelsius, vitals.oxygenSaturationInPercent, vitals.pulsePerMinute,
                    vitals.bloodPressure?.systolic, vitals.bodyMassInKilograms, vitals.bodyFatInPercent,
                ]
                #expect(values.allSatisfy { $0?.isFinite ?? true })
                _ = vitals.time?.date(in: Calendar(identifier: .gregorian))
            }
        }
    }
}
