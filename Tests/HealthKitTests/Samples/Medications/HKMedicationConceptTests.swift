import Archiving
import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct HKMedicationConceptTests {
    private let concept = HKMedicationConcept(
        identifier: HKHealthConceptIdentifier(domain: .medication, name: "7"), displayText: "Ibuprofen 200 mg",
        generalForm: .tablet,
        relatedCodings: [
            HKClinicalCoding(system: "http://www.nlm.nih.gov/research/umls/rxnorm", version: nil, code: "310965")
        ])

    @Test func `a medication and the user's notes survive archiving`() throws {
        let read = try #require(try archivedAndRead(concept))
        #expect(read == concept && read.displayText == concept.displayText && read.generalForm == .tablet)
        #expect(read.relatedCodings == concept.relatedCodings)
        let annotated = HKUserAnnotatedMedication(
            nickname: "the white ones", isArchived: false, hasSchedule: true, medication: concept)
        #expect(try archivedAndRead(annotated) == annotated)
        let plain = HKUserAnnotatedMedication(nickname: nil, isArchived: true, hasSchedule: false, medication: concept)
        #expect(try archivedAndRead(plain) == plain && plain != annotated)
    }

    @Test func `an effort relationship survives archiving`() throws {
        let workout = try Made.workout(.running, at: 0, lasting: 600)
        let effort = HKQuantitySample(
            type: HKQuantityType(.workoutEffortScore), quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 6),
            start: Made.start, end: Made.start + 600)
        let relationship = HKWorkoutEffortRelationship(
            workout: workout, activity: workout.workoutActivities[0], samples: [effort])
        let read = try #require(try archivedAndRead(relationship))
        #expect(read.workout == workout && read.activity?.uuid == workout.workoutActivities[0].uuid)
        #expect(read.samples == [effort])
        let bare = try archivedAndRead(HKWorkoutEffortRelationship(workout: workout, activity: nil, samples: nil))
        #expect(bare?.activity == nil && bare?.samples == nil)
    }
}
