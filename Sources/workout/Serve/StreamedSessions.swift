import ArgumentParser
import Brokers
import Engine
import Foundation
import HealthKit

/// The running sessions of a stream, for the pages: those that run already, from their start, and all that begin later.
struct StreamedSessions: Sendable {
    private let reader: StreamReader
    private let feed: SessionFeed
    private let store: HKHealthStore
    /// Whether a message is of a session that is shown.
    private let isOne: @Sendable (SessionFeed.Arrival) -> Bool

    init(_ text: String, _ environment: HealthEnvironment) async throws {
        let address: NATSAddress
        do {
            try PublishSettings.refusePassword(in: text)
            address = try environment.publishing.get().servers(text)
        } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: "--from: " + CommandFailure.describe(error))
        }
        reader = StreamReader(address)
        store = HKHealthStore(environment: environment.beside)
        do {
            let stream = try await reader.connect()
            (feed, isOne) = try await reader.ask {
                try stream.runningAndLater(person: address.person, within: StreamReader.longestSilence)
            }
        } catch let failure as StreamFailure {
            throw CommandFailure(exitCode: .serviceMissing, message: failure.description)
        }
    }

    /// Shows them until the task is cancelled.
    func show(on pages: PageServer) async {
        var followed: [UUID: StreamedSession] = [:]
        await reader.run(feed, report: Self.report) { arrivals in
            for arrival in arrivals {
                let id = arrival.subjects.session
                if let session = followed[id] {
                    session.take(arrival)
                } else if isOne(arrival), let session = StreamedSession(arrival, store) {
                    followed[id] = session
                    await show(session, on: pages)
                }
                guard followed[id]?.isOver == true else { continue }
                if let fault = followed[id]?.fault { Self.report(.failed("session \(id.uuidString): \(fault)")) }
                followed[id] = nil
                pages.sessions.changes.notify()
            }
            return true
        }
    }

    private func show(_ session: StreamedSession, on pages: PageServer) async {
        let course = LiveTimeline()
        let served = ServedSession(
            session.recorder, athlete: session.subjects.person, course, changes: pages.sessions.changes,
            show: { LiveSnapshot(streamed: session, course, namesPerson: false) }, ask: { _ in },
            isOver: { session.isOver })
        await served.follow()
        pages.sessions.add(served)
    }

    private static func report(_ event: BrokerEvent) {
        switch event {
        case .connected: CommandFailure(exitCode: .success, message: "the servers of the stream are back").report()
        case .failed(let sentence): CommandFailure(exitCode: .success, message: sentence).report()
        }
    }
}
