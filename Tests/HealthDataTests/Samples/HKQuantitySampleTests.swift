import Archiving
import Foundation
import HealthData
import Testing

struct HKQuantitySampleTests {
    private let bpm = HKUnit.count().unitDivided(by: .minute())

    private func heartRate(_ value: Double, at seconds: TimeInterval = 0) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: bpm, doubleValue: value), start: time(seconds),
            end: time(seconds))
    }

    private func steps(_ value: Double) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: value), start: time(0),
            end: time(60))
    }

    @Test func `the initializer creates the subclass that fits the type`() throws {
        let discrete = try #require(heartRate(72) as? HKDiscreteQuantitySample)
        #expect(discrete.minimumQuantity == discrete.quantity)
        #expect(discrete.averageQuantity == discrete.quantity)
        #expect(discrete.maximumQuantity == discrete.quantity)
        #expect(discrete.mostRecentQuantity == discrete.quantity)
        #expect(discrete.mostRecentQuantityDateInterval == DateInterval(start: time(0), end: time(0)))

        let cumulative = try #require(steps(120) as? HKCumulativeQuantitySample)
        #expect(cumulative.sumQuantity.doubleValue(for: .count()) == 120)
        #expect(!(cumulative is HKCumulativeQuantitySeriesSample))
    }

    @Test func `a subclass can be requested by name`() {
        let quantity = HKQuantity(unit: .count(), doubleValue: 7)
        let type = HKQuantityType(.stepCount)
        let plain = HKCumulativeQuantitySample(type: type, quantity: quantity, start: time(0), end: time(1))
        let series = HKCumulativeQuantitySeriesSample(type: type, quantity: quantity, start: time(0), end: time(1))
        #expect(plain.sumQuantity == quantity)
        #expect(series.sum == quantity)
        #expect(Swift.type(of: series) == HKCumulativeQuantitySeriesSample.self)
    }

    @Test func `a new sample has one quantity, an identity and the running app as its source`() {
        let sample = heartRate(72)
        #expect(sample.count == 1)
        #expect(sample.sampleType == HKQuantityType(.heartRate))
        #expect(sample.quantityType == HKQuantityType(.heartRate))
        #expect(sample.sourceRevision.source == .default())
        #expect(sample.device == nil)
        #expect(sample.metadata == nil)
        #expect(sample.uuid != heartRate(72).uuid)
        #expect(!sample.hasUndeterminedDuration)
    }

    @Test func `an undetermined end is the distant future`() {
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: bpm, doubleValue: 60), start: time(0),
            end: .distantFuture)
        #expect(sample.hasUndeterminedDuration)
    }

    @Test func `objects are equal if their UUIDs are, and work in sets and sort descriptors`() throws {
        let early = heartRate(72, at: 1)
        let late = heartRate(72, at: 2)
        let again = early.with(early.identity)
        #expect(early == again)
        #expect(early !== again)
        #expect(early != late)
        #expect(Set<HKSample>([early, late, again]).count == 2)
        #expect([late, early].sorted(using: SortDescriptor(\.startDate)) == [early, late])
        #expect([early, late].map(\.quantity).count == 2)
    }

    @Test func `a sample that ends before it starts traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1),
                start: Date(timeIntervalSince1970: 1), end: Date(timeIntervalSince1970: 0))
        }
    }

    @Test func `a unit that does not fit the type traps`() async {
        await #expect(processExitsWith: .failure) {
            let kilograms = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 1)
            _ = HKQuantitySample(type: HKQuantityType(.stepCount), quantity: kilograms, start: Date(), end: Date())
        }
    }

    @Test func `metadata of an unsupported type traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1), start: Date(),
                end: Date(), metadata: ["list": [1, 2]])
        }
    }

    @Test func `a type that the named subclass does not support traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKCumulativeQuantitySample(
                type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 1),
                start: Date(), end: Date())
        }
    }

    @Test func `invalid data from a file is an error, not a trap`() {
        let type = HKQuantityType(.stepCount)
        let one = HKQuantity(unit: .count(), doubleValue: 1)
        #expect(throws: SampleError.endsBeforeStart(type: type.identifier, start: time(1), end: time(0))) {
            try HKQuantitySample.validated(ObjectIdentity(), type: type, quantity: one, start: time(1), end: time(0))
        }
        #expect(throws: SampleError.incompatibleUnit(type: type.identifier, unit: "m", expected: "count")) {
            try HKQuantitySample.validated(
                ObjectIdentity(), type: type, quantity: HKQuantity(unit: .meter(), doubleValue: 1), start: time(0),
                end: time(0))
        }
        #expect(throws: SampleError.notFinite(type: type.identifier)) {
            try HKQuantitySample.validated(
                ObjectIdentity(), type: type, quantity: HKQuantity(unit: .count(), doubleValue: .nan), start: time(0),
                end: time(0))
        }
    }

    @Test func `errors name what was wrong and what would be right`() {
        let error = SampleError.incompatibleUnit(
            type: "HKQuantityTypeIdentifierStepCount", unit: "kg", expected: "count")
        #expect(
            error.description
                == "A quantity in kg cannot be a value of HKQuantityTypeIdentifierStepCount: give one that converts to count."
        )
        #expect(HKError.wrapping(error).code == .errorInvalidArgument)
        #expect(HKError.wrapping(error).localizedDescription == error.description)
    }

    @Test func `samples survive archiving with all properties`() throws {
        let device = HKDevice(
            name: "Strap", manufacturer: "Maker", model: nil, hardwareVersion: nil, firmwareVersion: "1.2",
            softwareVersion: nil, localIdentifier: "AA", udiDeviceIdentifier: nil)
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: bpm, doubleValue: 72.5), start: time(0),
            end: time(5), device: device,
            metadata: [
                "flag": true, "count": 3, "name": "x", "when": time(9), "limit": HKQuantity(unit: bpm, doubleValue: 9),
            ])
        let read = try #require(try archivedAndRead(sample))
        #expect(read == sample)
        #expect(read is HKDiscreteQuantitySample)
        #expect(read.quantity == sample.quantity)
        #expect(read.quantityType == sample.quantityType)
        #expect(read.startDate == sample.startDate)
        #expect(read.endDate == sample.endDate)
        #expect(read.device == device)
        #expect(read.sourceRevision == sample.sourceRevision)
        #expect(try MetadataCoding.neutral(read.metadata) == MetadataCoding.neutral(sample.metadata))
    }

    @Test func `series samples survive archiving`() throws {
        func quantity(_ value: Double) -> HKQuantity { HKQuantity(unit: bpm, doubleValue: value) }
        let discrete = HKDiscreteQuantitySample(
            ObjectIdentity(), type: HKQuantityType(.heartRate), average: quantity(70), count: 5,
            series: DiscreteSeries(
                minimum: quantity(60), maximum: quantity(80), mostRecent: quantity(75),
                mostRecentInterval: DateInterval(start: time(9), end: time(10))),
            start: time(0), end: time(10))
        let read = try #require(try archivedAndRead(discrete))
        #expect(read.count == 5)
        #expect(read.minimumQuantity == quantity(60))
        #expect(read.averageQuantity == quantity(70))
        #expect(read.maximumQuantity == quantity(80))
        #expect(read.mostRecentQuantity == quantity(75))
        #expect(read.mostRecentQuantityDateInterval == DateInterval(start: time(9), end: time(10)))

        let cumulative = HKCumulativeQuantitySample.make(
            ObjectIdentity(), type: HKQuantityType(.stepCount), sum: HKQuantity(unit: .count(), doubleValue: 9),
            count: 3, start: time(0), end: time(1))
        let readSeries = try #require(try archivedAndRead(cumulative) as? HKCumulativeQuantitySeriesSample)
        #expect(readSeries.count == 3)
        #expect(readSeries.sum.doubleValue(for: .count()) == 9)
    }

    /// Replacing these texts in the archive gives an unknown type, and a type that does not match the unit.
    @Test(arguments: ["HKQuantityTypeIdentifierNonsense", "HKQuantityTypeIdentifierBodyMass"])
    func `an archive without a valid sample decodes as nil`(type: String) throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: steps(3), requiringSecureCoding: true)
        var archive = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        let objects = try #require(archive["$objects"] as? [Any])
        archive["$objects"] = objects.map { $0 as? String == "HKQuantityTypeIdentifierStepCount" ? type : $0 }
        let changed = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
        #expect((try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantitySample.self, from: changed)) == nil)
    }
}
