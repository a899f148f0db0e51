import Engine
import Foundation
import HealthKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct RemoteDataTests {
    private let folder = MachineFolder()

    private func pieces(_ notes: [SessionDiary.Note]) -> [String] {
        notes.flatMap { note -> [String] in
            guard case .data(let data) = note else { return [] }
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `data goes both ways, in order and once`() async throws {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        for number in 0..<100 {
            watch.session.sendToRemoteWorkoutSession(data: Data("w\(number)".utf8)) { _, _ in }
            mirrored.session.sendToRemoteWorkoutSession(data: Data("p\(number)".utf8)) { _, _ in }
        }
        await mirrored.diary.wait { if case .data(let data) = $0 { data.contains(Data("w99".utf8)) } else { false } }
        await watch.diary.wait { if case .data(let data) = $0 { data.contains(Data("p99".utf8)) } else { false } }
        #expect(pieces(mirrored.diary.notes) == (0..<100).map { "w\($0)" })
        #expect(pieces(watch.diary.notes) == (0..<100).map { "p\($0)" })
        #expect(mirrored.builder.allStatistics.isEmpty)
        watch.session.end()
        await phone.stop()
    }

    @Test func `data that arrived before an app listened is delivered once it does`() async throws {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        watch.session.delegate = nil
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let mirrored = await phone.nextSession()
        for number in 0..<3 { try await mirrored.session.sendToRemoteWorkoutSession(data: Data("p\(number)".utf8)) }
        mirrored.session.pause()
        await mirrored.diary.waitUntil(.paused)
        // Until the watch has notified everybody of the pause, too.
        _ = await watch.session.recorder.log
        let diary = SessionDiary()
        watch.session.delegate = diary
        await diary.wait { if case .data = $0 { true } else { false } }
        #expect(diary.notes == [.data((0..<3).map { Data("p\($0)".utf8) })])
        watch.session.end()
        await phone.stop()
    }

    @Test func `sending needs a session that has begun and is mirrored`() async throws {
        let watch = try Watch(folder.url, to: [])
        let early = await #expect(throws: HKError.self) {
            try await watch.session.sendToRemoteWorkoutSession(data: Data([1]))
        }
        #expect(early?.code == .errorInvalidArgument)
        #expect(early?.localizedDescription.hasPrefix("Remote session delegate is not set up.") == true)
        watch.session.startActivity(with: nil)
        let alone = await #expect(throws: HKError.self) {
            try await watch.session.sendToRemoteWorkoutSession(data: Data([1]))
        }
        #expect(alone?.localizedDescription.contains("startMirroringToCompanionDevice") == true)
    }

    @Test func `nothing can be sent once mirroring was stopped`() async throws {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        _ = await phone.nextSession()
        try await watch.session.stopMirroringToCompanionDevice()
        let error = await #expect(throws: HKError.self) { try await watch.send("late") }
        #expect(error?.code == .errorInvalidArgument)
        watch.session.end()
        await phone.stop()
    }

    @Test func `at most 100 KB are sent in any ten seconds`() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        var allowance = DataRateLimit()
        let attempts: [(kilobytes: Int, after: Double)] = [
            (60, 0), (41, 5), (40, 5), (1, 9.9), (60, 10), (1, 14.9), (40, 15),
        ]
        var taken: [Bool] = []
        for attempt in attempts {
            taken.append(allowance.consume(attempt.kilobytes * 1_024, at: start + attempt.after))
        }
        #expect(taken == [true, false, true, false, true, false, true])
    }

    @Test func `too much data is rejected with Apple's code`() async throws {
        let phone = try await Phone(folder.url)
        let watch = try Watch(folder.url, to: [phone.address])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        let error = await #expect(throws: HKError.self) {
            try await watch.session.sendToRemoteWorkoutSession(data: Data(count: 100 * 1_024 + 1))
        }
        #expect(error?.code == .errorDataSizeExceeded)
        try await watch.session.sendToRemoteWorkoutSession(data: Data(count: 100 * 1_024))
        watch.session.end()
        await phone.stop()
    }
}
