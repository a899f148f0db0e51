public import GATT

/// A service that this machine offers to other devices.
public struct LocalService: Sendable, Equatable {
    public var uuid: BluetoothUUID
    public var characteristics: [LocalCharacteristic]

    public init(_ uuid: BluetoothUUID, _ characteristics: [LocalCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic of a ``LocalService``.
public struct LocalCharacteristic: Sendable, Equatable {
    public enum Use: String, Sendable { case read, write, notify }

    public var uuid: BluetoothUUID
    public var uses: [Use]
    /// The value that is read until another one is notified.
    public var value: [UInt8]

    public init(_ uuid: BluetoothUUID, _ uses: [Use], value: [UInt8] = []) {
        self.uuid = uuid
        self.uses = uses
        self.value = value
    }
}
