import DBus
import FakeBluetoothd
import Foundation
import PrivateBus
import Testing

@testable import Bluetooth
@testable import GATT

@Suite(.needsBus, .timeLimit(.minutes(10)))
@BusActor
struct BlueZPairingTests {
    /// A user with given answers, who remembers the questions.
    final class Person: PairingAgent {
        let capability: PairingCapability
        private let number: UInt32?
        private let agrees: Bool
        @BusActor private(set) var asked: [String] = []

        init(_ capability: PairingCapability = .keyboardDisplay, number: UInt32? = nil, agrees: Bool = true) {
            self.capability = capability
            self.number = number
            self.agrees = agrees
        }

        @BusActor private func note(_ question: String) { asked.append(question) }

        func passkey(for device: DeviceAddress) async -> UInt32? {
            await note("passkey of \(device)")
            return number
        }

        func show(passkey: UInt32, for device: DeviceAddress) async { await note("show \(passkey)") }

        func confirms(passkey: UInt32, for device: DeviceAddress) async -> Bool {
            await note("confirm \(passkey)")
            return agrees
        }

        func allowsJustWorks(for device: DeviceAddress) async -> Bool {
            await note("just works")
            return agrees
        }
    }

    /// Makes bluetoothd ask `question` while it pairs, and accept any answer.
    private func ask(_ scene: BlueZScene, _ strap: String, _ question: String, _ body: DBusValue...) {
        let fake = scene.fake
        fake.script["Pair"] = { call in
            fake.changeDevice(strap, ["Connected": .boolean(true)])
            let caller = call.sender ?? ""
            let answer = await fake.answer(of: caller, question, [.objectPath(strap)] + body)
            guard let answer else {
                return .error("org.bluez.Error.AuthenticationRejected", "Authentication Rejected")
            }
            fake.answers.append(answer.body)
            return .usual
        }
    }

