import ArgumentParser
import Bluetooth
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

    @Option(help: "Store all values of so long a time: seconds, or with units: 90s, 5m, 1h30m.")
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

    /// Whether a device that was heard is meant by the argument.
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

/// Which values of a device count, and when there are enough. Pure: events carry the time.
struct VitalsCollection {
    /// A value that counts.
    struct Measurement: Equatable {
        var vitals: VitalSigns
        var characteristic: BluetoothUUID
        var bytes: [UInt8]
        var received: Date
    }

    let startedAt: Date
    let timeoutInSeconds: Double
    let durationInSeconds: Double?
    let user: Int?
    private(set) var device: Advertisement?
    private(set) var failure: BluetoothError?
    /// Whether the device sent anything, of whatever user.
    private(set) var hasResult = false
    private var latest: [BluetoothUUID: Measurement] = [:]
    private var previous: Measurement?
    private var end: Date?

    /// How long after a result another one may follow.
    static let settleInSeconds = 3.0
    /// How long a device that measures all the time is read, without a duration.
    static let continuousInSeconds = 10.0

    init(startedAt: Date, timeoutInSeconds: Double, durationInSeconds: Double?, user: Int?) {
        self.startedAt = startedAt
        self.timeoutInSeconds = timeoutInSeconds
        self.durationInSeconds = durationInSeconds
        self.user = user
    }

    /// - Returns: The measurement that counts from now on.
    mutating func handle(_ event: VitalsLink.Event, at now: Date) -> Measurement? {
        switch event {
        case .found(let found): device = found
        case .linked:
            failure = nil
            if let durationInSeconds, end == nil { end = now + durationInSeconds }
        case .described, .unreadable: break
        case .failed(let error): failure = error
        case .ended:
            // Most devices hang up when they have sent everything.
            if hasResult, durationInSeconds == nil { end = now }
        case .measured(let vitals, let bytes, let characteristic, let date):
            guard !vitals.isEmpty else { return nil }
            let measurement = Measurement(
                vitals: vitals, characteristic: characteristic, bytes: bytes, received: date)
            return take(measurement, at: now)
        }
        return nil
    }

    private mutating func take(_ measurement: Measurement, at now: Date) -> Measurement? {
        switch measurement.vitals.stage {
        case .unfinished: return nil
        case .continuous where durationInSeconds == nil:
            if latest.isEmpty, !hasResult { end = now + Self.continuousInSeconds }
            latest[measurement.characteristic] = measurement
            return nil
        case .continuous, .final:
            // bluetoothd signals a value once for each program that listens.
            if measurement.vitals.stage == .final, let previous, previous.bytes == measurement.bytes,
                previous.characteristic == measurement.characteristic,
                measurement.received.timeIntervalSince(previous.received) < 1
            {
                return nil
            }
            previous = measurement
            hasResult = true
            if durationInSeconds == nil { end = now + Self.settleInSeconds }
            return measurement
        }
    }

    func isOver(at now: Date) -> Bool {
        if let end { return now >= end }
        return now.timeIntervalSince(startedAt) >= timeoutInSeconds
    }

    /// The latest values of a device that measures all the time, once.
    mutating func takeLatest() -> [Measurement] {
        defer { latest = [:] }
        let measurements = latest.values.sorted { $0.characteristic.description < $1.characteristic.description }
        if !measurements.isEmpty { hasResult = true }
        return measurements
    }
}

extension VitalsCollection.Measurement {
    /// The earliest year of a clock that was set: none of these devices is older.
    private static let earliestYear = 2012
    /// How far the clock of a device may be ahead.
    private static let mostAheadInSeconds = 600.0

    /// When it was measured: by the device's clock if that can be right, or else when it arrived.
    func date(in calendar: Calendar) -> Date { ownDate(in: calendar) ?? received }

    private func ownDate(in calendar: Calendar) -> Date? {
        guard let time = vitals.time, time.year >= Self.earliestYear, let date = time.date(in: calendar),
            date.timeIntervalSince(received) < Self.mostAheadInSeconds
        else { return nil }
        return date
    }

    private var site: HKBodyTemperatureSensorLocation? { vitals.temperatureSite.flatMap { .init(rawValue: $0) } }

