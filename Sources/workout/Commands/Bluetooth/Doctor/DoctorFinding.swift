import ANT
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Reports
import StoredWorkouts

/// A result of one check of `workout doctor`.
struct DoctorFinding: Sendable, Equatable {
    enum State: String, Sendable, Equatable {
        case good
        /// Readings arrive, but something is wrong.
        case warning
        /// No readings arrive while this lasts.
        case obstacle
    }

    /// The subject of the check: `kernel`, `store`, `service`, `adapter`, `paired`, or a sensor's title.
    var subject: String
    var state: State
    var message: String
    /// The command or action that removes the problem.
    var remedy: String?

    var json: JSONText {
        .object([
            ("subject", .string(subject)), ("state", .string(state.rawValue)), ("message", .string(message)),
            ("remedy", remedy.map { .string($0) }),
        ])
    }

    /// The finding, and its remedy on a line of its own.
    var lines: [String] {
        let mark =
            switch state {
            case .good: localized("ok")
            case .warning: localized("warn")
            case .obstacle: localized("FAIL")
            }
        let language = Language.current
        return [
            "\(mark)  ".padding(toLength: max(6, mark.count + 2), withPad: " ", startingAt: 0)
                + (subject == "paired" ? "" : language.text(subject) + ": ") + language.message(message)
        ] + (remedy.map { ["      " + language.message($0)] } ?? [])
    }
}

// MARK: - The machine

extension DoctorFinding {
    /// Describes the sensors of `HEALTHKIT_SENSORS` if none of them needs Bluetooth.
    static func sensorsWithoutBluetooth(_ sensors: [SensorSpecification]) -> DoctorFinding? {
        let needsRadio = sensors.contains { $0.deviceAddressText != nil }
        return needsRadio
            ? nil
            : DoctorFinding(
                subject: "paired", state: .good,
                message: "HEALTHKIT_SENSORS names no Bluetooth or ANT+ sensor, so neither is needed")
    }

    /// Describes the ANT+ stick. Empty if no stick is plugged in and no sensor needs one.
    /// - Parameter isBuilt: Whether this program can use them.
    static func sticks(_ sticks: [FoundANTStick], isNeeded: Bool, isBuilt: Bool) -> [DoctorFinding] {
        func finding(_ state: State, _ message: String, _ remedy: String? = nil) -> DoctorFinding {
            DoctorFinding(subject: "ANT+ stick", state: state, message: message, remedy: remedy)
        }
        guard let stick = sticks.first(where: \.mayUse) ?? sticks.first else {
            return isNeeded ? [finding(.obstacle, "none is plugged in", "plug in an ANT USB 2 or ANT USB-m stick")] : []
        }
        // A stick that no sensor needs does no harm.
        let state: State = isNeeded ? .obstacle : .warning
        guard isBuilt else {
            return [finding(state, "this program was built without ANT+", "build it with the trait ANT")]
        }
        guard stick.mayUse else {
            return [
                finding(
                    state, "no permission to use \(stick.name) (\(stick.file))",
                    "echo '\(FoundANTStick.udevRule)' | sudo tee /etc/udev/rules.d/70-ant-stick.rules && "
                        + "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=usb")
            ]
        }
        return [finding(.good, stick.name)]
    }

    /// Describes an error of the machine's Bluetooth and its remedy.
    static func machine(_ error: BluetoothError) -> DoctorFinding {
        func obstacle(_ subject: String, _ remedy: String) -> DoctorFinding {
            DoctorFinding(subject: subject, state: .obstacle, message: error.reason, remedy: remedy)
        }
        switch error {
        case .unavailable(let text):
            return DoctorFinding(
                subject: "service", state: .obstacle, message: "no Bluetooth service: \(text)",
                remedy: "sudo apt install bluez dbus && sudo systemctl start bluetooth")
        case .serviceStopped: return obstacle("service", "sudo systemctl start bluetooth")
        case .serviceSilent: return obstacle("service", "sudo systemctl restart bluetooth")
        case .notPermitted(let text):
            return DoctorFinding(
                subject: "permission", state: .obstacle,
                message: "the D-Bus policy denies access (a new group takes effect at the next login): \(text)",
                remedy: "sudo usermod -aG bluetooth $USER")
        case .noAdapter: return obstacle("adapter", "plug in a Bluetooth adapter; 'bluetoothctl list' lists adapters")
        case .poweredOff: return obstacle("adapter", "bluetoothctl power on")
        case .blocked: return obstacle("adapter", unblocking)
        case .adapterFull: return obstacle("adapter", "plug in another Bluetooth adapter")
        case .notFound, .connectionFailed, .busy, .linkLost, .pairingRequired, .pairingFailed, .noCharacteristic,
            .attribute, .stick, .failed:
            return DoctorFinding(
                subject: "service", state: .obstacle, message: "\(error)", remedy: "sudo systemctl restart bluetooth")
        }
    }

    /// Reports which service listed the adapters.
    static func service(_ adapters: [Adapter]) -> DoctorFinding {
        let isThere = adapters.allSatisfy(\.isManagedByService)
        return DoctorFinding(
            subject: "service", state: .good,
            message: isThere ? "running" : "bluetoothd is not running and not needed: using kernel sockets")
    }

