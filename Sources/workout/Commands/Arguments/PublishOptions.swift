import ArgumentParser
import Brokers
import Engine
import HealthKit

/// The publishing options of commands that run a session.
struct PublishOptions: ParsableArguments {
    @Option(
        name: .customLong("publish"),
        help: ArgumentHelp(
            "Publish heart rate, zone, state and other figures to an MQTT broker: mqtt[s]://[USER@]HOST[:PORT][/PREFIX]; or the whole log "
                + "to a stream of NATS: nats[s]://[USER@]HOST[,HOST][/PREFIX]. Repeatable. "
                + "Default: HEALTHKIT_PUBLISH.",
            valueName: "URL"))
    var addresses: [String] = []

    /// How long the end of a session waits for a broker.
    private static let patience = Duration.seconds(3)

    /// The publishers of one session.
    struct Publishers: Sendable {
        fileprivate var all: [(name: String, publisher: any SessionPublishing)] = []

        fileprivate let environment: HealthEnvironment

        /// Waits for the brokers to take the end of the session. One that does not is no failure of the workout.
        func finish() async {
            for (name, publisher) in all {
                let sentence = await publisher.finish(within: PublishOptions.patience, environment, broker: name)
                if let sentence { CommandFailure(exitCode: .success, message: sentence).report() }
            }
        }
    }

    /// Publishes a session from here on, with or without a broker that takes it.
    /// - Throws: ``CommandFailure`` for an address that cannot be used, and if this program cannot publish at all.
    func start(_ run: WorkoutRun, _ environment: HealthEnvironment) throws -> Publishers {
        let settings = try CommandFailure.badInput { try environment.publishing.get() }
        let brokers: [PublishSettings.Broker]
        do {
            brokers = addresses.isEmpty ? settings.brokers : try addresses.map { try settings.broker(argument: $0) }
        } catch {
            throw CommandFailure(exitCode: .wrongUsage, message: CommandFailure.describe(error))
        }
        var publishers = Publishers(environment: environment)
        for broker in brokers {
            do {
                let publisher = try environment.publisher(run.session.recorder, to: broker, settings) { event in
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
