import Bluetooth
package import DBus
package import GATT

/// Services and advertisements that programs register, and the devices that use them.
extension FakeBlueZ {
    /// The objects of an application, with their interfaces and properties.
    package struct Application: Sendable {
        package var root: String
        package var objects: Objects

        package func path(of characteristic: BluetoothUUID) -> String? {
            objects.first { $0.value[BlueZ.characteristic]?["UUID"] == .string(characteristic.full) }?.key
        }

        package var services: Set<String> {
            Set(objects.values.compactMap { $0[BlueZ.gattService]?["UUID"]?.asString })
        }
    }

    /// Asks the caller for its objects before answering, as bluetoothd does. Returns false for other calls.
    func takeRegistration(_ call: DBusMessage) -> Bool {
        guard let sender = call.sender, let path = call.body.first?.asPath else { return false }
        switch call.member {
        case "RegisterApplication":
            guard applications[sender] == nil else {
                answer(call, .error("org.bluez.Error.AlreadyExists", "Already Exists"))
                return true
            }
            Task {
                let reply = try? await self.connection.call(
                    .call(sender, path, BlueZ.objectManager, "GetManagedObjects"), atMost: Self.limit)
                self.applications[sender] = Application(root: path, objects: Self.objects(reply?.body.first))
                self.answer(call, .ok())
            }
        case "RegisterAdvertisement":
            guard advertisements[sender] == nil else {
                answer(call, .error("org.bluez.Error.AlreadyExists", "Already Exists"))
                return true
            }
            Task {
                var ask = DBusMessage.call(sender, path, BlueZ.properties, "GetAll")
                ask.body = [.string(BlueZ.advertisement)]
                let reply = try? await self.connection.call(ask, atMost: Self.limit)
                self.advertisements[sender] = reply?.body.first?.asProperties
                self.answer(call, .ok())
            }
        case "UnregisterApplication":
            let existed = applications.removeValue(forKey: sender) != nil
            answer(call, existed ? .ok() : .error("org.bluez.Error.DoesNotExist", "Does Not Exist"))
        case "UnregisterAdvertisement":
            let existed = advertisements.removeValue(forKey: sender) != nil
            answer(call, existed ? .ok() : .error("org.bluez.Error.DoesNotExist", "Does Not Exist"))
        default:
            return false
        }
        return true
    }

    private static func objects(_ managed: DBusValue?) -> Objects {
        var objects: Objects = [:]
        for entry in managed?.entries ?? [] {
            guard let path = entry.key.asPath else { continue }
            for interface in entry.value.entries ?? [] {
                objects[path, default: [:]][interface.key.asString ?? ""] = interface.value.asProperties
            }
        }
        return objects
    }

    func takeNotification(_ signal: DBusMessage) {
        guard signal.member == "PropertiesChanged", let sender = signal.sender, applications[sender] != nil,
            let path = signal.path, signal.body.count == 3, let bytes = signal.body[1].asProperties?["Value"]?.asBytes
        else { return }
        notified.append((path, bytes))
        changed.recheck()
    }

    /// Calls the characteristic of the only application, as bluetoothd does for a device.
    package func callApplication(
        _ characteristic: BluetoothUUID, _ member: String, _ body: DBusValue...
    ) async throws(DBusCallError) -> [DBusValue] {
        guard let (owner, application) = applications.first, let path = application.path(of: characteristic) else {
            throw .invalid("no application has \(characteristic)")
        }
        var message = DBusMessage.call(owner, path, BlueZ.characteristic, member)
        message.body = body
        return try await connection.call(message, atMost: Self.limit).body
    }
}
