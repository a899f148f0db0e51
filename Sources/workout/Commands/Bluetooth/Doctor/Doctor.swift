import ANT
import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import StoredWorkouts

/// `workout doctor`: finds what keeps the user from getting a reading.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out why there is no reading, and how to fix it.",
        discussion: """
            Checks the store, the installed services, the Bluetooth service, your permission to use it, the adapters and an ANT+ \
            stick, then listens to the paired sensors: wear them. Exits 69 if it finds a problem. Checking a large store takes a few seconds.

            Example:
              workout doctor --wait 10s
            """
    )

    @Argument(help: SensorArgument.help)
    var sensor: [String] = []

    @Option(help: "How long to listen to the sensors: seconds, or with units: 90s, 5m, 1h30m (0.1 s to 366 days).")
    var wait = DurationArgument(seconds: 30)

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var bluetooth: BluetoothOptions

    func run() async throws {
        let environment = try bluetooth.environment
        let examination = Task { await examine(environment) }
        let interrupted = try await Interruption.calling({ examination.cancel() }) { _ = await examination.value }
        let findings = await examination.value
        await environment.central.close()
        let obstacles = findings.filter { $0.state == .obstacle }.count
        if json {
            print(
                JSONText.object([
                    ("ok", .boolean(obstacles == 0)), ("findings", .array(findings.map(\.json))),
                ]).text)
        } else {
            for line in findings.flatMap(\.lines) { print(line) }
            print(obstacles == 0 ? "No problems found." : "\(Page.counted(obstacles, "problem")) found.")
        }
        if interrupted { throw ExitCode.interrupted }
        if obstacles > 0 { throw ExitCode.serviceMissing }
    }

    private func examine(_ environment: HealthEnvironment) async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        let version = (try? String(contentsOfFile: "/proc/version", encoding: .utf8)) ?? ""
        if let kernel = DoctorFinding.kernel(version) { findings.append(kernel) }
        if let store = DoctorFinding.store(environment) { findings.append(store) }
        let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        if let path = environment.storeFile, let remote = DoctorFinding.fileSystem(ofStore: path, mounts: mounts) {
            findings.append(remote)
        }
        findings += DoctorFinding.services(
            InstalledServices(variables: ProcessInfo.processInfo.environment), versionOf: DoctorFinding.version)
        if sensor.isEmpty, environment.hasChosenSensors, let chosen = try? environment.sensors.get(),
            let other = DoctorFinding.sensorsWithoutBluetooth(chosen)
        {
            return findings + [other]
        }
        let listed = Result {
            try sensor.isEmpty && !environment.hasChosenSensors
                ? environment.readPairedSensors() : SensorArgument.sensors(sensor, in: environment)
        }
        let addresses = ((try? listed.get()) ?? []).map(\.address)
        if addresses.isEmpty || addresses.contains(where: { $0.ant == nil }) {
            do throws(BluetoothError) {
                let adapters = try await environment.bluetooth.adapters()
                findings.append(DoctorFinding.service(adapters))
                findings += DoctorFinding.adapters(adapters)
            } catch {
                findings.append(DoctorFinding.machine(error))
            }
        }
        findings += DoctorFinding.sticks(
            FoundANTStick.all(), isNeeded: addresses.contains { $0.ant != nil }, isBuilt: SensorRadios.readsANT)
        let sensors: [PairedSensor]
        do {
            sensors = try listed.get()
        } catch {
            findings.append(
                DoctorFinding(
                    subject: "paired", state: .obstacle, message: CommandFailure.describe(error),
                    remedy: "workout sensors"))
            return findings
        }
        if sensors.isEmpty {
            findings.append(
                DoctorFinding(
                    subject: "paired", state: .obstacle, message: "no sensor paired: put one on, then run:",
                    remedy: "workout pair"))
        }
        // If Bluetooth does not work, there is nothing to listen to.
        guard !findings.contains(where: { $0.state == .obstacle }) else { return findings }
        if !json { CommandOutput.error.print("listening to \(sensors.map(\.title).joined(separator: ", ")) …") }
        return findings + (await listen(sensors, environment)).flatMap(\.findings)
    }

    private func listen(_ sensors: [PairedSensor], _ environment: HealthEnvironment) async -> [SensorExamination] {
        let connected = await Self.connected(environment.central)
        return await withTaskGroup(of: (Int, SensorExamination).self) { group in
            for (place, sensor) in sensors.enumerated() {
                var examination = SensorExamination(sensor)
                examination.wasConnected = connected.contains(sensor.address)
                group.addTask { [examination, wait] in
                    (place, await examination.listening(seconds: wait.seconds, environment.central))
                }
            }
            var all: [(Int, SensorExamination)] = []
            for await one in group { all.append(one) }
            return all.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Returns the devices that already have a connection.
    private static func connected(_ central: any Central) async -> Set<DeviceAddress> {
        let found = SharedAccumulator<Set<DeviceAddress>>([])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    for try await device in central.advertisements(of: []) where device.isConnected {
                        found.withLock { _ = $0.insert(device.address) }
                    }
                } catch {}
            }
            group.addTask { try? await Task.sleep(for: .seconds(1)) }
            await group.next()
            group.cancelAll()
        }
        return found.withLock { $0 }
    }
}

extension SensorExamination {
    /// Listens until enough is known or the time is up.
    fileprivate func listening(seconds: Double, _ central: any Central) async -> SensorExamination {
        let seen = SharedAccumulator(self)
        let (done, continuation) = AsyncStream.makeStream(of: Void.self)
        let link = SensorLink(sensor.address, kind: sensor.addressKind, name: sensor.name, central: central)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await link.run { event in
                    let isComplete = seen.withLock { examination in
                        examination.handle(event)
                        return examination.isComplete
                    }
                    if isComplete { continuation.yield() }
                }
            }
            group.addTask { for await _ in done { return } }
            group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
            await group.next()
            group.cancelAll()
        }
        return seen.withLock { $0 }
    }
}
