public import GATT

extension BluetoothError: CustomStringConvertible {
    /// What was tried, what the result was, and what to do.
    public var description: String {
        switch self {
        case .unavailable(let reason):
            "Bluetooth cannot be reached: \(reason); install and start bluetoothd (package bluez), "
                + "or give this program the system bus."
        case .serviceStopped:
            "bluetoothd is not running, or has stopped; start it with “systemctl start bluetooth”."
        case .serviceSilent(let operation):
            "bluetoothd did not answer in time (\(operation)); if it happens again, "
                + "run “systemctl restart bluetooth”."
        case .notPermitted(let reason):
            "This user may not use Bluetooth: \(reason); add the user to the group bluetooth "
                + "(“sudo usermod -aG bluetooth $USER”) and log in again."
        case .noAdapter:
            "This machine has no Bluetooth adapter, or not the requested one; plug one in, "
                + "then check with “bluetoothctl list”."
        case .poweredOff:
            "The Bluetooth adapter is off; turn it on with “bluetoothctl power on”."
        case .blocked:
            "The Bluetooth adapter is blocked; unblock it with “rfkill unblock bluetooth” or the "
                + "machine's wireless switch."
        case .notFound(let address):
            "\(address) was not found; wear it (moistened), bring it near, and disconnect it from "
                + "any watch, phone or treadmill."
        case .connectionFailed(let address, let reason):
            "Connecting to \(address) failed: \(reason); bring it nearer, wear it, "
                + "and disconnect other devices from it."
        case .adapterFull(let address):
            "The Bluetooth adapter has no connection left for \(address); plug in another adapter, or let "
                + "another machine record some of the sensors."
        case .busy(let address):
            "Another program on this machine is using \(address); close that program, or “bluetoothctl disconnect \(address)”."
        case .linkLost(let address, let loss):
            "The connection to \(address) was lost: \(loss.explanation); connect again."
        case .pairingRequired(let address):
            "\(address) needs pairing before it sends data; pair it, and answer its questions."
        case .pairingFailed(let address, let reason):
            "Pairing with \(address) failed or is no longer valid: \(reason); put it into its pairing mode "
                + "and pair it again."
        case .noCharacteristic(let address, let characteristic):
            "\(address) has no characteristic \(characteristic); it may be another kind of device, or this feature may be "
                + "turned off."
        case .attribute(let address, let code):
            "\(address) refused the request with ATT error 0x\(Self.hex(code))\(Self.meaning(code)); "
                + "connect again. If it happens again, its firmware does not allow it."
        case .stick(let fault): fault.description
        case .failed(let operation, let reason):
            "Bluetooth failed (\(operation)): \(reason); try again. If it happens again, see “journalctl -u bluetooth”."
        }
    }

    private static func hex(_ code: UInt8) -> String {
        (code < 16 ? "0" : "") + String(code, radix: 16, uppercase: true)
    }

    /// Core Specification 5.4, volume 3, part F, table 3.4.
    private static func meaning(_ code: UInt8) -> String {
        switch code {
        case 0x01: " (invalid handle)"
        case 0x02: " (reading is not permitted)"
        case 0x03: " (writing is not permitted)"
        case 0x06: " (not supported)"
        case 0x07: " (invalid offset)"
        case 0x08: " (not authorised)"
        case 0x0D: " (invalid length)"
        case 0x0E: " (unlikely error)"
        case 0x11: " (out of resources)"
        case 0x80...0x9F: " (an error of this service)"
        case 0xFD: " (notifications are set up wrongly)"
        case 0xFE: " (already in progress)"
        case 0xFF: " (out of range)"
        default: ""
        }
    }
}

extension LinkLoss {
    /// The reason in words, for a sentence.
    public var explanation: String {
        switch self {
        case .timeout: "no more data (out of range, or without power)"
        case .remote: "the device disconnected"
        case .local: "this machine disconnected"
        case .authentication: "the keys did not match"
        case .suspend: "this machine slept"
        case .adapterGone: "the adapter or bluetoothd is gone"
        case .unknown: "no reason was given"
        }
    }
}
