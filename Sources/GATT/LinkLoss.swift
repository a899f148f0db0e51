/// How a link ended, as far as it is known.
public enum LinkLoss: String, Sendable, Equatable, CaseIterable {
    /// The connection timed out: the device is out of range, or without power.
    case timeout
    /// The device disconnected.
    case remote
    /// This machine disconnected.
    case local
    /// The keys did not match.
    case authentication
    /// This machine slept.
    case suspend
    /// The adapter or bluetoothd went away.
    case adapterGone
    case unknown
}

extension LinkLoss {
    /// The controller's reason for the end of a link (Core Specification 5.4, volume 1, part F, section 1.3).
    package init(controllerReason: UInt8) {
        self =
            switch controllerReason {
            case 0x08: .timeout
            case 0x13, 0x14, 0x15: .remote
            case 0x16: .local
            case 0x05, 0x06, 0x3D: .authentication
            default: .unknown
            }
    }
}
