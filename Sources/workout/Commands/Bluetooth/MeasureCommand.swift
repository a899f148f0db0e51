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

/// `workout measure`: stores what a thermometer, an oximeter, a scale or a blood-pressure monitor measures.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Store a temperature, oxygen saturation, weight or blood pressure.",
        discussion: """
            Reads thermometers, pulse oximeters, scales and blood-pressure monitors with Bluetooth's standard services, and CORE's \
            temperature sensors. Start the command, then measure: most devices send their value only for a moment. SENSOR is an \
            address or (the start of) a name; without it, the first such device is used.

            Ends after the first result. Values that a device has kept since the last time are stored with their own times, \
            once. A scale that knows several people gives them numbers: name yours with --user. A device that measures all the \
            time is read for ten seconds, or for --duration.

            Examples:
              workout measure
              workout measure --user 2 --json
              workout measure CORE --duration 1h
            """
    )

    @Argument(help: "The address or the name of a device nearby.")
    var sensor: String?

    @Option(help: "Store all values that arrive in this time: seconds, or with units: 90s, 5m, 1h30m.")
    var duration: DurationArgument?

    @Option(help: "How long to wait for the device: seconds, or with units: 90s, 5m, 1h30m.")
    var timeout = DurationArgument(seconds: 300)

    @Option(help: "Store only the values of this user, by the number that the device gives its users.")
    var user: Int?

    @Flag(help: "Print the values, and store nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON object per measurement, one per line.")
    var json = false

    @OptionGroup var bluetooth: BluetoothOptions

    func run() async throws {
        let environment = try bluetooth.environment
        let isMeant = try Self.isMeant(sensor)
        try await environment.requireBluetooth()
        let output = MeasureOutput(
            VitalsCollection(
                startedAt: Date(), timeoutInSeconds: timeout.seconds, durationInSeconds: duration?.seconds, user: user),
            json: json, database: dryRun ? nil : environment.database)
        output.notify(
            "looking for \(sensor ?? "a thermometer, oximeter, scale or blood-pressure monitor"); measure now …")
        let link = VitalsLink(
            central: environment.bluetooth, agent: TerminalPairingAgent(isInteractive: !json && Question.canBeAsked),
            isMeant: isMeant)
        let work = Task { try await link.run { output.happened($0, at: Date()) } }
        let watch = Task {
            while !output.isOver(at: Date()) { try await Task.sleep(for: .milliseconds(200)) }
            work.cancel()
        }
        defer { watch.cancel() }
        let interrupted: Bool
        do {
            interrupted = try await Interruption.calling({ work.cancel() }) { try await work.value }
        } catch {
            await environment.central.close()
            throw (error as? BluetoothError).map(CommandFailure.bluetooth) ?? error
        }
        await environment.central.close()
        try output.finish()
        if interrupted { throw ExitCode.interrupted }
    }

    /// Returns whether the argument means a device that was found.
    static func isMeant(_ sensor: String?) throws -> @Sendable (Advertisement) -> Bool {
        guard let sensor else { return { !$0.services.isDisjoint(with: BluetoothUUID.vitalSignServices) } }
        guard let address = try SensorArgument.address(sensor) else { return { $0.isNamed(sensor) } }
        guard address.ant == nil else {
            throw CommandFailure(
                exitCode: .badInput,
                message: "\(address) is an ANT+ sensor, and only Bluetooth devices are measured; to record it: "
                    + "workout record --sensor \(address)")
        }
        return { $0.address == address }
    }
}

/// Prints and stores the measurements.
///
/// Values of a device that measures all the time are stored as they come. Results wait for the end of the link, because only then
/// it is clear whether the device has several users.
final class MeasureOutput: Sendable {
    enum Outcome { case stored, storedBefore, otherUser, notStored }

    private let state: Mutex<State>
    private let json: Bool
    /// Nil to store nothing.
    private let database: (any HealthDatabase)?

    private struct State {
        var collection: VitalsCollection
        /// The description of the device.
        var device: DeviceDescription?
        var waiting: [VitalsCollection.Measurement] = []
        var isDescribed = false
        /// The types that were stored.
        var stored: [HKSampleType] = []
        var fault: (any Error)?

        /// The users whose results wait, if there are several and none of them is chosen. Then nothing is stored.
        var users: [Int] {
            let users = Set(waiting.compactMap(\.vitals.user))
            return collection.user == nil && users.count > 1 ? users.sorted() : []
        }
    }

    private static var calendar: Calendar { .gregorian(.autoupdatingCurrent) }

    init(_ collection: VitalsCollection, json: Bool, database: (any HealthDatabase)?) {
        state = Mutex(State(collection: collection))
        self.json = json
        self.database = database
    }

