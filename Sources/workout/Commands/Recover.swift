import ArgumentParser
import Bluetooth
import Foundation
import HealthKit
import Recordings

/// `workout recover`: finishes what a crash left.
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
        // A sensor that stayed connected can be used by nobody. Where there is no Bluetooth none did.
        try? await environment.central.releaseLeftovers()
        // Nothing is measured any more: sensors that cannot be had keep no workout from being finished.
        environment.sensors = .success([])
        let store = HKHealthStore(environment: environment)
        while let session = try await CommandFailure.ownFault({ try await store.recoverActiveWorkoutSession() }) {
            count += 1
            let builder = session.associatedWorkoutBuilder()
            if discard {
                builder.discardWorkoutAndSamples()
                // On the recorder's queue, hence after the discarding.
                _ = await session.recorder.log
                if !json { print("discarded: the workout of \(Self.begin(of: session))") }
                continue
            }
            // A machine that is not there keeps nothing from being finished.
            var absence: CommandFailure?
            do { try await mirror.start(session) } catch let failure as CommandFailure { absence = failure }
            let finished = try await CommandFailure.ownFault { try await Self.finish(session, builder) }
            try SummaryOutput(json: json).print(WorkoutSummary(finished), nil)
            if let absence { throw absence }
            try await mirror.finish(session, isStored: true)
        }
        let isDelivered = try await mirror.deliverRest(of: store)
        if isDelivered, !json {
            print("The remaining data of finished sessions was sent to \(mirror.addresses.joined(separator: ", ")).")
        }
        if count == 0, !isDelivered, !json { print("Nothing to recover: no session was interrupted.") }
        if let waiting = try CommandFailure.mirroring({ try MirrorOptions.waiting(store) }) {
            CommandOutput.error.print(waiting)
        }
    }

    private static func begin(of session: HKWorkoutSession) -> String {
        session.startDate.map { Page().minute($0, showsZone: true) } ?? "an unknown time"
    }

    /// Ends the session where its log ends.
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
        // On the recorder's queue: the end is in it then.
        _ = await session.recorder.log
        return WorkoutRun.Finished(id: session.recorder.id, state: session.recorder.state, log: log)
    }
}
