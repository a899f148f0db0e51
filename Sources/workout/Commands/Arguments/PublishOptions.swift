import ArgumentParser
import Brokers
import HealthKit

/// The publishing options of commands that run a session.
struct PublishOptions: ParsableArguments {
    @Option(
        name: .customLong("publish"),
        help: ArgumentHelp(
            "Publish heart rate, zone, state and other figures to an MQTT broker: mqtt[s]://[USER@]HOST[:PORT][/PREFIX]. Repeatable. "
                + "Default: HEALTHKIT_PUBLISH.",
            valueName: "URL"))
    var addresses: [String] = []

    /// How long the end of a session waits for a broker.
    private static let patience = Duration.seconds(3)

    /// The publishers of one session.
    struct Publishers: Sendable {
        fileprivate var all: [(name: String, publisher: SessionPublisher)] = []

        /// Waits for the brokers to take the end of the session. One that does not is no failure of the workout.
        func finish() async {
            for (name, publisher) in all where await !publisher.finish(within: PublishOptions.patience) {
                CommandFailure(exitCode: .success, message: "\(name) did not receive the end of the session").report()
            }
        }
    }

    /// Publishes a session from here on, with or without a broker that takes it.
    /// - Throws: ``CommandFailure`` for an address that cannot be used, and if this program cannot publish at all.
    func start(_ run: WorkoutRun, _ environment: HealthEnvironment) throws -> Publishers {
        let settings = try CommandFailure.badInput { try environment.publishing.get() }
        let brokers: [BrokerAddress]
        do {
            brokers = addresses.isEmpty ? settings.brokers : try addresses.map { try settings.broker(argument: $0) }
        } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        }
        var publishers = Publishers()
        for broker in brokers {
            do {
                let publisher = try SessionPublisher(
                    run.session.recorder, to: broker, machine: HealthEnvironment.machineName
                ) { event in
                    guard case .failed(let sentence) = event else { return }
                    run.notices.warn(sentence)
                    if !ScreenMode.isOn { CommandFailure(exitCode: .success, message: sentence).report() }
                }
                run.session.recorder.enqueue { $0.add(publisher) }
                publishers.all.append((broker.description, publisher))
            } catch {
                throw CommandFailure(exitCode: .serviceMissing, message: error.description)
            }
        }
        return publishers
    }
}
