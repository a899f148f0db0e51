public import Foundation
public import GATT

/// Finds a device that measures ``GATT/VitalSigns``, and reports what it sends, over as many links as it takes.
///
/// Such a device is on the air only for moments, when it has something to send, and most hang up by themselves. So this waits for it,
/// connects, listens to the end of the link and waits again, until its task is cancelled.
public struct VitalsLink: Sendable {
    public enum Event: Sendable {
        case found(Advertisement)
        /// Connected to the device, which sends its values from now on.
        case linked
        case described(SensorDetails)
        case measured(VitalSigns, bytes: [UInt8], of: BluetoothUUID, Date)
        /// A value that cannot be read.
        case unreadable(BluetoothUUID, [UInt8])
        case ended(LinkLoss)
        /// It is tried again.
        case failed(BluetoothError)
    }

    /// Whether a device that was advertisement is the one. The first that is remains the one.
    private let isMeant: @Sendable (Advertisement) -> Bool
    private let agent: any PairingAgent
    private let central: any Central
    private let clock: LinkClock

    /// The pause after a link that failed: the device may not be ready yet.
    private static let pause = Duration.seconds(1)

    public init(
        central: any Central, agent: any PairingAgent, clock: any Clock<Duration> = ContinuousClock(),
        isMeant: @escaping @Sendable (Advertisement) -> Bool
    ) {
        self.central = central
        self.agent = agent
        self.clock = LinkClock(clock)
        self.isMeant = isMeant
    }

    /// Runs until the task is cancelled.
    /// - Parameter report: Called on any thread; the values of a link come in order.
    /// - Throws: ``BluetoothError`` if the machine has no Bluetooth that can be used.
    public func run(_ report: @escaping @Sendable (Event) -> Void) async throws {
        var address: DeviceAddress?
        while !Task.isCancelled {
            guard let advertisement = try await nextAdvertisement(of: address) else { return }
            if address == nil { report(.found(advertisement)) }
            address = advertisement.address
            do throws(BluetoothError) {
                let peripheral = central.peripheral(advertisement.address, kind: advertisement.addressKind)
                let link = try await peripheral.connect(answering: agent)
                await listen(to: link, report)
            } catch {
                if Task.isCancelled { return }
                guard !error.isOfMachine else { throw error }
                report(.failed(error))
                try? await clock.sleep(clock.now() + Self.pause)
            }
        }
    }

    /// Returns the device once it is on the air. Nil if the task is cancelled.
    private func nextAdvertisement(of address: DeviceAddress?) async throws -> Advertisement? {
        // All devices: some advertise no service, and are recognised by their address or name.
        for try await advertisement in central.advertisements(of: []) {
            if let address {
                if advertisement.address == address { return advertisement }
            } else if isMeant(advertisement) {
                return advertisement
            }
        }
        return nil
    }

    private func listen(to link: any PeripheralLink, _ report: @escaping @Sendable (Event) -> Void) async {
        let values = link.characteristics.filter { BluetoothUUID.vitalSigns.contains($0.uuid) && $0.notifies }
        do throws(BluetoothError) {
            guard !values.isEmpty else { throw .noCharacteristic(link.address, .temperatureMeasurement) }
            for characteristic in values { try await link.subscribe(to: characteristic) }
            report(.linked)
        } catch {
            report(.failed(error))
            await link.disconnect()
            try? await clock.sleep(clock.now() + Self.pause)
            return
        }
        let details = Task { report(.described(await link.details())) }
        for await event in link.events {
            switch event {
            case .value(let characteristic, let bytes, let date):
                guard BluetoothUUID.vitalSigns.contains(characteristic.uuid) else { continue }
                if let vitals = VitalSigns(bytes, of: characteristic.uuid) {
                    report(.measured(vitals, bytes: bytes, of: characteristic.uuid, date))
                } else {
                    report(.unreadable(characteristic.uuid, bytes))
                }
            case .ended(let loss, _): report(.ended(loss))
            case .battery, .described, .missed: break
            }
        }
        await link.disconnect()
        await details.value
    }
}

extension BluetoothError {
    /// Whether the error concerns this machine's Bluetooth and not one device.
    public var isOfMachine: Bool {
        switch self {
        case .unavailable, .serviceStopped, .serviceSilent, .notPermitted, .noAdapter, .poweredOff, .blocked, .stick:
            true
        case .notFound, .connectionFailed, .adapterFull, .busy, .linkLost, .pairingRequired, .pairingFailed,
            .noCharacteristic, .attribute, .failed:
            false
        }
    }
}