    @Test func `a strap that pairs without input is bonded, trusted and left disconnected`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        ask(scene, strap, "RequestAuthorization")
        let person = Person(.noInputNoOutput)
        try await scene.peripheral.pair(answering: person)
        #expect(person.asked == ["just works"])
        #expect(fake.property(strap, BlueZ.device, "Paired") == .boolean(true))
        #expect(fake.property(strap, BlueZ.device, "Trusted") == .boolean(true))
        #expect(fake.property(strap, BlueZ.device, "Connected") == .boolean(false))
        #expect(fake.count("RequestDefaultAgent") == 0)
        await scene.end()
    }

    @Test func `a passkey is entered`() async throws {
        let scene = try await BlueZScene()
        let strap = scene.fake.addStrap(BlueZScene.strap)
        ask(scene, strap, "RequestPasskey")
        let person = Person(number: 123_456)
        try await scene.peripheral.pair(answering: person)
        #expect(person.asked == ["passkey of \(BlueZScene.strap)"])
        #expect(scene.fake.answers == [[.uint32(123_456)]])
        await scene.end()
    }

    @Test func `a passkey is displayed`() async throws {
        let scene = try await BlueZScene()
        let strap = scene.fake.addStrap(BlueZScene.strap)
        ask(scene, strap, "DisplayPasskey", .uint32(42), .uint16(0))
        let person = Person()
        try await scene.peripheral.pair(answering: person)
        #expect(person.asked == ["show 42"])
        await scene.end()
    }

    @Test func `a passkey is compared`() async throws {
        let scene = try await BlueZScene()
        let strap = scene.fake.addStrap(BlueZScene.strap)
        ask(scene, strap, "RequestConfirmation", .uint32(7))
        let person = Person()
        try await scene.peripheral.pair(answering: person)
        #expect(person.asked == ["confirm 7"])
        await scene.end()
    }

    @Test(arguments: ["RequestAuthorization", "RequestPasskey", "RequestPinCode"])
    func `a refusal fails the pairing`(question: String) async throws {
        let scene = try await BlueZScene()
        let strap = scene.fake.addStrap(BlueZScene.strap)
        ask(scene, strap, question)
        let error = await #expect(throws: BluetoothError.self) {
            try await scene.peripheral.pair(answering: Person(agrees: false))
        }
        guard case .pairingFailed(scene.address, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await scene.end()
    }

    @Test func `requests about another device or from another sender are refused`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let stranger = try await DBusConnection.open(fake.bus.address, atMost: FakeBlueZ.limit)
        fake.script["Pair"] = { call in
            let other = await fake.answer(
                of: call.sender ?? "", "RequestAuthorization", [.objectPath("/org/bluez/hci0/dev_00")])
            #expect(other == nil)
            var message = DBusMessage.call(
                call.sender ?? "", BlueZAgent.path, BlueZ.agent, "RequestAuthorization", .objectPath(strap))
            message.startsService = false
            let asked = message
            await #expect(throws: DBusCallError.self) { try await stranger.call(asked, atMost: FakeBlueZ.limit) }
            return .usual
        }
        let person = Person()
        try await scene.peripheral.pair(answering: person)
        #expect(person.asked.isEmpty)
        stranger.close()
        await scene.end()
    }

    @Test func `a strap that requires pairing is reported at once when subscribing`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let link = try await scene.peripheral.connect()
        fake.script["StartNotify"] = { call in
            guard fake.property(strap, BlueZ.device, "Paired") != .boolean(true) else { return .usual }
            // bluetoothd starts to pair, asks, and does not answer.
            _ = await fake.answer(of: call.sender ?? "", "RequestAuthorization", [.objectPath(strap)])
            return .never
        }
        let measurement = try #require(link.characteristic(.heartRateMeasurement))
        await #expect(throws: BluetoothError.pairingRequired(scene.address)) {
            try await link.subscribe(to: measurement)
        }
        await link.disconnect()
        try await scene.peripheral.pair(answering: Person(.noInputNoOutput))
        let (again, events) = try await scene.stream()
        fake.notify(strap, [0, 60])
        #expect(await events.values(1) == [[0, 60]])
        await again.disconnect()
        await scene.end()
    }

    @Test(arguments: [true, false])
    func `a strap that lost its bond is reported as such, and pairs again`(dropsFirst: Bool) async throws {
        let scene = try await BlueZScene { $0.pairSilence = .milliseconds(20) }
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap, ["Paired": .boolean(true)])
        fake.script["Connect"] = { _ in
            guard fake.property(strap, BlueZ.device, "Paired") == .boolean(true), fake.count("RemoveDevice") == 0
            else { return .usual }
            fake.link(strap)
            guard dropsFirst else { return .error("org.bluez.Error.Failed", "br-connection-canceled") }
            fake.drop(strap)
            return .ok()
        }
        fake.script["StartDiscovery"] = { _ in
            fake.addStrap(BlueZScene.strap)
            return .usual
        }
        let error = await #expect(throws: BluetoothError.self) { try await scene.peripheral.connect() }
        guard case .pairingFailed(scene.address, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("forgotten"))
        #expect(fake.count("Connect") == 2)
        try await scene.peripheral.pair(answering: Person())
        #expect(fake.count("RemoveDevice") == 1)
        #expect(fake.property(strap, BlueZ.device, "Paired") == .boolean(true))
        let (link, _) = try await scene.stream()
        await link.disconnect()
        await scene.end()
    }

    @Test func `pairing a strap with a valid bond changes nothing`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        fake.addStrap(BlueZScene.strap, ["Paired": .boolean(true)])
        try await scene.peripheral.pair(answering: Person())
        #expect(fake.count("Pair ") == 0 && fake.count("RemoveDevice") == 0)
        await scene.end()
    }

    @Test func `a pairing whose link broke silently is abandoned`() async throws {
        let scene = try await BlueZScene { $0.pairSilence = .milliseconds(20) }
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.script["Pair"] = { _ in
            fake.link(strap)
            fake.drop(strap)
            return .never
        }
        await #expect(
            throws: BluetoothError.pairingFailed(scene.address, "the link broke")
        ) {
            try await scene.peripheral.pair(answering: Person())
        }
        #expect(fake.count("CancelPairing") == 1)
        await scene.end()
    }

    @Test func `a strap whose address changes while pairing stays the same strap`() async throws {
        let scene = try await BlueZScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        fake.script["Pair"] = { _ in
            fake.changeDevice(strap, ["Address": .string("00:22:D0:00:00:01"), "AddressType": .string("public")])
            return .usual
        }
        try await scene.peripheral.pair(answering: Person())
        for address in [scene.address, try #require(DeviceAddress("00:22:D0:00:00:01"))] {
            let link = try await scene.central.peripheral(address, kind: nil).connect()
            await link.disconnect()
        }
        #expect(fake.count("StartDiscovery") == 0)
        await scene.end()
    }
}