    /// - Parameter mayManage: Whether this process may switch an adapter on without bluetoothd.
    static func adapters(_ adapters: [Adapter], mayManage: Bool = ATTCentral.mayManage) -> [DoctorFinding] {
        guard !adapters.isEmpty else { return [machine(.noAdapter)] }
        let usable = adapters.contains { $0.power == .on && $0.supportsCentral }
        return adapters.map { adapter in
            let name = "adapter \(adapter.name)"
            // An adapter that is off is no obstacle if another is on.
            let state: State = usable ? .warning : .obstacle
            switch adapter.power {
            case .on where adapter.supportsCentral:
                return DoctorFinding(subject: name, state: .good, message: "\(adapter.address), on")
            case .on:
                return DoctorFinding(
                    subject: name, state: state, message: "cannot open connections", remedy: "use another adapter")
            case .off:
                // bluetoothctl has no effect unless bluetoothd runs.
                let remedy =
                    adapter.isManagedByService
                    ? "bluetoothctl power on"
                    : mayManage ? "workout pair --power-on" : "sudo systemctl start bluetooth"
                return DoctorFinding(subject: name, state: state, message: "off", remedy: remedy)
            case .blocked:
                return DoctorFinding(
                    subject: name, state: state, message: "blocked by rfkill", remedy: unblocking)
            }
        }
    }

    /// The command that lifts an rfkill block on this machine.
    static var unblocking: String {
        unblocking(
            mayWrite: access("/dev/rfkill", W_OK) == 0,
            path: ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? [],
            isProgram: { access($0, X_OK) == 0 })
    }

    /// Returns the command that lifts an rfkill block. Whoever may write rfkill's device can lift it (Linux,
    /// Documentation/driver-api/rfkill.rst). The program is in an administrators' folder, which is not on every user's
    /// path but on that of sudo.
    static func unblocking(mayWrite: Bool, path: [String], isProgram: (String) -> Bool) -> String {
        let programs = (path + ["/usr/sbin", "/sbin"]).map { $0 + "/rfkill" }
        guard let program = programs.first(where: isProgram) else {
            return "sudo apt install rfkill && sudo rfkill unblock bluetooth"
        }
        guard mayWrite else { return "sudo rfkill unblock bluetooth" }
        return (programs.prefix(path.count).contains(program) ? "rfkill" : program) + " unblock bluetooth"
    }

    /// - Parameter version: The content of /proc/version.
    static func kernel(_ version: String) -> DoctorFinding? {
        guard version.contains("6.1.192") || version.contains("6.1.0-56") else { return nil }
        return DoctorFinding(
            subject: "kernel", state: .warning,
            message: "this kernel (6.1.0-56) has a bug that kills bluetoothd when a connection breaks early",
            remedy: "sudo apt install linux-image-$(dpkg --print-architecture) from backports (6.12), or boot 6.1.0-47")
    }
}

// MARK: - A sensor

/// What `workout doctor` saw of a sensor while it listened.
struct SensorExamination: Sendable, Equatable {
    var sensor: PairedSensor
    var values = 0
    /// The number of heart rates without a value: 0, or off the skin.
    var emptyValues = 0
    var unreadableValues = 0
    var contact: Bool?
    var wasLinked = false
    var reason = SensorLinkReason.started
    /// Whether another program of this machine was connected before.
    var wasConnected = false

    init(_ sensor: PairedSensor) {
        self.sensor = sensor
    }

    mutating func handle(_ event: SensorLinkEvent) {
        sensor.update(with: event)
        switch event {
        case .value(let notification):
            values += 1
            guard notification.characteristic == .heartRateMeasurement else { return }
            guard let packet = notification.heartRate else {
                unreadableValues += 1
                return
            }
            if packet.heartRate == nil { emptyValues += 1 }
        case .contact(let touches, _): contact = touches
        case .changed(let phase, let why, _):
            if phase == .subscribing { wasLinked = true }
            if phase != .connecting, phase != .stopped { reason = why }
        case .battery, .missed, .details, .energyReset, .streamed, .stream, .lookalike: break
        }
    }

    /// Whether enough is known to end the check.
    var isComplete: Bool { values - emptyValues >= 2 && sensor.batteryPercent != nil && sensor.model != nil }

