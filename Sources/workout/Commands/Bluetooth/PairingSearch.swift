import ArgumentParser
import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit

/// Looks for a sensor and connects to it until it has sent its first reading.
struct PairingSearch {
    /// An address or a name; nil for the only one nearby.
    var sensor: String?
    var timeout: DurationArgument
    var powerOn = false
    /// Whether progress is not shown and nothing is asked.
    var isQuiet: Bool
    /// Sensors that belong to somebody else.
    var ignoring: Set<DeviceAddress> = []

    func pair(_ environment: HealthEnvironment) async throws -> PairingResult {
        let address = try sensor.flatMap { try SensorArgument.address($0) }
        if let address {
            try await environment.requireRadio(of: [address])
        } else {
            try await environment.requireAnyRadio()
        }
        if address?.ant == nil { try await switchOnIfAsked(environment) }
        let work = Task { () throws -> PairingResult in
            let chosen = try await choose(environment)
            notify("connecting to \(chosen.title) …")
            return try await FirstReading(chosen, environment.central, notify: notify).wait(seconds: timeout.seconds)
        }
        return try await Self.finishing(environment.central) {
            let interrupted = try await Interruption.calling({ work.cancel() }) { _ = try? await work.value }
            if interrupted { throw ExitCode.interrupted }
            return try await work.value
        }
    }

    /// Switches the adapter on if it is off and the user agrees. Nothing else ever switches it on.
    private func switchOnIfAsked(_ environment: HealthEnvironment) async throws {
        let central = environment.bluetooth
        do throws(BluetoothError) {
            let adapters = ((try? await central.adapters()) ?? []).filter(\.supportsCentral)
            guard !adapters.contains(where: { $0.power == .on }), adapters.contains(where: { $0.power == .off }) else {
                return
            }
            var isWanted = powerOn
            if !isWanted, !isQuiet, TerminalPairingAgent().isInteractive {
                let answer = await Question.ask("Bluetooth is off. Turn it on? [y/N] ")
                isWanted = answer?.lowercased().hasPrefix("y") == true
            }
            guard isWanted else { throw .poweredOff }
            try await central.switchOn()
        } catch {
            await central.close()
            throw CommandFailure.bluetooth(error)
        }
    }

    /// Runs `body` and then releases the radio, also after an error.
    private static func finishing<Result>(
        _ central: any Central, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body()
            await central.close()
            return result
        } catch {
            await central.close()
            if let error = error as? BluetoothError { throw CommandFailure.bluetooth(error) }
            throw error
        }
    }

    private func notify(_ text: String) {
        if !isQuiet { CommandOutput.error.print(text) }
    }
}

// MARK: - Which one

extension PairingSearch {
    private func choose(_ environment: HealthEnvironment) async throws -> PairedSensor {
        if let sensor, let address = DeviceAddress(sensor) {
            notify("looking for \(address) …")
            // A sensor that is not heard, for instance because another program holds it, is still paired by its
            // address.
            let heard = try await listen(address, environment.central, seconds: min(10, timeout.seconds))
            return heard.map { PairedSensor($0) } ?? environment.pairedSensors.first { $0.address == address }
                ?? PairedSensor(address: address)
        }
        notify(sensor.map { "looking for \($0) …" } ?? "looking for sensors …")
        let found = try await look(environment.central)
        guard !found.isEmpty else {
            throw CommandFailure(
                exitCode: .serviceMissing,
                message: (sensor.map { "no sensor named '\($0)' nearby" } ?? "no sensor nearby")
                    + ": is it worn and moist? Is another watch, phone or machine connected to it? 'workout scan --all' "
                    + "lists every device; 'workout pair ADDRESS' pairs any device")
        }
        if found.count == 1 { return PairedSensor(found[0]) }
        guard !isQuiet, TerminalPairingAgent().isInteractive else {
            let all = found.map { "\($0.address) (\($0.name ?? "no name"))" }.joined(separator: ", ")
            throw CommandFailure(
                exitCode: .wrongUsage, message: "several sensors nearby: \(all); choose one: workout pair ADDRESS")
        }
        return PairedSensor(try await ask(found))
    }

