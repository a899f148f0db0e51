import DBus
import Testing

@testable import Bluetooth
@testable import GATT

struct BluetoothErrorTests {
    private static let strap = DeviceAddress(value: 0xC0DE_0000_0001)

    @Test(arguments: [
        (BluetoothError.serviceStopped, "systemctl start bluetooth"),
        (.notPermitted("org.freedesktop.DBus.Error.AccessDenied: no"), "usermod -aG bluetooth"),
        (.blocked, "rfkill unblock bluetooth"),
        (.poweredOff, "bluetoothctl power on"),
        (.notFound(strap), "C0:DE:00:00:00:01 was not found"),
        (.linkLost(strap, .timeout), "out of range"),
        (.attribute(strap, code: 0x80), "ATT error 0x80"),
        (.pairingRequired(strap), "pair it"),
        (.noCharacteristic(strap, .heartRateMeasurement), "no characteristic 2A37"),
    ])
    func `an error says what to do next`(error: BluetoothError, part: String) {
        #expect("\(error)".contains(part))
        #expect("\(error)".hasSuffix("."))
    }

    @Test(arguments: [
        ("org.freedesktop.DBus.Error.ServiceUnknown", "", BluetoothError.serviceStopped),
        ("org.freedesktop.DBus.Error.NoReply", "", .serviceStopped),
        ("org.bluez.Error.NotReady", "Resource Not Ready", .poweredOff),
        ("org.bluez.Error.Blocked", "", .blocked),
        ("org.bluez.Error.Failed", "le-connection-adapter-not-powered", .poweredOff),
        (
            "org.bluez.Error.Failed", "le-connection-timeout",
            .connectionFailed(strap, "org.bluez.Error.Failed: le-connection-timeout")
        ),
        (
            "org.bluez.Error.AuthenticationTimeout", "",
            .pairingFailed(strap, "org.bluez.Error.AuthenticationTimeout")
        ),
        ("org.bluez.Error.DoesNotExist", "Does Not Exist", .notFound(strap)),
        ("org.bluez.Error.Failed", "Operation failed with ATT error: 0xfd", .attribute(strap, code: 0xFD)),
        ("org.bluez.Error.Failed", "ATT error: ", .failed(operation: "x", "org.bluez.Error.Failed: ATT error: ")),
    ])
    func `an error name of bluetoothd becomes its meaning`(name: String, text: String, error: BluetoothError) {
        #expect(BluetoothError(.answered(name: name, text: text), operation: "x", device: Self.strap) == error)
    }
}
