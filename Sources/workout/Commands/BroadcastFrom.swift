import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Reports
import SessionLog
import StoredWorkouts
import Synchronization

/// `workout broadcast from`: passes a sensor on to several devices.
struct BroadcastFrom: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from",
        abstract: "Share a sensor with several devices.",
        discussion: """
            Connects to a strap that allows one connection, and is that strap for any number of programs. Its packets are \
            passed on byte for byte. The broadcast starts once the strap has sent its first value, and waits for it if it \
            goes away. Choose this machine's name in the other programs, not the strap's.

            SENSOR may also be what another machine publishes: heart rates on a topic of an MQTT broker, or a session in a \
            stream of NATS. So a strap that is heard in one room is a sensor in the next.

            Examples:
              workout broadcast from C0:DE:00:00:00:01 --name "Shared strap"
              workout broadcast from 'mqtt://broker.local?topic=gym/heartrate'
            """)

    @Argument(
        help: "The address of a sensor, or the name of a paired one; or an address mqtt://… or nats://….",
        completion: StoredCompletion.sensors)
    var sensor: String

    @Option(help: "How long: seconds, or with units: 90s, 5m, 1h30m (366 days at most). Default: until Ctrl-C.")
    var duration: DurationArgument?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var settings: BroadcastSettingsOptions

    @OptionGroup var bluetooth: BluetoothOptions

    func run() async throws {
        let environment = try bluetooth.environment
        if let published = try Self.published(sensor) { return try await passOn(published, environment) }
        let sensor = try SensorArgument.sensor(sensor, among: try environment.readPairedSensors())
        try await environment.requireRadio(of: [sensor.address])
        // A mistake in the file of faults is found before the strap is waited for.
        _ = try settings.settings.plan()
        let relay = BroadcastRelay(sensor, settings.settings, json: json)
        var link = SensorLink(
            sensor.address, kind: sensor.addressKind, name: sensor.name, central: environment.central)
        link.others = []
        let work = Task { [link] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await link.run { relay.happened($0) } }
                group.addTask { await relay.run() }
                await group.next()
                group.cancelAll()
            }
        }
        let interrupted = try await Interruption.calling(
            endsWithOutput: true, after: duration?.seconds, { work.cancel() }
        ) { await work.value }
        await environment.central.close()
        if let failure = relay.failure { throw failure }
        if interrupted { throw ExitCode.interrupted }
    }
}

// MARK: - What another machine publishes

extension BroadcastFrom {
    /// What an address of a broker names. Nil for another argument.
    static func published(_ text: String) throws -> SensorSpecification? {
        guard text.contains("://") else { return nil }
        let specification = try CommandFailure.badInput { try SensorSpecification(parsing: text) }
        switch specification {
        case .mqtt, .nats: return specification
        case .replay, .simulate, .bluetooth, .ant:
            throw CommandFailure(
                exitCode: .wrongUsage,
                message: "'\(text)' is not the address of a broker; begin with mqtt:// or nats://")
        }
    }

    private func passOn(_ published: SensorSpecification, _ environment: HealthEnvironment) async throws {
        let sensors = try CommandFailure.badInput {
            try environment.makeSensors(
                [published], for: ActivityDescription(), warn: { CommandOutput.error.print("warning: \($0)") })
        }
        try await environment.requireBluetooth()
        // A topic has heart rates; a session has whatever its sensors measure.
        var offer = BroadcastOffer.ofAnySession
        if case .mqtt = published { offer = BroadcastOffer(types: [], activity: "other") }
        let output = PublishedOutput(json: json)
        let broadcast = try await RunningBroadcast(offer, settings.settings) { output.happened($0) }
        let work = Task {
            for sensor in sensors { try await Self.pass(sensor, on: broadcast, environment.time, output) }
        }
        let interrupted = try await Interruption.calling(
            endsWithOutput: true, after: duration?.seconds, { work.cancel() }
        ) {
            do { try await work.value } catch is CancellationError {}
        }
        await broadcast.close()
        await environment.central.close()
        if interrupted { throw ExitCode.interrupted }
    }

