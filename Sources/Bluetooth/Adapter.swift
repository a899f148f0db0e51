public import GATT

/// A Bluetooth radio of this machine.
public struct Adapter: Sendable, Equatable {
    /// The kernel's name, such as `hci0`. It may change when the adapter is plugged in again.
    public var name: String
    public var address: DeviceAddress
    public var power: Power
    /// Whether it can open links, not only accept them.
    public var supportsCentral: Bool
    /// Whether bluetoothd manages it; false if kernel sockets are used instead.
    public var isManagedByService: Bool

    public enum Power: String, Sendable, Equatable, CaseIterable {
        case on, off
        /// Off, and kept so by rfkill: a switch, a key, or `rfkill block bluetooth`.
        case blocked
    }

    public init(
        name: String, address: DeviceAddress, power: Power, supportsCentral: Bool = true,
        isManagedByService: Bool = true
    ) {
        self.name = name
        self.address = address
        self.power = power
        self.supportsCentral = supportsCentral
        self.isManagedByService = isManagedByService
    }
}
