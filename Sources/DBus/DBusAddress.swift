import Glibc

/// Where the system's bus is (D-Bus specification, "Well-known message bus instances").
package enum DBusAddress {
    /// `DBUS_SYSTEM_BUS_ADDRESS`, else the socket at one of the usual places.
    package static var system: String {
        if let address = getenv("DBUS_SYSTEM_BUS_ADDRESS") {
            let address = String(cString: address)
            if !address.isEmpty { return address }
        }
        let places = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"]
        let place = places.first { access($0, F_OK) == 0 } ?? places[1]
        return "unix:path=\(place)"
    }
}
