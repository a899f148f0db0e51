import Archiving
import Foundation
import HealthData
import Testing

struct HKStateOfMindTests {
    @Test func `a state of mind survives archiving`() throws {
        let state = HKStateOfMind(
            date: time(0), kind: .dailyMood, valence: 0.4, labels: [.calm, .satisfied], associations: [.weather])
        let read = try #require(try archivedAndRead(state))
        #expect(read == state)
        #expect(read.kind == .dailyMood)
        #expect(read.valence == 0.4)
        #expect(read.labels == [.calm, .satisfied])
        #expect(read.associations == [.weather])
        #expect(read.startDate == read.endDate)
        #expect(read.metadata == nil)
    }

    @Test(arguments: [
        (-1.0, HKStateOfMind.ValenceClassification.veryUnpleasant), (-0.6, .unpleasant), (-0.3, .slightlyUnpleasant),
        (0, .neutral), (0.3, .slightlyPleasant), (0.6, .pleasant), (1, .veryPleasant),
    ])
    func `valence has seven steps`(valence: Double, step: HKStateOfMind.ValenceClassification) {
        #expect(HKStateOfMind.ValenceClassification(valence: valence) == step)
    }

    @Test func `a valence out of range has no step, is an error in data and a trap in code`() async {
        #expect(HKStateOfMind.ValenceClassification(valence: 1.1) == nil)
        #expect(HKStateOfMind.ValenceClassification(valence: .nan) == nil)
        #expect(throws: SampleError.self) {
            try HKStateOfMind.validated(
                ObjectIdentity(), date: time(0), kind: .dailyMood, valence: .nan, labels: [], associations: [])
        }
        await #expect(processExitsWith: .failure) {
            _ = HKStateOfMind(date: Date(), kind: .dailyMood, valence: 2, labels: [], associations: [])
        }
    }
}
