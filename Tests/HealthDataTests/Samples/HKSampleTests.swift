import Archiving
import Foundation
import HealthData
import Testing

/// Copies with shifted dates and another identity, for every kind of sample.
struct HKSampleTests {
    private static let bpm = HKUnit(from: "count/min")

    static let samples: [HKSample] = [
        HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: bpm, doubleValue: 72), start: time(0),
            end: time(10)),
        HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 72), start: time(0),
            end: time(10)),
        HKCumulativeQuantitySample.make(
            ObjectIdentity(), type: HKQuantityType(.stepCount), sum: HKQuantity(unit: .count(), doubleValue: 72),
            count: 4, start: time(0), end: time(10)),
        HKDiscreteQuantitySample(
            ObjectIdentity(), type: HKQuantityType(.heartRate), average: HKQuantity(unit: bpm, doubleValue: 70),
            count: 5,
            series: DiscreteSeries(
                minimum: HKQuantity(unit: bpm, doubleValue: 60), maximum: HKQuantity(unit: bpm, doubleValue: 80),
                mostRecent: HKQuantity(unit: bpm, doubleValue: 75),
                mostRecentInterval: DateInterval(start: time(9), end: time(10))),
            start: time(0), end: time(10)),
        HKCategorySample(
            type: HKCategoryType(.mindfulSession), value: HKCategoryValue.notApplicable.rawValue, start: time(0),
            end: time(10)),
        HKCorrelation(type: HKCorrelationType(.food), start: time(0), end: time(10), objects: []),
        HKWorkout(activityType: .running, start: time(0), end: time(10)),
    ]

    @Test(arguments: samples)
    func `a copy on another time line keeps class, value and UUID`(sample: HKSample) {
        let copy = sample.moved(start: time(100), end: time(120))
        #expect(type(of: copy) == type(of: sample))
        #expect(copy.uuid == sample.uuid)
        #expect(copy.startDate == time(100))
        #expect(copy.endDate == time(120))
        #expect(copy.sampleType == sample.sampleType)
        #expect((copy as? HKQuantitySample)?.quantity == (sample as? HKQuantitySample)?.quantity)
        #expect((copy as? HKQuantitySample)?.count == (sample as? HKQuantitySample)?.count)
    }

    @Test(arguments: samples)
    func `a copy with another source keeps everything else`(sample: HKSample) {
        let revision = HKSourceRevision(source: HKSource(name: "Other", bundleIdentifier: "org.other"), version: "2")
        let copy = sample.with(sample.identity.with(sourceRevision: revision))
        #expect(copy == sample)
        #expect(copy.sourceRevision == revision)
        #expect(sample.sourceRevision != revision)
        #expect(copy.startDate == sample.startDate)
        #expect(copy.endDate == sample.endDate)
    }

    @Test func `dates inside a sample move with it`() throws {
        let series = try #require(Self.samples[3] as? HKDiscreteQuantitySample)
        let copy = try #require(series.moved(start: time(100), end: time(120)) as? HKDiscreteQuantitySample)
        #expect(abs(copy.mostRecentQuantityDateInterval.start.timeIntervalSince(time(118))) < 1e-6)
        #expect(copy.maximumQuantity == series.maximumQuantity)

        let correlation = HKCorrelation(
            type: HKCorrelationType(.food), start: time(0), end: time(10), objects: [Self.samples[1]])
        let moved = try #require(correlation.mappingDates { $0.addingTimeInterval(50) } as? HKCorrelation)
        #expect(moved.objects.first?.startDate == time(50))
        #expect(moved.objects == correlation.objects)
    }

    @Test func `an instant can be given a length, and an undetermined end stays undetermined`() {
        let instant = HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: Self.bpm, doubleValue: 72), start: time(0),
            end: time(0))
        #expect(instant.moved(start: time(1), end: time(2)).startDate == time(1))
        #expect(instant.moved(start: time(1), end: time(2)).endDate == time(2))

        let open = instant.moved(start: time(0), end: .distantFuture)
        #expect(open.mappingDates { $0.addingTimeInterval(5) }.hasUndeterminedDuration)
        #expect(open.mappingDates { $0.addingTimeInterval(5) }.startDate == time(5))
    }
}
