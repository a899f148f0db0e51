/// A Bluetooth radio of this machine.
public struct Adapter: Sendable, Equatable {
    /// What the kernel calls it, such as `hci0`. May change when it is plugged in again.
    public var name: String
    public var address: BluetoothAddress
    public var power: Power
    /// Whether it can open links, and not only accept them.
    public var supportsCentral: Bool
    /// Whether bluetoothd looks after it; false where none runs and the kernel is spoken to instead.
    public var isManagedByService: Bool

    public enum Power: String, Sendable, Equatable, CaseIterable {
        case on, off
        /// Off, and kept so by rfkill: a switch, a key, or `rfkill block bluetooth`.
        case blocked
    }

    public init(
        name: String, address: BluetoothAddress, power: Power, supportsCentral: Bool = true,
        isManagedByService: Bool = true
    ) {
        self.name = name
        self.address = address
        self.power = power
        self.supportsCentral = supportsCentral
        self.isManagedByService = isManagedByService
    }
}
