public import GATT

/// A device that can be connected to, such as a heart-rate strap.
public protocol Peripheral: Sendable {
    var address: DeviceAddress { get }

    /// Opens a link and discovers the device's services. Returns once its characteristics can be used.
    ///
    /// This is one attempt; the caller (``SensorLink``) tries again. It may take a minute if the device is absent,
    /// because the kernel waits for it. Cancelling the task cancels the attempt.
    func connect() async throws(BluetoothError) -> any PeripheralLink

    /// Like ``connect()``, with an agent for a device that requires pairing on this link, which some do each time.
    /// `agent` is used as long as the link is up.
    func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink

    /// Bonds with the device; `agent` answers its questions. An existing bond is not an error.
    func pair(answering agent: any PairingAgent) async throws(BluetoothError)
}

extension Peripheral {
    /// For transports without pairing questions.
    public func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink {
        try await connect()
    }
}

/// One link to a device, from the time its characteristics can be used until its end. A new link is a new value.
public protocol PeripheralLink: Sendable {
    var address: DeviceAddress { get }
    /// The device's characteristics, in the order of their handles.
    var characteristics: [GATTCharacteristic] { get }

    /// The events of the link in order of arrival, for one reader. The last one is `.ended`.
    ///
    /// Nothing is lost as long as no more than ``LinkEventStream/capacity`` events wait. Beyond that the number of
    /// missed events is reported. The end always arrives.
    var events: LinkEventStream { get }

    /// Subscribes to the characteristic's notifications (or indications). They arrive in `events`, possibly before this
    /// returns.
    func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError)
    func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8]
    /// Writes a value, and returns once the device has accepted it.
    func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError)

    /// Disconnects, and returns when the device is free, or after 5 seconds.
    func disconnect() async
}

extension PeripheralLink {
    /// The characteristic with this UUID; if there are several, one that notifies, with the lowest handle.
    public func characteristic(_ uuid: BluetoothUUID) -> GATTCharacteristic? {
        let named = characteristics.filter { $0.uuid == uuid }
        return named.first { $0.notifies } ?? named.first
    }
}
