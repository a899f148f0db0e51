extension BluetoothError: CustomStringConvertible {
    /// One sentence or two: what was tried, what came back, what to do now.
    public var description: String {
        switch self {
        case .unavailable(let reason):
            "Bluetooth cannot be reached: \(reason); install and start bluetoothd (package bluez), "
                + "or give this program the system bus."
        case .serviceStopped:
            "bluetoothd does not run, or stopped while it was needed; start it with “systemctl start bluetooth”."
        case .serviceSilent(let operation):
            "bluetoothd did not answer in time (\(operation)); if it happens again, "
                + "“systemctl restart bluetooth” helps."
        case .notPermitted(let reason):
            "This user may not use Bluetooth: \(reason); add the user to the group bluetooth "
                + "(“sudo usermod -aG bluetooth $USER”) and log in anew."
        case .noAdapter:
            "This machine has no Bluetooth adapter, or not the one that was asked for; plug one in, "
                + "and look with “bluetoothctl list”."
        case .poweredOff:
            "The Bluetooth adapter is off and could not be switched on; try “bluetoothctl power on”."
        case .blocked:
            "The Bluetooth adapter is blocked; “rfkill unblock bluetooth”, or the machine's switch for radios, "
                + "frees it."
        case .notFound(let address):
            "\(address) was not heard; wear it and moisten it, bring it near, and end the link "
                + "that a watch, phone or treadmill may hold to it."
        case .connectionFailed(let address, let reason):
            "Connecting to \(address) failed: \(reason); bring it nearer, wear it, "
                + "and end the link that another device may hold to it."
        case .busy(let address):
            "Another program of this machine holds \(address); end that program, or “bluetoothctl disconnect \(address)”."
        case .linkLost(let address, let loss):
            "The link to \(address) is gone: \(loss.explanation); connect again."
        case .pairingRequired(let address):
            "\(address) wants to be paired before it shows anything; pair it, and answer its questions."
        case .pairingFailed(let address, let reason):
            "Pairing with \(address) failed or is no longer valid: \(reason); put it into its pairing mode "
                + "and pair it anew."
        case .noCharacteristic(let address, let characteristic):
            "\(address) has no characteristic \(characteristic); it may be a device of another kind, or have to be "
                + "told to offer it."
        case .attribute(let address, let code):
            "\(address) refused the request with ATT error 0x\(Self.hex(code))\(Self.meaning(code)); "
                + "connect again, and if it stays so, its firmware does not allow it."
        case .failed(let operation, let reason):
            "Bluetooth failed (\(operation)): \(reason); try again, and look into “journalctl -u bluetooth” "
                + "if it stays so."
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
        case 0x80...0x9F: " (an error of this service's own)"
        case 0xFD: " (notifications are set up wrongly)"
        case 0xFE: " (already in progress)"
        case 0xFF: " (out of range)"
        default: ""
        }
    }
}

extension LinkLoss {
    /// In words, for a sentence.
    public var explanation: String {
        switch self {
        case .timeout: "nothing was heard any more (out of range, or without power)"
        case .remote: "the device hung up"
        case .local: "this side hung up"
        case .authentication: "the keys did not fit"
        case .suspend: "this machine slept"
        case .adapterGone: "the adapter or bluetoothd went away"
        case .unknown: "no reason was given"
        }
    }
}
