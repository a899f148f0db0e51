#if Bluetooth
import GATT
import DBus

extension BluetoothError {
    /// Translates an error of the bus or of bluetoothd (BlueZ, src/error.c and src/gatt-client.c).
    ///
    /// `device` is the affected device, if any.
    init(_ error: DBusCallError, operation: String, device: DeviceAddress? = nil) {
        switch error {
        case .timedOut: self = .serviceSilent(operation: operation)
        case .disconnected(let reason): self = .unavailable(reason)
        case .cancelled, .invalid: self = .failed(operation: operation, error.text)
        case .answered(_, let text):
            if error.is("ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected") {
                self = .serviceStopped
            } else if error.is("AccessDenied") {
                self = .notPermitted(error.text)
            } else if error.is("NotReady") || text.contains("adapter-not-powered") {
                self = .poweredOff
            } else if error.is("Blocked") {
                self = .blocked
            } else if let device {
                self = Self.about(device, error, text: text, operation: operation)
            } else if error.is("UnknownObject", "NoSuchAdapter") {
                self = .noAdapter
            } else {
                self = .failed(operation: operation, error.text)
            }
        }
    }

    private static func about(
        _ device: DeviceAddress, _ error: DBusCallError, text: String, operation: String
    ) -> BluetoothError {
        if let code = attributeCode(text) {
            // Insufficient authentication, key size, or encryption (Core Specification, volume 3, part F, 3.4.1.1).
            return [0x05, 0x0C, 0x0F].contains(code) ? .pairingRequired(device) : .attribute(device, code: code)
        }
        if error.is("NotPermitted") {
            if text.contains("Not paired") { return .pairingRequired(device) }
            if text.contains("acquired") { return .busy(device) }
            return .attribute(device, code: text.hasPrefix("Write") ? 0x03 : 0x02)
        }
        if error.is(
            "AuthenticationCanceled", "AuthenticationFailed", "AuthenticationRejected", "AuthenticationTimeout")
        {
            return .pairingFailed(device, error.text)
        }
        if error.is("NotAuthorized") { return .attribute(device, code: 0x08) }
        if error.is("NotSupported") { return .attribute(device, code: 0x06) }
        if error.is("NotConnected") { return .linkLost(device, .unknown) }
        if error.is("UnknownObject", "DoesNotExist") { return .notFound(device) }
        if text.contains("key-missing") { return .pairingFailed(device, error.text) }
        // Its name for EMLINK, which the kernel makes of the controller's error 0x09 (src/error.c; before 5.62 the text of errno).
        if text.contains("concurrent-connection-limit") || text.contains("Too many links") {
            return .adapterFull(device)
        }
        if text.contains("le-connection-") || text.contains("br-connection-") || error.is("ConnectionAttemptFailed") {
            return .connectionFailed(device, error.text)
        }
        return .failed(operation: operation, error.text)
    }

    /// The code within `Operation failed with ATT error: 0x80`.
    private static func attributeCode(_ text: String) -> UInt8? {
        guard let colon = text.lastIndex(of: ":"), text[..<colon].hasSuffix("ATT error") else { return nil }
        let number = text[text.index(after: colon)...].drop { $0 == " " }
        guard number.hasPrefix("0x") else { return nil }
        return UInt8(number.dropFirst(2).prefix(2), radix: 16)
    }
}
#endif
