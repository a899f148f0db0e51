/// Pairs sensors that ask for nothing, as nearly all do, and refuses those that want digits.
public struct JustWorksAgent: PairingAgent {
    public init() {}

    public var capability: PairingCapability { .noInputNoOutput }
    public func passkey(for device: BluetoothAddress) async -> UInt32? { nil }
    public func show(passkey: UInt32, for device: BluetoothAddress) async {}
    public func confirms(passkey: UInt32, for device: BluetoothAddress) async -> Bool { false }
    public func allowsJustWorks(for device: BluetoothAddress) async -> Bool { true }
}
