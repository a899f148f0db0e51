import CoreLocation
import Foundation
import GRDB
import HealthKit
import MadeSamples
import Testing

@Suite struct QuantitySeriesBuilderTests {
    private let health = QueryStore()

    private func steps(_ count: Double) -> HKQuantity { HKQuantity(unit: .count(), doubleValue: count) }

    @Test func `a series of steps is one sample with its sum, and returns each value`() async throws {
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: health.store, quantityType: Made.steps, startDate: Made.start, device: .local())
        try builder.insert(steps(30), for: DateInterval(start: Made.start + 60, duration: 60))
        try builder.insert(steps(99), for: DateInterval(start: Made.start, duration: 60))
        try builder.insert(steps(20), for: DateInterval(start: Made.start, duration: 60))
        let samples = try await builder.finishSeries(metadata: ["K": "v"], endDate: Made.start + 180)
        let sample = try #require(samples.first as? HKCumulativeQuantitySample)
        #expect(sample.count == 2 && sample.sumQuantity == steps(50) && sample.endDate == Made.start + 180)
        #expect(throws: HKError.self) { try builder.insert(steps(1), at: Made.start) }

        let stored = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Made.steps)], sortDescriptors: []
        ).result(for: health.store)
        #expect(stored.map(\.uuid) == [sample.uuid])
        #expect(stored.first?.count == 2 && stored.first?.quantity == steps(50) && stored.first?.device == .local())
        var inner: [HKQuantity] = []
        let series = HKQuantitySeriesSampleQueryDescriptor(predicate: .quantitySample(type: Made.steps))
        for try await result in series.results(for: health.store) { inner.append(result.quantity) }
        #expect(inner == [steps(20), steps(30)])
        let sum = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: Made.steps), options: .cumulativeSum
        ).result(for: health.store)
        #expect(sum?.sumQuantity() == steps(50))
    }

    @Test func `a series of heart rates has minimum, maximum and latest value`() async throws {
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: health.store, quantityType: Made.heartRate, startDate: Made.start, device: nil)
        for (second, rate) in [(10.0, 120.0), (0, 60), (20, 90)] {
            try builder.insert(Made.bpm(rate), at: Made.start + second)
        }
        let samples = try await builder.finishSeries(metadata: nil)
        _ = try #require(samples.first)
        let read = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Made.heartRate)], sortDescriptors: []
        ).result(for: health.store)
        let sample = try #require(read.first as? HKDiscreteQuantitySample)
        #expect(sample.count == 3)
        #expect(sample.minimumQuantity == Made.bpm(60) && sample.maximumQuantity == Made.bpm(120))
        #expect(sample.mostRecentQuantity == Made.bpm(90))
        #expect(sample.mostRecentQuantityDateInterval.start == Made.start + 20)
    }

    @Test func `invalid values in a series are rejected`() async throws {
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: health.store, quantityType: Made.steps, startDate: Made.start, device: nil)
        #expect(throws: HKError.self) { try builder.insert(Made.bpm(60), at: Made.start) }
        #expect(throws: HKError.self) { try builder.insert(steps(1), at: Made.start - 1) }
        await #expect(throws: HKError.self) { try await builder.finishSeries(metadata: nil) }
        try builder.insert(steps(1), for: DateInterval(start: Made.start, duration: 60))
        await #expect(throws: HKError.self) {
            try await builder.finishSeries(metadata: nil, endDate: Made.start + 30)
        }
        // Refused calls don't change the builder.
        #expect(try await builder.finishSeries(metadata: nil).map(\.count) == [1])
    }
}

@Suite struct SeriesBuilderThreadTests {
    @Test func `builders that wait for the disk block no task`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "series-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Longer than this test may wait until it runs again.
        let database = SQLiteHealthDatabase(.file(folder + "/health.sqlite"), busyTimeoutInSeconds: 1200)
        let workout = try Made.workout(.running, at: 0, lasting: 60)
        try database.save([workout], from: Made.source("App"))
        let store = HKHealthStore(environment: HealthEnvironment(sensors: [], database: database))
        // Another program writes until this test, a task like the others, runs again.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder + "/health.sqlite", configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    let beats = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: Made.start)
                    try await beats.addHeartbeat(at: 1, precededByGap: false)
                    _ = try await beats.finishSeries()
                }
                group.addTask {
                    let route = HKWorkoutRouteBuilder(healthStore: store, device: nil)
                    try await route.insertRouteData([CLLocation(latitude: 1, longitude: 1)])
                    _ = try await route.finishRoute(with: workout, metadata: nil)
                }
                group.addTask {
                    let steps = HKQuantitySeriesSampleBuilder(
                        healthStore: store, quantityType: Made.steps, startDate: Made.start, device: nil)
                    try steps.insert(HKQuantity(unit: .count(), doubleValue: 5), at: Made.start)
                    _ = try await steps.finishSeries(metadata: nil)
                }
            }
            for _ in 0..<3 { await Task.yield() }
            try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            try await group.waitForAll()
        }
        #expect(try database.all(HKSeriesType.heartbeat()).count == 2 * ProcessInfo.processInfo.activeProcessorCount)
    }
}

