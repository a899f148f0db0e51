import Bluetooth
package import DBus

/// The answers to calls.
extension FakeBlueZ {
    package func count(_ call: String) -> Int { calls.count { $0.hasPrefix(call) } }

    func take(_ call: DBusMessage) {
        let member = call.member ?? ""
        if member == "Set", call.body.count == 3 {
            calls.append("Set \(call.body[1].asString ?? "") \(call.path ?? "")")
        } else if member == "RemoveDevice" {
            calls.append("RemoveDevice \(call.body.first?.asPath ?? "")")
        } else {
            calls.append("\(member) \(call.path ?? "")")
        }
        changed.recheck()
        if script[member] == nil, takeRegistration(call) { return }
        guard let scripted = script[member] else { return answer(call, usual(call)) }
        Task {
            let answer = await scripted(call)
            if case .usual = answer { return self.answer(call, usual(call)) }
            self.answer(call, answer)
        }
    }

    func answer(_ call: DBusMessage, _ answer: Answer) {
        switch answer {
        case .ok(let body):
            var reply = call.reply()
            reply.body = body
            try? connection.send(reply)
        case .error(let name, let text): try? connection.send(call.error(name, text))
        case .never, .usual: break
        }
        changed.recheck()
    }

    private func usual(_ call: DBusMessage) -> Answer {
        let path = call.path ?? ""
        let sender = call.sender ?? ""
        if call.interface == BlueZ.objectManager { return .ok([managedObjects]) }
        guard objects[path] != nil else {
            return .error("org.freedesktop.DBus.Error.UnknownObject", "Method \"\(call.member ?? "")\" doesn't exist")
        }
        switch call.member {
        case "Set":
            guard call.body.count == 3, let interface = call.body[0].asString, let name = call.body[1].asString else {
                return .error("org.bluez.Error.InvalidArguments", "Invalid arguments in method call")
            }
            change(path, interface, [name: call.body[2].unwrapped])
            return .ok()
        case "Get":
            guard call.body.count == 2, let interface = call.body[0].asString, let name = call.body[1].asString,
                let value = property(path, interface, name)
            else { return .error("org.freedesktop.DBus.Error.InvalidArgs", "No such property") }
            return .ok([.variant(value)])
        case "SetDiscoveryFilter":
            filters.append(call.body.first?.asProperties ?? [:])
            return .ok()
        case "StartDiscovery":
            guard scans.insert(sender).inserted else {
                return .error("org.bluez.Error.InProgress", "Operation already in progress")
            }
            change(path, BlueZ.adapter, ["Discovering": .boolean(true)])
            return .ok()
        case "StopDiscovery":
            guard scans.remove(sender) != nil else {
                return .error("org.bluez.Error.Failed", "No discovery started")
            }
            change(path, BlueZ.adapter, ["Discovering": .boolean(false)])
            return .ok()
        case "RemoveDevice":
            guard let device = call.body.first?.asPath, objects[device] != nil else {
                return .error("org.bluez.Error.DoesNotExist", "Does Not Exist")
            }
            remove(device)
            return .ok()
        case "Connect":
            if property(path, BlueZ.device, "Connected") == .boolean(true) { return .ok() }
            link(path)
            resolve(path)
            return .ok()
        case "Disconnect":
            guard property(path, BlueZ.device, "Connected") == .boolean(true) else {
                return .error("org.bluez.Error.NotConnected", "Not Connected")
            }
            drop(path)
            return .ok()
        case "Pair":
            changeDevice(path, ["Connected": .boolean(true), "Paired": .boolean(true)])
            return .ok()
        case "CancelPairing":
            return .error("org.bluez.Error.DoesNotExist", "Does Not Exist")
        case "RegisterAgent":
            agents[sender] = call.body.first?.asPath
            return .ok()
        case "RequestDefaultAgent":
            return .ok()
        case "UnregisterAgent":
            agents[sender] = nil
            return .ok()
        case "StartNotify":
            subscriptions.insert([path, sender])
            change(path, BlueZ.characteristic, ["Notifying": .boolean(true)])
            return .ok()
        case "StopNotify":
            guard subscriptions.remove([path, sender]) != nil else {
                return .error("org.bluez.Error.Failed", "No notify session started")
            }
            if !subscriptions.contains(where: { $0[0] == path }) {
                change(path, BlueZ.characteristic, ["Notifying": .boolean(false)])
            }
            return .ok()
        case "ReadValue":
            guard isConnected(path) else { return .error("org.bluez.Error.NotConnected", "Not Connected") }
            let value = property(path, BlueZ.characteristic, "Value") ?? .bytes([1])
            change(path, BlueZ.characteristic, ["Value": value])
            return .ok([value])
        case "WriteValue":
            return .ok()
        default:
            return .error("org.freedesktop.DBus.Error.UnknownMethod", "No such method")
        }
    }

    /// Whether the device that owns the attribute at `path` is connected.
    private func isConnected(_ path: String) -> Bool {
        objects.keys.contains { device in
            path.hasPrefix(device + "/") && property(device, BlueZ.device, "Connected") == .boolean(true)
        }
    }

    /// Asks the agent that `caller` has registered, as bluetoothd does while it pairs. Nil if it refuses.
    package func answer(of caller: String, _ member: String, _ body: [DBusValue]) async -> DBusMessage? {
        guard let path = agents[caller] else { return nil }
        var message = DBusMessage.call(caller, path, BlueZ.agent, member)
        message.body = body
        return try? await connection.call(message, atMost: Self.limit)
    }
}
