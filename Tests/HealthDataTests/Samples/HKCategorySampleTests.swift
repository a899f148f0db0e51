import Archiving
import Foundation
import HealthData
import Testing

struct HKCategorySampleTests {
    @Test func `a category sample keeps its value and survives archiving`() throws {
        let sample = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepREM.rawValue,
            start: time(0), end: time(600), metadata: [HKMetadataKeyWasUserEntered: true])
        let read = try #require(try archivedAndRead(sample))
        #expect(read == sample)
        #expect(read.categoryType == HKCategoryType(.sleepAnalysis))
        #expect(read.value == HKCategoryValueSleepAnalysis.asleepREM.rawValue)
        #expect(read.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
    }

    @Test func `a value that its type does not have traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKCategorySample(type: HKCategoryType(.sleepAnalysis), value: 99, start: Date(), end: Date())
        }
    }

    @Test func `an invalid value from a file is an error, not a trap`() {
        let type = HKCategoryType(.sleepAnalysis)
        #expect(
            throws: SampleError.categoryValue(
                type: type.identifier, value: -1, enumeration: "HKCategoryValueSleepAnalysis")
        ) {
            try HKCategorySample.validated(ObjectIdentity(), type: type, value: -1, start: time(0), end: time(0))
        }
    }
}
