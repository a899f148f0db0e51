/// A characteristic of a device on one link.
public struct GATTCharacteristic: Sendable, Hashable {
    public var uuid: BluetoothUUID
    public var service: BluetoothUUID
    /// The handle of its value. It distinguishes characteristics with the same UUID.
    public var handle: UInt16
    /// Whether a client can subscribe to it.
    public var notifies: Bool

    public init(uuid: BluetoothUUID, service: BluetoothUUID, handle: UInt16, notifies: Bool) {
        self.uuid = uuid
        self.service = service
        self.handle = handle
        self.notifies = notifies
    }
}
