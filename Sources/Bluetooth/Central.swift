public import GATT

/// This machine's side of Bluetooth Low Energy: finds devices and connects to them.
///
/// Conformers: `BlueZCentral` (bluetoothd, over D-Bus) and `ATTCentral` (the kernel's sockets, without bluetoothd); the module ANT has one
/// for ANT+ sensors.
public protocol Central: Sendable {
    /// The adapters of this machine; may be empty.
    func adapters() async throws(BluetoothError) -> [Adapter]

    /// Turns the adapter on if it is off. Only call this at the user's request, because somebody turned it off on
    /// purpose.
    func switchOn() async throws(BluetoothError)

    /// Closes links that crashed programs of this user left open, which block the devices for others.
    func releaseLeftovers() async throws(BluetoothError)

    /// Scans while the sequence is read, for devices that advertise one of `services`; if it is empty, for all devices.
    ///
    /// There is an element each time a device is received or its data changes. The sequence throws ``BluetoothError``
    /// if scanning can't start or continue (adapter off, blocked or gone; bluetoothd gone). Several readers share one
    /// scan on the air.
    func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error>

    /// The same. `report` is called if one of several radios cannot listen while another does.
    func advertisements(
        of services: Set<BluetoothUUID>, reporting report: @escaping @Sendable (BluetoothError) -> Void
    ) -> AsyncThrowingStream<Advertisement, any Error>

    /// The device with this address, nearby or not. Nothing is sent before it connects.
    func peripheral(_ address: DeviceAddress, kind: DeviceAddress.Kind?) -> any Peripheral

    /// Removes the bond and all stored data of a device. An unknown device is not an error.
    func forget(_ address: DeviceAddress) async throws(BluetoothError)

    /// The central that reaches this device, if there are several for different radios.
    func central(for address: DeviceAddress) -> any Central

    /// Whether connecting also finds a device that is not nearby yet, so that no search is needed.
    var findsWhileConnecting: Bool { get }

    /// The same central, or one that spreads its links over all adapters of bluetoothd, if there are several that are on.
    func spread() async -> any Central

    /// Ends scans and links, and releases everything. Later calls throw.
    func close() async
}

extension Collection<any Central> {
    /// What several radios hear. One that cannot scan does not stop the others; the sequence ends with an error if none can.
    ///
    /// - Parameters:
    ///   - heard: Called with the index of the radio.
    ///   - failed: Called for each radio that cannot scan while another one can, or may.
    package func mergedAdvertisements(
        of services: Set<BluetoothUUID>, to reader: AsyncThrowingStream<Advertisement, any Error>.Continuation,
        heard: @escaping @Sendable (Advertisement, Int) -> Void = { _, _ in },
        failed: (any Error) -> Void = { _ in }
    ) async {
        let failure: (any Error)? = await withTaskGroup(of: (any Error)?.self) { group in
            for (index, radio) in enumerated() {
                group.addTask {
                    do {
                        for try await advertisement in radio.advertisements(of: services) {
                            heard(advertisement, index)
                            reader.yield(advertisement)
                        }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var failures: [any Error] = []
            for await failure in group {
                guard let failure else { continue }
                failures.append(failure)
                if failures.count < count { failed(failure) }
            }
            return failures.count == count ? failures.last : nil
        }
        reader.finish(throwing: failure)
    }
}

extension Central {
    /// Does nothing, for transports without a radio.
    public func switchOn() async throws(BluetoothError) {}
    /// Does nothing, for transports whose links end with their program.
    public func releaseLeftovers() async throws(BluetoothError) {}
    public func central(for address: DeviceAddress) -> any Central { self }
    public func advertisements(
        of services: Set<BluetoothUUID>, reporting report: @escaping @Sendable (BluetoothError) -> Void
    ) -> AsyncThrowingStream<Advertisement, any Error> {
        advertisements(of: services)
    }
    public var findsWhileConnecting: Bool { false }
}
