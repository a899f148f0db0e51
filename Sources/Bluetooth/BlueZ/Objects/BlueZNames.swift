#if Bluetooth
/// BlueZ's names on the bus (BlueZ, doc/org.bluez.*.rst).
package enum BlueZ {
    package static let service = "org.bluez"
    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    package static let gattService = "org.bluez.GattService1"
    package static let characteristic = "org.bluez.GattCharacteristic1"
    package static let battery = "org.bluez.Battery1"
    package static let agent = "org.bluez.Agent1"
    package static let agentManager = "org.bluez.AgentManager1"
    package static let gattManager = "org.bluez.GattManager1"
    package static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    package static let advertisement = "org.bluez.LEAdvertisement1"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
    package static let properties = "org.freedesktop.DBus.Properties"
}
#endif