    /// Returns the device of an address with its name. Returns nil if it is not heard or scanning is not possible.
    private func listen(
        _ address: DeviceAddress, _ central: any Central, seconds: Double
    ) async throws -> Advertisement? {
        let report = SharedAccumulator(ScanReport(paired: []))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    for try await heard in central.central(for: address).advertisements(of: [])
                    where heard.address == address {
                        if report.withLock({ $0.add(heard) }) != nil { return }
                    }
                } catch {}
            }
            group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
            await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
        return report.withLock { $0.devices.first }
    }

    /// Returns the matching sensors, the nearest first. Waits for the first, and then a little for others.
    private func look(_ central: any Central) async throws -> [Advertisement] {
        let report = SharedAccumulator(ScanReport(paired: []))
        let wanted = sensor
        func isMeant(_ device: Advertisement) -> Bool {
            guard !ignoring.contains(device.address) else { return false }
            return wanted.map(device.isNamed) ?? true
        }
        let services = wanted == nil ? Set(BluetoothUUID.sensorServices) : []
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (firsts, first) = AsyncStream.makeStream(of: Void.self)
            group.addTask {
                for try await heard in central.advertisements(
                    of: services,
                    reporting: { [isQuiet] in
                        if !isQuiet { CommandOutput.error.print("note: \($0)") }
                    })
                {
                    let isOne = report.withLock { report in
                        _ = report.add(heard)
                        return report.devices.contains { isMeant($0) && $0.name != nil }
                    }
                    if isOne { first.yield() }
                }
            }
            group.addTask { [timeout] in
                let giveUp = Task {
                    try await Task.sleep(for: .seconds(timeout.seconds))
                    first.finish()
                }
                for await _ in firsts {
                    try await Task.sleep(for: .seconds(3))
                    break
                }
                giveUp.cancel()
            }
            // Returns when one of them fails or has waited long enough.
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
        return report.withLock { $0.byDistance.filter(isMeant) }
    }

    private func ask(_ found: [Advertisement]) async throws -> Advertisement {
        for (place, device) in found.enumerated() {
            let signal = device.signalInDecibelMilliwatts.map { ", \($0) dBm" } ?? ""
            CommandOutput.error.print("  \(place + 1)  \(device.name ?? "no name")  \(device.address)\(signal)")
        }
        while true {
            guard let answer = await Question.ask("Which one? [1-\(found.count), Enter: none] "),
                !answer.isEmpty
            else { throw CommandFailure(exitCode: .wrongUsage, message: "no sensor was chosen") }
            if let place = Int(answer), found.indices.contains(place - 1) { return found[place - 1] }
        }
    }
}

extension Advertisement {
    /// Whether the name begins with a text, in upper or lower case. An ANT+ sensor is also known by its number alone.
    func isNamed(_ beginning: String) -> Bool {
        if let number = UInt16(beginning), address.ant?.number == number { return true }
        return name?.lowercased().hasPrefix(beginning.lowercased()) ?? false
    }
}

extension PairedSensor {
    /// Creates it from an advertisement.
    init(_ advertisement: Advertisement) {
        self.init(
            address: advertisement.address, addressKind: advertisement.addressKind, name: advertisement.name)
    }
}

/// Waits on a link until there is a reading to show.
private struct FirstReading {
    let sensor: PairedSensor
    let central: any Central
    let notify: (String) -> Void
    /// How long a connected sensor may be silent or slow to send its details.
    private static let patienceInSeconds = 15.0

    init(_ sensor: PairedSensor, _ central: any Central, notify: @escaping (String) -> Void) {
        self.sensor = sensor
        self.central = central
        self.notify = notify
    }

    func wait(seconds: Double) async throws -> PairingResult {
        let (events, continuation) = AsyncStream.makeStream(of: SensorLinkEvent?.self)
        var link = SensorLink(sensor.address, kind: sensor.addressKind, name: nil, central: central)
        link.agent = TerminalPairingAgent()
        let run = Task { [link] in await link.run { continuation.yield($0) } }
        let (patience, total) = (Self.patienceInSeconds, seconds)
        let limit = Task {
            try await Task.sleep(for: .seconds(total))
            continuation.yield(nil)
        }
        var short: Task<Void, any Error>?
        var result = PairingResult(sensor: sensor, measures: false)
        var isLinked = false
        var hasDetails = false
        var failure: BluetoothError?
        reading: for await event in events {
            guard let event else { break }
            result.sensor.update(with: event)
            switch event {
            case .value(let notification):
                result.measures = true
                result.heartRate = notification.heartRate?.heartRate ?? result.heartRate
            case .details(let details):
                hasDetails = true
                result.location = details.location
            case .changed(let phase, let reason, _):
                notify("\(reason)")
                if case .failed(let error) = reason { failure = error }
                if phase == .subscribing { isLinked = true }
                if phase == .blocked { break reading }
                if isLinked, short == nil {
                    short = Task {
                        try await Task.sleep(for: .seconds(patience))
                        continuation.yield(nil)
                    }
                }
            case .battery, .missed, .contact, .energyReset, .streamed, .stream, .lookalike: break
            }
            let isComplete = result.heartRate != nil || !result.offersHeartRate && result.measures
            if isComplete, hasDetails, result.sensor.batteryPercent != nil { break }
            if isComplete, hasDetails, short == nil { break }
        }
        run.cancel()
        limit.cancel()
        short?.cancel()
        await run.value
        try Task.checkCancellation()
        if isLinked, failure == nil || result.measures { return result }
        throw failure ?? BluetoothError.notFound(sensor.address)
    }
}

extension PairingResult {
    fileprivate var offersHeartRate: Bool { sensor.measurements.contains(.heartRateMeasurement) }
}