    /// The samples of HealthKit's types that it makes.
    ///
    /// A device sends what it has kept again and again, so a measurement with a time has the same UUIDs each time.
    func samples(of address: DeviceAddress, _ device: HKDevice?, in calendar: Calendar) throws -> [HKSample] {
        let ownDate = ownDate(in: calendar)
        let date = ownDate ?? received
        func identity(_ type: String, _ metadata: [String: Any]? = nil) throws -> ObjectIdentity {
            guard ownDate != nil else { return try ObjectIdentity(device: device, metadata: metadata) }
            var print = HealthFingerprint()
            for text in ["VitalSigns", address.description, characteristic.description, type] { print.combine(text) }
            for byte in bytes { print.combine(UInt64(byte)) }
            return try ObjectIdentity(uuid: print.uuid, device: device, metadata: metadata)
        }
        func sample(
            _ type: HKQuantityTypeIdentifier, _ value: Double?, _ unit: HKUnit, _ metadata: [String: Any]? = nil
        ) throws -> HKQuantitySample? {
            guard let value else { return nil }
            return try HKQuantitySample.validated(
                try identity(type.rawValue, metadata), type: HKQuantityType(type),
                quantity: HKQuantity(unit: unit, doubleValue: value), start: date, end: date)
        }
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        var samples: [HKSample] = try [
            sample(
                .bodyTemperature, vitals.bodyTemperatureInCelsius, .degreeCelsius(),
                site.map { [HKMetadataKeyBodyTemperatureSensorLocation: $0.rawValue] }),
            sample(.oxygenSaturation, vitals.oxygenSaturationInPercent.map { $0 / 100 }, .percent()),
            sample(.heartRate, vitals.pulsePerMinute, perMinute),
            sample(.bodyMass, vitals.bodyMassInKilograms, .gramUnit(with: .kilo)),
            sample(.bodyMassIndex, vitals.bodyMassIndex, .count()),
            sample(.bodyFatPercentage, vitals.bodyFatInPercent.map { $0 / 100 }, .percent()),
            sample(.leanBodyMass, vitals.leanBodyMassInKilograms, .gramUnit(with: .kilo)),
        ].compactMap { $0 }
        if let pressure = vitals.bloodPressure {
            let parts = try [
                sample(.bloodPressureSystolic, pressure.systolic, .millimeterOfMercury()),
                sample(.bloodPressureDiastolic, pressure.diastolic, .millimeterOfMercury()),
            ].compactMap { $0 }
            let type = HKCorrelationType(.bloodPressure)
            samples.append(
                try HKCorrelation.validated(
                    try identity(type.identifier), type: type, start: date, end: date, objects: Set(parts)))
        }
        return samples
    }

    // MARK: What is printed

    /// The values for people, such as `120/80 mmHg  64 bpm`.
    var words: String {
        func number(_ value: Double, _ digits: Int = 0) -> String { MetricFormat.fixed(value, digits) }
        var parts = [
            vitals.bodyTemperatureInCelsius.map { number($0, 1) + " °C" },
            site?.words,
            vitals.bloodPressure.map { number($0.systolic) + "/" + number($0.diastolic) + " mmHg" },
            vitals.oxygenSaturationInPercent.map { number($0) + " %" },
            vitals.bodyMassInKilograms.map { number($0, 2) + " kg" },
            vitals.bodyMassIndex.map { localized("BMI %1", number($0, 1)) },
            vitals.bodyFatInPercent.map { localized("%1 % fat", number($0, 1)) },
            vitals.leanBodyMassInKilograms.map { localized("%1 kg lean", number($0, 1)) },
            vitals.pulsePerMinute.map(MetricFormat.heartRate),
        ].compactMap { $0 }
        parts += vitals.remarks.map(\.words)
        return parts.joined(separator: "  ")
    }

    func json(of device: DeviceDescription?, at date: Date, _ outcome: MeasureOutput.Outcome) -> JSONText {
        func number(_ value: Double?) -> JSONText? { value.map { .number($0) } }
        return .object([
            ("date", JSONText.date(date)), ("device", device?.name.map { .string($0) }),
            ("address", device?.localIdentifier.map { .string($0) }),
            ("user", vitals.user.map { .integer($0) }),
            ("bodyTemperature", number(vitals.bodyTemperatureInCelsius)), ("site", site.map { .string("\($0)") }),
            ("systolic", number(vitals.bloodPressure?.systolic)),
            ("diastolic", number(vitals.bloodPressure?.diastolic)),
            ("oxygenSaturation", number(vitals.oxygenSaturationInPercent)),
            ("pulse", number(vitals.pulsePerMinute)), ("bodyMass", number(vitals.bodyMassInKilograms)),
            ("bodyMassIndex", number(vitals.bodyMassIndex)), ("bodyFat", number(vitals.bodyFatInPercent)),
            ("leanBodyMass", number(vitals.leanBodyMassInKilograms)),
            (
                "remarks",
                vitals.remarks.isEmpty ? nil : .array(vitals.remarks.map { .string($0.rawValue) })
            ),
            ("stored", .boolean(outcome == .stored)),
        ])
    }
}

extension HKBodyTemperatureSensorLocation {
    fileprivate var words: String? {
        switch self {
        case .other, .body: nil
        case .armpit: localized("armpit")
        case .ear: localized("ear")
        case .finger: localized("finger")
        case .gastroIntestinal: localized("stomach or bowels")
        case .mouth: localized("mouth")
        case .rectum: localized("rectum")
        case .toe: localized("toe")
        case .earDrum: localized("eardrum")
        case .temporalArtery: localized("temple")
        case .forehead: localized("forehead")
        }
    }
}

extension VitalSigns.Remark {
    fileprivate var words: String {
        switch self {
        case .bodyMoved: localized("you moved")
        case .cuffTooLoose: localized("the cuff was too loose")
        case .pulseIrregular: localized("irregular pulse")
        case .wrongPosition: localized("wrong position")
        case .questionable: localized("questionable")
        }
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
        /// What the device said of itself so far.
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
