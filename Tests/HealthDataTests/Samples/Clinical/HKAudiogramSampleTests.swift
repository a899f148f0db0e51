import Archiving
import Foundation
import HealthData
import Testing

struct HKAudiogramSampleTests {
    private func decibels(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .decibelHearingLevel(), doubleValue: value)
    }
    private func hertz(_ value: Double) -> HKQuantity { HKQuantity(unit: .hertz(), doubleValue: value) }

    @Test func `an audiogram is ordered by frequency and survives archiving`() throws {
        let sample = HKAudiogramSample(
            sensitivityPoints: [
                try HKAudiogramSensitivityPoint(
                    frequency: hertz(1000), leftEarSensitivity: decibels(10), rightEarSensitivity: nil),
                try HKAudiogramSensitivityPoint(
                    frequency: hertz(500), leftEarSensitivity: decibels(5), rightEarSensitivity: decibels(7)),
            ], start: time(0), end: time(60), metadata: nil)
        for sample in [sample, try #require(try archivedAndRead(sample))] {
            #expect(sample.sensitivityPoints.map { $0.frequency.doubleValue(for: .hertz()) } == [500, 1000])
            #expect(sample.sensitivityPoints.map(\.leftEarSensitivity) == [decibels(5), decibels(10)])
            #expect(sample.sensitivityPoints.map(\.rightEarSensitivity) == [decibels(7), nil])
        }
    }

    @Test func `invalid points and ranges are errors`() {
        #expect(throws: HKError.self) {
            try HKAudiogramSensitivityPoint(
                frequency: decibels(1), leftEarSensitivity: decibels(1), rightEarSensitivity: nil)
        }
        #expect(throws: HKError.self) {
            try HKAudiogramSensitivityPoint(frequency: hertz(1), leftEarSensitivity: nil, rightEarSensitivity: nil)
        }
        #expect(throws: HKError.self) {
            try HKAudiogramSensitivityPoint(frequency: hertz(1), leftEarSensitivity: hertz(1), rightEarSensitivity: nil)
        }
        #expect(throws: HKError.self) { try HKAudiogramSensitivityPointClampingRange(lowerBound: nil, upperBound: nil) }
        #expect(throws: HKError.self) { try HKAudiogramSensitivityPointClampingRange(lowerBound: 5, upperBound: 5) }
    }

    @Test func `a test keeps its clamping range in an archive`() throws {
        let test = try HKAudiogramSensitivityTest(
            sensitivity: decibels(9), type: .air, masked: true, side: .right,
            clampingRange: HKAudiogramSensitivityPointClampingRange(lowerBound: -10, upperBound: nil))
        let read = try #require(try archivedAndRead(test))
        #expect(read.masked)
        #expect(read.side == .right)
        #expect(read.clampingRange?.lowerBound == decibels(-10))
        #expect(read.clampingRange?.upperBound == nil)
    }
}
