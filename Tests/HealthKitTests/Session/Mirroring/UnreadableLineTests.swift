import Foundation
import HealthKit
import Mirroring
import SessionLog
import Synchronization
import Testing

@testable import Engine
@testable import HealthKit

/// Messages that this version cannot read: both sides get an error, and none of it is acknowledged.
@Suite(.timeLimit(.minutes(10))) struct UnreadableLineTests {
    private let folder = MachineFolder()
    private let damaged = Array("{\"at\":\"2026-01-01T00:00:00Z\",\"state\":\"dancing\"}\n".utf8)

    private func line(_ content: SessionEntry.Content, atSecond second: Double = 0) -> [UInt8] {
        var encoder = SessionLogEncoder()
        try? encoder.append(SessionEntry(Date(timeIntervalSinceReferenceDate: second), content))
        return encoder.bytes
    }

    /// The events of a channel until the other side closes it.
    private func outcome(of events: MirrorEvents) async -> (acknowledged: [UInt64], closure: MirrorClosure?) {
        var acknowledged: [UInt64] = []
        for await event in events {
            switch event {
            case .acknowledged(_, let through): acknowledged.append(through)
            case .closed(_, let closure): return (acknowledged, closure)
            default: break
            }
        }
        return (acknowledged, nil)
    }

    @Test func `an unreadable entry ends the mirroring, and is never acknowledged`() async throws {
        let phone = try await Phone(folder.url)
        let session = UUID()
        let lines = [
            line(.header(SessionHeader(id: session, activity: ActivityDescription())), atSecond: 1),
            line(.state(.running), atSecond: 2),
        ]
        let greeting = MirrorGreeting(
            session: session, header: String(decoding: lines[0], as: UTF8.self), count: 2, now: Date(), pace: .wall,
            acknowledged: [:])
        let (channel, events) = MirrorChannel.withEvents(id: session, greeting: { _ in greeting.bytes })
        for line in lines { channel.append(line) }
        let host = try Watch.store(folder.url, to: []).environment.companions.host()
        let address = try #require(MirrorAddress(phone.address))
        channel.connect(to: address, through: host)
        let mirrored = await phone.nextSession()
        channel.append(line(.state(.paused)))
        await mirrored.diary.waitUntil(.paused)
        channel.append(damaged)
        channel.append(line(.state(.running)))

        let (acknowledged, closure) = await outcome(of: events)
        guard case .incompatible(let reason)? = closure else {
            Issue.record("\(String(describing: closure))")
            return
        }
        #expect(reason.hasPrefix("entry 4 of its session cannot be read"))
        #expect(acknowledged.allSatisfy { $0 <= 3 })
        await mirrored.diary.wait { $0 == .disconnected(.errorHealthDataUnavailable) }
        // The entries before it have arrived, and those after it have not.
        #expect(mirrored.session.state == .paused)
        #expect(await mirrored.lines.count == 3)
        channel.close()
        await phone.stop()
    }

    @Test func `an unreadable request ends the mirroring, and the session continues alone`() async throws {
        let host = try Watch.store(folder.url, to: []).environment.companions.host()
        let offers = AsyncStream.makeStream(of: (MirrorChannel, MirrorEvents).self)
        let listener = try await host.listen(on: MirrorAddress(host: "127.0.0.1", port: 0)) { offer in
            let (channel, events) = MirrorChannel.withEvents(id: offer.channel)
            offers.continuation.yield((channel, events))
            return .accept(channel)
        }
        let watch = try Watch(folder.url, to: [listener.address.description])
        try await watch.begin()
        try await watch.session.startMirroringToCompanionDevice()
        var arrivals = offers.stream.makeAsyncIterator()
        let (channel, events) = try #require(await arrivals.next())
        channel.append(line(.event(.instant(.lap))))
        channel.append(damaged)
        channel.append(line(.state(.ended)))

        let (acknowledged, closure) = await outcome(of: events)
        guard case .incompatible(let reason)? = closure else {
            Issue.record("\(String(describing: closure))")
            return
        }
        #expect(reason.hasPrefix("request 2 cannot be read"))
        #expect(acknowledged.allSatisfy { $0 <= 1 })
        await watch.diary.wait { $0 == .disconnected(.errorHealthDataUnavailable) }
        #expect(watch.session.state == .running)
        #expect(watch.builder.workoutEvents.map(\.type) == [.lap])
        watch.session.end()
        await listener.close()
    }
}
