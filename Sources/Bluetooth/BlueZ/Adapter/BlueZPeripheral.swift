#if Bluetooth
/// A device by way of bluetoothd.
struct BlueZPeripheral: Peripheral {
    let address: BluetoothAddress
    let daemon: BlueZDaemon

    func connect() async throws(BluetoothError) -> any PeripheralLink {
        try await BlueZConnector(address, daemon).connect()
    }

    func connect(answering agent: any PairingAgent) async throws(BluetoothError) -> any PeripheralLink {
        try await BlueZConnector(address, daemon, answering: agent).connect()
    }

    func pair(answering agent: any PairingAgent) async throws(BluetoothError) {
        try await BlueZPairing(address, daemon, agent).pair()
    }
}
#endif
