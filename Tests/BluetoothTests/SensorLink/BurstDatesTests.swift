import Foundation
import GATT
import Testing

@testable import Bluetooth

struct BurstDatesTests {
    private func value(_ heartRate: UInt8, rr: UInt16? = nil, at seconds: Double) -> SensorNotification {
        let beats = rr.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } ?? []
        return SensorNotification(
            .heartRateMeasurement, [rr == nil ? 0 : 0x10, heartRate] + beats, Date(timeIntervalSince1970: seconds))
    }

    private func seconds(_ values: [SensorNotification]) -> [Double] { values.map(\.date.timeIntervalSince1970) }

    @Test func `values that arrive as they are measured are delivered at once`() {
        var dates = BurstDates()
        for second in 0..<5 {
            #expect(seconds(dates.add(value(60, rr: 1024, at: Double(second)))) == [Double(second)])
        }
        #expect(!dates.isHolding && dates.flush().isEmpty)
    }

    @Test func `a burst gets dates from its beats`() {
        var dates = BurstDates()
        _ = dates.add(value(60, rr: 1024, at: 10))
        for place in 0..<5 { #expect(dates.add(value(60, rr: 1024, at: 15 + Double(place) / 100)).isEmpty) }
        #expect(dates.isHolding)
        let times = seconds(dates.flush())
        for (time, expected) in zip(times, [11.04, 12.04, 13.04, 14.04, 15.04]) { #expect(abs(time - expected) < 1e-6) }
        let next = seconds(dates.add(value(60, rr: 1024, at: 16.04)))
        #expect(next.count == 1 && abs(next[0] - 16.04) < 1e-6)
    }

    @Test func `beats longer than the silence reach no further back than it`() {
        var dates = BurstDates()
        _ = dates.add(value(60, rr: 1024, at: 10))
        for _ in 0..<5 { _ = dates.add(value(30, rr: 2048, at: 13)) }
        #expect(seconds(dates.flush()) == [10, 10, 10, 11, 13])
    }

    @Test func `without beats the time of arrival stays`() {
        var dates = BurstDates()
        _ = dates.add(value(60, at: 10))
        for _ in 0..<3 { _ = dates.add(value(60, at: 15)) }
        #expect(seconds(dates.flush()) == [15, 15, 15])
    }

    @Test func `a single late value is dated by its arrival`() {
        var dates = BurstDates()
        _ = dates.add(value(60, rr: 1024, at: 10))
        #expect(dates.add(value(60, rr: 1024, at: 15)).isEmpty)
        #expect(seconds(dates.flush()) == [15])
    }
}
