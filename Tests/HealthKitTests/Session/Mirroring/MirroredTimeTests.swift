import Engine
import Foundation
import HealthKit
import SessionLog
import Synchronization
import Testing

/// The machine's clocks. Only the test sets the wall clock.
private final class SetClock: TimeSource {
    private let aheadInSeconds = Mutex(0.0)
    private let system = SystemTime()

    func set(by seconds: Double) { aheadInSeconds.withLock { $0 += seconds } }
    func now() -> Date { system.now() + aheadInSeconds.withLock { $0 } }
    var uptimeInSeconds: Double { system.uptimeInSeconds }
    func reading() -> (wall: Date, uptimeInSeconds: Double) {
        let (wall, uptime) = system.reading()
        return (wall + aheadInSeconds.withLock { $0 }, uptime)
    }
    func sleep(until date: Date) async throws {
        try await system.sleep(until: date - aheadInSeconds.withLock { $0 })
    }
}

@Suite(.timeLimit(.minutes(10))) struct MirroredTimeTests {
    @Test func `a mirrored session keeps the primary's dates, whichever clock is set`() async throws {
        let folder = MachineFolder()
        let (here, there) = (SetClock(), SetClock())
        let phone = try await Phone(folder.url, time: there)
        let watch = try Watch(folder.url, to: [phone.address], time: here)
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        here.set(by: -3600)
        await watch.measure(120)
        there.set(by: 86_400)
        watch.session.pause()
        await mirrored.diary.waitUntil(.paused)
        #expect(abs(mirrored.session.recorder.now.timeIntervalSince(watch.session.recorder.now)) < 1)
        #expect(abs(mirrored.builder.elapsedTime - watch.builder.elapsedTime) < 1)
        watch.session.resume()
        await mirrored.diary.waitUntil(.running)
        // Requests of the other machine's app are dated by that machine's clock.
        mirrored.session.stopActivity(with: there.now())
        await watch.diary.waitUntil(.stopped)
        try await watch.builder.endCollection(at: here.now())
        let workout = try #require(try await watch.builder.finishWorkout())
        watch.session.end()
        await mirrored.diary.waitForDisconnect()
        #expect(await mirrored.lines == watch.lines)
        #expect(workout.duration < 600)
        #expect(mirrored.builder.elapsedTime == workout.duration)
        let steps = try await watch.session.recorder.log.entries.compactMap {
            if case .clockSet(let seconds) = $0.content { seconds.rounded() } else { nil }
        }
        #expect(steps == [-3600])
        await phone.stop()
    }
}
