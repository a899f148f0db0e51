#if Bluetooth
import GATT
import DBus

/// Answers bluetoothd's questions about one device on one connection (`org.bluez.Agent1`).
///
/// bluetoothd asks the agent of the connection that began the pairing. This agent never becomes the default one:
/// pairings that others begin belong to the desktop.
@BusActor
final class BlueZAgent {
    static let path = "/org/openhealthkit/agent"

    private let address: DeviceAddress
    private let device: String
    private let mirror: BlueZMirror
    private let timings: BlueZTimings
    /// Nil refuses everything.
    private let person: (any PairingAgent)?
    private var question: Task<Void, Never>?
    private var shown: UInt32?
    /// Called when a question of bluetoothd was refused.
    var onRefusal: (() -> Void)?
    /// Whether bluetoothd asked anything.
    private(set) var wasAsked = false
    /// Whether the last answer was a refusal.
    private(set) var hasRefused = false

    /// Registers with bluetoothd.
    init(
        _ address: DeviceAddress, _ device: String, _ mirror: BlueZMirror, _ timings: BlueZTimings,
        person: (any PairingAgent)?
    ) async throws(DBusCallError) {
        self.address = address
        self.device = device
        self.mirror = mirror
        self.timings = timings
        self.person = person
        mirror.connection.onCall = { [weak self] call in self?.handle(call) ?? false }
        let capability = person?.capability ?? .noInputNoOutput
        do throws(DBusCallError) {
            try await mirror.call(
                "/org/bluez", BlueZ.agentManager, "RegisterAgent",
                [.objectPath(Self.path), .string(capability.rawValue)], atMost: timings.call)
        } catch {
            guard error.is("AlreadyExists") else { throw error }
        }
    }

    /// Returns an agent that refuses, and so detects that the device wants to be paired. Nil if it cannot be
    /// registered.
    static func refusing(
        _ address: DeviceAddress, _ device: String, _ mirror: BlueZMirror, _ timings: BlueZTimings
    ) async -> BlueZAgent? {
        try? await BlueZAgent(address, device, mirror, timings, person: nil)
    }

    func withdraw() {
        question?.cancel()
        mirror.connection.onCall = nil
        let mirror = mirror
        let limit = timings.call
        guard mirror.connection.isOpen else { return }
        Task {
            _ = try? await mirror.call(
                "/org/bluez", BlueZ.agentManager, "UnregisterAgent", [.objectPath(Self.path)], atMost: limit)
        }
    }

    private func handle(_ call: DBusMessage) -> Bool {
        guard call.path == Self.path, call.interface == BlueZ.agent, call.sender == mirror.tree.owner else {
            return false
        }
        switch call.member {
        case "Release":
            answer(call.reply())
        case "Cancel":
            question?.cancel()
            answer(call.reply())
        case "RequestPinCode", "DisplayPinCode", "RequestPasskey", "DisplayPasskey", "RequestConfirmation",
            "RequestAuthorization", "AuthorizeService":
            wasAsked = true
            hasRefused = false
            defer { if hasRefused { onRefusal?() } }
            guard let person, call.body.first?.asPath == device else {
                hasRefused = person == nil || call.body.first?.asPath == device
                answer(call.error("org.bluez.Error.Rejected", "Not the device that is being paired"))
                return true
            }
            question?.cancel()
            question = Task { await self.ask(person, call) }
        default:
            return false
        }
        return true
    }

    private func ask(_ person: any PairingAgent, _ call: DBusMessage) async {
        let number = call.body.count > 1 ? call.body[1].asUInt32 : nil
        switch call.member {
        case "RequestPasskey":
            let passkey = await person.passkey(for: address)
            answer(passkey.map { call.reply(.uint32($0)) } ?? refusal(call))
        case "DisplayPasskey":
            // This comes again for each digit that is typed.
            if let number, shown != number {
                shown = number
                await person.show(passkey: number, for: address)
            }
            answer(call.reply())
        case "RequestConfirmation":
            guard let number else { return answer(refusal(call)) }
            answer(await person.confirms(passkey: number, for: address) ? call.reply() : refusal(call))
        case "RequestAuthorization":
            answer(await person.allowsJustWorks(for: address) ? call.reply() : refusal(call))
        case "AuthorizeService":
            answer(call.reply())
        default:
            // PIN codes belong to BR/EDR.
            answer(refusal(call))
        }
    }

    private func refusal(_ call: DBusMessage) -> DBusMessage {
        hasRefused = true
        defer { onRefusal?() }
        return call.error("org.bluez.Error.Rejected", "Refused")
    }

    private func answer(_ message: DBusMessage) {
        // If the connection has ended, nobody waits for the answer.
        try? mirror.connection.send(message)
    }
}
#endif
