public import Foundation

/// What a device in reach said of itself, as of now.
public struct Advertisement: Sendable, Equatable {
    public var address: BluetoothAddress
    public var addressKind: BluetoothAddress.Kind
    /// The device's own name. Nil while it has not said it.
    public var name: String?
    /// The services that it names; devices need not name all that they have.
    public var services: Set<BluetoothUUID>
    /// Received signal strength in dBm, −127 … 20. Nil when not told.
    public var signalInDecibelMilliwatts: Int?
    /// The SIG's company number → the company's bytes.
    public var manufacturerData: [UInt16: [UInt8]]
    /// Whether another program, or an earlier run, holds a link to it.
    public var isConnected: Bool
    /// Whether it is bonded with this machine.
    public var isBonded: Bool
    /// The address of the adapter that heard it. Nil when not known.
    public var adapter: BluetoothAddress?
    /// Wall time.
    public var date: Date

    public init(
        address: BluetoothAddress, addressKind: BluetoothAddress.Kind = .random, name: String? = nil,
        services: Set<BluetoothUUID> = [], signalInDecibelMilliwatts: Int? = nil,
        manufacturerData: [UInt16: [UInt8]] = [:], isConnected: Bool = false, isBonded: Bool = false,
        adapter: BluetoothAddress? = nil, date: Date
    ) {
        self.address = address
        self.addressKind = addressKind
        self.name = name
        self.services = services
        self.signalInDecibelMilliwatts = signalInDecibelMilliwatts
        self.manufacturerData = manufacturerData
        self.isConnected = isConnected
        self.isBonded = isBonded
        self.adapter = adapter
        self.date = date
    }
}
