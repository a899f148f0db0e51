import Foundation
import Testing

@testable import Engine
@testable import HealthKit

/// Requests while the primary is unreachable, and sessions whose primary does not return.
@Suite(.timeLimit(.minutes(10))) struct OutageTests {
    private let folder = MachineFolder()

    /// A mirrored session whose phone has just noticed that the watch is unreachable.
    private func outage() async throws -> (ManualTime, Phone, FlakyLink, Watch, Phone.Mirrored) {
        let time = ManualTime(Date())
        let phone = try await Phone(folder.url, time: time)
        let link = try FlakyLink(to: phone.address, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        link.setDown(true)
        await mirrored.diary.waitForDisconnect()
        return (time, phone, link, watch, mirrored)
    }

    @Test func `after a long outage only dated requests are done, and the others fail`() async throws {
        let (time, phone, link, watch, mirrored) = try await outage()

        mirrored.session.pause()
        mirrored.session.end()
        mirrored.session.stopActivity(with: nil)
        let start = try #require(mirrored.session.startDate)
        let lap = HKWorkoutEvent(type: .lap, dateInterval: DateInterval(start: start, duration: 0), metadata: nil)
        try await mirrored.builder.addWorkoutEvents([lap])
        try await mirrored.session.sendToRemoteWorkoutSession(data: Data("still".utf8))
        time.advance(by: FollowRequests.staleInSeconds + 1)
        link.setDown(false)
        await watch.diary.waitForData("still")
        #expect(watch.session.state == .running)
        #expect(watch.builder.workoutEvents.map(\.type) == [.lap])
        for _ in 0..<3 { await mirrored.diary.wait { $0 == .failed(.errorHealthDataUnavailable) } }

        mirrored.session.pause()
        await watch.diary.waitUntil(.paused)
        watch.session.end()
        link.close()
        await phone.stop()
    }

    @Test func `after a short outage every request is done`() async throws {
        let (time, phone, link, watch, mirrored) = try await outage()
        mirrored.session.pause()
        _ = await mirrored.session.recorder.log
        time.advance(by: FollowRequests.staleInSeconds - 1)
        link.setDown(false)
        await watch.diary.waitUntil(.paused)
        #expect(!mirrored.diary.notes.contains(.failed(.errorHealthDataUnavailable)))
        watch.session.end()
        link.close()
        await phone.stop()
    }

    @Test func `a session whose machine was away for a day is closed when another one arrives`() async throws {
        let time = ManualTime(Date())
        let phone = try await Phone(folder.url, time: time)
        let link = try FlakyLink(to: phone.address, seed: 0, faults: 0)
        let watch = try Watch(folder.url, to: [link.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        link.close()
        await mirrored.diary.wait { $0 == .disconnected(.errorHealthDataUnavailable) }
        #expect(mirrored.session.origin?.isConnected == false)

        time.advance(by: OrphanedSessions.longestInSeconds + 1)
        let other = try Watch(folder.url, to: [phone.address])
        try await other.begin()
        try await other.session.startMirroringToCompanionDevice()
        await mirrored.diary.wait { $0 == .disconnected(.errorHealthDataUnavailable) }
        _ = await mirrored.session.recorder.log
        #expect(mirrored.session.origin == nil)
        #expect(mirrored.session.state == .running)
        await #expect(throws: HKError.self) {
            try await mirrored.session.sendToRemoteWorkoutSession(data: Data([1]))
        }
        watch.session.end()
        other.session.end()
        await phone.stop()
    }

    @Test func `of too many lost sessions the oldest of each machine are closed, and none that was just lost`() {
        let now = Date(timeIntervalSinceReferenceDate: 0)
        func lost(
            _ count: Int, _ origin: String, since seconds: Double
        ) -> [(session: Int, origin: String, since: Date)] {
            (0..<count).map { (session: $0, origin: origin, since: now - seconds - Double($0)) }
        }
        #expect(OrphanedSessions.expired(lost(40, "a", since: 3_600), at: now).sorted() == Array(32..<40))
        #expect(OrphanedSessions.expired(lost(30, "a", since: 3_600) + lost(30, "b", since: 3_600), at: now) == [])
        #expect(OrphanedSessions.expired(lost(100, "a", since: 10), at: now) == [])
        #expect(OrphanedSessions.expired(lost(2, "a", since: 90_000), at: now).sorted() == [0, 1])
    }
}