@Suite struct DeletingByPredicateTests {
    private let health = QueryStore()

    @Test func `only this app's matching objects are deleted`() async throws {
        let mine = (0..<10).map { Made.heartRate(60 + Double($0), at: Double($0)) }
        try await health.store.save(mine)
        try health.save([Made.heartRate(61, at: 1)], from: "Watch")
        let low = HKQuery.predicateForQuantitySamples(with: .lessThan, quantity: Made.bpm(65))
        #expect(try await health.store.deleteObjects(of: Made.heartRate, predicate: low) == 5)
        let left = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: Made.heartRate)], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
        #expect(left.map { $0.quantity.doubleValue(for: Made.perMinute) } == [61, 65, 66, 67, 68, 69])
        #expect(try await health.store.deleteObjects(of: Made.heartRate, predicate: low) == 0)
        let wrong = HKQuery.predicateForWorkouts(with: .running)
        await #expect(throws: HKError.self) {
            try await health.store.deleteObjects(of: Made.heartRate, predicate: wrong)
        }
        await #expect(throws: HKError.self) {
            try await health.store.deleteObjects(of: .activitySummaryType(), predicate: NSPredicate(value: true))
        }
    }
}

@Suite struct WorkoutEffortTests {
    private let health = QueryStore()

    private func effort(_ score: Double, at seconds: Double, estimated: Bool = false) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(estimated ? .estimatedWorkoutEffortScore : .workoutEffortScore),
            quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: score), start: Made.start + seconds,
            end: Made.start + seconds + 60)
    }

    private func related(_ workout: HKWorkout) async throws -> [Double] {
        try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.workoutEffortScore),
                    predicate: HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil))
            ], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store).map { $0.quantity.doubleValue(for: .appleEffortScore()) }
    }

    @Test func `an effort is related to a workout, and removed`() async throws {
        let workout = try Made.workout(.running, at: 0, lasting: 600)
        let other = try Made.workout(.running, at: 1000, lasting: 600)
        try health.save([workout, other])
        // Two in one run, of which one is related.
        let scores = [effort(3, at: 0), effort(7, at: 60)]
        try await health.store.save(scores)
        #expect(try await health.store.relateWorkoutEffortSample(scores[1], with: workout, activity: nil))
        let estimate = effort(5, at: 120, estimated: true)
        #expect(try await health.store.relateWorkoutEffortSample(estimate, with: workout, activity: nil))
        #expect(try await related(workout) == [7])
        #expect(try await related(other).isEmpty)

        func relationships(
            _ option: HKWorkoutEffortRelationshipQueryOptions, after anchor: HKQueryAnchor? = nil
        ) async throws -> HKWorkoutEffortRelationshipQueryDescriptor.Result {
            try await HKWorkoutEffortRelationshipQueryDescriptor(predicate: nil, anchor: anchor, option: option)
                .result(for: health.store)
        }
        let all = try await relationships(.default)
        #expect(all.relationships.map(\.workout.uuid) == [workout.uuid])
        #expect(all.relationships.first?.samples?.map(\.uuid) == [scores[1].uuid, estimate.uuid])
        let best = try await relationships(.mostRelevant)
        #expect(best.relationships.first?.samples?.map(\.uuid) == [scores[1].uuid])
        #expect(try await relationships(.default, after: all.newAnchor).relationships.isEmpty)

        #expect(try await health.store.unrelateWorkoutEffortSample(scores[1], from: workout, activity: nil))
        #expect(try await health.store.unrelateWorkoutEffortSample(scores[1], from: workout, activity: nil) == false)
        #expect(try await related(workout).isEmpty)
        #expect(try await relationships(.default).relationships.first?.samples?.map(\.uuid) == [estimate.uuid])
    }

    @Test func `only efforts of saved workouts and their own activities are related`() async throws {
        let workout = try Made.workout(.running, at: 0, lasting: 600)
        let score = effort(3, at: 0)
        await #expect(throws: HKError.self) {
            try await health.store.relateWorkoutEffortSample(score, with: workout, activity: nil)
        }
        try health.save([workout])
        await #expect(throws: HKError.self) {
            try await health.store.relateWorkoutEffortSample(Made.heartRate(60, at: 0), with: workout, activity: nil)
        }
        let stranger = HKWorkoutActivity(
            workoutConfiguration: HKWorkoutConfiguration(), start: Made.start, end: nil, metadata: nil)
        await #expect(throws: HKError.self) {
            try await health.store.relateWorkoutEffortSample(score, with: workout, activity: stranger)
        }
        let part = try #require(workout.workoutActivities.first)
        #expect(try await health.store.relateWorkoutEffortSample(score, with: workout, activity: part))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `relations are numbered in the order they were made`(_ kind: StoreUnderTest) throws {
        try kind.with { database in
            let workout = try Made.workout(.running, at: 0, lasting: 600)
            let source = Made.source("Watch")
            try database.save([workout], from: source)
            let scores = [effort(3, at: 0), effort(4, at: 60)]
            for score in scores {
                try database.relateEffort(score, toWorkout: workout.uuid, activity: nil, from: source)
            }
            let links = try database.effortLinks(after: 0)
            #expect(links.map(\.sample) == scores.map(\.uuid))
            #expect(try database.effortLinks(after: links[0].sequence).map(\.sample) == [scores[1].uuid])
            #expect(try database.unrelateEffort(scores[0].uuid, fromWorkout: workout.uuid, activity: nil))
            #expect(try database.effortLinks(after: 0).map(\.sample) == [scores[1].uuid])
            #expect(try database.all(HKQuantityType(.workoutEffortScore)).count == 2)
        }
    }
}

