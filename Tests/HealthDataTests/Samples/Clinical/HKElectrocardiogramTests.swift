import Archiving
import Foundation
import HealthData
import Testing

struct HKElectrocardiogramTests {
    @Test func `an electrocardiogram survives archiving`() throws {
        let recording = try HKElectrocardiogram.validated(
            ObjectIdentity(), classification: .sinusRhythm, symptomsStatus: .none,
            averageHeartRate: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 64),
            samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: 512), numberOfVoltageMeasurements: 15_360,
            start: time(0), end: time(30))
        let read = try #require(try archivedAndRead(recording))
        #expect(read == recording)
        #expect(read.classification == .sinusRhythm)
        #expect(read.symptomsStatus == .none)
        #expect(read.averageHeartRate == recording.averageHeartRate)
        #expect(read.samplingFrequency?.doubleValue(for: .hertz()) == 512)
        #expect(read.numberOfVoltageMeasurements == 15_360)
    }

    @Test func `a heart rate in volts is an error, not a trap`() {
        #expect(throws: SampleError.self) {
            try HKElectrocardiogram.validated(
                ObjectIdentity(), classification: .notSet, averageHeartRate: HKQuantity(unit: .volt(), doubleValue: 1),
                samplingFrequency: nil, numberOfVoltageMeasurements: 0, start: time(0), end: time(30))
        }
    }

    @Test func `a measurement has the voltages of the recorded leads`() {
        let voltage = HKQuantity(unit: .voltUnit(with: .micro), doubleValue: 120)
        let measurement = HKElectrocardiogram.VoltageMeasurement(
            timeSinceSampleStart: 0.5, voltages: [.appleWatchSimilarToLeadI: voltage])
        #expect(measurement.quantity(for: .appleWatchSimilarToLeadI) == voltage)
        #expect(measurement.timeSinceSampleStart == 0.5)
    }
}
