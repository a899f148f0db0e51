#if Bluetooth
import GATT
import Glibc

extension LinkLoss {
    /// The same of a link that was being encrypted: with a key that does not fit, the kernel ends it for reasons that it
    /// has for other ends too. One of the two has a key of an earlier pairing, and the other has not.
    var whileEncrypting: LinkLoss { self == .unknown || self == .adapterGone ? .authentication : self }

    /// What the kernel reports when a link has gone.
    init(errno code: Int32) {
        self =
            switch code {
            case 0, ECONNRESET, EPIPE: .remote
            case ETIMEDOUT: .timeout
            // Aborted by the kernel when the adapter is switched off or pulled out.
            case ECONNABORTED, ENODEV, ENETDOWN, EHOSTDOWN: .adapterGone
            case EACCES, EPERM, EKEYREJECTED: .authentication
            default: .unknown
            }
    }
}

extension BluetoothError {
    /// An error of the device, or the way out where it is pairing.
    static func attribute(_ code: UInt8, of address: BluetoothAddress) -> BluetoothError {
        ATTErrorCode.asksForPairing(code) ? .pairingRequired(address) : .attribute(address, code: code)
    }

    /// Why a socket did not connect.
    static func connecting(to address: BluetoothAddress, _ fault: SystemFault) -> BluetoothError {
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
