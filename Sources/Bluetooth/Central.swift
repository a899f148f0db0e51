/// This machine's side of Bluetooth Low Energy: who is in reach, and the way to them.
///
/// Conformers: `BlueZCentral` (bluetoothd, over D-Bus) and `ATTCentral` (the kernel's sockets, without bluetoothd).
public protocol Central: Sendable {
    /// The adapters of this machine. Empty when there is none; that is no error.
    func adapters() async throws(BluetoothError) -> [Adapter]

    /// Switches the adapter on, where it is off. Only on a person's word: whoever switched it off meant it.
    func switchOn() async throws(BluetoothError)

    /// Ends the links that programs of this user left open when they died: nobody else can have these devices.
    func releaseLeftovers() async throws(BluetoothError)

    /// Scans for as long as the sequence is read: everybody who names one of `services`, or everybody when it is empty.
    ///
    /// An element comes each time that a device is heard, or that what is known of it changes. It throws
    /// ``BluetoothError`` when scanning cannot begin or go on (adapter off, blocked, gone; bluetoothd gone). Scans of
    /// several readers are one scan on the air.
    func advertisements(of services: Set<BluetoothUUID>) -> AsyncThrowingStream<Advertisement, any Error>

    /// The device of this address, whether or not it is in reach. Nothing is sent before it is asked to connect.
    func peripheral(_ address: BluetoothAddress, kind: BluetoothAddress.Kind?) -> any Peripheral

    /// Drops the bond and everything that this machine remembers of a device. One that is not known is no error.
    func forget(_ address: BluetoothAddress) async throws(BluetoothError)

    /// Ends scans and links, and gives everything back. Afterwards every call throws.
    func close() async
}

extension Central {
    /// Of a transport without a radio.
    public func switchOn() async throws(BluetoothError) {}
    /// Of a transport whose links end with their program.
    public func releaseLeftovers() async throws(BluetoothError) {}
}