    var findings: [DoctorFinding] {
        let name = sensor.title
        func finding(_ state: DoctorFinding.State, _ message: String, _ remedy: String? = nil) -> DoctorFinding {
            DoctorFinding(subject: name, state: state, message: message, remedy: remedy)
        }
        var findings: [DoctorFinding] = []
        if values - emptyValues - unreadableValues > 0 {
            findings.append(finding(.good, "measuring"))
        } else if contact == false || emptyValues > 0 {
            findings.append(
                finding(.obstacle, "no skin contact", "moisten the electrodes and tighten the strap"))
        } else if values > 0 {
            findings.append(
                finding(.obstacle, "its data cannot be decoded", "workout monitor \(sensor.address) --raw"))
        } else if wasLinked, reason == .silent || reason == .linked || reason == .stuck {
            findings.append(finding(.obstacle, "connected but no data", "put it on and moisten it"))
        } else {
            findings.append(obstacle(name))
        }
        if wasConnected {
            findings.append(
                finding(
                    .warning, "another program on this machine is also connected",
                    "bluetoothctl disconnect \(sensor.address)"))
        }
        if let battery = sensor.batteryPercent, battery <= BatteryLevel.lowPercent {
            findings.append(finding(.warning, "battery at \(battery) %", "replace the battery"))
        }
        if let trouble = SensorQuirk.of(sensor) { findings.append(finding(.warning, trouble.message, trouble.remedy)) }
        return findings
    }

    private func refusal(_ name: String) -> DoctorFinding {
        DoctorFinding(
            subject: name, state: .obstacle,
            message: "it refuses to pair: put it in pairing mode, or remove its pairing with other devices",
            remedy: "workout pair \(sensor.address)")
    }

    private func obstacle(_ name: String) -> DoctorFinding {
        let remedy: String
        switch reason {
        case .failed(.busy): remedy = "bluetoothctl disconnect \(sensor.address)"
        case .failed(.pairingFailed), .failed(.pairingRequired), .pairingNeeded, .bondForgotten:
            remedy = "workout forget \(sensor.address); workout pair \(sensor.address)"
        // A device answers with these codes if pairing failed (Core Specification, volume 3, part F, 3.4.1.1).
        case .failed(.attribute(_, let code)) where code == 0x0E || code == 0x08: return refusal(name)
        case .pairingRefused: return refusal(name)
        case .failed(.attribute): remedy = "workout forget \(sensor.address); workout pair \(sensor.address)"
        case .failed(.connectionFailed), .failed(.linkLost), .failed(.notFound):
            remedy = "wear it (moistened); disconnect other watches, phones and machines from it"
        case .failed(let error):
            let machine = DoctorFinding.machine(error)
            remedy = machine.remedy ?? "workout monitor \(sensor.address)"
        case .nothingToMeasure: remedy = "switch it to its heart-rate mode, or workout forget \(sensor.address)"
        default: remedy = "wear it (moistened); disconnect other watches, phones and machines from it"
        }
        let message = reason == .started || reason == .found ? "not found" : "\(reason)"
        return DoctorFinding(subject: name, state: .obstacle, message: message, remedy: remedy)
    }
}

/// A known misbehaviour of a sensor model.
struct SensorQuirk: Sendable {
    var model: String
    var message: String
    var remedy: String

    /// The known quirks, from discussions about each model. The first whose name is in the sensor's name or model
    /// applies.
    static let all = [
        SensorQuirk(
            model: "Polar H7",
            message: "it disconnects after about 30 s if the machine refuses its connection parameters",
            remedy: "in /etc/bluetooth/main.conf, [LE]: MinConnectionInterval=6, MaxConnectionInterval=3200, "
                + "ConnectionSupervisionTimeout=1000"),
        SensorQuirk(
            model: "HRM-Dual",
            message: "some firmware adds false RR intervals of 52 ms; they are ignored",
            remedy: "update its firmware"),
        SensorQuirk(
            model: "TICKR X", message: "as a foot pod it counts steps of both feet",
            remedy: "nothing to do: steps are counted correctly"),
    ]

    static func of(_ sensor: PairedSensor) -> SensorQuirk? {
        let names = [sensor.name, sensor.model].compactMap { $0?.lowercased() }
        return all.first { trouble in names.contains { $0.contains(trouble.model.lowercased()) } }
    }
}

extension DoctorFinding {
    /// Checks whether all data in the store's file can be read, or whether the server can be used. Returns nil if there is no store, and
    /// never creates one.
    static func store(_ environment: HealthEnvironment) -> DoctorFinding? {
        if environment.person != nil { return server(environment) }
        guard let path = environment.storeFile, FileManager.default.fileExists(atPath: path) else { return nil }
        let problems: [String]
        do { problems = try environment.database.checkIntegrity() } catch { return unusableStore(error) }
        guard let first = problems.first else {
            return DoctorFinding(subject: "store", state: .good, message: "\(path) is intact")
        }
        let others = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        return DoctorFinding(
            subject: "store", state: .warning, message: "\(path) is damaged: \(first)\(others)",
            remedy: "stop all workouts and replace it with a backup; until then, the rest can still be read")
    }

    /// Reading everything from a server takes its time: that is what 'workout store check' is for.
    private static func server(_ environment: HealthEnvironment) -> DoctorFinding {
        do { _ = try environment.database.setting("permissions") } catch { return unusableStore(error) }
        return DoctorFinding(subject: "store", state: .good, message: "\(environment.location.name) can be used")
    }

    private static func unusableStore(_ error: any Error) -> DoctorFinding {
        DoctorFinding(
            subject: "store", state: .obstacle, message: CommandFailure.describe(error),
            remedy: "workouts cannot be stored until this is fixed; to use another store, set HEALTHKIT_STORE")
    }
}
