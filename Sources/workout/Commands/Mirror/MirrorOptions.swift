import ArgumentParser
import Foundation
import HealthKit

/// What commands that run a session can be told about mirroring it.
struct MirrorOptions: ParsableArguments {
    @Option(
        name: .customLong("mirror"),
        help: ArgumentHelp(
            "Mirror the session to another machine, on which 'workout mirror listen' or an app listens; port 7654 unless "
                + "another one is named. Repeatable.",
            valueName: "HOST[:PORT]"))
    var addresses: [String] = []

    @Flag(help: "Mirror what sensors sent, byte for byte, too.")
    var mirrorRaw = false

    /// How long a machine that is away is waited for at the end.
    static let deliverySeconds = 30

    /// An environment with the machines that were named.
    func environment(_ environment: HealthEnvironment = .current, showsScreen: Bool) -> HealthEnvironment {
        var environment = environment
        guard !addresses.isEmpty else { return environment }
        let settings = environment.companions.settings
        let named = CompanionSettings(
            peers: addresses, listen: settings.listen, folder: settings.folder, discovers: settings.discovers)
        // Lines of another kind would break the picture.
        let report: @Sendable (String) -> Void = { if !showsScreen { Companions.tellOnStandardError($0) } }
        environment.companions = Companions(named, report: report)
        environment.companions.mirrorsNotifications = mirrorRaw
        return environment
    }

    /// Begins to mirror a session, and waits for the first machine; fails where none is there.
    func start(_ session: HKWorkoutSession) async throws {
        guard !addresses.isEmpty else { return }
        do {
            try await session.startMirroringToCompanionDevice()
        } catch let error as HKError where error.code == .errorInvalidArgument {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        } catch {
            throw CommandFailure(exitCode: .serviceMissing, message: CommandFailure.describe(error))
        }
    }

    /// Begins to mirror a session that goes on whether a machine is there or not.
    func startUnasked(_ session: HKWorkoutSession, warn: @escaping @Sendable (String) -> Void) {
        guard !addresses.isEmpty else { return }
        session.startMirroringToCompanionDevice { _, error in
            if let error { warn(CommandFailure.describe(error)) }
        }
    }

    /// Mirrors the rest of sessions that ended in an earlier process. Whether there were any.
    func deliverRest(of store: HKHealthStore) async throws -> Bool {
        guard !addresses.isEmpty, let folder = store.environment.journalFolder else { return false }
        let deliveries = await UndeliveredSessions.deliver(
            in: folder, to: store.environment.companions, time: store.environment.time,
            within: .seconds(Self.deliverySeconds))
        for delivery in deliveries where await !delivery.value { throw absence }
        return !deliveries.isEmpty
    }

    /// Waits until every machine has the whole session; fails where one does not come back for it.
    func finish(_ session: HKWorkoutSession) async throws {
        guard !addresses.isEmpty else { return }
        guard await session.finishMirroring(within: .seconds(Self.deliverySeconds)) else { throw absence }
    }

    private var absence: CommandFailure {
        CommandFailure(
            exitCode: .serviceMissing,
            message:
                "not every machine of \(addresses.joined(separator: ", ")) has the whole session: one was away "
                + "for \(Self.deliverySeconds) s; 'workout recover --mirror' sends it the rest of a stored one")
    }
}