    private static func pass(
        _ sensor: some Sensor, on broadcast: RunningBroadcast, _ time: any TimeSource, _ output: PublishedOutput
    ) async throws {
        var readings = BroadcastReadings()
        for try await batch in sensor.batches(from: time.now(), time: time) {
            for entry in batch {
                broadcast.take(readings.readings(of: entry))
                output.received(entry)
            }
        }
    }
}

/// Prints heart rates and what happens, as for a sensor of this machine.
private final class PublishedOutput: Sendable {
    private let json: Bool
    private let page = Page.standard(columnsInPipe: .max)
    private let presence = Mutex(SensorStatus.Presence?.none)

    init(json: Bool) { self.json = json }

    func received(_ entry: SessionEntry) {
        switch entry.content {
        case .quantity(let reading) where reading.type == QuantityReading.heartRateType:
            let rate = Int(reading.value.rounded())
            print("heartRate", entry.date, "\(rate) bpm", ("heartRate", .integer(rate)))
        case .sensor(let status):
            let isNew = presence.withLock { presence in
                defer { presence = status.presence }
                return presence != status.presence
            }
            guard isNew else { return }
            let text = status.presence == .present ? "connected" : "no heart rate"
            print("state", entry.date, text, ("state", .string(status.presence.rawValue)))
        default: break
        }
    }

    func happened(_ event: BroadcastEvent) {
        guard let line = event.line else { return }
        print("broadcast", Date(), line, ("message", .string(line)))
    }

    private func print(_ type: String, _ date: Date, _ text: String, _ member: (String, JSONText?)) {
        if json {
            CommandOutput.standard.print(
                JSONText.object([("type", .string(type)), ("date", JSONText.date(date)), member]).text)
        } else {
            CommandOutput.standard.print(
                DisplayWidth.printable("\(page.clock(date))  \(Language.current.message(text))"))
        }
        CommandOutput.standard.flush()
    }
}

/// Waits for the sensor's details, broadcasts what it measures, and prints what happens.
private final class BroadcastRelay: Sendable {
    private let settings: BroadcastSettings
    private let json: Bool
    private let address: DeviceAddress
    private let state: Mutex<State>
    private let details = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private struct State {
        var sensor: PairedSensor
        var report: MonitorReport
        var readings = BroadcastReadings()
        var broadcast: RunningBroadcast?
        var failure: CommandFailure?
    }

    init(_ sensor: PairedSensor, _ settings: BroadcastSettings, json: Bool) {
        self.settings = settings
        self.json = json
        address = sensor.address
        let report = MonitorReport(
            json: json, raw: json, namesSensors: false, page: Page.standard(columnsInPipe: .max))
        state = Mutex(State(sensor: sensor, report: report))
    }

    var failure: CommandFailure? { state.withLock { $0.failure } }

    func happened(_ event: SensorLinkEvent) {
        state.withLock { state in
            state.sensor.update(with: event)
            state.broadcast?.take(state.readings.readings(of: event, from: address))
            for line in state.report.lines(for: event, of: state.sensor, at: Date()) { print(line) }
            CommandOutput.standard.flush()
        }
        if case .details = event { details.continuation.yield() }
    }

    /// Broadcasts until the task is cancelled, or until it cannot.
    func run() async {
        for await _ in details.stream { break }
        if Task.isCancelled { return }
        do {
            let broadcast = try await RunningBroadcast(
                BroadcastOffer([state.withLock { $0.sensor }]), settings, sparing: [address]
            ) { [self] in notify($0) }
            state.withLock { $0.broadcast = broadcast }
            for await _ in details.stream {}
            await broadcast.close()
        } catch {
            state.withLock { $0.failure = error as? CommandFailure }
        }
    }

    private func notify(_ event: BroadcastEvent) {
        guard let line = event.line else { return }
        state.withLock { _ in
            print(json ? JSONText.object([("type", .string("broadcast")), ("message", .string(line))]).text : line)
            CommandOutput.standard.flush()
        }
    }
}
