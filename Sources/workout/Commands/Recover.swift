import ArgumentParser
import Bluetooth
import Brokers
import Engine
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// `workout recover`: finishes workouts interrupted by a crash.
struct Recover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Recover and save workouts interrupted by a crash.",
        discussion: """
            A session whose process ended is saved up to the last entry of its log. Also disconnects sensors left connected. \
            Sessions that are still running are not touched.

            Example:
              workout recover
            """
    )

    @Flag(help: "Discard instead of saving.")
    var discard = false

    @Flag(help: "Print one JSON object per workout.")
    var json = false

    @OptionGroup var mirror: MirrorOptions

    func run() async throws {
        var count = 0
        var environment = mirror.environment()
        // Nobody else can use a sensor that stayed connected. Without Bluetooth, none did.
        try? await environment.central.releaseLeftovers()
        // Nothing is measured any more, so missing sensors must not keep a workout from being finished.
        environment.sensors = .success([])
        let store = HKHealthStore(environment: environment)
        while let session = try await CommandFailure.ownFault({ try await store.recoverActiveWorkoutSession() }) {
            count += 1
            let builder = session.associatedWorkoutBuilder()
            if discard {
                builder.discardWorkoutAndSamples()
                session.end()
                // This runs on the recorder's queue, hence after the discarding.
                _ = await session.recorder.log
                await Self.finishPublishing(session, environment)
                if !json { print("discarded: the workout of \(Self.begin(of: session))") }
                continue
            }
            // An absent machine must not keep a workout from being finished.
            var absence: CommandFailure?
            do { try await mirror.start(session) } catch let failure as CommandFailure { absence = failure }
            let finished = try await CommandFailure.ownFault { try await Self.finish(session, builder) }
            try SummaryOutput(json: json).print(WorkoutSummary(finished), nil)
            await Self.finishPublishing(session, environment)
            if let absence { throw absence }
            try await mirror.finish(session, isStored: true)
        }
        let isDelivered = try await mirror.deliverRest(of: store)
        if isDelivered, !json {
            print("The remaining data of finished sessions was sent to \(mirror.addresses.joined(separator: ", ")).")
        }
        let published = try await publishRest(environment)
        if published > 0, !json {
            print("Published to their streams: the rest of \(localizedCount(published, "session")).")
        }
        if count == 0, !isDelivered, published == 0, !json { print("Nothing to recover: no session was interrupted.") }
        if let waiting = try CommandFailure.mirroring({ try MirrorOptions.waiting(store) }) {
            CommandOutput.error.print(waiting)
        }
    }

    /// Waits for the brokers of HEALTHKIT_PUBLISH, which have the session up to its interruption.
    private static func finishPublishing(_ session: HKWorkoutSession, _ environment: HealthEnvironment) async {
        for publisher in await session.recorder.publishers {
            let sentence = await publisher.finish(within: .seconds(10), environment, broker: "a broker")
            if let sentence { CommandFailure(exitCode: .success, message: sentence).report() }
        }
    }

    /// Publishes what the servers of a stream did not receive when a session ended. Returns of how many sessions.
    private func publishRest(_ environment: HealthEnvironment) async throws -> Int {
        guard let logs = UnpublishedLogs(environment) else { return 0 }
        var count = 0
        for session in logs.sessions {
            let settings = try CommandFailure.badInput { try environment.publishing.get() }
            do {
                try await WaitingCalls()({ try logs.publish(session, settings) })
                count += 1
            } catch {
                CommandFailure(
                    exitCode: .success,
                    message:
                        "session \(session.uuidString) is not published yet: \(CommandFailure.describe(error)). Run "
                        + "'workout recover' again"
                ).report()
            }
        }
        return count
    }

    private static func begin(of session: HKWorkoutSession) -> String {
        session.startDate.map { Page().minute($0, showsZone: true) } ?? "an unknown time"
    }

    /// Ends the session at the end of its log.
    private static func finish(
        _ session: HKWorkoutSession, _ builder: HKLiveWorkoutBuilder
    ) async throws -> WorkoutRun.Finished {
        let log = await session.recorder.log
        let end = log.lastDate ?? Date()
        session.stopActivity(with: end)
        let state = session.recorder.state
        if state.collectionStart == nil { try await builder.beginCollection(at: session.startDate ?? end) }
        if state.collectionEnd == nil { try await builder.endCollection(at: end) }
        _ = try await builder.finishWorkout()
        session.end()
        // This runs on the recorder's queue, so the log then has the end.
        _ = await session.recorder.log
        return WorkoutRun.Finished(id: session.recorder.id, state: session.recorder.state, log: log)
    }
}
