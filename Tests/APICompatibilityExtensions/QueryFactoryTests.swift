import Foundation
import HealthKit
import Testing

// What Apple's documentation lists under "Conforms To" (CVarArg, NSCopying, NSSecureCoding) and what the 26 apps of
// healthkit-usage.md use, as those apps write it.
@Suite struct QueryFactoryTests {
    private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    @Test func `queries can be created through metatypes, including those of test doubles`() {
        let factory = QueryFactory()
        let steps = HKQuantityType(.stepCount)
        #expect(factory.observer(steps) {}.objectType == steps)
        #expect(factory.changes(steps, since: nil).objectType == steps)
        factory.observerQueryType = FakeObserverQuery.self
        #expect(factory.observer(steps) {} is FakeObserverQuery)
        #expect(factory.observer([steps, HKQuantityType(.heartRate)]) is FakeObserverQuery)
        factory.observerQueryType = NamedObserverQuery.self
        #expect((factory.observer(steps) {} as? NamedObserverQuery)?.name == "steps")
        factory.anchoredObjectQueryType = FakeAnchoredObjectQuery.self
        let anchor = HKQueryAnchor(fromValue: 7)
        #expect((factory.changes(steps, since: anchor) as? FakeAnchoredObjectQuery)?.since == anchor)
    }

    @Test func `a double of a sample query can override each initializer`() {
        let steps = HKQueryDescriptor(sampleType: HKQuantityType(.stepCount), predicate: nil)
        #expect(FakeSampleQuery(queryDescriptors: [steps], limit: 3) { _, _, _ in }.limit == 3)
        #expect(FakeSampleQuery(queryDescriptors: [steps], limit: 3) { _, _, _ in }.sortDescriptors == [])
    }

    @Test func `objects can be arguments of format strings`() {
        let rate = HKUnit.count().unitDivided(by: .minute())
        let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: rate, doubleValue: 72), start: start,
            end: start)
        let line = QueryLog.line(of: sample, in: HKHealthStore())
        #expect(line.hasPrefix("72 count/min of \(HKQuantityType(.heartRate)) from "))
        #expect(line.hasSuffix(", 1"))
        #expect(QueryLog.line("%@|%@", rate, HKDevice.local()) == "count/min|\(HKDevice.local())")
        withVaList([rate]) { #expect(NSString(format: "%@", arguments: $0) == "count/min") }
    }

    @Test func `copying an immutable object returns itself`() throws {
        let lens = HKGlassesLensSpecification(
            sphere: HKQuantity(unit: .diopter(), doubleValue: 1), cylinder: nil, axis: nil, addPower: nil,
            vertexDistance: nil, prism: nil, farPupillaryDistance: nil, nearPupillaryDistance: nil)
        let glasses = HKGlassesPrescription(
            rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: start, expirationDate: nil, device: nil,
            metadata: nil)
        let audiogram = try ClinicalNotes.hearing(at: start)
        let mood = ClinicalNotes.mood(0.5, at: start)
        let copies = Copies.all(glasses, audiogram.sensitivityPoints[0], mood, nil, nil)
        #expect(copies[0] as? HKGlassesPrescription === glasses && copies[2] as? HKStateOfMind === mood)
        #expect(copies[1] as? HKAudiogramSensitivityPoint === audiogram.sensitivityPoints[0])
        #expect(Copies.copied(lens) === lens)
        let prism = HKVisionPrism(
            amount: HKQuantity(unit: .prismDiopter(), doubleValue: 1),
            angle: HKQuantity(unit: .degreeAngle(), doubleValue: 10), eye: .left)
        #expect(Copies.copied(prism) === prism)
        let assessment = HKGAD7Assessment(date: start, answers: Array(repeating: .notAtAll, count: 7))
        #expect(Copies.copied(assessment) === assessment)
        #expect(
            Copies.isKept(HKMedicationConcept.self) && Copies.isKept(HKUserAnnotatedMedication.self)
                && Copies.isKept(HKWorkoutEffortRelationship.self))
    }

    @Test func `a recorder gives a finished workout the totals of its machine`() {
        let workout = HKWorkout(activityType: .running, start: start, end: start + 600)
        TreadmillRecorder.correct(workout, miles: 2, kilocalories: 250, steps: 3000)
        #expect(workout.totalDistance == HKQuantity(unit: .mile(), doubleValue: 2))
        #expect(workout.totalEnergyBurned == HKQuantity(unit: .kilocalorie(), doubleValue: 250))
        #expect(workout.value(forKey: "totalSteps") as? HKQuantity == HKQuantity(unit: .count(), doubleValue: 3000))
        workout.setValue(nil, forKey: "totalDistance")
        #expect(workout.totalDistance == nil)
    }

    @Test func `an unknown key of a workout stops the program, as on Apple's systems`() async {
        await #expect(processExitsWith: .failure) {
            HKWorkout(activityType: .running, start: Date(), end: Date()).setValue(1, forKey: "totalSmiles")
        }
    }

    @Test func `limits that Apple does not publish are not enforced`() {
        #expect(SleepReport.words(of: HKQuantity(unit: .count(), doubleValue: 9)) == "unknown")
        #expect(SleepReport.words(ofSteadiness: HKQuantity(unit: .percent(), doubleValue: 0.4)) == "unknown")
        typealias Steadiness = HKAppleWalkingSteadinessClassification
        let classified = HKQuantity(unit: .percent(), doubleValue: 0.4)
        let outside = HKQuantity(unit: .percent(), doubleValue: 1.2)
        #expect(throws: HKError.self) { try Steadiness(for: classified) }
        do {
            _ = try Steadiness(for: outside)
        } catch HKError.errorInvalidArgument {
        } catch {
            Issue.record("\(error)")
        }
        for member in Steadiness.allCases {
            #expect(member.minimum.compare(member.maximum) == .orderedAscending)
        }
        let elevated = HKAppleSleepingBreathingDisturbancesClassification.elevated.minimum
        #expect(HKQuantity(unit: .count(), doubleValue: 1e9).compare(elevated) == .orderedAscending)
    }
}