@Suite struct RarePredicateTests {
    private let health = QueryStore()

    @Test func `states of mind are found by their properties`() async throws {
        let calm = HKStateOfMind(
            date: Made.start, kind: .dailyMood, valence: 0.5, labels: [.calm, .happy], associations: [.family])
        let upset = HKStateOfMind(
            date: Made.start + 60, kind: .momentaryEmotion, valence: -0.5, labels: [.angry], associations: [.work])
        try await health.store.save([calm, upset])
        func found(_ predicate: NSPredicate) async throws -> [UUID] {
            try await HKSampleQueryDescriptor(
                predicates: [.stateOfMind(predicate)], sortDescriptors: [SortDescriptor(\.startDate)]
            ).result(for: health.store).map(\.uuid)
        }
        #expect(
            try await found(HKQuery.predicateForStatesOfMind(withValence: 0, operatorType: .greaterThan)) == [calm.uuid]
        )
        #expect(try await found(HKQuery.predicateForStatesOfMind(with: .momentaryEmotion)) == [upset.uuid])
        #expect(try await found(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.happy)) == [calm.uuid])
        #expect(try await found(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Association.work)) == [upset.uuid])
        let both = NSCompoundPredicate(orPredicateWithSubpredicates: [
            HKQuery.predicateForStatesOfMind(with: .momentaryEmotion),
            HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.calm),
        ])
        #expect(try await found(both) == [calm.uuid, upset.uuid])
    }

    @Test func `queries for types that Linux never records fail with a reason or are empty`() async throws {
        let records = HKVerifiableClinicalRecordQueryDescriptor(
            recordTypes: [.immunization], sourceTypes: [.smartHealthCard])
        await #expect(throws: HKError.self) { try await records.result(for: health.store) }
        #expect(try await HKUserAnnotatedMedicationQueryDescriptor().result(for: health.store).isEmpty)
        let ecg = try HKElectrocardiogram.validated(
            ObjectIdentity(), classification: .sinusRhythm, averageHeartRate: nil, samplingFrequency: nil,
            numberOfVoltageMeasurements: 0, start: Made.start, end: Made.start + 30)
        try health.save([ecg])
        let found = try await HKSampleQueryDescriptor(
            predicates: [.electrocardiogram(HKQuery.predicateForElectrocardiograms(classification: .sinusRhythm))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
        #expect(found.map(\.uuid) == [ecg.uuid])
        await #expect(throws: HKError.self) {
            for try await _ in HKElectrocardiogramQueryDescriptor(ecg).results(for: health.store) {}
        }
    }

    @Test func `a dose is found by its log`() throws {
        let concept = HKHealthConceptIdentifier(domain: .medication, name: "1")
        let dose = try HKMedicationDoseEvent.validated(
            ObjectIdentity(), concept: concept,
            log: HKMedicationDoseEvent.Log(
                scheduledDate: Made.start, doseQuantity: 2, status: .taken, scheduleType: .schedule),
            start: Made.start, end: Made.start)
        try health.save([dose])
        func count(_ predicate: NSPredicate) throws -> Int {
            try health.database.all(.medicationDoseEventType(), SampleFilter(any: predicate)).count
        }
        #expect(try count(HKQuery.predicateForMedicationDoseEvent(status: .taken)) == 1)
        #expect(try count(HKQuery.predicateForMedicationDoseEvent(statuses: [.skipped, .snoozed])) == 0)
        #expect(try count(HKQuery.predicateForMedicationDoseEvent(scheduledDate: Made.start)) == 1)
        #expect(try count(HKQuery.predicateForMedicationDoseEvent(scheduledStart: Made.start, end: nil)) == 1)
        #expect(try count(HKQuery.predicateForMedicationDoseEvent(scheduledStart: nil, end: Made.start)) == 0)
        #expect(try count(HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifier: concept)) == 1)
        let read = try #require(try health.database.all(.medicationDoseEventType()).first as? HKMedicationDoseEvent)
        #expect(read.doseQuantity == 2 && read.scheduleType == .schedule && read.scheduledDoseQuantity == nil)
    }

    @Test func `documents are returned with their contents only on request`() async throws {
        let xml = """
            <ClinicalDocument xmlns="urn:hl7-org:v3"><title>Summary</title><recordTarget><patientRole><patient><name>\
            <given>Ada</given></name></patient></patientRole></recordTarget></ClinicalDocument>
            """
        guard
            let sample = try? HKCDADocumentSample(
                data: Data(xml.utf8), start: Made.start, end: Made.start, metadata: nil)
        else {
            Issue.record("the document is refused")
            return
        }
        try health.save([sample])
        func documents(_ included: Bool) async -> [HKCDADocumentSample] {
            let calls = Calls<[HKCDADocumentSample]>()
            health.store.execute(
                HKDocumentQuery(
                    documentType: HKDocumentType(.CDA), predicate: nil, limit: HKObjectQueryNoLimit,
                    sortDescriptors: nil, includeDocumentData: included
                ) { _, found, _, _ in calls.add((found ?? []).compactMap { $0 as? HKCDADocumentSample }) })
            return await calls.next() ?? []
        }
        #expect(await documents(true).map { $0.document != nil } == [true])
        #expect(await documents(false).map { $0.document != nil } == [false])
    }

    @Test func `total energy is divided by the stored resting energy`() async throws {
        func split() async -> (Double?, Double?, Bool) {
            await withCheckedContinuation { done in
                health.store.splitTotalEnergy(
                    HKQuantity(unit: .kilocalorie(), doubleValue: 300), start: Made.start, end: Made.start + 3600
                ) { resting, active, error in
                    done.resume(
                        returning: (
                            resting?.doubleValue(for: .kilocalorie()), active?.doubleValue(for: .kilocalorie()),
                            error != nil
                        ))
                }
            }
        }
        #expect(await split() == (nil, nil, true))
        try health.save([
            HKQuantitySample(
                type: HKQuantityType(.basalEnergyBurned), quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 150),
                start: Made.start, end: Made.start + 7200)
        ])
        #expect(await split() == (75, 225, false))
    }

    @Test func `samples are added to a saved workout`() async throws {
        let workout = try Made.workout(.running, at: 0, lasting: 600)
        try health.save([workout])
        let samples = [Made.heartRate(100, at: 1), Made.heartRate(110, at: 2)]
        try await health.store.save(samples[0])
        try await health.store.addSamples(samples, to: workout)
        let members = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: Made.heartRate, predicate: HKQuery.predicateForObjects(from: workout))
            ], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
        #expect(members.map(\.uuid) == samples.map(\.uuid))
        await #expect(throws: HKError.self) { try await health.store.addSamples([], to: workout) }
    }
}
