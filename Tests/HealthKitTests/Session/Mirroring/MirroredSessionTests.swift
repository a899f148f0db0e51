import CoreLocation
import Engine
import Foundation
import HealthKit
import Mirroring
import SessionLog
import Testing

/// Two environments of HealthKit in one process, connected by TLS over loopback.
@Suite(.timeLimit(.minutes(10))) struct MirroredSessionTests {
    private let folder = MachineFolder()
    private let heartRate = HKQuantityType(.heartRate)

    private func started() async throws -> (Phone, Watch, Phone.Mirrored) {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        return (phone, watch, await phone.nextSession())
    }

    @Test func `a session is the same on both machines, entry for entry`() async throws {
        let (phone, watch, mirrored) = try await started()
        #expect(mirrored.session.type == .mirrored)
        #expect(watch.session.type == .primary)
        #expect(mirrored.session.workoutConfiguration.activityType == .running)
        for value in 100..<200 { await watch.measure(Double(value)) }
        watch.session.pause()
        watch.session.resume()
        try await watch.builder.addMetadata(["Shoes": "old"])
        let workout = try await watch.finish()
        await mirrored.diary.waitForDisconnect()
        #expect(await mirrored.lines == watch.lines)
        #expect(mirrored.session.state == .ended)
        #expect(abs(mirrored.session.startDate!.timeIntervalSince(watch.session.startDate!)) < 0.001)
        #expect(mirrored.builder.statistics(for: heartRate)?.total.count == 100)
        #expect(mirrored.builder.metadata["Shoes"] as? String == "old")
        #expect(mirrored.builder.workoutEvents.map(\.type) == [.pause, .resume])
        #expect(abs(mirrored.builder.elapsedTime - (workout?.duration ?? 0)) < 0.001)
        #expect(mirrored.diary.notes.last == .disconnected(nil))
        await phone.stop()
    }

    @Test func `both delegates get the same calls in the same order`() async throws {
        let (phone, watch, mirrored) = try await started()
        watch.session.pause()
        watch.session.resume()
        let part = HKWorkoutConfiguration()
        part.activityType = .running
        watch.session.beginNewActivity(configuration: part, date: Date(), metadata: nil)
        watch.session.endCurrentActivity(on: Date())
        // Added by the app, measured by a sensor, and requested on the other machine.
        let now = Date()
        let marker = HKWorkoutEvent(type: .marker, dateInterval: DateInterval(start: now, end: now), metadata: nil)
        try await watch.builder.addWorkoutEvents([marker, marker])
        let whole = HKWorkoutActivity(workoutConfiguration: part, start: now, end: now, metadata: nil)
        try await watch.builder.addWorkoutActivity(whole)
        let open = HKWorkoutActivity(workoutConfiguration: part, start: Date(), end: nil, metadata: nil)
        try await watch.builder.addWorkoutActivity(open)
        try await watch.builder.updateActivity(uuid: open.uuid, end: Date())
        let pressure = HKUnit.millimeterOfMercury()
        let correlation = HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: now, end: now,
            objects: [
                HKQuantitySample(
                    type: HKQuantityType(.bloodPressureSystolic),
                    quantity: HKQuantity(unit: pressure, doubleValue: 120), start: now, end: now),
                HKQuantitySample(
                    type: HKQuantityType(.bloodPressureDiastolic),
                    quantity: HKQuantity(unit: pressure, doubleValue: 80), start: now, end: now),
            ])
        let mindful = HKCategorySample(type: HKCategoryType(.mindfulSession), value: 0, start: now, end: now)
        try await watch.builder.addSamples([correlation, mindful])
        watch.session.pause()
        watch.session.resume()
        await watch.session.recorder.collect([
            SessionEntry(
                now, .quantity(QuantityReading("heartRate", 100, unit: "count/min", start: now, end: now))),
            SessionEntry(now, .event(EventRecord(.lap, start: now - 1, end: now))),
            SessionEntry(now, .event(EventRecord(.segment, start: now - 1, end: now, isAdded: true))),
            SessionEntry(now, .object(ObjectReference(id: UUID(), type: correlation.correlationType.identifier))),
            SessionEntry(
                now,
                .category(CategoryReading("mindfulSession", 0, start: now, end: now, origin: SampleOrigin(id: UUID())))
            ),
        ])
        let lap = HKWorkoutEvent(type: .lap, dateInterval: DateInterval(start: now, end: now), metadata: nil)
        try await mirrored.builder.addWorkoutEvents([lap])
        await watch.diary.wait { _ in watch.builder.workoutEvents.count { $0.type == .lap } == 2 }
        _ = try await watch.finish()
        await mirrored.diary.waitForDisconnect()
        // The other machine may get the end before this one's delegate is called.
        _ = await watch.session.recorder.log
        // The number of readings in a call may vary, but not its place among other calls.
        func kinds(_ diary: SessionDiary) -> [String] {
            var kinds: [String] = []
            var collected: Set<String> = []
            for note in diary.notes {
                if case .collected(let types) = note {
                    collected.formUnion(types)
                    continue
                }
                if !collected.isEmpty { kinds.append("collected \(collected.sorted())") }
                collected = []
                switch note {
                case .changed(let to, let from, _): kinds.append("\(from.rawValue) to \(to.rawValue)")
                case .event(let type, _): kinds.append("event \(type.rawValue)")
                case .began(let type, _): kinds.append("began \(type.rawValue)")
                case .ended(let type, _): kinds.append("ended \(type.rawValue)")
                case .builderEvent: kinds.append("builder event")
                case .builderBegan(let type): kinds.append("builder began \(type.rawValue)")
                case .builderEnded(let type): kinds.append("builder ended \(type.rawValue)")
                case .collected, .data, .disconnected, .failed: break
                }
            }
            return kinds
        }
        // The session had started when the phone joined.
        #expect(Array(kinds(watch.diary).dropFirst()) == kinds(mirrored.diary))
        let heard = kinds(mirrored.diary)
        #expect(heard.count { $0.hasPrefix("event") } == 6)
        #expect(heard.count { $0 == "builder event" } == 9)
        #expect(heard.count { $0.hasPrefix("builder began") } == 3)
        #expect(heard.count { $0.hasPrefix("builder ended") } == 3)
        #expect(heard.count { $0.contains("HKCorrelationTypeIdentifierBloodPressure") } == 2)
        await phone.stop()
    }

    @Test func `pause, resume, lap, activity, stop and end on the mirrored side act on the primary`() async throws {
        let (phone, watch, mirrored) = try await started()
        mirrored.session.pause()
        await watch.diary.waitUntil(.paused)
        mirrored.session.resume()
        await mirrored.diary.waitUntil(.paused)
        await mirrored.diary.waitUntil(.running)
        let start = try #require(mirrored.session.startDate)
        let lap = HKWorkoutEvent(type: .lap, dateInterval: DateInterval(start: start, end: Date()), metadata: nil)
        try await mirrored.builder.addWorkoutEvents([lap])
        await mirrored.diary.wait { _ in mirrored.builder.workoutEvents.contains { $0.type == .lap } }
        #expect(watch.builder.workoutEvents.map(\.type).filter { $0 == .lap }.count == 1)
        let part = HKWorkoutConfiguration()
        part.activityType = .running
        mirrored.session.beginNewActivity(configuration: part, date: Date(), metadata: ["Interval": 1])
        await mirrored.diary.wait { if case .began = $0 { true } else { false } }
        mirrored.session.endCurrentActivity(on: Date())
        await mirrored.diary.wait { if case .ended = $0 { true } else { false } }
        #expect(watch.builder.workoutActivities.count == 1)
        mirrored.session.stopActivity(with: Date())
        await watch.diary.waitUntil(.stopped)
        try await watch.builder.endCollection(at: Date())
        _ = try await watch.builder.finishWorkout()
        mirrored.session.end()
        await mirrored.diary.waitForDisconnect()
        #expect(watch.session.state == .ended)
        #expect(await mirrored.lines == watch.lines)
        await phone.stop()
    }

    @Test func `a session can be prepared and started from the mirrored side`() async throws {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        #expect(mirrored.session.state == .notStarted)
        mirrored.session.prepare()
        await mirrored.diary.waitUntil(.prepared)
        mirrored.session.startActivity(with: Date())
        await mirrored.diary.waitUntil(.running)
        #expect(watch.session.state == .running)
        watch.session.end()
        await mirrored.diary.waitForDisconnect()
        await phone.stop()
    }

    @Test func `calls that only the primary supports fail on the mirrored side`() async throws {
        let (phone, watch, mirrored) = try await started()
        await #expect(throws: HKError.self) { try await mirrored.builder.beginCollection(at: Date()) }
        await #expect(throws: HKError.self) { try await mirrored.builder.endCollection(at: Date()) }
        await #expect(throws: HKError.self) { _ = try await mirrored.builder.finishWorkout() }
        await #expect(throws: HKError.self) { try await mirrored.builder.addMetadata(["a": 1]) }
        await #expect(throws: HKError.self) { try await mirrored.session.startMirroringToCompanionDevice() }
        mirrored.builder.discardWorkout()
        _ = await mirrored.session.recorder.log
        #expect(mirrored.diary.notes.contains(.failed(.errorInvalidArgument)))
        #expect(watch.session.state == .running)
        watch.session.end()
        await phone.stop()
    }

    @Test func `a late joiner has the whole history when the start handler is called`() async throws {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        for value in 1...500 { await watch.measure(Double(value)) }
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        #expect(mirrored.session.state == .running)
        #expect(mirrored.builder.statistics(for: heartRate)?.total.count == 500)
        #expect(mirrored.diary.states == [])
        _ = try await watch.finish()
        await mirrored.diary.waitForDisconnect()
        await phone.stop()
    }

    @Test func `elapsed time follows the primary, however wrong a clock is`() async throws {
        // A clock that is a day ahead and stands still, because a message's duration on a busy machine doesn't matter
        // here.
        let phone = try await Phone(folder.url, time: ManualTime(Date() + 86_400))
        let watch = try Watch(folder.url, to: [phone.address])
        let start = Date() - 100
        watch.session.startActivity(with: start)
        try await watch.builder.beginCollection(at: start)
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        #expect(abs(mirrored.builder.elapsedTime - Date().timeIntervalSince(start)) < 3_600)
        mirrored.session.stopActivity(with: Date() + 86_400)
        await watch.diary.waitUntil(.stopped)
        #expect(abs(watch.builder.elapsedTime - Date().timeIntervalSince(start)) < 3_600)
        watch.session.end()
        await phone.stop()
    }

    @Test func `several machines follow one session, and one machine follows several`() async throws {
        let phones = [try await Phone(folder.url), try await Phone(MachineFolder().url)]
        // Two machines, each of which has to trust the other.
        let watchFolder = MachineFolder()
        let store = Watch.store(watchFolder.url, to: phones.map(\.address))
        let watchHost = try store.environment.companions.host()
        for phone in phones {
            let host = try phone.store.environment.companions.host()
            try host.peers.add(.init(fingerprint: watchHost.identity.fingerprint, name: "watch"))
            try watchHost.peers.add(.init(fingerprint: host.identity.fingerprint, name: "phone"))
        }
        var watches: [Watch] = []
        for _ in 0..<3 {
            let watch = try Watch(
                store,
                HKWorkoutSession(
                    healthStore: HKHealthStore(environment: Self.apart(store)), configuration: HKWorkoutConfiguration())
            )
            try await watch.begin()
            try await watch.session.startMirroringToCompanionDevice()
            watches.append(watch)
        }
        for phone in phones {
            var seen: Set<UUID> = []
            for _ in watches { seen.insert(await phone.nextSession().session.recorder.id) }
            #expect(seen == Set(watches.map(\.session.recorder.id)))
        }
        for watch in watches { watch.session.end() }
        for phone in phones { await phone.stop() }
    }

    /// The same machine, but sessions don't end each other.
    private static func apart(_ store: HKHealthStore) -> HealthEnvironment {
        var environment = HealthEnvironment(sensors: [])
        environment.companions = store.environment.companions
        return environment
    }

    @Test func `mirroring can be stopped and started again`() async throws {
        let (phone, watch, mirrored) = try await started()
        try await watch.session.stopMirroringToCompanionDevice()
        await mirrored.diary.waitForDisconnect()
        #expect(mirrored.diary.notes.last == .disconnected(nil))
        #expect(watch.session.state == .running)
        await #expect(throws: HKError.self) { try await watch.session.stopMirroringToCompanionDevice() }
        await watch.measure(120)
        try await watch.session.startMirroringToCompanionDevice()
        let again = await phone.nextSession()
        #expect(again.session !== mirrored.session)
        #expect(again.builder.statistics(for: heartRate)?.total.count == 1)
        watch.session.end()
        await phone.stop()
    }

    @Test func `a workout finished long after the session ended is finished on both machines`() async throws {
        let phone = try await Phone(folder.url, saves: true)
        let time = SteppedTime(Date())
        let journals = MachineFolder()
        let watch = try Watch(folder.url, to: [phone.address], journals: journals.url, time: time)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        await watch.measure(120)
        watch.session.end()
        await mirrored.diary.waitUntil(.ended)
        await time.pass(60)
        try await watch.builder.endCollection(at: time.now())
        let finished = try await watch.builder.finishWorkout()
        await mirrored.diary.waitForDisconnect()
        #expect(mirrored.diary.notes.last == .disconnected(nil))
        #expect(await mirrored.lines == watch.lines)
        let stored = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
            for: phone.store)
        #expect(stored.map(\.uuid) == [finished?.uuid])
        await phone.stop()
    }

    @Test func `the journal of a workout finished after the end stays until the other machine has it`()
        async throws
    {
        let phone = try await Phone(folder.url)
        let link = try FlakyLink(to: phone.address, seed: 0, faults: 0)
        let journals = MachineFolder()
        let watch = try Watch(folder.url, to: [link.address], journals: journals.url)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        _ = await phone.nextSession()
        link.close()
        watch.session.end()
        try await watch.builder.endCollection(at: Date())
        _ = try await watch.builder.finishWorkout()
        #expect(SessionJournal.left(in: journals.url.appendingPathComponent("undelivered")).count == 1)
        await phone.stop()
    }

    @Test func `a session released without a workout ends on both machines`() async throws {
        let phone = try await Phone(folder.url)
        var watch: Watch? = try Watch(folder.url, to: [phone.address])
        try await watch?.begin()
        try await watch?.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        watch?.session.end()
        await mirrored.diary.waitUntil(.ended)
        watch = nil
        await mirrored.diary.waitForDisconnect()
        #expect(mirrored.diary.notes.last == .disconnected(nil))
        await phone.stop()
    }

    @Test func `a session that has ended, or has no companion, cannot be mirrored`() async throws {
        let watch = try Watch(folder.url, to: [])
        let error = await #expect(throws: HKError.self) {
            try await watch.session.startMirroringToCompanionDevice()
        }
        #expect(error?.code == .errorHealthDataUnavailable)
        #expect(error?.localizedDescription.contains("workout mirror pair") == true)
        watch.session.startActivity(with: nil)
        watch.session.end()
        let late = await #expect(throws: HKError.self) { try await watch.session.startMirroringToCompanionDevice() }
        #expect(late?.code == .errorInvalidArgument)
    }

    @Test func `a machine that does not answer is named in the error`() async throws {
        // A clock that does not wait.
        let watch = try Watch(folder.url, to: ["127.0.0.1:1"], time: ManualTime())
        let error = await #expect(throws: HKError.self) {
            try await watch.session.startMirroringToCompanionDevice()
        }
        #expect(error?.localizedDescription.contains("127.0.0.1:1") == true)
        watch.session.end()
    }

    @Test func `a discarded route is saved on neither machine`() async throws {
        let phone = try await Phone(folder.url, saves: true)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        let route = try #require(watch.builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
        try await route.insertRouteData([CLLocation(latitude: 1, longitude: 2), CLLocation(latitude: 1, longitude: 3)])
        route.discard()
        _ = try await watch.finish()
        await mirrored.diary.waitForDisconnect()
        _ = await mirrored.session.recorder.log
        for store in [watch.store, phone.store] {
            let workouts = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
                for: store)
            #expect(workouts.count == 1)
            let routes = try await HKSampleQueryDescriptor(predicates: [.workoutRoute()], sortDescriptors: []).result(
                for: store)
            #expect(routes.isEmpty)
        }
        await phone.stop()
    }

    @Test func `a mirrored workout is saved once on the second machine, on request`() async throws {
        let phone = try await Phone(folder.url, saves: true)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        for value in 100..<160 { await watch.measure(Double(value)) }
        let finished = try await watch.finish()
        let workout = try #require(finished)
        await mirrored.diary.waitForDisconnect()
        _ = await mirrored.session.recorder.log
        let stored = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
            for: phone.store)
        #expect(stored.map(\.uuid) == [workout.uuid])
        #expect(stored.first?.duration == workout.duration || abs(stored[0].duration - workout.duration) < 0.001)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: heartRate)], sortDescriptors: []
        ).result(for: phone.store)
        #expect(samples.count == 60)
        await phone.stop()
    }
}
