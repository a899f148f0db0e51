/// A device that can be connected to, such as a heart-rate strap.
public protocol Peripheral: Sendable {
    var address: BluetoothAddress { get }

    /// Opens a link and learns what the device offers. Returns once its characteristics can be used.
    ///
    /// One attempt: trying again is the caller's (``SensorLink``'s) part. May take a minute with an absent device, since
    /// the kernel then waits for it. Cancelling the task gives the attempt up.
    func connect() async throws(BluetoothError) -> any PeripheralLink

    /// The same, with somebody who answers a device that wants to be paired on this link, as one does each time that does
    /// not keep its pairings. `agent` is asked as long as the link stands.
    func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink

    /// Bonds with the device, answering its questions through `agent`. One that is bonded already is no error.
    func pair(answering agent: any PairingAgent) async throws(BluetoothError)
}

extension Peripheral {
    /// Of a transport on which nobody is asked.
    public func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink {
        try await connect()
    }
}

/// One link to a device, from the moment that its characteristics can be used to its end. A new link is a new value.
public protocol PeripheralLink: Sendable {
    var address: BluetoothAddress { get }
    /// What the device offers, in the order of its handles.
    var characteristics: [GATTCharacteristic] { get }

    /// What the device sends, in order of arrival; ends with the link, and its last element is `.ended`. One reader.
    ///
    /// Nothing is lost while the reader keeps within ``LinkEventStream/capacity``; what a later one misses is told, and the
    /// end always arrives.
    var events: LinkEventStream { get }

    /// Asks for the characteristic's notifications (or indications); they come in `events`, maybe before this returns.
    func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError)
    func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8]
    /// Writes, and waits until the device has accepted it.
    func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError)

    /// Hangs up, and returns when the device is free again, or after 5 seconds.
    func disconnect() async
}

extension PeripheralLink {
    /// The first characteristic of this name; of several, one that notifies, then the lowest handle.
    public func characteristic(_ uuid: BluetoothUUID) -> GATTCharacteristic? {
        let named = characteristics.filter { $0.uuid == uuid }
        return named.first { $0.notifies } ?? named.first
    }
}

/// A characteristic as a device offers it on one link.
public struct GATTCharacteristic: Sendable, Hashable {
    public var uuid: BluetoothUUID
    public var service: BluetoothUUID
    /// The handle of its value; tells two of the same name apart.
    public var handle: UInt16
    /// Whether it can be subscribed to.
    public var notifies: Bool

    public init(uuid: BluetoothUUID, service: BluetoothUUID, handle: UInt16, notifies: Bool) {
        self.uuid = uuid
        self.service = service
        self.handle = handle
        self.notifies = notifies
    }
}
