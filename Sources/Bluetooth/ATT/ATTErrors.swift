#if Bluetooth
import GATT
import Glibc

extension LinkLoss {
    /// The reason for the end of a link that was being encrypted. If the keys do not match, the kernel ends it with
    /// codes that also have other meanings. One side then has a key of an earlier pairing that the other side lacks.
    var whileEncrypting: LinkLoss { self == .unknown || self == .adapterGone ? .authentication : self }

    /// Translates the kernel's error for the end of a link.
    init(errno code: Int32) {
        self =
            switch code {
            case 0, ECONNRESET, EPIPE: .remote
            case ETIMEDOUT: .timeout
            // The kernel aborts the link if the adapter is turned off or unplugged.
            case ECONNABORTED, ENODEV, ENETDOWN, EHOSTDOWN: .adapterGone
            case EACCES, EPERM, EKEYREJECTED: .authentication
            default: .unknown
            }
    }
}

extension BluetoothError {
    /// Returns the device's error, or the request for pairing if that solves it.
    static func attribute(_ code: UInt8, of address: DeviceAddress) -> BluetoothError {
        ATTErrorCode.asksForPairing(code) ? .pairingRequired(address) : .attribute(address, code: code)
    }

    /// Returns why a socket did not connect.
    static func connecting(to address: DeviceAddress, _ fault: SystemFault) -> BluetoothError {
        switch fault.code {
        case EBUSY: .busy(address)
        case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT: .unavailable(fault.description)
        case EACCES, EPERM: .notPermitted(fault.description)
        case EHOSTUNREACH, ENETUNREACH, ENODEV, EADDRNOTAVAIL: .noAdapter
        case ENETDOWN, EHOSTDOWN: .poweredOff
        case ERFKILL: .blocked
        default: .connectionFailed(address, fault.reason)
        }
    }
}
#endif