    func notify(_ text: String) {
        if !json { CommandOutput.error.print(text) }
    }

    func isOver(at now: Date) -> Bool { state.withLock { $0.collection.isOver(at: now) || $0.fault != nil } }

    func happened(_ event: VitalsLink.Event, at now: Date) {
        switch event {
        case .found(let device): notify("\(device.name ?? device.address.description): connecting …")
        case .linked: notify("connected, waiting for the value …")
        case .failed(let error): notify("\(error); trying again …")
        case .unreadable(let characteristic, let bytes):
            CommandOutput.error.print(
                "warning: a value of \(characteristic) cannot be read and is left out: \(bytes.hex)")
        case .described, .measured, .ended: break
        }
        state.withLock { state in
            let measurement = state.collection.handle(event, at: now)
            switch event {
            case .found(let found):
                state.device = DeviceDescription(name: found.name, localIdentifier: found.address.description)
            case .described(let details):
                state.device?.update(with: details)
                state.isDescribed = true
            default: break
            }
            if let measurement { state.waiting.append(measurement) }
            if state.isDescribed, state.waiting.allSatisfy({ $0.vitals.stage == .continuous }) { store(&state) }
        }
    }

    /// Stores the remaining values.
    /// - Throws: ``CommandFailure`` if nothing was measured, or by several people; and what the store throws.
    func finish() throws {
        let (collection, users, types, fault) = state.withLock { state in
            state.waiting += state.collection.takeLatest()
            let users = state.users
            store(&state)
            return (state.collection, users, state.stored, state.fault)
        }
        if let fault { try CommandFailure.storeFault { throw fault } }
        if !users.isEmpty {
            let numbers = users.map(String.init).joined(separator: ", ")
            throw CommandFailure(
                exitCode: .wrongUsage,
                message: "nothing is stored: the device sent values of users \(numbers); add --user")
        }
        // A blood pressure is a correlation of two types, and may come with a heart rate.
        if types.contains(where: { $0 is HKCorrelationType }) {
            notify("stored; to list them: workout samples bloodPressureSystolic")
        } else if let type = types.first as? HKQuantityType {
            notify("stored; to list them: workout samples \(type.swiftName)")
        }
        guard !collection.hasResult else { return }
        guard let device = collection.device else {
            throw CommandFailure(
                exitCode: .serviceMissing,
                message: "no such device was heard: measure while the command waits, since most send only then; "
                    + "'workout scan --all' lists every device nearby")
        }
        let name = device.name ?? device.address.description
        if let failure = collection.failure { throw CommandFailure.bluetooth(failure) }
        throw CommandFailure(
            exitCode: .serviceMissing, message: "\(name) sent no result; start the command, then measure")
    }

    private func store(_ state: inout State) {
        let isOfSeveral = !state.users.isEmpty
        for measurement in state.waiting where state.fault == nil {
            do {
                let outcome = isOfSeveral ? .otherUser : try store(measurement, &state)
                print(measurement, outcome, state.device)
            } catch {
                state.fault = error
            }
        }
        state.waiting = []
    }

    private func store(_ measurement: VitalsCollection.Measurement, _ state: inout State) throws -> Outcome {
        if let user = state.collection.user, measurement.vitals.user != user { return .otherUser }
        guard let database, let address = state.collection.device?.address else { return .notStored }
        let samples = try measurement.samples(
            of: address, state.device.map(HKDevice.init), in: Self.calendar)
        guard let last = samples.last else { return .notStored }
        if try database.contains(last.uuid) { return .storedBefore }
        try database.save(samples, from: .current)
        state.stored = samples.map(\.sampleType).filter { !state.stored.contains($0) } + state.stored
        return .stored
    }

    private func print(
        _ measurement: VitalsCollection.Measurement, _ outcome: Outcome, _ device: DeviceDescription?
    ) {
        let date = measurement.date(in: Self.calendar)
        if json {
            CommandOutput.standard.print(measurement.json(of: device, at: date, outcome).text)
        } else {
            var line = Page.standard(columnsInPipe: 80).minute(date) + "  " + measurement.words
            switch outcome {
            case .stored: break
            case .storedBefore: line += "  " + localized("(stored before)")
            case .otherUser:
                line +=
                    "  "
                    + (measurement.vitals.user.map { localized("(user %1, not stored)", "\($0)") }
                        ?? localized("(unknown user, not stored)"))
            case .notStored: line += "  " + localized("(not stored)")
            }
            CommandOutput.standard.print(line)
        }
        CommandOutput.standard.flush()
    }
}
