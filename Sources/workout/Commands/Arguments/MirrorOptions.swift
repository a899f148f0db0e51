import ArgumentParser
import Engine
import Foundation
import HealthKit

/// The mirroring options of commands that run a session.
struct MirrorOptions: ParsableArguments {
    @Option(
        name: .customLong("mirror"),
        help: ArgumentHelp(
            "Mirror the session to a machine that runs 'workout mirror listen' or a listening app. The port defaults to 7654. "
                + "nats://HOST[,HOST][/PREFIX] finds paired machines through servers of NATS, encrypted from end to end. Repeatable.",
            valueName: "HOST[:PORT]"))
    var addresses: [String] = []

    @Flag(help: "Also mirror the raw bytes that sensors sent.")
    var mirrorRaw = false

    /// How long the end of a session waits for a machine that accepts nothing.
    static let deliverySeconds = 30

    /// Returns an environment with the machines named. The view and errors show their state.
    func environment(_ environment: HealthEnvironment = .current) -> HealthEnvironment {
        var environment = environment
        guard !addresses.isEmpty else { return environment }
        var named = environment.companions.settings
        named.peers = addresses
        environment.companions = Companions(named, report: { _ in })
        environment.companions.mirrorsNotifications = mirrorRaw
        return environment
    }

    /// Starts to mirror a session and waits for the first machine. Fails if there is none.
    func start(_ session: HKWorkoutSession) async throws {
        guard !addresses.isEmpty else { return }
        let patience = WaitNotice("Waiting for \(addresses.joined(separator: ", ")) to listen …")
        defer { patience.end() }
        do {
            try await session.startMirroringToCompanionDevice()
        } catch let error as HKError where error.code == .errorInvalidArgument {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        } catch {
            throw CommandFailure(exitCode: .serviceMissing, message: CommandFailure.describe(error))
        }
    }

    /// Starts to mirror a session that goes on with or without a machine. The view shows which.
    func startUnasked(_ session: HKWorkoutSession, warn: @escaping @Sendable (String) -> Void) {
        guard !addresses.isEmpty else { return }
        session.startMirroringToCompanionDevice { _, error in
            // The view shows that no machine is connected, as long as that holds.
            if let error, session.companionStandings.isEmpty { warn(CommandFailure.describe(error)) }
        }
    }

    /// Mirrors the rest of sessions that ended in an earlier process. Returns whether there were any.
    func deliverRest(of store: HKHealthStore) async throws -> Bool {
        guard !addresses.isEmpty, let folder = store.environment.journalFolder else { return false }
        let deliveries = await UndeliveredSessions.deliver(
            in: folder, to: store.environment.companions, time: store.environment.time,
            within: .seconds(Self.deliverySeconds))
        guard !deliveries.isEmpty else { return false }
        var isDelivered = false
        for delivery in deliveries where await delivery.value { isDelivered = true }
        if isDelivered { return true }
        // Data that waits for an absent machine is not an error of this one.
        let names = try UndeliveredSessions.waitingFor(in: folder, store.environment.companions).names
        throw CommandFailure(
            exitCode: .serviceMissing,
            message:
                "no machine at \(addresses.joined(separator: ", ")) took the remaining data for "
                + "\(Self.deliverySeconds) s. It is meant for "
                + "\(names.map(DisplayWidth.printable).joined(separator: ", ")): name the address of that machine"
        )
    }

    /// Describes the machines that ended sessions still wait for. Returns nil if there are none.
    static func waiting(_ store: HKHealthStore) throws -> String? {
        guard let folder = store.environment.journalFolder else { return nil }
        let (count, names) = try UndeliveredSessions.waitingFor(in: folder, store.environment.companions)
        guard count > 0 else { return nil }
        let whom = names.isEmpty ? "another machine" : names.map(DisplayWidth.printable).joined(separator: ", ")
        return (count == 1 ? "notice: 1 finished session waits" : "notice: \(count) finished sessions wait")
            + " for \(whom). To send the rest: workout recover --mirror HOST, with the address of that machine."
    }

    /// Waits until every machine has the whole session. Fails if one does not come back for it.
    ///
    /// - Parameter isStored: Whether this machine keeps the workout, so that the rest can be sent later.
    func finish(_ session: HKWorkoutSession, isStored: Bool) async throws {
        guard !addresses.isEmpty else { return }
        let patience = WaitNotice(
            "Waiting up to \(Self.deliverySeconds) s for \(addresses.joined(separator: ", ")) to receive the rest "
                + "of the session …")
        defer { patience.end() }
        guard await !session.finishMirroring(within: .seconds(Self.deliverySeconds)) else { return }
        let away = session.companionStandings.filter { !$0.isConnected }.map(\.name)
        throw absence(away.isEmpty ? addresses : away, isStored: isStored)
    }

    private func absence(_ machines: [String], isStored: Bool) -> CommandFailure {
        let names = machines.map(DisplayWidth.printable).joined(separator: ", ")
        let rest = isStored ? "; once it is back, send the rest: workout recover --mirror \(addresses[0])" : ""
        return CommandFailure(
            exitCode: .serviceMissing,
            message: "\(names) did not receive the whole session in time\(rest)")
    }
}

/// A notice on a terminal that names what the command waits for, if that takes longer than a moment.
private struct WaitNotice {
    private let teller: Task<Void, Never>

    init(_ sentence: String) {
        teller = Task {
            guard isatty(STDERR_FILENO) == 1, (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            CommandOutput.error.print(sentence)
        }
    }

    func end() { teller.cancel() }
}
